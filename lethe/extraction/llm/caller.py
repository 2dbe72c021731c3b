"""A model asked, whatever for: every call is held by budget, breaker and record, and parsed before it counts as answered.

Nothing here runs inside a transaction of the line: the breaker, the budget and the record of calls each use a short one of
their own, before and after the call.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar
from urllib.parse import urlsplit

from sqlalchemy.engine import Engine

from lethe import clock
from lethe.extraction.llm import budget, calls
from lethe.extraction.llm.breaker import Breaker
from lethe.extraction.llm.client import ChatClient, Reply, Tries
from lethe.extraction.llm.failures import ModelFailure, RateLimited, TimedOut, Unreachable, Usage

_NOTHING_SPENT = (Unreachable, RateLimited)
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Limits:
    """What the policy says in [llm]; docs/policy.md explains each."""

    timeout_seconds: float
    retries: int
    longest_pause_seconds: float
    turns_per_call: int
    chars_per_call: int
    max_output_tokens: int
    tokens_per_day: int
    breaker_failures: int
    breaker_seconds: float
    breaker_max_seconds: float
    other_languages: str
    price_per_million_in: float
    price_per_million_out: float
    keep_calls_days: int

    def cost(self, usage: Usage) -> float:
        return (usage.tokens_in * self.price_per_million_in + usage.tokens_out * self.price_per_million_out) / 1_000_000


@dataclass(frozen=True, slots=True)
class Question(Generic[Found]):
    """What a model is asked: instructions with their version, the matter, the schema of an answer and how it is read (raises a
    ModelFailure). `items`: how many things it is about."""

    system: str
    version: str
    user: str
    schema: Mapping[str, Any]
    read: Callable[[Reply], Found]
    items: int


@dataclass(frozen=True, slots=True)
class _Answered(Generic[Found]):
    reply: Reply | None
    fault: ModelFailure | None
    found: Found | None

    @property
    def outcome(self) -> str:
        return self.fault.code if self.fault else calls.ANSWERED


class Caller:
    """Calls of one model at one endpoint. `engine` is asked for when the first call is due."""

    def __init__(
        self,
        base_url: str,
        key: str | None,
        model: str,
        limits: Limits,
        engine: Callable[[], Engine],
        *,
        now: Callable[[], datetime] = clock.now,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.model, self.limits = model, limits
        self.client = ChatClient(
            base_url, key, model, limits.timeout_seconds, limits.retries, limits.longest_pause_seconds,
            limits.max_output_tokens, sleep=sleep, now=now,
        )  # fmt: skip
        self.breaker = Breaker(
            endpoint_name(base_url, model), limits.breaker_failures, limits.breaker_seconds, limits.breaker_max_seconds,
            probe=2 * limits.timeout_seconds + 30,
        )  # fmt: skip
        self._engine, self._now = engine, now

    def call(self, tenant: str, question: Question[Found]) -> Found:
        """The answer, read. Raises a ModelFailure."""
        engine = self._engine()
        expected = budget.estimated_tokens(question.system) + budget.estimated_tokens(question.user)
        held = self._set_aside(engine, tenant, expected)
        tries, began = Tries(), time.monotonic()
        answered = self._ask(question, tries)
        usage = _usage(answered, expected)
        call = calls.Call(
            at=self._now(), model=self.model, prompt=question.version, outcome=answered.outcome, status=tries.status,
            turns=question.items, tries=tries.count, usage=usage, ms=round(1000 * (time.monotonic() - began)),
            cost=self.limits.cost(usage),
        )  # fmt: skip
        calls.record(engine, call, held, timedelta(days=self.limits.keep_calls_days))
        self._tell_breaker(engine, answered.fault)
        if answered.fault is not None:
            raise answered.fault
        assert answered.found is not None
        return answered.found

    def _set_aside(self, engine: Engine, tenant: str, expected: int) -> budget.SetAside:
        """Budget first, then the breaker: whoever is let through as its probe must not fail for want of tokens."""
        most = self.limits.tokens_per_day
        held = budget.set_aside(engine, tenant, expected + self.limits.max_output_tokens, most, self._now())
        try:
            self.breaker.ask(engine, self._now())
        except ModelFailure:
            budget.give_back(engine, held)
            raise
        return held

    def _ask(self, question: Question[Found], tries: Tries) -> _Answered[Found]:
        reply: Reply | None = None
        try:
            reply = self.client.ask(question.system, question.user, question.schema, tries)
            return _Answered(reply, None, question.read(reply))
        except ModelFailure as fault:
            return _Answered(reply, fault, None)

    def _tell_breaker(self, engine: Engine, fault: ModelFailure | None) -> None:
        """An answer that cannot be used still shows an endpoint that works. A time-out waits only where the breaker opened."""
        if fault is None or not fault.outage:
            self.breaker.answered(engine, self._now())
        elif self.breaker.failed(engine, fault, self._now()) and isinstance(fault, TimedOut):
            fault.waits = True


def endpoint_name(base_url: str, model: str) -> str:
    """How an endpoint is named in the breaker's row: model and place, without what a URL may hold of keys."""
    place = urlsplit(base_url)
    return f"{model} at {place.hostname or ''}{f':{place.port}' if place.port else ''}{place.path.rstrip('/')}"


def _usage(answered: _Answered[Any], expected: int) -> Usage:
    """What the endpoint counted; else what was sent, as far as it was read, and what came back."""
    reply, fault = answered.reply, answered.fault
    counted = reply.usage if reply else fault.usage if fault else None
    if counted is not None:
        return counted
    if isinstance(fault, _NOTHING_SPENT):
        return Usage(0, 0, estimated=True)
    return Usage(expected, budget.estimated_tokens(reply.content) if reply else 0, estimated=True)
