"""For random stores: merging and reverting leaves everything as it was, however turns and merges follow each other."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.engine import Engine

from lethe.embedded import postgres
from lethe.embedded.places import Home
from lethe.keys import Keyring
from lethe.records import Turn
from lethe.rules import Rules
from lethe.store.database import connect
from tests.integration.merging_line import MergingLine
from tests.integration.test_consolidation import CHOIR, HORN

TALK: list[tuple[str, str]] = [
    ("u1", HORN[0]), ("u1", HORN[1]), ("u1", HORN[2]), ("u1", "I no longer play the horn in a brass band."),
    ("u1", CHOIR[0]), ("u1", CHOIR[1]), ("u1", CHOIR[2]), ("u2", CHOIR[0]), ("u2", CHOIR[2]),
    ("u1", "I use VS Code."), ("u1", "I use VS Code with the Vim plugin."), ("u1", "I live in Varde."), ("u1", "I live in Lund now."),
    ("u1", "I keep two donkeys."), ("u2", CHOIR[1]), ("u1", "I play the horn in the Redmoor brass band with Odalys."),
]  # fmt: skip
_tenants = iter(range(1_000_000))
Data = st.DataObject


@pytest.fixture(scope="module")
def one_database(home: Home) -> Iterator[Engine]:
    """One database for all examples; each has tenants of its own."""
    with psycopg.connect(postgres.admin_url(home, "postgres"), autocommit=True) as connection:
        connection.execute("create database merged template lethe")
    made = connect(postgres.database_url(home).replace("/lethe?", "/merged?"))
    yield made
    made.dispose()
    with psycopg.connect(postgres.admin_url(home, "postgres"), autocommit=True) as connection:
        connection.execute("drop database merged with (force)")


def fresh(engine: Engine, rules: Rules) -> MergingLine:
    return MergingLine(engine, rules, Keyring("1", {"1": b"k" * 32}), tenant=f"world{next(_tenants)}")


def said(line: MergingLine, number: int) -> Turn:
    user, text = TALK[number]
    return line.turn(f"t{number:02}", text, number, user=user)


numbers = st.lists(st.sampled_from(range(len(TALK))), min_size=3, max_size=12, unique=True)
quick = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@quick
@given(some=numbers)
def test_consolidate_then_revert_is_the_identity(one_database: Engine, rules: Rules, some: list[int]) -> None:
    line = fresh(one_database, rules)
    line.take(*(said(line, number) for number in some))
    before = line.tables()
    run = line.consolidate()
    merged = line.tables()
    assert line.consolidate()["groups"] == [] and line.tables() == merged, "a second run changes nothing more"
    line.later(days=1)
    line.revert(run["consolidation"])
    assert line.tables() == before


@quick
@given(some=numbers, data=st.data())
def test_merges_between_turns_change_nothing_of_what_the_turns_lead_to(
    one_database: Engine, rules: Rules, some: list[int], data: Data
) -> None:
    plain, line = fresh(one_database, rules), fresh(one_database, rules)
    plain.take(*(said(plain, number) for number in some))
    for number in some:
        line.take(said(line, number))
        if data.draw(st.booleans()):
            line.consolidate()
    line.consolidate()
    for run in data.draw(st.permutations(line.consolidations())):
        line.revert(run["consolidation"])
    assert line.shape() == plain.shape()
    counted = line.execute("select owner, memories from owners where memories > 0 order by owner")
    there = line.execute(
        "select owner, count(*) from memories where state in ('admitted', 'reinforced') group by 1 order by 1"
    )
    assert [tuple(row) for row in counted] == [tuple(row) for row in there]


@quick
@given(some=numbers)
def test_each_claim_still_finds_what_was_said(one_database: Engine, rules: Rules, some: list[int]) -> None:
    line = fresh(one_database, rules)
    line.take(*(said(line, number) for number in some))
    before = line.memories(every=False)
    line.consolidate()
    for row in before:
        found = line.recalls(row["claim"], user=row["scope"]["user"], k=3)
        assert any(set(row["evidence"]) <= set(each["evidence"]) for each in found)
        names = {each["memory"] for each in found}
        assert not any(names & set(each["derived_from"]) for each in found)
