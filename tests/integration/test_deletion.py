"""Deletion on a real database: what is gone at commit, what stays, and what comes back (nothing)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.errors import InvalidInput, LetheError, NotFound
from lethe.keys import Keyring
from lethe.lifecycle import people
from lethe.lifecycle.deletion import named, receipts, requests, working
from lethe.lifecycle.deletion.requests import Reach
from lethe.recall import reading
from lethe.rules import Rules
from lethe.store import work
from lethe.store.database import tenant_transaction
from tests.conftest import Database
from tests.integration.line import NOW, Line


@pytest.fixture
def line(engine: Engine, rules: Rules, keys: Keyring) -> Line:
    return Line(engine, rules, keys)


@pytest.fixture
def reach(engine: Engine, rules: Rules, keys: Keyring, database: Database, tmp_path: Path) -> Reach:
    return Reach(engine, rules, keys, tmp_path, database.admin_url)


def forget(reach: Reach, now: datetime = NOW, **what: Any) -> UUID:
    return requests.request(reach, named.of("acme", **what), now)


def work_off(reach: Reach, clock: Callable[[], datetime] = lambda: NOW) -> None:
    while claimed := work.claim(reach.engine, work.ERASE, clock(), 100):
        working.work_off(claimed, reach, clock)


def receipt(reach: Reach, deletion: UUID, now: datetime = NOW) -> dict[str, Any]:
    return receipts.receipt(reach.engine, "acme", deletion.hex, now)


def everything(line: Line) -> str:
    """The text of every row of every table."""
    with tenant_transaction(line.engine, line.tenant) as connection:
        tables = connection.execute(
            sa.text(
                "select relname from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace"
            )
        ).scalars()
        return "\n".join(
            str(text)
            for table in list(tables)
            for text in connection.execute(sa.text(f"select t::text from {table} t")).scalars()
        )


def test_a_forgotten_turn_is_gone_at_commit_and_its_fact_with_it(line: Line, reach: Reach) -> None:
    line.take(line.turn("a1", "I live in Varde.", 0), line.turn("a2", "I play the zither.", 1))
    forget(reach, turn="a1", session="s0")
    assert "Varde" not in everything(line)
    assert [row["claim"] for row in line.memories()] == ["The user plays the zither."]


def test_a_fact_with_an_independent_source_stays_with_what_is_left_of_its_evidence(line: Line, reach: Reach) -> None:
    line.take(line.turn("a1", "I live in Varde.", 0), line.turn("a2", "My home is in Varde.", 5))
    (before,) = line.memories()
    forget(reach, turn="a1", session="s0")
    (after,) = line.memories()
    assert (after["memory"], after["evidence"], after["state"]) == (before["memory"], ["a2"], "admitted")
    assert after["confidence"] < before["confidence"]
    assert after["source"]["turn"] == "a2"


def test_what_was_replaced_only_by_something_deleted_is_current_again(line: Line, reach: Reach) -> None:
    line.take(line.turn("a1", "I live in Varde.", 0), line.turn("a2", "I live in Lund now.", 5))
    forget(reach, turn="a2", session="s5")
    (row,) = line.memories()
    assert (row["object"], row["state"], row["valid_to"]) == ("Varde", "admitted", None)


def test_of_a_forgotten_memory_the_excerpt_goes_and_other_memories_of_its_turn_stay(line: Line, reach: Reach) -> None:
    line.take(line.turn("a1", "I play the zither. I live in Varde.", 0))
    name = next(row["memory"] for row in line.memories() if "Varde" in row["claim"])
    forget(reach, memory=name)
    assert "Varde" not in everything(line)
    (row,) = line.memories()
    assert row["claim"] == "The user plays the zither."
    assert reading.why(line.engine, "acme", row["memory"])["evidence"][0]["excerpt"] is None


def test_why_of_a_deleted_memory_says_when_and_by_which_deletion(line: Line, reach: Reach) -> None:
    line.take(line.turn("a1", "I live in Varde.", 0))
    (row,) = line.memories()
    deletion = forget(reach, memory=row["memory"])
    work_off(reach)
    with pytest.raises(LetheError) as told:
        reading.why(line.engine, "acme", row["memory"])
    assert told.value.code == "deleted"
    assert deletion.hex in told.value.message
    assert "Varde" not in told.value.message


def test_a_forgotten_turn_is_refused_when_it_is_pushed_again(line: Line, reach: Reach) -> None:
    turn = line.turn("a1", "I live in Varde.", 0)
    line.take(turn)
    forget(reach, turn="a1", session="s0")
    assert [each.code for each in line.push(turn).refused] == ["forgotten"]
    assert "Varde" not in everything(line)


def test_a_whole_session_is_refused_by_its_name(line: Line, reach: Reach) -> None:
    line.take(line.turn("a1", "I live in Varde.", 0), line.turn("b1", "I play chess.", 1))
    forget(reach, session="s0")
    late = line.turn("a9", "I keep bees.", 0)
    assert [each.code for each in line.push(late).refused] == ["forgotten"]
    assert line.current() == ["The user plays chess."]


def test_a_user_who_tells_it_anew_later_is_heard(line: Line, reach: Reach) -> None:
    line.take(line.turn("a1", "I live in Varde.", 0))
    forget(reach, user="u1", now=NOW)
    late = line.turn("a2", "I live in Varde.", 3)
    assert [each.code for each in line.push(late).refused] == ["forgotten"]
    line.now = NOW + timedelta(days=2)
    line.take(line.turn("b1", "I live in Varde.", 29))
    assert line.current() == ["The user lives in Varde."]


def test_a_forgotten_memory_does_not_come_back_from_an_older_turn_but_from_a_newer_one(
    line: Line, reach: Reach
) -> None:
    line.take(line.turn("a1", "I live in Varde.", 3))
    (row,) = line.memories()
    forget(reach, memory=row["memory"])
    line.take(line.turn("a0", "My home is in Varde.", 1))
    assert line.current() == []
    assert line.reasons("a0") == [("reject", ["forgotten"])]
    line.now = NOW + timedelta(days=2)
    line.take(line.turn("a5", "I live in Varde.", 29))
    assert line.current() == ["The user lives in Varde."]


def test_a_forgotten_claim_does_not_come_back_under_another_predicate(line: Line, reach: Reach) -> None:
    first, again = line.turn("a1", "I live in Varde.", 3), line.turn("a0", "My home is in Varde.", 1)
    line.take(first)
    forget(reach, memory=line.memories()[0]["memory"])
    line.push(again)
    line.propose(line.proposal(again, "dwells_in", "the town of Varde", claim="The user lives in Varde."))
    line.drain()
    assert line.current() == []
    assert set(map(str, line.reasons("a0"))) == {"('reject', ['forgotten'])"}


def test_the_receipt_is_verified_signed_and_names_what_is_not_covered(line: Line, reach: Reach) -> None:
    line.take(line.turn("a1", "I live in Varde.", 0))
    deletion = forget(reach, user="u1")
    so_far = receipt(reach, deletion)
    assert (so_far["state"], so_far["signature"]) == ("invisible", None)
    work_off(reach)
    done = receipt(reach, deletion)
    assert done["state"] == "verified"
    assert done["signature"]["algorithm"] == "ed25519"
    counts = {row["store"]: row["erased"] for row in done["stores"]}
    assert (counts["turns"], counts["proposals"], counts["memories"]) == (1, 1, 1)
    assert all(row["remaining"] == 0 and row["checked_at"] for row in done["stores"])
    assert [item["store"] for item in done["not_covered"]] == ["backups"]


def test_the_same_request_again_is_the_same_deletion(line: Line, reach: Reach) -> None:
    line.take(line.turn("a1", "I live in Varde.", 0))
    first = forget(reach, user="u1")
    assert forget(reach, user="u1") == first
    work_off(reach)
    assert forget(reach, user="u1") == first


def test_what_is_not_there_is_refused_clearly(reach: Reach) -> None:
    for what in (
        {"user": "nobody"},
        {"turn": "t", "session": "s"},
        {"memory": "mem_" + "0" * 32},
        {"whole_tenant": True},
    ):
        with pytest.raises(NotFound):
            forget(reach, **what)
    for what in ({}, {"turn": "t"}, {"user": "u1", "project": "p"}):
        with pytest.raises(InvalidInput):
            forget(reach, **what)


def test_a_retraction_keeps_its_effect_when_its_turn_is_forgotten(line: Line, reach: Reach) -> None:
    line.take(
        line.turn("a1", "I subscribe to the Meadow Courier.", 0),
        line.turn("a2", "Please forget that I subscribe to the Meadow Courier.", 3),
    )
    assert line.current() == []
    forget(reach, turn="a2", session="s3")
    assert line.current() == []
    line.take(line.turn("a0", "I subscribe to the Meadow Courier.", 1))
    assert line.current() == []


def test_an_answer_loses_what_only_its_forgotten_question_said(line: Line, reach: Reach) -> None:
    line.take(
        line.turn("q", "Which laptop do you use for work?", 0, author="assistant"),
        line.turn("r", "A Framework 13.", 0.01, session="s0"),
    )
    assert len(line.memories()) == 1
    forget(reach, turn="q", session="s0")
    assert "laptop" not in everything(line).casefold()
    line.drain()
    assert line.memories() == []


def test_a_dry_run_lists_what_would_go_and_deletes_nothing(line: Line, reach: Reach) -> None:
    line.take(
        line.turn("a1", "I live in Varde.", 0),
        line.turn("a2", "My home is in Varde.", 5),
        line.turn("a3", "I play chess.", 0),
    )
    before = line.shape()
    found = requests.preview(reach, named.of("acme", session="s0"), NOW)
    assert [row["claim"] for row in found["memories"]] == ["The user plays chess."]
    assert [row["evidence"] for row in found["changed"]] == [["a2"]]
    assert line.shape() == before
    assert receipts.receipts(reach.engine, "acme", NOW) == {"receipts": []}


def test_a_correction_outlives_what_it_corrected_without_a_word_of_it(line: Line, reach: Reach) -> None:
    line.take(line.turn("a1", "I row in the blue boat.", 0))
    (old,) = line.memories()
    with tenant_transaction(line.engine, line.tenant) as connection:
        people.correct(connection, "acme", old["memory"], "The user rows in the red one.", line.rules, line.keys, NOW)
    forget(reach, turn="a1", session="s0")
    assert "blue" not in everything(line)
    assert line.current() == ["The user rows in the red one."]
    work_off(reach)
    assert {row["state"] for row in receipts.receipts(reach.engine, "acme", NOW)["receipts"]} == {"verified"}
