"""What jobs, people, policies and each other's work leave behind: nothing comes back, stays or goes that should not."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from lethe.ids import parsed, shown
from lethe.keys import Keyring
from lethe.lifecycle import people
from lethe.lifecycle.deletion import named, requests
from lethe.lifecycle.deletion.requests import Reach
from lethe.lifecycle.forgetting import access, expire, keeping, recompute
from lethe.recall.uses import Use
from lethe.records import Ruling
from lethe.rules import Rules
from lethe.store import due
from lethe.store.database import tenant_transaction
from policies.policy import parse
from tests.conftest import Database
from tests.integration.forgetting_line import column, days, keep, run, states
from tests.integration.line import Line
from tests.integration.merging_line import MODEL, MergingLine
from tests.integration.test_consolidation import HORN
from workers import wiring
from workers.jobs import JOBS, Order, final_deletion

SHORTER = wiring.bind(
    parse(
        "[retention.ttl_days]\nsemantic = 50\nepisodic = 50\npreference = 50\n", "shorter", base=wiring.default_text()
    )
)


@pytest.fixture
def line(engine: Engine, rules: Rules, keys: Keyring) -> Line:
    return Line(engine, rules, keys)


@pytest.fixture
def reach(engine: Engine, rules: Rules, keys: Keyring, database: Database, tmp_path: Path) -> Reach:
    return Reach(engine, rules, keys, tmp_path, database.admin_url)


def stored(line: Line, query: str) -> list[Any]:
    with tenant_transaction(line.engine, line.tenant) as connection:
        return list(connection.execute(sa.text(query)).all())


# --- deletion for good --------------------------------------------------------------------------------------------


def test_what_was_replaced_does_not_come_back_when_its_successor_is_deleted_for_good(line: Line, reach: Reach) -> None:
    keep(line, "Ribe", day=10, predicate="lives_in", cardinality="single", expires_at=days(20))
    run(line, "expire", days(21))
    line.now = days(300)
    keep(line, "Varde", day=0, predicate="lives_in", cardinality="single")  # backfilled, and so filed as history
    assert states(line) == {"Ribe": "expired", "Varde": "superseded"}
    seen = []
    for day in range(387, 1100, 40):
        run(line, "nightly", days(day), delete=final_deletion(reach))
        seen.append(states(line))
    assert all("admitted" not in each.values() for each in seen)
    assert seen[-1] == {}


def test_a_predecessor_that_was_touched_since_goes_before_its_successor(line: Line, reach: Reach) -> None:
    keep(line, "Varde", day=0, predicate="lives_in", cardinality="single")
    again = line.turn("again", "I live in Varde.", 3, session="other")
    line.push(again)
    line.propose(line.proposal(again, "lives_in", "Varde", cardinality="single"))
    line.drain()
    line.now = days(5)
    keep(line, "Ribe", day=10, predicate="lives_in", cardinality="single", expires_at=days(20))
    run(line, "expire", days(21))
    requests.request(reach, named.of("acme", session="other"), days(200))
    line.drain()
    for day in range(300, 700, 20):
        run(line, "nightly", days(day), delete=final_deletion(reach))
        assert "admitted" not in states(line).values()
    assert states(line) == {}


def test_what_was_restored_since_it_was_listed_is_not_deleted(line: Line, reach: Reach) -> None:
    first, second = keep(line, "trip", importance=0.1), keep(line, "walk", importance=0.1)
    run(line, "decay", days(2000))
    other, real, at = {first: second, second: first}, final_deletion(reach), days(2400)
    listed: list[UUID] = []

    def delete(tenant: str, memory: UUID, now: Any, still: Callable[[Connection], bool] = requests.always) -> bool:
        if not listed:
            keeping.restore(line.engine, tenant, other[shown("mem", memory)], line.rules, at)
        listed.append(memory)
        return real(tenant, memory, now, still)

    assert run(line, "purge", at, delete=delete)["changed"]["deleted"] == 1
    assert len(listed) == 2
    assert [row["state"] for row in line.memories()] == ["admitted"]


# --- people and policies ------------------------------------------------------------------------------------------


def test_what_was_kept_in_a_review_is_not_asked_about_again_because_it_is_used(line: Line) -> None:
    memory, at = keep(line, "trip"), days(400)
    assert run(line, "review", at)["changed"] == {"stale": 1}
    (review,) = stored(line, "select id from reviews where resolved_at is null")
    with tenant_transaction(line.engine, line.tenant) as connection:
        people.resolve(connection, line.tenant, shown("rev", review.id), Ruling.KEPT, None, line.rules, at)
    before = column(line, memory, "review_after")
    used = {parsed("mem", memory): Use(1, at + timedelta(hours=1))}
    access._write(line.engine, line.tenant, used, line.rules, at + timedelta(hours=2))
    keeping.pin(line.engine, line.tenant, memory, line.rules, at + timedelta(hours=3), pinned=True)
    assert column(line, memory, "review_after") == before > at + timedelta(days=300)


def test_the_text_of_a_correction_goes_in_its_time(line: Line) -> None:
    memory = keep(line, "trip")
    run(line, "purge", days(40))
    with tenant_transaction(line.engine, line.tenant) as connection:
        people.correct(connection, line.tenant, memory, "The user went to Lund.", line.rules, line.keys, days(41))
    run(line, "purge", days(80))
    assert stored(line, "select from turns where text is not null") == []


def test_a_changed_policy_holds_for_what_comes_back_out_of_a_merge(engine: Engine, rules: Rules, keys: Keyring) -> None:
    line = MergingLine(engine, rules, keys)
    line.says(*HORN)
    merged = line.consolidate()
    recompute.begin(engine, SHORTER, days(1))
    recompute.go_on(engine, SHORTER, days(1))
    line.rules, line.now = SHORTER, days(2)
    line.revert(merged["consolidation"])
    assert all(row.expires_at < days(60) for row in stored(line, "select expires_at from memories"))


def test_a_changed_policy_reaches_a_tenant_in_which_everything_is_stale(
    engine: Engine, rules: Rules, keys: Keyring, reach: Reach
) -> None:
    line = MergingLine(engine, rules, keys)
    keep(line, "tea", kind="preference")
    delete = final_deletion(reach)
    for day in range(10, 1500, 100):
        run(line, "nightly", days(day), delete=delete, embedder=MODEL)
    assert states(line) == {"tea": "stale"}
    recompute.begin(engine, rules, days(1500))
    recompute.begin(engine, SHORTER, days(1501))
    recompute.go_on(engine, SHORTER, days(1501))
    line.rules = SHORTER
    run(line, "nightly", days(1502), delete=delete, embedder=MODEL)
    assert states(line) == {"tea": "expired"}


# --- history and marks --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", [{"user": "u1"}, {"whole_tenant": True}], ids=["user", "tenant"])
def test_the_history_of_the_last_deletion_of_a_tenant_goes_too(line: Line, reach: Reach, what: dict[str, Any]) -> None:
    keep(line, "trip")
    requests.request(reach, named.of("acme", **what), days(5))
    assert stored(line, "select change from events") != []
    run(line, "purge", days(800), delete=final_deletion(reach))
    assert stored(line, "select change from events") == []


def test_a_mark_left_anew_while_two_jobs_are_at_work_is_not_taken_away_for_good(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One job has seen a mark; another works it off and takes it away; then something comes in late and leaves it again."""
    keep(line, "trip", expires_at=days(3))
    at, marks, settle = days(3) + timedelta(hours=2), due.marks, due.settle

    def seen(*given: Any) -> list[due.Mark]:
        found = marks(*given)
        monkeypatch.setattr(due, "marks", marks)
        run(line, "expire", at)
        monkeypatch.setattr(due, "settle", late)
        return found

    def late(*given: Any) -> None:
        monkeypatch.setattr(due, "settle", settle)
        line.now = at
        keep(line, "late", expires_at=days(3) + timedelta(minutes=5))
        settle(*given)

    monkeypatch.setattr(expire, "_take_apart", lambda *_: 0)
    monkeypatch.setattr(due, "marks", seen)
    run(line, "expire", at)
    JOBS["expire"](Order(line.engine, line.rules, days(4), days(4)))
    assert states(line) == {"trip": "expired", "late": "expired"}
