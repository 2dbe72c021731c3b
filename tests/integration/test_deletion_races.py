"""Deletion against everything that may be under way: it wins, wherever the other was when the request committed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.errors import NotFound
from lethe.index.vectors import index_memories
from lethe.keys import Keyring
from lethe.lifecycle.deletion import receipts, working
from lethe.lifecycle.deletion.requests import Reach
from lethe.lifecycle.extraction import extract_turns
from lethe.lifecycle.gate import judge_keys
from lethe.recall import handouts
from lethe.rules import Rules
from lethe.store import work
from lethe.store.database import tenant_transaction
from lethe.store.tables import DIMENSION
from tests.conftest import Database
from tests.integration.line import NOW, Line
from tests.integration.test_deletion import everything, forget, receipt, work_off

WHATS: list[dict[str, Any]] = [
    {"turn": "a1", "session": "s0"},
    {"session": "s0"},
    {"user": "u1"},
    {"whole_tenant": True},
]


@pytest.fixture
def line(engine: Engine, rules: Rules, keys: Keyring) -> Line:
    return Line(engine, rules, keys)


@pytest.fixture
def reach(engine: Engine, rules: Rules, keys: Keyring, database: Database, tmp_path: Path) -> Reach:
    return Reach(engine, rules, keys, tmp_path, database.admin_url)


class Embedder:
    """Embeds as zeros with a one, and lets something happen meanwhile."""

    name = "test"

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        self._meanwhile = meanwhile

    def embed(self, texts: Sequence[str]) -> Any:
        self._meanwhile()
        vectors = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        vectors[:, 0] = 1
        return vectors


def count(line: Line, table: str) -> int:
    with tenant_transaction(line.engine, line.tenant) as connection:
        return int(connection.execute(sa.text(f"select count(*) from {table}")).scalar_one())


def nothing_left(line: Line, reach: Reach) -> None:
    line.drain()
    work_off(reach)
    line.drain()
    assert "Varde" not in everything(line)
    assert count(line, "memories") == count(line, "proposals") == count(line, "vectors") == 0
    (row,) = receipts.receipts(reach.engine, "acme", NOW)["receipts"]
    assert row["state"] == "verified"


@pytest.mark.parametrize("what", WHATS)
def test_a_turn_forgotten_while_it_is_extracted_gives_nothing(line: Line, reach: Reach, what: dict[str, Any]) -> None:
    def extract(pairs: Any) -> Any:
        forget(reach, **what)
        return line.rules.extract(pairs)

    line.push(line.turn("a1", "I live in Varde.", 0))
    claimed = work.claim(line.engine, work.EXTRACT, NOW, 64)
    assert claimed
    extract_turns(line.engine, claimed, replace(line.rules, extract=extract), NOW)
    nothing_left(line, reach)


@pytest.mark.parametrize("what", WHATS)
def test_a_proposal_forgotten_while_it_is_judged_becomes_nothing(
    line: Line, reach: Reach, what: dict[str, Any]
) -> None:
    def screen(*words: Any, **fields: Any) -> Any:
        forget(reach, **what)
        return line.rules.screen(*words, **fields)

    line.push(line.turn("a1", "I live in Varde.", 0))
    line.extract()
    claimed = work.claim(line.engine, work.GATE, NOW, 64)
    assert claimed
    judge_keys(line.engine, claimed, replace(line.rules, screen=screen), line.keys, NOW)
    nothing_left(line, reach)


@pytest.mark.parametrize("what", WHATS)
def test_a_memory_forgotten_while_it_is_embedded_gets_no_vector(line: Line, reach: Reach, what: dict[str, Any]) -> None:
    line.take(line.turn("a1", "I live in Varde.", 0))
    ids = [UUID(row["memory"].removeprefix("mem_")) for row in line.memories()]
    index_memories(line.engine, "acme", ids, Embedder(lambda: forget(reach, **what)), NOW)
    nothing_left(line, reach)


def test_a_memory_forgotten_while_another_turn_with_it_is_judged_is_refused(line: Line, reach: Reach) -> None:
    line.take(line.turn("a1", "I live in Varde.", 0))
    (row,) = line.memories()

    def screen(*words: Any, **fields: Any) -> Any:
        verdict = line.rules.screen(*words, **fields)
        forget(reach, memory=row["memory"])
        return verdict

    line.push(line.turn("a2", "My home is in Varde.", 2))
    line.extract()
    claimed = work.claim(line.engine, work.GATE, NOW, 64)
    assert claimed
    judge_keys(line.engine, claimed, replace(line.rules, screen=screen), line.keys, NOW)
    line.drain()
    assert line.memories() == []
    assert "Varde" not in everything(line)


def test_a_hand_out_noted_after_the_memory_is_gone_leaves_no_trace(line: Line, reach: Reach) -> None:
    line.take(line.turn("a1", "I live in Varde.", 0))
    ids = tuple(UUID(row["memory"].removeprefix("mem_")) for row in line.memories())
    forget(reach, user="u1")
    handouts.write(line.engine, "acme", [handouts.Note("acme", ids, "s9", NOW, False)])
    assert count(line, "handouts") == 0


def test_a_proposal_for_a_forgotten_turn_is_refused(line: Line, reach: Reach) -> None:
    turn = line.turn("a1", "I live in Varde.", 0)
    line.take(turn)
    (row,) = line.memories()
    forget(reach, memory=row["memory"])
    taken = line.propose(line.proposal(turn, "lives_in", "Varde"))
    assert [each.code for each in taken.refused] == ["no_provenance"]


@pytest.mark.parametrize("what", [{"session": "s0"}, {"user": "u1"}, {"whole_tenant": True}])
def test_pushes_at_the_same_time_end_before_the_request_or_are_refused(
    line: Line, reach: Reach, what: dict[str, Any]
) -> None:
    line.push(line.turn("a0", "I live in Varde.", 0))
    start = threading.Barrier(5)

    def push(worker: int) -> None:
        start.wait()
        for number in range(15):
            line.push(line.turn(f"w{worker}-{number}", "I live in Varde.", 0))

    def delete() -> None:
        start.wait()
        forget(reach, **what)

    with ThreadPoolExecutor(5) as pool:
        jobs = [pool.submit(push, worker) for worker in range(4)] + [pool.submit(delete)]
        for job in jobs:
            job.result(60)
    nothing_left(line, reach)
    assert count(line, "turns") == 0


def test_requests_for_overlapping_things_at_the_same_time_all_succeed(line: Line, reach: Reach) -> None:
    line.take(
        *(
            line.turn(f"a{n}", text, n)
            for n, text in enumerate(["I live in Varde.", "My home is in Varde.", "I keep bees."])
        )
    )
    whats: list[dict[str, Any]] = [
        {"turn": "a0", "session": "s0"},
        {"session": "s1"},
        {"user": "u1"},
        {"whole_tenant": True},
    ]

    def ask(what: dict[str, Any]) -> None:
        with suppress(NotFound):  # another request was first and took everything
            forget(reach, **what)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(ask, whats))
    line.drain()
    work_off(reach)
    assert line.memories() == []
    assert {row["state"] for row in receipts.receipts(reach.engine, "acme", NOW)["receipts"]} == {"verified"}


def test_the_gate_and_requests_at_the_same_time_leave_what_the_evidence_says(line: Line, reach: Reach) -> None:
    turns = [
        line.turn(f"a{n}", text, n)
        for n, text in enumerate(
            ["I live in Varde.", "My home is in Varde.", "I keep bees.", "I live in Lund now."] * 3
        )
    ]
    line.push(*turns)
    with ThreadPoolExecutor(4) as pool:
        drained = [pool.submit(line.drain) for _ in range(3)]
        for number in (3, 7, 11):
            forget(reach, turn=f"a{number}", session=f"s{number}")
        for each in drained:
            each.result(120)
    line.drain()
    work_off(reach)
    assert line.current() == ["The user keeps bees.", "The user lives in Varde."]
    assert "Lund" not in everything(line)


# --- processes that die -------------------------------------------------------------------------------------------

STEPS = ("claimed", "erased", "verified")


@pytest.mark.parametrize("step", STEPS)
def test_a_process_that_dies_leaves_a_deletion_that_the_next_one_ends(line: Line, reach: Reach, step: str) -> None:
    line.take(line.turn("a1", "I live in Varde.", 0), line.turn("b1", "I keep bees.", 1, user="u2"))
    made = forget(reach, user="u1")
    assert work.claim(reach.engine, work.ERASE, NOW, 100)
    due = {"acme": [made]}
    if step in ("erased", "verified"):
        working.erase(reach, due, lambda: NOW)
    if step == "verified":
        assert working.verify(reach, due, lambda: NOW) == set()
    later = NOW + work.LEASE + timedelta(seconds=1)
    work_off(reach, lambda: later)
    assert receipt(reach, made)["state"] == "verified"
    assert line.current() == ["The user keeps bees."]
    assert work.claim(reach.engine, work.ERASE, later + timedelta(hours=1), 100) is None


def test_a_request_that_dies_before_it_commits_was_never_made(line: Line, reach: Reach) -> None:
    def fold(proposals: Any) -> Any:
        raise RuntimeError("killed")

    line.take(line.turn("a1", "I live in Varde.", 0), line.turn("a2", "My home is in Varde.", 3))
    before = line.shape()
    with pytest.raises(RuntimeError):
        forget(replace(reach, rules=replace(line.rules, fold=fold)), turn="a1", session="s0")
    assert line.shape() == before
    assert receipts.receipts(reach.engine, "acme", NOW) == {"receipts": []}


def test_what_was_set_aside_is_handed_in_again(line: Line, reach: Reach) -> None:
    line.take(line.turn("a1", "I live in Varde.", 0))
    made = forget(reach, user="u1")
    with tenant_transaction(reach.engine, "acme") as connection:
        connection.execute(
            sa.text("update work set quarantined_at = :now, attempts = 5 where stage = 'erase'"), {"now": NOW}
        )
    assert work.claim(reach.engine, work.ERASE, NOW, 100) is None
    assert working.hand_in_open(reach, NOW) == 1
    work_off(reach)
    assert receipt(reach, made)["state"] == "verified"
