"""`lethe audit` finds what should not be remembered, whatever let it in, and changes nothing."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.audit import audit
from lethe.ids import new_id, shown
from lethe.index.vectors import index_memories
from lethe.keys import Keyring
from lethe.rules import Rules
from lethe.store.database import tenant_transaction
from tests.integration.recall_rows import NOW, TENANT, Rows, WordModel, days


@pytest.fixture
def rows(engine: Engine) -> Rows:
    return Rows(engine)


@pytest.fixture
def look(rows: Rows, rules: Rules, keys: Keyring) -> Any:
    def found(*counted: UUID) -> dict[str, Any]:
        return audit(rows.engine, TENANT, rules, keys, counted, NOW)

    return found


def index(rows: Rows) -> None:
    index_memories(rows.engine, TENANT, rows.made, WordModel(), NOW)


def run(rows: Rows, words: str, **values: Any) -> None:
    with tenant_transaction(rows.engine, TENANT) as connection:
        connection.execute(sa.text(words), values)


def counts(found: dict[str, Any]) -> dict[str, int]:
    return {name: each["count"] for name, each in found.items() if isinstance(each, dict) and each["count"]}


def test_a_clean_store_has_nothing_but_what_nobody_asked_for_yet(rows: Rows, look: Any) -> None:
    asked = rows.memory("The user lives in Oulu.", uses=2)
    counted, idle = rows.memory("The user keeps bees."), rows.memory("The user owns a tandem.")
    index(rows)
    found = look(counted)
    assert counts(found) == {"never_recalled": 1}
    assert found["memories"] == 3
    assert found["never_recalled"]["examples"] == [{"memory": shown("mem", idle), "claim": "The user owns a tandem."}]
    assert asked


def test_duplicates_are_told_within_an_owner_only(rows: Rows, look: Any) -> None:
    first, second = rows.memory("The user keeps bees."), rows.memory("the user keeps Bees.")
    rows.memory("The user keeps bees.", user="bob")
    one, two = rows.memory("The user owns a red tandem."), rows.memory("The user owns the red tandem.")
    gone = rows.memory("The user keeps bees.", retired_as="archived", retired_at=NOW)
    index(rows)
    found = look(*rows.made)
    assert counts(found) == {"exact_duplicates": 1, "near_duplicates": 1}
    assert set(found["exact_duplicates"]["examples"][0]["memories"]) == {shown("mem", first), shown("mem", second)}
    assert set(found["near_duplicates"]["examples"][0]["memories"]) == {shown("mem", one), shown("mem", two)}
    assert gone


def test_a_secret_is_found_and_its_words_are_not_shown(rows: Rows, look: Any) -> None:
    row = rows.memory("The user's password is vK9#tanglewood-77.")
    index(rows)
    found = look(row)
    assert counts(found) == {"secrets": 1}
    assert found["secrets"]["examples"] == [{"memory": shown("mem", row), "reasons": ["secret"]}]


def test_a_memory_that_only_repeats_what_was_recalled_is_an_echo(rows: Rows, look: Any) -> None:
    source = rows.memory("The user lives in Oulu.", predicate="lives_in", session="s1", observed_at=days(-20))
    echo = rows.memory("The user lives in Oulu.", predicate="home", session="s2", turn="late", observed_at=days(-5))
    run(
        rows,
        "insert into handouts (tenant, memory, session, at, past) values (:tenant, :memory, 's2', :at, false)",
        tenant=TENANT, memory=source, at=days(-6),
    )  # fmt: skip
    index(rows)
    found = look(*rows.made)
    assert [each["memory"] for each in found["echoes"]["examples"]] == [shown("mem", echo)]


def test_loose_ends_are_named(rows: Rows, look: Any) -> None:
    bare, gone = rows.memory("The user lives in Oulu."), new_id()
    run(
        rows,
        "insert into deletions (tenant, id, what, reason, state, requested_at, invisible_at, due_at, policy) "
        "values (:tenant, :id, '{}', 'requested', 'erased', :at, :at, :due, 'test@1')",
        tenant=TENANT, id=gone, at=days(-9), due=days(-2),
    )  # fmt: skip
    found = look(bare, gone)
    assert counts(found) == {"missing_vectors": 1, "stale_cache_entries": 1, "overdue_deletions": 1}
    assert found["overdue_deletions"]["examples"][0]["deletion"] == shown("del", gone)


def test_another_tenant_is_not_looked_at(rows: Rows, rules: Rules, keys: Keyring) -> None:
    rows.memory("The user keeps bees.")
    rows.memory("The user keeps bees.")
    assert counts(audit(rows.engine, "other", rules, keys, [], NOW)) == {}
