"""After deleting any of the turns, everything that can be handed out is as if they had never been pushed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.engine import Engine

from lethe.embedded import postgres
from lethe.embedded.places import Home
from lethe.keys import Keyring
from lethe.lifecycle.deletion import named, requests
from lethe.lifecycle.deletion.requests import Reach
from lethe.recall import reading
from lethe.records import Turn
from lethe.rules import Rules
from lethe.store.database import connect
from tests.integration.line import NOW, Line, in_pieces

TALK: list[tuple[str, str, str, str]] = [
    ("u1", "s1", "user", "I live in Varde."),
    ("u1", "s1", "assistant", "Which laptop do you use for work?"),
    ("u1", "s1", "user", "A Framework 13."),
    ("u1", "s2", "user", "I prefer black tea."),
    ("u1", "s2", "user", "I keep two donkeys."),
    ("u1", "s3", "user", "My home is in Varde."),
    ("u1", "s3", "user", "I live in Lund now."),
    ("u1", "s4", "user", "I prefer black tea."),
    ("u1", "s4", "user", "Actually, I prefer green tea now, not black tea."),
    ("u1", "s5", "user", "I no longer keep two donkeys."),
    ("u1", "s5", "user", "I can't stand liquorice."),
    ("u2", "s6", "user", "I live in Varde."),
    ("u2", "s6", "user", "I play the zither."),
    ("u2", "s7", "user", "I play the zither."),
    ("u1", "s7", "user", "My home is in Lund."),
]
_tenants = iter(range(1_000_000))


@pytest.fixture(scope="module")
def one_database(home: Home) -> Iterator[Engine]:
    """One database for all examples; each has tenants of its own."""
    with psycopg.connect(postgres.admin_url(home, "postgres"), autocommit=True) as connection:
        connection.execute("create database forgotten template lethe")
    made = connect(postgres.database_url(home).replace("/lethe?", "/forgotten?"))
    yield made
    made.dispose()
    with psycopg.connect(postgres.admin_url(home, "postgres"), autocommit=True) as connection:
        connection.execute("drop database forgotten with (force)")


def fresh(engine: Engine, rules: Rules) -> Line:
    return Line(engine, rules, Keyring("1", {"1": b"k" * 32}), tenant=f"world{next(_tenants)}")


def said(line: Line, number: int) -> Turn:
    user, session, author, text = TALK[number]
    return line.turn(f"t{number:02}", text, number, user=user, session=session, author=author)


def handed_out(line: Line) -> tuple[object, ...]:
    """Memories, decisions and reasons, without ids and times of the clock."""
    decisions = sorted(
        (row["turn"], row["claim"], row["outcome"], tuple(row["reasons"]))
        for row in reading.decisions(line.engine, line.tenant)["decisions"]
    )
    held = sorted((row["turn"], row["claim"]) for row in reading.held(line.engine, line.tenant)["held"])
    return line.shape(), decisions, held, len(reading.reviews(line.engine, line.tenant)["reviews"])


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_what_was_deleted_might_never_have_been_pushed(
    one_database: Engine, rules: Rules, tmp_path: Path, data: st.DataObject
) -> None:
    numbers = range(len(TALK))
    gone = data.draw(st.sets(st.sampled_from(numbers), min_size=1, max_size=8))
    never, other = fresh(one_database, rules), fresh(one_database, rules)
    never.take(*(said(never, number) for number in numbers if number not in gone))
    order = data.draw(st.permutations(list(numbers)))
    for piece in in_pieces(
        [said(other, number) for number in order], data.draw(st.lists(st.integers(1, 6), max_size=4))
    ):
        other.push(*piece)
        if data.draw(st.booleans()):
            other.drain()
    reach = Reach(one_database, rules, other.keys, tmp_path)
    for number in data.draw(st.permutations(sorted(gone))):
        turn = said(other, number)
        requests.request(reach, named.of(other.tenant, turn=turn.turn, session=turn.session), NOW)
    other.drain()
    assert handed_out(other) == handed_out(never)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(session=st.sampled_from(sorted({session for _, session, _, _ in TALK})), user=st.sampled_from(["u1", "u2"]))
def test_the_same_for_sessions_and_users(
    one_database: Engine, rules: Rules, tmp_path: Path, session: str, user: str
) -> None:
    for what in ({"session": session}, {"user": user}):
        never, other = fresh(one_database, rules), fresh(one_database, rules)
        kept = [
            n
            for n, (whose, where, _, _) in enumerate(TALK)
            if (where != session if "session" in what else whose != user)
        ]
        never.take(*(said(never, number) for number in kept))
        other.take(*(said(other, number) for number in range(len(TALK))))
        requests.request(Reach(one_database, rules, other.keys, tmp_path), named.of(other.tenant, **what), NOW)
        other.drain()
        assert handed_out(other) == handed_out(never)
