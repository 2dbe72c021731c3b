"""Every writer with a deletion at each of its steps: before its first statement, before its second, and so on to its end.

The deletion goes as far as it can at that moment: to its commit, or to where it waits for the writer. Another writer needs a
function and a line in `RACES`. A run takes every third step, from a random one on; LETHE_TEST_EVERY=1 takes them all.
"""

from __future__ import annotations

import itertools
import os
import random
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
import redis
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.embedded import valkey
from lethe.embedded.places import Home
from lethe.errors import LetheError, NotFound
from lethe.ids import parsed
from lethe.index.vectors import index_memories
from lethe.keys import Keyring
from lethe.lifecycle import people, replay
from lethe.lifecycle.deletion import named, receipts, requests, working
from lethe.lifecycle.deletion.requests import Reach
from lethe.lifecycle.forgetting import access, keeping
from lethe.recall import handouts, reading
from lethe.recall.uses import UseBuffer
from lethe.records import Mark, Ruling
from lethe.rules import Rules
from lethe.store import work
from lethe.store.database import connect, tenant_transaction
from tests.conftest import Database
from tests.integration import forgetting_line
from tests.integration.line import NOW
from tests.integration.merging_line import MODEL, MergingLine
from tests.integration.test_deletion import everything

MOST = 120  # statements of one writer
EVERY = int(os.environ.get("LETHE_TEST_EVERY", "3"))
USER, TURN, SESSION = {"user": "u1"}, {"turn": "a1", "session": "s0"}, {"session": "s0"}
Act = Callable[[MergingLine], object]


@dataclass(frozen=True)
class Race:
    """`before`: what stands when the writer begins; `whats`: what is forgotten, in turn, with the words that must be gone."""

    before: Act
    writer: Act
    whats: tuple[tuple[Mapping[str, str], tuple[str, ...]], ...]


# --- what stands before -------------------------------------------------------------------------------------------


def said(line: MergingLine) -> None:
    line.push(line.turn("a1", "I live in Varde.", 0))


def extracted(line: MergingLine) -> None:
    said(line)
    line.extract()


def kept(line: MergingLine) -> None:
    line.take(line.turn("a1", "I live in Varde.", 0))


def archived(line: MergingLine) -> None:
    kept(line)
    line.execute("update memories set retired_as = 'archived', retired_at = now() where user_id = 'u1'")


def held(line: MergingLine) -> None:
    turn = line.turn("a1", "The one with Vardemelk again, please.", 0)
    line.take(turn)
    line.propose(line.proposal(turn, "prefers_milk", "Vardemelk", kind="preference", basis="inferred"))
    line.drain()


def disputed(line: MergingLine) -> None:
    for name, day, value in (("a1", 0, "Varde"), ("a2", 3, "Ribe")):
        turn = line.turn(name, f"Bill it to the account {value}.", day)
        line.push(turn)
        line.propose(line.proposal(turn, "billing_account", value, cardinality="single"))
    line.drain()


def used(line: MergingLine) -> None:
    kept(line)
    ids = tuple(UUID(row["memory"].removeprefix("mem_")) for row in line.memories(user="u1"))
    BUFFER[0].count([handouts.Note(line.tenant, ids, "s9", NOW, False)])


def choir(line: MergingLine) -> None:
    line.says(
        "I sing in the Vardegrove choir.", "I sing in the choir alongside Melker.", "I sing in the choir with Ribella."
    )


def merged(line: MergingLine) -> None:
    choir(line)
    line.consolidate()


# --- writers ------------------------------------------------------------------------------------------------------


def mine(line: MergingLine) -> list[str]:
    return [row["memory"] for row in line.memories(user="u1")]


def index(line: MergingLine) -> None:
    index_memories(line.engine, line.tenant, [parsed("mem", name) for name in mine(line)], MODEL, NOW)


def restore(line: MergingLine) -> None:
    for name in mine(line):
        keeping.restore(line.engine, line.tenant, name, line.rules, NOW)


def pin(line: MergingLine) -> None:
    for name in mine(line):
        keeping.pin(line.engine, line.tenant, name, line.rules, NOW)


def helped(line: MergingLine) -> None:
    for name in mine(line):
        keeping.feedback(line.engine, line.tenant, name, Mark.OUTDATED, line.rules, NOW)


def correct(line: MergingLine) -> None:
    for name in mine(line):
        with tenant_transaction(line.engine, line.tenant) as connection:
            people.correct(connection, line.tenant, name, "The user lives in Ribe.", line.rules, line.keys, NOW)


def rule(ruling: Ruling) -> Act:
    def decide(line: MergingLine) -> None:
        for row in reading.held(line.engine, line.tenant)["held"]:
            with tenant_transaction(line.engine, line.tenant) as connection:
                people.rule_on_held(connection, line.tenant, row["held"], ruling, line.rules, NOW)

    return decide


def resolve(line: MergingLine) -> None:
    for row in reading.reviews(line.engine, line.tenant)["reviews"]:
        with tenant_transaction(line.engine, line.tenant) as connection:
            people.resolve(connection, line.tenant, row["review"], Ruling.KEPT, None, line.rules, NOW)


def flush(line: MergingLine) -> None:
    access.flush(line.engine, BUFFER[0], line.rules, NOW)


def replay_policy(line: MergingLine) -> None:
    replay.replay(line.engine, line.tenant, line.rules, line.keys)


def note_handout(line: MergingLine) -> None:
    ids = tuple(parsed("mem", name) for name in mine(line))
    handouts.write(line.engine, line.tenant, [handouts.Note(line.tenant, ids, "s9", NOW, False)])


def nightly(line: MergingLine) -> None:
    forgetting_line.run(line, "nightly", forgetting_line.days(10), tenant=line.tenant)


def revert(line: MergingLine) -> None:
    for (name,) in line.execute("select id from consolidations"):
        line.revert(f"con_{name.hex}")


PLACE = ((USER, ("Varde",)), (TURN, ("Varde",)), (SESSION, ("Varde",)))
CHOIR = (
    (USER, ("Vardegrove", "Ribella", "choir")),
    ({"session": "s0"}, ("Vardegrove",)),
    ({"turn": "t2", "session": "s2"}, ("Ribella",)),
)
RACES = {
    "extraction": Race(said, MergingLine.extract, PLACE),
    "gate": Race(extracted, MergingLine.judge, PLACE),
    "index": Race(kept, index, PLACE),
    "restore": Race(archived, restore, PLACE),
    "pin": Race(kept, pin, PLACE),
    "feedback": Race(kept, helped, PLACE),
    "correct": Race(kept, correct, ((USER, ("Varde", "Ribe")), (TURN, ("Varde",)))),
    "confirm": Race(held, rule(Ruling.CONFIRMED), PLACE),
    "decline": Race(held, rule(Ruling.DECLINED), PLACE),
    "resolve": Race(disputed, resolve, ((USER, ("Varde", "Ribe")), (TURN, ("Varde",)))),
    "access flush": Race(used, flush, PLACE),
    "hand-out": Race(kept, note_handout, PLACE),
    "policy replay": Race(kept, replay_policy, PLACE),
    "nightly": Race(kept, nightly, ((USER, ("Varde",)),)),
    "consolidation": Race(choir, MergingLine.consolidate, CHOIR),
    "revert": Race(merged, revert, CHOIR),
}
BUFFER: list[UseBuffer] = []


# --- the race -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cache(home: Home) -> Iterator[None]:
    valkey.start(home)
    try:
        with redis.Redis.from_url(valkey.cache_url(home)) as server:
            BUFFER.append(UseBuffer(server))
            yield
    finally:
        BUFFER.clear()
        valkey.stop(home)


@pytest.fixture
def beside(database: Database) -> Iterator[Engine]:
    """Connections of another process."""
    made = connect(database.url)
    yield made
    made.dispose()


@contextmanager
def at_statement(engine: Engine, number: int, act: Callable[[], None], database: Database) -> Iterator[list[bool]]:
    """Before this thread's statement of that number, `act` runs beside it, until it is over or waits for a lock."""
    count, thread, came = itertools.count(1), threading.Thread(target=act), [False]
    here = threading.get_ident()

    def before(*_: Any) -> None:
        if threading.get_ident() == here and next(count) == number:
            came[0] = True
            thread.start()
            with psycopg.connect(database.admin_url, autocommit=True) as watching:
                while thread.is_alive() and not watching.execute(_WAITING).fetchone():
                    thread.join(0.01)

    sa.event.listen(engine, "before_cursor_execute", before)
    try:
        yield came
    finally:
        sa.event.remove(engine, "before_cursor_execute", before)
        if came[0]:
            thread.join(60)


_WAITING = """
select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()
"""


@pytest.mark.parametrize("name", list(RACES))
def test_what_is_forgotten_at_any_step_of_a_writer_stays_forgotten(
    name: str,
    engine: Engine,
    beside: Engine,
    rules: Rules,
    keys: Keyring,
    database: Database,
    tmp_path: Path,
    cache: None,
) -> None:
    race = RACES[name]
    first = random.SystemRandom().randint(1, EVERY)
    print(f"from statement {first} on, every {EVERY}")
    for turn, number in enumerate(range(first, MOST, EVERY)):
        what, words = race.whats[turn % len(race.whats)]
        line = MergingLine(engine, rules, keys, tenant=f"tenant{number}")
        line.take(line.turn("b1", "I keep bees.", 1, user="u2", session="u2"))
        race.before(line)
        faults: list[BaseException] = []
        reach = Reach(beside, rules, keys, tmp_path)

        delete = partial(forget, reach, line.tenant, what, faults)
        with at_statement(engine, number, delete, database) as came, suppress(NotFound):
            race.writer(line)
        if not came[0]:
            assert turn > 0 or first > 1, "the writer wrote nothing"
            return
        assert faults == []
        line.drain()
        work_off(reach, line)
        text = everything(line)
        assert not [word for word in words if word in text], (number, what)
        assert "The user keeps bees." in line.current()
    raise AssertionError("the writer did not end")


def forget(reach: Reach, tenant: str, what: Mapping[str, str], faults: list[BaseException]) -> None:
    try:
        requests.request(reach, named.of(tenant, **what), NOW)
    except Exception as fault:  # of a thread, to be told by the test
        faults.append(fault)


def work_off(reach: Reach, line: MergingLine) -> None:
    while claimed := work.claim(reach.engine, work.ERASE, NOW, 100):
        with suppress(LetheError):
            working.work_off(claimed, reach, lambda: NOW)
    for row in receipts.receipts(reach.engine, line.tenant, NOW)["receipts"]:
        assert (row["state"], row["attempts"]) == ("verified", []), row
