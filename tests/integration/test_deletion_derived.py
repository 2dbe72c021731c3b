"""Merged memories: what was merged from something deleted goes through every level, and the other inputs stand alone again."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from lethe.ids import new_id
from lethe.keys import Keyring
from lethe.lifecycle.deletion.requests import Reach
from lethe.rules import Rules
from lethe.store.database import tenant_transaction
from lethe.store.tables import memories
from tests.conftest import Database
from tests.integration.line import NOW, Line
from tests.integration.test_deletion import everything, forget, receipt, work_off

SAID = ["I play the zither.", "I keep two donkeys.", "I collect barometers."]


@pytest.fixture
def line(engine: Engine, rules: Rules, keys: Keyring) -> Line:
    return Line(engine, rules, keys)


@pytest.fixture
def reach(engine: Engine, rules: Rules, keys: Keyring, database: Database, tmp_path: Path) -> Reach:
    return Reach(engine, rules, keys, tmp_path, database.admin_url)


@pytest.fixture
def merged(line: Line) -> UUID:
    """(zither + donkeys) + barometers, in two steps."""
    line.take(*(line.turn(f"a{number}", text, number) for number, text in enumerate(SAID)))
    zither, donkeys, barometers = (UUID(row["memory"].removeprefix("mem_")) for row in line.memories())
    with tenant_transaction(line.engine, line.tenant) as connection:
        first = _merge(connection, "The user plays the zither and keeps two donkeys.", zither, donkeys)
        return _merge(
            connection, "The user plays the zither, keeps two donkeys and collects barometers.", first, barometers
        )


def _merge(connection: Connection, claim: str, *inputs: UUID) -> UUID:
    row = dict(connection.execute(sa.select(memories).where(memories.c.id == inputs[0])).mappings().one())
    output, key = new_id(), new_id()
    del row["state"]
    connection.execute(sa.insert(memories).values({**row, "id": output, "key": key, "claim": claim, "object": claim}))
    for name in inputs:
        connection.execute(
            sa.text(
                "insert into lineage (tenant, output, input, consolidation) values ('acme', :output, :input, :output)"
            ),
            {"output": output, "input": name},
        )
        connection.execute(
            sa.text("update memories set retired_as = 'consolidated', retired_at = :now where id = :id"),
            {"id": name, "now": NOW},
        )
    return output


def test_a_merge_goes_with_any_of_its_inputs_and_the_others_are_back(line: Line, reach: Reach, merged: UUID) -> None:
    assert len(line.current()) == 1
    made = forget(reach, turn="a1", session="s1")
    assert line.current() == ["The user collects barometers.", "The user plays the zither."]
    assert len(line.memories()) == 2
    assert "donkeys" not in everything(line)
    work_off(reach)
    assert receipt(reach, made)["state"] == "verified"


def test_forgetting_a_merge_forgets_what_it_was_merged_from(line: Line, reach: Reach, merged: UUID) -> None:
    made = forget(reach, memory=merged.hex)
    assert line.memories() == []
    text = everything(line)
    assert not any(word in text for word in ("zither", "donkeys", "barometers"))
    work_off(reach)
    assert receipt(reach, made)["state"] == "verified"


def test_forgetting_an_input_takes_the_merge_along_and_leaves_the_others(
    line: Line, reach: Reach, merged: UUID
) -> None:
    name = next(row["memory"] for row in line.memories() if row["claim"] == "The user collects barometers.")
    forget(reach, memory=name)
    assert line.current() == ["The user plays the zither and keeps two donkeys."]
    assert "barometers" not in everything(line)
