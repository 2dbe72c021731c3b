"""Policy replay: what another policy would have decided, and not a row changed."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.keys import Keyring
from lethe.lifecycle.replay import replay
from lethe.rules import Rules
from lethe.store.database import tenant_transaction
from policies.policy import parse
from tests.integration.line import Line
from workers import wiring

STRICT = '[stability]\nsecond_session_bases = ["stated", "observed", "inferred"]\n'


def rows(line: Line) -> list[str]:
    with tenant_transaction(line.engine, line.tenant) as connection:
        tables = ("proposals", "decisions", "memories", "evidence", "events")
        return [
            str(row) for table in tables for row in connection.execute(sa.text(f"select * from {table} order by 1, 2"))
        ]


def test_the_same_policy_would_decide_the_same(engine: Engine, rules: Rules, keys: Keyring) -> None:
    line = Line(engine, rules, keys)
    line.take(
        line.turn("a1", "I prefer black tea.", 0),
        line.turn("a2", "I live in Varde.", 1),
        line.turn("a3", "I live in Lund.", 2),
    )
    assert replay(engine, line.tenant, rules, keys).changes == {}


def test_a_stricter_policy_says_what_it_would_hold_and_changes_nothing(
    engine: Engine, rules: Rules, keys: Keyring
) -> None:
    line = Line(engine, rules, keys)
    line.take(line.turn("a1", "I prefer black tea.", 0), line.turn("a2", "I live in Varde.", 1))
    before = rows(line)
    strict = wiring.bind(parse(STRICT, "strict", base=wiring.default_text()))
    found = replay(engine, line.tenant, strict, keys).as_dict()
    assert rows(line) == before
    (change,) = found["changes"]
    assert (change["was"], change["would_be"], change["reason"], change["count"]) == (
        "admit",
        "hold",
        "awaiting_second_session",
        1,
    )
    assert "black tea" in change["examples"][0]["claim"]
