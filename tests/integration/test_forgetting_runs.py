"""How jobs run: windows, failures, marks, crashes, and a change of policy."""

from __future__ import annotations

import os
import random
import signal
import time
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.keys import Keyring
from lethe.lifecycle.forgetting import dated, purge, recompute
from lethe.rules import Rules
from lethe.store import due, job_runs
from lethe.store.database import connect, tenant_transaction, transaction
from policies.policy import parse
from tests.conftest import Database
from tests.integration.forgetting_line import column, days, keep, keep_many, run, states
from tests.integration.line import Line
from workers import wiring


@pytest.fixture
def line(engine: Engine, rules: Rules, keys: Keyring) -> Line:
    return Line(engine, rules, keys)


def marks(line: Line, sort: str) -> list[datetime]:
    with transaction(line.engine) as connection:
        return list(
            connection.execute(sa.text("select at from due where sort = :s order by at"), {"s": sort}).scalars()
        )


# --- windows ------------------------------------------------------------------------------------------------------


def test_a_window_is_worked_off_once_however_many_beats_there_are(line: Line) -> None:
    keep(line, "trip", kind="episodic")
    first = run(line, "expire", days(400), window="w1")
    keep(line, "walk", kind="episodic")
    second = run(line, "expire", days(400), window="w1")
    assert (first["tenants"], second["tenants"]) == (1, 0)
    assert run(line, "expire", days(400), window="w2")["changed"] == {"expired": 1}


def test_a_window_whose_worker_was_lost_is_claimed_again_after_its_lease(line: Line) -> None:
    assert job_runs.claim(line.engine, "expire", "acme", "w1", days(1))
    assert not job_runs.claim(line.engine, "expire", "acme", "w1", days(1) + timedelta(minutes=1))
    assert job_runs.claim(line.engine, "expire", "acme", "w1", days(1) + job_runs.LEASE)


def test_a_night_is_over_when_no_tenant_is_left(line: Line) -> None:
    assert job_runs.claim(line.engine, "nightly", "acme", "2026-03-02", days(1))
    job_runs.close(line.engine, "nightly", "2026-03-02", days(1))
    assert not job_runs.is_over(line.engine, "nightly", "2026-03-02")
    job_runs.finish(line.engine, "nightly", "acme", "2026-03-02", days(1), due=0, changed={}, asks=[], failure=None)
    job_runs.close(line.engine, "nightly", "2026-03-02", days(1))
    assert job_runs.is_over(line.engine, "nightly", "2026-03-02")


def test_one_tenants_failure_does_not_stop_the_rest(line: Line, database: Database) -> None:
    for tenant in ("bad", "good"):
        keep(replace(line, tenant=tenant), "trip", kind="episodic")
    with psycopg.connect(database.admin_url, autocommit=True) as connection:
        connection.execute(
            "alter table memories add constraint bad check (tenant <> 'bad' or retired_as is null) not valid"
        )
    report = run(line, "expire", days(400))
    assert report["changed"] == {"expired": 1}
    assert report["failures"] == [{"tenant": "bad", "failure": "database:23514"}]
    assert [(row["tenant"], row["failure"]) for row in job_runs.overview(line.engine)] == [("bad", "database:23514")]
    with psycopg.connect(database.admin_url, autocommit=True) as connection:
        connection.execute("alter table memories drop constraint bad")
    assert run(line, "expire", days(400.1))["tenants"] == 1
    assert job_runs.overview(line.engine) == []


def test_what_a_job_asks_shows_until_somebody_decides(line: Line) -> None:
    keep_many(line, 30, kind="episodic")
    run(line, "expire", days(500))
    (told,) = job_runs.overview(line.engine)
    assert told["asks"][0]["would_retire"] == 30
    run(line, "expire", days(501), force=True)
    assert job_runs.overview(line.engine) == []


# --- marks --------------------------------------------------------------------------------------------------------


def test_later_dates_leave_no_further_marks(line: Line) -> None:
    keep(line, "trip", kind="episodic")
    for number in range(3):
        line.now = days(number + 1)
        keep(line, f"walk{number}", day=number + 1, kind="episodic")
    assert len(marks(line, due.EXPIRE)) == 1


def test_an_earlier_date_leaves_an_earlier_mark(line: Line) -> None:
    keep(line, "trip", kind="episodic")
    keep(line, "grant", expires_at=days(3))
    assert marks(line, due.EXPIRE)[0] == due.floor(due.EXPIRE, days(3))
    assert run(line, "expire", days(4))["changed"] == {"expired": 1}


def test_a_job_leaves_a_mark_for_what_comes_next(line: Line) -> None:
    keep(line, "grant", expires_at=days(3))
    keep(line, "visa", expires_at=days(50))
    run(line, "expire", days(4))
    assert marks(line, due.EXPIRE) == [due.floor(due.EXPIRE, days(50))]
    assert run(line, "expire", days(51))["changed"] == {"expired": 1}


def test_a_look_into_the_future_leaves_the_marks(line: Line) -> None:
    from workers.jobs import JOBS, Order

    keep(line, "trip", kind="episodic")
    before = marks(line, due.EXPIRE)
    JOBS["expire"](Order(line.engine, line.rules, days(400), days(1)))
    assert states(line) == {"trip": "expired"}
    assert marks(line, due.EXPIRE) == before


def test_what_another_holds_stays_due(line: Line) -> None:
    keep(line, "trip", kind="episodic")
    with tenant_transaction(line.engine, line.tenant) as connection:
        connection.execute(sa.text("select id from memories for update"))
        assert run(line, "expire", days(400))["changed"] == {"expired": 0}
    assert run(line, "expire", days(402))["changed"] == {"expired": 1}


def test_a_row_written_while_the_job_works_is_found_by_the_next_run(line: Line) -> None:
    """A mark that somebody raised since the job saw it is not taken away."""
    keep(line, "grant", expires_at=days(3))
    with tenant_transaction(line.engine, line.tenant) as connection:
        seen = due.marks(connection, line.tenant, due.EXPIRE, days(4))
    with tenant_transaction(line.engine, line.tenant) as connection:
        due.mark(connection, line.tenant, {due.EXPIRE: days(3)}, days(4))
    with tenant_transaction(line.engine, line.tenant) as connection:
        due.settle(connection, line.tenant, due.EXPIRE, seen, days(5), lambda: None)
    assert list(due.tenants(line.engine, {due.EXPIRE: days(4)})) == ["acme"]


# --- crashes ------------------------------------------------------------------------------------------------------


def test_a_night_killed_at_random_points_ends_where_an_undisturbed_one_does(
    line: Line, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dated, "BATCH", 7)
    monkeypatch.setattr(purge, "BATCH", 7)
    keep_many(line, 60, kind="episodic")
    for number in range(10):
        keep(line, f"kayak{number}", importance=0.0, day=3)
    undisturbed = _copy(line, database, "undisturbed")
    began = time.monotonic()
    os.waitpid(_night(line, undisturbed), 0)
    takes = time.monotonic() - began
    chance = random.Random(5)
    for _ in range(20):
        process = _night(line, database.url)
        time.sleep(chance.random() * takes)
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
    os.waitpid(_night(line, database.url), 0)
    assert _final(database.url) == _final(undisturbed)


def _night(line: Line, url: str) -> int:
    """A process of its own that runs the night; its id."""
    process = os.fork()
    if process == 0:
        with suppress(BaseException):
            run(replace(line, engine=connect(url)), "nightly", days(1500), force=True)
        os._exit(0)
    return process


def _copy(line: Line, database: Database, name: str) -> str:
    """Another database with the same rows; returns its URL for the application's role."""
    line.engine.dispose()
    source = database.url.split("?")[0].split("/")[-1]
    server = database.admin_url.replace(f"/{source}?", "/postgres?")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'create database "{source}_{name}" template "{source}"')  # type: ignore[arg-type]
    return database.url.replace(f"/{source}?", f"/{source}_{name}?")


def _final(url: str) -> list[Any]:
    engine = connect(url)
    with tenant_transaction(engine, "acme") as connection:
        found = [
            connection.execute(sa.text(query)).all()
            for query in (
                "select id, state, retired_as, retired_at, stale_since, version, changed_at from memories order by id",
                "select at, subject, change, reason, count(*) from events group by 1, 2, 3, 4 order by 1, 2, 3, 4",
                "select owner, memories from owners order by owner",
                "select id, text from turns order by id",
                "select memories, reason from reviews order by 1, 2",
                "select id, claim, refusals from proposals order by id",
            )
        ]
    engine.dispose()
    return found


# --- a change of policy -------------------------------------------------------------------------------------------


def test_a_change_of_policy_moves_the_dates_of_what_is_in_force(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recompute, "BATCH", 2)
    trips = [keep(line, f"trip{number}", kind="episodic") for number in range(5)]
    keep(line, "tea")
    assert recompute.begin(line.engine, line.rules, days(1)) == 1
    assert recompute.go_on(line.engine, line.rules, days(1)) == {"looked_at": 6, "changed": 0, "left": 0}
    shorter = wiring.bind(parse("[retention.ttl_days]\nepisodic = 30", "shorter", base=wiring.default_text()))
    assert recompute.begin(line.engine, shorter, days(2)) == 1
    stops = iter([False, True])
    recompute.go_on(line.engine, shorter, days(2), lambda: next(stops))
    told = recompute.progress(line.engine, shorter.version)
    assert (told["tenants"], told["finished"], told["looked_at"]) == (1, 0, 2)
    assert recompute.go_on(line.engine, shorter, days(2))["left"] == 0
    assert {column(line, trip, "expires_at") for trip in trips} == {days(30)}
    line.rules = shorter
    assert run(line, "expire", days(31))["changed"] == {"expired": 5}
    assert recompute.begin(line.engine, shorter, days(3)) == 0


def test_a_fresh_database_plans_nothing(line: Line) -> None:
    assert recompute.begin(line.engine, line.rules, datetime(2026, 1, 1, tzinfo=UTC)) == 0
