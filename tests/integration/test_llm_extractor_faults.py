"""Whatever an endpoint does, in whatever order: a recorded failure never yields a memory, and nothing is lost or counted twice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.engine import Engine

from lethe.keys import Keyring
from lethe.store import work
from tests.integration import llm_server as server
from tests.integration.llm_line import ModelLine
from tests.integration.llm_server import Scripted

FAULTS = [
    server.broken_content, server.broken_body, server.other_schema, server.empty, server.far_too_many, server.invented_turn,
    server.refusal, server.filtered, server.truncated, server.reset, server.wrong_key, server.server_fault, server.overloaded,
    server.rate_limited(30), server.bad_request, server.too_long,
]  # fmt: skip
LIES = [server.invented_names, server.invented_numbers, server.wrong_language]
CITIES = ("Oulu", "Lahti", "Turku", "Vaasa")
COUNTED = {"invalid_output", "refused", "truncated", "timeout"}

_tenants = count(1)


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Scripted]:
    with server.serving() as scripted:
        yield scripted


def a_line(endpoint: Scripted, engine: Engine, keys: Keyring, **limits: Any) -> ModelLine:
    number = next(_tenants)
    return ModelLine.to(endpoint, engine, keys, tenant=f"tenant-{number}", model=f"model-{number}", retries=1, **limits)


def push_all(line: ModelLine) -> None:
    line.push(
        *[
            line.turn(f"t{n}", f"I live in {city}.", day=n, user=f"u{n}", session=f"s{n % 2}")
            for n, city in enumerate(CITIES)
        ]
    )


def claims(line: ModelLine) -> set[str]:
    return {row["claim"] for row in line.memories()}


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(script=st.lists(st.sampled_from(FAULTS), min_size=1, max_size=12))
def test_a_recorded_failure_never_yields_a_memory(
    endpoint: Scripted, engine: Engine, keys: Keyring, script: list[Any]
) -> None:
    line = a_line(endpoint, engine, keys)
    endpoint.plays(*script, then=server.reset)
    push_all(line)
    for _ in range(12):
        line.drain()
        assert "answered" not in line.outcomes()
        assert line.proposals() == [] and line.memories() == []
        line.later(minutes=11)
    assert {failure for failure, _ in line.set_aside()} <= COUNTED
    assert len(line.waiting()) + len(line.set_aside()) == len(CITIES), "nothing is lost"
    endpoint.plays(then=server.good)
    work.release_quarantined(line.engine, line.now)
    line.settle()
    assert claims(line) == {f"The user lives in {city}." for city in CITIES}


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(script=st.lists(st.sampled_from([*FAULTS, *LIES, server.good]), max_size=12))
def test_memories_rest_on_answered_calls_and_on_what_was_said(
    endpoint: Scripted, engine: Engine, keys: Keyring, script: list[Any]
) -> None:
    line = a_line(endpoint, engine, keys)
    endpoint.plays(*script)
    push_all(line)
    line.settle()
    assert line.waiting() == []
    assert claims(line) <= {f"The user lives in {city}." for city in CITIES}
    answered = sum(call["turns"] for call in line.calls() if call["outcome"] == "answered")
    assert len(line.proposals()) <= answered
    assert answered + len(line.set_aside()) == len(CITIES), "each turn is read once or set aside"
    assert line.spent() == sum(call["tokens_in"] + call["tokens_out"] for call in line.calls())
