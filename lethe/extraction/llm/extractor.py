"""The model-backed extractor: turns of a session in, candidates out, and every call held by budget, breaker and record.

`batches` cuts what is due into calls, `extract` makes one of them. Nothing here runs inside a transaction of the line: the
breaker, the budget and the record of calls each use a short one of their own, before and after the call.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from sqlalchemy.engine import Engine

from lethe import clock
from lethe.extraction.language import unsupported_language
from lethe.extraction.llm import budget, calls
from lethe.extraction.llm.breaker import Breaker
from lethe.extraction.llm.candidates import candidate
from lethe.extraction.llm.client import ChatClient, Reply, Tries
from lethe.extraction.llm.conversation import Pair, labelled, prompt, shown, size
from lethe.extraction.llm.failures import ModelFailure, RateLimited, TimedOut, Unreachable, Usage
from lethe.extraction.llm.said import said
from lethe.extraction.llm.schema import json_schema, read
from lethe.records import Candidate

_NOTHING_SPENT = (Unreachable, RateLimited)


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
class _Answered:
    reply: Reply | None
    fault: ModelFailure | None
    found: dict[str, list[Candidate]]

    @property
    def outcome(self) -> str:
        return self.fault.code if self.fault else calls.ANSWERED


class LlmExtractor:
    """Candidates from any OpenAI-compatible chat endpoint. `engine` is asked for when the first call is due."""

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
        self.name = f"llm:{model}@{prompt().version}"
        self.client = ChatClient(
            base_url, key, model, limits.timeout_seconds, limits.retries, limits.longest_pause_seconds,
            limits.max_output_tokens, sleep=sleep, now=now,
        )  # fmt: skip
        self.breaker = Breaker(
            endpoint_name(base_url, model), limits.breaker_failures, limits.breaker_seconds, limits.breaker_max_seconds,
            probe=2 * limits.timeout_seconds + 30,
        )  # fmt: skip
        self._engine, self._now = engine, now

    def unsupported_language(self, text: str) -> bool:
        """Is a turn refused for its language? A claim cannot be checked word by word against another one than English."""
        return self.limits.other_languages == "refuse" and unsupported_language(text)

    def batches(self, pairs: Sequence[Pair]) -> list[list[int]]:
        """Positions of the pairs that go into one call each: turns of one session, in order, within the limits of a call."""
        sessions: dict[tuple[str, str], list[int]] = {}
        for position, (turn, _) in enumerate(pairs):
            sessions.setdefault((turn.tenant, turn.session), []).append(position)
        return [batch for positions in sessions.values() for batch in self._cut(positions, pairs)]

    def _cut(self, positions: list[int], pairs: Sequence[Pair]) -> Iterator[list[int]]:
        batch: list[int] = []
        room = self.limits.chars_per_call
        for position in sorted(positions, key=lambda at: (pairs[at][0].observed_at, pairs[at][0].turn)):
            needed = size(pairs[position], self.limits.chars_per_call)
            if batch and (needed > room or len(batch) == self.limits.turns_per_call):
                yield batch
                batch, room = [], self.limits.chars_per_call
            batch.append(position)
            room -= needed
        if batch:
            yield batch

    def extract(self, pairs: Sequence[Pair]) -> list[list[Candidate]]:
        """The candidates of each turn, in the order given; all of one session. Raises a ModelFailure."""
        if not pairs:
            return []
        asked = labelled(pairs)
        answer = self._call(pairs[0][0].tenant, asked)
        by_name = {asked[label][0].turn: found for label, found in answer.items()}
        return [by_name[turn.turn] for turn, _ in pairs]

    def _call(self, tenant: str, asked: Mapping[str, Pair]) -> dict[str, list[Candidate]]:
        engine, user = self._engine(), shown(asked, self.limits.chars_per_call)
        expected = budget.estimated_tokens(prompt().text) + budget.estimated_tokens(user)
        held = self._set_aside(engine, tenant, expected)
        tries, began = Tries(), time.monotonic()
        answered = self._ask(user, asked, tries)
        usage = _usage(answered, expected)
        call = calls.Call(
            at=self._now(), model=self.model, prompt=prompt().version, outcome=answered.outcome, status=tries.status,
            turns=len(asked), tries=tries.count, usage=usage, ms=round(1000 * (time.monotonic() - began)),
            cost=self.limits.cost(usage),
        )  # fmt: skip
        calls.record(engine, call, held, timedelta(days=self.limits.keep_calls_days))
        self._tell_breaker(engine, answered.fault)
        if answered.fault is not None:
            raise answered.fault
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

    def _ask(self, user: str, asked: Mapping[str, Pair], tries: Tries) -> _Answered:
        reply: Reply | None = None
        try:
            reply = self.client.ask(prompt().text, user, json_schema(), tries)
            return _Answered(reply, None, _candidates(reply, asked))
        except ModelFailure as fault:
            return _Answered(reply, fault, {})

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


def _candidates(reply: Reply, asked: Mapping[str, Pair]) -> dict[str, list[Candidate]]:
    answer = read(reply.content, asked.keys())
    found: dict[str, list[Candidate]] = {label: [] for label in asked}
    for label in {each.turn for each in answer.memories}:
        turn, window = asked[label]
        ground = said(turn, window)
        found[label] = [candidate(each, turn, ground) for each in answer.memories if each.turn == label]
    return found


def _usage(answered: _Answered, expected: int) -> Usage:
    """What the endpoint counted; else what was sent, as far as it was read, and what came back."""
    reply, fault = answered.reply, answered.fault
    counted = reply.usage if reply else fault.usage if fault else None
    if counted is not None:
        return counted
    if isinstance(fault, _NOTHING_SPENT):
        return Usage(0, 0, estimated=True)
    return Usage(expected, budget.estimated_tokens(reply.content) if reply else 0, estimated=True)
