"""Vectors are written for what is in the primary at that moment, once, and by owner above the switch for the graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from uuid import UUID, uuid4

import numpy as np
import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.errors import LetheError
from lethe.index import vectors as index
from lethe.index.embedder import Embedder, Vectors, check_dimension, check_packaged
from lethe.index.vectors import Indexed, index_memories
from lethe.settings import Settings
from lethe.store.database import tenant_transaction
from lethe.store.tables import DIMENSION, memories
from tests.integration.recall_rows import NOW, TENANT, Rows, WordModel


@pytest.fixture
def rows(engine: Engine) -> Rows:
    return Rows(engine)


class Interrupted(WordModel):
    """Something happens while the model works."""

    def __init__(self, happens: Callable[[], object]) -> None:
        self.happens = happens

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.happens()
        return super().embed(texts)


def stored(engine: Engine) -> dict[UUID, sa.Row]:
    with tenant_transaction(engine, TENANT) as connection:
        return {row.memory: row for row in connection.execute(sa.text("select * from vectors"))}


def revision(engine: Engine) -> int:
    with tenant_transaction(engine, TENANT) as connection:
        return int(connection.execute(sa.text("select sum(revision) from owners")).scalar_one())


def test_each_memory_gets_one_vector_and_its_owner_a_new_revision(engine: Engine, rows: Rows) -> None:
    ids = [rows.memory("The user lives in Oulu."), rows.memory("The user plays chess.")]
    before = revision(engine)
    assert index_memories(engine, TENANT, ids, WordModel(), NOW) == Indexed(2, 0)
    assert set(stored(engine)) == set(ids)
    assert revision(engine) == before + 1


def test_what_is_indexed_already_is_left_alone(engine: Engine, rows: Rows) -> None:
    ids = [rows.memory("The user lives in Oulu.")]
    index_memories(engine, TENANT, ids, WordModel(), NOW)
    before = revision(engine)
    assert index_memories(engine, TENANT, ids, WordModel(), NOW) == Indexed(0, 1)
    assert revision(engine) == before


def test_a_changed_claim_gets_a_new_vector(engine: Engine, rows: Rows) -> None:
    memory = rows.memory("The user lives in Oulu.")
    index_memories(engine, TENANT, [memory], WordModel(), NOW)
    first = stored(engine)[memory].embedding
    rows.change(memory, claim="The user lives in Turku.", version=2)
    assert index_memories(engine, TENANT, [memory], WordModel(), NOW).written == 1
    assert stored(engine)[memory].embedding != first
    assert stored(engine)[memory].memory_version == 2


def test_another_model_replaces_the_vectors_of_the_former(engine: Engine, rows: Rows) -> None:
    class Other(WordModel):
        name = "other"

    memory = rows.memory("The user lives in Oulu.")
    index_memories(engine, TENANT, [memory], WordModel(), NOW)
    assert index_memories(engine, TENANT, [memory], Other(), NOW).written == 1
    assert stored(engine)[memory].model == "other"


def test_a_claim_that_changed_while_the_model_worked_is_skipped(engine: Engine, rows: Rows) -> None:
    memory = rows.memory("The user lives in Oulu.")
    model = Interrupted(lambda: rows.change(memory, claim="The user lives in Turku.", version=2))
    assert index_memories(engine, TENANT, [memory], model, NOW) == Indexed(0, 1)
    assert not stored(engine)


def test_new_evidence_while_the_model_worked_does_not_lose_the_vector(engine: Engine, rows: Rows) -> None:
    memory = rows.memory("The user lives in Oulu.")
    model = Interrupted(lambda: rows.change(memory, independent=2, version=2))
    assert index_memories(engine, TENANT, [memory], model, NOW).written == 1
    assert stored(engine)[memory].memory_version == 2


def test_what_became_invisible_or_was_deleted_meanwhile_gets_no_vector(engine: Engine, rows: Rows) -> None:
    hidden, gone = rows.memory("The user lives in Oulu."), rows.memory("The user plays chess.")

    def delete() -> None:
        rows.change(hidden, invisible_at=NOW)
        with tenant_transaction(engine, TENANT) as connection:
            connection.execute(memories.delete().where(memories.c.id == gone))

    assert index_memories(engine, TENANT, [hidden, gone], Interrupted(delete), NOW) == Indexed(0, 2)
    assert not stored(engine)


def test_unknown_and_foreign_memories_are_skipped(engine: Engine, rows: Rows) -> None:
    foreign = Rows(engine, "globex").memory("The user plays chess.")
    assert index_memories(engine, TENANT, [foreign, uuid4()], WordModel(), NOW) == Indexed(0, 2)
    assert not stored(engine)


def test_an_owner_that_grows_above_the_switch_moves_to_the_graph_as_a_whole(
    engine: Engine, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "ANN_ABOVE", 2)
    ids = [rows.memory(f"The user owns boat {name}.") for name in ("Ada", "Bea")]
    other = rows.memory("The user plays chess.", user="bob")
    index_memories(engine, TENANT, [*ids, other], WordModel(), NOW)
    assert {row.ann for row in stored(engine).values()} == {False}
    ids.append(rows.memory("The user owns boat Cleo."))
    index_memories(engine, TENANT, ids[-1:], WordModel(), NOW)
    assert {memory for memory, row in stored(engine).items() if row.ann} == set(ids)


@pytest.fixture(scope="module")
def packaged() -> Embedder:
    return Embedder(Settings.from_environment())


def test_the_packaged_model_gives_unit_vectors_that_know_what_is_alike(packaged: Embedder) -> None:
    made = packaged.embed(
        ["Where does the user live?", "The user's home is in Oulu.", "The user prefers invoices as PDF."]
    )
    assert made.shape == (3, DIMENSION)
    assert made.dtype == np.float32
    assert np.allclose(np.linalg.norm(made, axis=1), 1, atol=1e-5)
    assert made[0] @ made[1] > made[0] @ made[2] + 0.2


def test_no_text_needs_no_model(packaged: Embedder) -> None:
    assert Embedder(Settings.from_environment()).embed([]).shape == (0, DIMENSION)


def test_changed_weights_are_refused(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "model.safetensors").write_bytes(b"other weights")
    with pytest.raises(LetheError) as refused:
        check_packaged(tmp_path)
    assert refused.value.code == "embedder_changed"


def test_a_model_of_another_dimension_is_refused() -> None:
    with pytest.raises(LetheError) as refused:
        check_dimension("some/model", 768)
    assert refused.value.code == "embedder_dimension"
    assert "LETHE_EMBEDDER" in refused.value.hint
