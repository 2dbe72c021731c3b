"""One chat call over HTTP to an endpoint that speaks OpenAI's format, with every way of failing told apart.

The whole call is bounded: so many seconds, so many bytes, so many tries. Errors of httpx and pydantic quote what they saw,
so each is replaced by one of ours outside of its handler, and nothing of it hangs on as a cause or context.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx
from pydantic import BaseModel, Field, ValidationError

from lethe import clock
from lethe.extraction.llm.failures import (
    InvalidOutput,
    ModelFailure,
    RateLimited,
    Refused,
    TimedOut,
    Truncated,
    Unreachable,
    Usage,
)

MOST_BYTES = 2_000_000  # of an answer; what is longer is none
LONGEST_RETRY_AFTER = 3600.0  # seconds
FIRST_PAUSE = 0.5  # seconds
_TOO_LONG = ("context_length_exceeded", "string_above_max_length", "request_too_large")
_FILTERED = ("content_filter", "content_policy_violation")


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered. `usage` None: the endpoint did not count."""

    content: str
    usage: Usage | None


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Usage(BaseModel):
    prompt_tokens: int = Field(ge=0, le=10_000_000)
    completion_tokens: int = Field(ge=0, le=10_000_000)


class _Completion(BaseModel):
    choices: list[_Choice] = Field(min_length=1)


@dataclass(slots=True)
class Tries:
    """How often an endpoint was asked in one call, and with which status it answered last."""

    count: int = 0
    status: int | None = None


@dataclass
class ChatClient:
    """Asks one model at one endpoint. `sleep` and `spread` (a random share of a pause) can be replaced in tests."""

    base_url: str
    key: str | None = field(repr=False)
    model: str
    timeout: float
    retries: int
    longest_pause: float
    max_tokens: int
    sleep: Callable[[float], None] = time.sleep
    spread: Callable[[], float] = random.random
    now: Callable[[], datetime] = clock.now

    def __post_init__(self) -> None:
        headers = {"Accept-Encoding": "identity", **({"Authorization": f"Bearer {self.key}"} if self.key else {})}
        self._http = httpx.Client(headers=headers, follow_redirects=False)
        self._url = f"{self.base_url.rstrip('/')}/chat/completions"
        self._odd: dict[str, str | None] = {}  # parameters that this endpoint will not take, with their other names

    def ask(self, system: str, user: str, schema: Mapping[str, Any], tries: Tries) -> Reply:
        """The model's answer. Raises a ModelFailure; `tries` tells then, too, what happened on the way."""
        until = time.monotonic() + self.timeout
        while True:
            tries.count += 1
            fault = self._try(system, user, schema, tries, time.monotonic() + self.timeout)
            if isinstance(fault, Reply):
                return fault
            pause = self._pause(fault, tries.count)
            if pause is None or time.monotonic() + pause > until:
                raise fault
            self.sleep(pause)

    def _pause(self, fault: ModelFailure, tried: int) -> float | None:
        """Seconds until the next try; None: no other try is worth it."""
        if not fault.again or tried > self.retries:
            return None
        if fault.after is not None:
            return fault.after if fault.after <= self.longest_pause else None
        return float(min(self.longest_pause, FIRST_PAUSE * 2 ** (tried - 1))) * (0.5 + 0.5 * self.spread())

    def _try(
        self, system: str, user: str, schema: Mapping[str, Any], tries: Tries, until: float
    ) -> Reply | ModelFailure:
        while True:
            answered = self._sent(self._body(system, user, schema), until)
            if isinstance(answered, ModelFailure):
                tries.status = answered.http
                return answered
            tries.status, headers, body = answered
            if tries.status == 200:
                return _reply(body)
            if tries.status != 400 or not self._adapt(body):
                return self._fault(tries.status, headers, body)

    # --- what is sent ---------------------------------------------------------------------------------------------

    def _body(self, system: str, user: str, schema: Mapping[str, Any]) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
            "response_format": {"type": "json_schema", "json_schema": schema},
            "temperature": 0,
            "max_tokens": self.max_tokens,
        }
        for name, other in self._odd.items():
            value = body.pop(name, None)
            if other:
                body[other] = value
        return body

    def _adapt(self, body: bytes) -> bool:
        """Some models take no temperature, or know max_tokens under another name: remember it and ask again."""
        name = _error(body).get("param")
        if not isinstance(name, str) or name not in ("temperature", "max_tokens") or name in self._odd:
            return False
        self._odd[name] = "max_completion_tokens" if name == "max_tokens" else None
        return True

    def _sent(self, body: dict[str, Any], until: float) -> tuple[int, httpx.Headers, bytes] | ModelFailure:
        try:
            return self._exchange(body, until)
        except httpx.TimeoutException as fault:
            connected = not isinstance(fault, (httpx.ConnectTimeout, httpx.PoolTimeout))
        except (httpx.HTTPError, httpx.InvalidURL, OSError):
            return _again(Unreachable("The endpoint does not answer, or broke off."))
        return TimedOut("No whole answer came in time.") if connected else _again(Unreachable("No connection in time."))

    def _exchange(self, body: dict[str, Any], until: float) -> tuple[int, httpx.Headers, bytes] | ModelFailure:
        left = max(0.1, until - time.monotonic())
        limits = httpx.Timeout(left, connect=min(left, 10.0))
        with self._http.stream("POST", self._url, json=body, timeout=limits) as response:
            received = bytearray()
            for piece in response.iter_bytes():
                received += piece
                if len(received) > MOST_BYTES:
                    return InvalidOutput("The answer is far too long.", http=response.status_code)
                if time.monotonic() > until:
                    return TimedOut("No whole answer came in time.", http=response.status_code)
            return response.status_code, response.headers, bytes(received)

    # --- what came back -------------------------------------------------------------------------------------------

    def _fault(self, status: int, headers: httpx.Headers, body: bytes) -> ModelFailure:
        code = _error(body).get("code")
        if status == 429:
            return RateLimited("The endpoint asks for a pause.", http=status, after=self._retry_after(headers))
        if status in (408, 504):
            return TimedOut("The endpoint gave up in time.", http=status)
        if status >= 500:
            fault = Unreachable("The endpoint has a fault of its own.", http=status, after=self._retry_after(headers))
            return _again(fault)
        if status == 413 or code in _TOO_LONG:
            return Truncated("The conversation is too long for this model.", http=status)
        if code in _FILTERED:
            return Refused("A content filter refused the conversation.")
        if status in (400, 422):
            return Refused("The endpoint will not take the request.", http=status)
        return Unreachable("The endpoint does not let us in, or does not know the model.", http=status)

    def _retry_after(self, headers: httpx.Headers) -> float | None:
        """Seconds, from a number or a date."""
        given = headers.get("retry-after", "").strip()
        try:
            seconds = float(given)
        except ValueError:
            moment = _http_date(given)
            if moment is None:
                return None
            seconds = (moment - self.now()).total_seconds()
        return min(max(seconds, 0.0), LONGEST_RETRY_AFTER) if seconds == seconds else None


def _again(fault: Unreachable) -> Unreachable:
    fault.again = True
    return fault


def _http_date(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    return moment if moment.tzinfo else None


def _error(body: bytes) -> dict[str, Any]:
    """The error object of an answer that is none."""
    found = _json(body)
    error = found.get("error") if isinstance(found, dict) else None
    return error if isinstance(error, dict) else {}


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _reply(body: bytes) -> Reply | ModelFailure:
    found = _json(body)
    completion, usage = _completion(found), _usage(found)
    if completion is None:
        fault = InvalidOutput("The endpoint's answer is no chat completion.", http=200, usage=usage)
        fault.outage = True  # said by the endpoint, not by the model
        return fault
    choice = completion.choices[0]
    if choice.finish_reason == "length":
        return Truncated("The answer was cut off.", http=200, usage=usage)
    if choice.finish_reason == "content_filter" or choice.message.refusal:
        return Refused("The model refused the conversation.", usage=usage)
    if not (choice.message.content or "").strip():
        return InvalidOutput("The answer is empty.", http=200, usage=usage)
    return Reply(choice.message.content or "", usage)


def _completion(found: Any) -> _Completion | None:
    try:
        return _Completion.model_validate(found)
    except ValidationError:
        return None


def _usage(found: Any) -> Usage | None:
    try:
        counted = _Usage.model_validate(found.get("usage") if isinstance(found, dict) else None)
    except ValidationError:
        return None
    return Usage(counted.prompt_tokens, counted.completion_tokens)
