"""The queue in PostgreSQL: claimed once, done once more where something came meanwhile, set aside when it never works."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.store import work
from lethe.store.database import tenant_transaction, transaction

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)


def hand_in(engine: Engine, *items: UUID, tenant: str = "acme", now: datetime = NOW) -> None:
    with tenant_transaction(engine, tenant) as connection:
        work.enqueue(connection, work.GATE, tenant, items, now)


def finish(engine: Engine, claimed: work.Claim, now: datetime = NOW) -> None:
    with tenant_transaction(engine, "acme") as connection:
        work.finish(connection, claimed, "acme", now)


def claim(engine: Engine, now: datetime = NOW, limit: int = 10) -> work.Claim:
    found = work.claim(engine, work.GATE, now, limit)
    assert found is not None
    return found


def test_a_row_is_claimed_by_one_worker_at_a_time(engine: Engine) -> None:
    hand_in(engine, uuid4(), uuid4())
    assert len(claim(engine).of("acme")) == 2
    assert work.claim(engine, work.GATE, NOW, 10) is None


def test_a_lost_workers_rows_are_due_again_when_its_lease_runs_out_one_by_one(engine: Engine) -> None:
    hand_in(engine, uuid4(), uuid4())
    claim(engine)
    later = NOW + work.LEASE
    assert len(claim(engine, later).of("acme")) == 1, "one of them may have been the death of the worker"


def test_done_work_is_gone_and_what_came_meanwhile_is_done_once_more(engine: Engine) -> None:
    quiet, busy = uuid4(), uuid4()
    hand_in(engine, quiet, busy)
    claimed = claim(engine)
    hand_in(engine, busy)
    finish(engine, claimed)
    assert claim(engine).of("acme") == [busy]


def test_work_that_never_succeeds_is_set_aside_with_its_failure(engine: Engine) -> None:
    hand_in(engine, uuid4())
    now = NOW
    for _ in range(work.MOST_ATTEMPTS):
        work.fail(engine, claim(engine, now), "database:40001", now)
        now += timedelta(minutes=2)
    assert work.claim(engine, work.GATE, now, 10) is None
    assert work.overview(engine, now)["quarantined"] == [{"stage": "gate", "failure": "database:40001", "count": 1}]
    assert work.pending_since(engine, now) == 0, "nobody waits for it"
    assert work.release_quarantined(engine, now) == 1
    assert claim(engine, now)


def test_work_whose_workers_die_silently_is_set_aside(engine: Engine) -> None:
    hand_in(engine, uuid4())
    now = NOW
    for _ in range(work.MOST_ATTEMPTS):
        claim(engine, now)
        now += work.LEASE
    assert work.set_aside_lost(engine, now) == 1
    assert work.overview(engine, now)["quarantined"][0]["failure"] == "worker_lost"


def test_a_worker_that_lost_its_lease_takes_nothing_out(engine: Engine) -> None:
    hand_in(engine, uuid4())
    slow = claim(engine)
    later = NOW + work.LEASE
    claim(engine, later)
    finish(engine, slow, later)
    with transaction(engine) as connection:
        assert connection.execute(sa.text("select count(*) from work")).scalar_one() == 1


def test_waiting_counts_what_was_handed_in_before_and_what_follows_from_it(engine: Engine) -> None:
    hand_in(engine, uuid4(), now=NOW)
    hand_in(engine, uuid4(), now=NOW + timedelta(minutes=1))
    assert work.pending_since(engine, NOW) == 1
    with tenant_transaction(engine, "acme") as connection:
        work.enqueue(connection, work.INDEX, "acme", [uuid4()], NOW + timedelta(minutes=2), since=NOW)
    assert work.pending_since(engine, NOW) == 2
