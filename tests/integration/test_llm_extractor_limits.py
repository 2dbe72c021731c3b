"""Breaker, budget, record and lease of the model's extractor, on a real PostgreSQL that several workers share."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe import clock
from lethe.extraction.llm import budget
from lethe.extraction.llm.breaker import Breaker
from lethe.extraction.llm.failures import BudgetExhausted, ModelFailure, RateLimited, TimedOut, Unreachable
from lethe.extraction.llm.overview import overview
from lethe.keys import Keyring
from lethe.lifecycle.extraction import extract_turns
from lethe.store import work
from lethe.store.database import tenant_transaction, transaction
from tests.integration import llm_server as server
from tests.integration.llm_line import ModelLine
from tests.integration.llm_server import Scripted

NOW = datetime(2026, 3, 1, 22, tzinfo=UTC)
OULU, TEA = "I live in Oulu.", "I prefer tea over coffee."


@pytest.fixture
def endpoint() -> Iterator[Scripted]:
    with server.serving() as scripted:
        yield scripted


@pytest.fixture
def breaker() -> Breaker:
    return Breaker("m at somewhere", failures=3, seconds=30, longest=100, probe=60)


def fail(breaker: Breaker, engine: Engine, now: datetime, times: int = 1, fault: ModelFailure | None = None) -> bool:
    return [breaker.failed(engine, fault or Unreachable("no"), now) for _ in range(times)][-1]


def left_alone(breaker: Breaker, engine: Engine, now: datetime) -> ModelFailure | None:
    try:
        breaker.ask(engine, now)
    except ModelFailure as fault:
        return fault
    return None


# --- breaker ------------------------------------------------------------------------------------------------------


def test_outages_in_a_row_open_the_breaker_and_an_answer_in_between_does_not(engine: Engine, breaker: Breaker) -> None:
    assert not fail(breaker, engine, NOW, 2)
    breaker.answered(engine, NOW)
    assert not fail(breaker, engine, NOW, 2)
    assert left_alone(breaker, engine, NOW) is None
    assert fail(breaker, engine, NOW)
    fault = left_alone(breaker, engine, NOW)
    assert isinstance(fault, Unreachable) and fault.waits and fault.after == 30


def test_all_workers_see_the_same_breaker(engine: Engine, breaker: Breaker) -> None:
    fail(breaker, engine, NOW, 3)
    assert left_alone(replace(breaker), engine, NOW) is not None
    assert left_alone(replace(breaker, endpoint="m at elsewhere"), engine, NOW) is None


def test_a_half_open_breaker_lets_one_call_through_whoever_asks(engine: Engine, breaker: Breaker) -> None:
    fail(breaker, engine, NOW, 3)
    later = NOW + timedelta(seconds=31)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: left_alone(breaker, engine, later), range(8)))
    assert sum(answer is None for answer in answers) == 1
    assert breaker.state(engine, later)["state"] == "half_open"


def test_a_probe_that_answers_closes_the_breaker_and_one_that_fails_doubles_its_time(
    engine: Engine, breaker: Breaker
) -> None:
    fail(breaker, engine, NOW, 3)
    now = NOW
    for seconds in (60, 100, 100):
        now += timedelta(seconds=101)
        assert left_alone(breaker, engine, now) is None
        fail(breaker, engine, now)
        assert (fault := left_alone(breaker, engine, now)) is not None and fault.after == seconds
    now += timedelta(seconds=101)
    breaker.ask(engine, now)
    breaker.answered(engine, now)
    assert breaker.state(engine, now) == {"state": "closed", "failures": 0, "failure": None, "open_until": None}
    assert not fail(breaker, engine, now, 2), "it counts from nothing again"


def test_a_probe_that_never_comes_back_is_given_up(engine: Engine, breaker: Breaker) -> None:
    fail(breaker, engine, NOW, 3)
    breaker.ask(engine, NOW + timedelta(seconds=31))
    assert left_alone(breaker, engine, NOW + timedelta(seconds=80)) is not None
    assert left_alone(breaker, engine, NOW + timedelta(seconds=92)) is None


def test_calls_that_were_under_way_when_it_opened_make_it_no_longer(engine: Engine, breaker: Breaker) -> None:
    fail(breaker, engine, NOW, 9)
    assert (fault := left_alone(breaker, engine, NOW)) is not None and fault.after == 30


def test_what_opened_it_is_what_the_others_are_told(engine: Engine, breaker: Breaker) -> None:
    assert fail(breaker, engine, NOW, fault=RateLimited("no", after=70))
    fault = left_alone(breaker, engine, NOW)
    assert isinstance(fault, RateLimited) and fault.after == 70
    fail(breaker, engine, NOW + timedelta(seconds=71), fault=TimedOut("no"))
    fault = left_alone(breaker, engine, NOW + timedelta(seconds=72))
    assert isinstance(fault, TimedOut) and fault.waits


# --- budget -------------------------------------------------------------------------------------------------------


def test_tokens_are_set_aside_before_a_call_and_settled_after_it(engine: Engine) -> None:
    held = budget.set_aside(engine, "acme", 900, 1000, NOW)
    with pytest.raises(BudgetExhausted):
        budget.set_aside(engine, "acme", 200, 1000, NOW)
    with tenant_transaction(engine, "acme") as connection:
        budget.settle(connection, held, 300)
    assert budget.used_today(engine, "acme", NOW) == 300
    budget.set_aside(engine, "acme", 700, 1000, NOW)
    assert budget.used_today(engine, "acme", NOW) == 1000


def test_workers_at_the_same_time_cannot_overspend_together(engine: Engine) -> None:
    def call(_: int) -> bool:
        try:
            budget.set_aside(engine, "acme", 300, 1000, NOW)
        except BudgetExhausted:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(call, range(8))) == 3


def test_tenants_and_days_have_their_own_budgets(engine: Engine) -> None:
    budget.set_aside(engine, "acme", 1000, 1000, NOW)
    budget.set_aside(engine, "other", 1000, 1000, NOW)
    budget.set_aside(engine, "acme", 1000, 1000, NOW + timedelta(hours=2))
    assert budget.used_today(engine, "acme", NOW) == budget.used_today(engine, "other", NOW) == 1000
    budget.set_aside(engine, "acme", 10**9, 0, NOW)  # a limit of 0 is none


def test_turns_beyond_the_budget_wait_uncounted_for_the_next_day(
    endpoint: Scripted, engine: Engine, keys: Keyring
) -> None:
    line = ModelLine.to(endpoint, engine, keys, tokens_per_day=7000, max_output_tokens=4000)
    rich = ModelLine.to(endpoint, engine, keys, tokens_per_day=7000, max_output_tokens=4000, tenant="rich")
    for day in range(4):
        line.take(line.turn(f"t{day}", OULU, day=day))
    assert line.outcomes() == ["answered", "answered"], "the third call might have gone beyond it"
    assert line.waiting() == [("budget_exhausted", 0)] * 2 and line.spent() == 2560
    rich.take(rich.turn("t", TEA))
    assert rich.current() == ["The user prefers tea over coffee."], "another tenant has a budget of its own"
    told = overview(engine, line.extractor, line.now)
    assert told["waiting"] == [{"failure": "budget_exhausted", "turns": 2, "tenants": 1}]
    assert told["budget"] == {"tokens_per_day": 7000, "exhausted": [{"tenant": "acme", "used": 2560}]}
    line.later(hours=16)
    line.settle()
    assert line.outcomes() == ["answered"] * 4 and line.waiting() == []


def test_what_the_endpoint_does_not_count_is_estimated(endpoint: Scripted, engine: Engine, keys: Keyring) -> None:
    line = ModelLine.to(endpoint, engine, keys, price_per_million_in=2.0, price_per_million_out=10.0)
    endpoint.plays(server.uncounted)
    line.take(line.turn("a", OULU))
    line.take(line.turn("b", TEA, day=1))
    guessed, counted = line.calls()
    assert guessed["estimated"] and guessed["tokens_in"] > 1000 and guessed["tokens_out"] > 50
    assert not counted["estimated"] and counted["cost"] == pytest.approx((1200 * 2 + 80 * 10) / 1_000_000)
    assert line.spent() == guessed["tokens_in"] + guessed["tokens_out"] + 1280


# --- record, overview, lease --------------------------------------------------------------------------------------


def test_old_records_go(endpoint: Scripted, engine: Engine, keys: Keyring) -> None:
    line = ModelLine.to(endpoint, engine, keys, keep_calls_days=30)
    line.take(line.turn("a", OULU))
    line.later(days=31)
    line.take(line.turn("b", TEA, day=1))
    assert [call["at"] for call in line.calls()] == [line.now]
    assert line.spent() == 1280


def test_an_open_breaker_shows_in_the_overview_without_keys(endpoint: Scripted, engine: Engine, keys: Keyring) -> None:
    line = ModelLine.to(endpoint, engine, keys, url="http://someone:sk-hidden@127.0.0.1:9/v1", breaker_failures=1)
    line.take(line.turn("a", OULU))
    told = overview(engine, line.extractor, line.now)
    assert told["breaker"]["state"] == "open" and told["breaker"]["failure"] == "unreachable"
    assert told["waiting"] == [{"failure": "unreachable", "turns": 1, "tenants": 1}]
    assert "sk-hidden" not in str(told) and server.KEY not in repr(line.extractor.client)


def test_what_was_not_begun_in_time_goes_back_uncounted(endpoint: Scripted, engine: Engine, keys: Keyring) -> None:
    line = ModelLine.to(endpoint, engine, keys)
    line.push(*[line.turn(f"t{n}", OULU, day=n) for n in range(3)])
    claimed = work.claim(engine, work.EXTRACT, line.now, 10)
    assert claimed is not None
    extract_turns(engine, claimed, line.rules, line.now, seconds=-1)
    assert endpoint.asked == [] and line.waiting() == [(None, 0)] * 3
    line.drain()
    assert len(endpoint.asked) == 3 and line.waiting() == []


def test_a_slow_call_keeps_its_turns_from_other_workers(
    endpoint: Scripted, engine: Engine, keys: Keyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "LEASE", timedelta(seconds=1))
    line = ModelLine.to(endpoint, engine, keys)
    stolen: list[work.Claim | None] = []

    def late(asked: server.Asked) -> server.Answered:
        first = due = lease_ends(engine)
        while due == first:
            time.sleep(0.02)
            due = lease_ends(engine)
        stolen.append(work.claim(engine, work.EXTRACT, first + timedelta(milliseconds=1), 10))
        return server.good(asked)

    line.push(line.turn("a", OULU))
    endpoint.plays(late)
    claimed = work.claim(engine, work.EXTRACT, clock.now(), 10)
    assert claimed is not None
    with work.kept(engine, claimed, clock.now):
        extract_turns(engine, claimed, line.rules, line.now)
    line.drain()
    assert stolen == [None] and line.outcomes() == ["answered"]


def lease_ends(engine: Engine) -> datetime:
    with transaction(engine) as connection:
        return connection.execute(sa.text("select due from work where stage = 'extract'")).scalar_one()


def test_calls_hold_no_text(endpoint: Scripted, engine: Engine, keys: Keyring) -> None:
    line = ModelLine.to(endpoint, engine, keys)
    line.take(line.turn("a", OULU))
    with tenant_transaction(engine, "acme") as connection:
        told = connection.execute(sa.text("select * from llm_calls")).all()
    assert "Oulu" not in str(told)
