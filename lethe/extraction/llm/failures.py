"""The ways in which a call to a model fails. Each has its own code; no message holds a word of a turn or of an answer."""

from __future__ import annotations

from dataclasses import dataclass

from lethe.errors import NotExtracted


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a call; `estimated` where the endpoint did not count them itself."""

    tokens_in: int
    tokens_out: int
    estimated: bool = False

    @property
    def total(self) -> int:
        return self.tokens_in + self.tokens_out


class ModelFailure(NotExtracted):
    """A call that gave nothing usable. `outage`: it speaks against the endpoint, so it counts towards the breaker.
    `again`: worth another try at once. `http`: the endpoint's status. `usage`: what it counted; None: it did not."""

    code = "failed"
    outage = False
    again = False

    def __init__(
        self, message: str, *, http: int | None = None, after: float | None = None, usage: Usage | None = None
    ) -> None:
        super().__init__(message)
        self.http = http
        self.after = after
        self.usage = usage


class Unreachable(ModelFailure):
    """No connection, a broken one, a server error, or an endpoint that does not let us in."""

    code = "unreachable"
    hint = "Check LETHE_LLM_BASE_URL, LETHE_LLM_API_KEY and LETHE_LLM_MODEL; turns wait until the endpoint answers."
    waits = outage = True


class TimedOut(ModelFailure):
    """No whole answer in time. Waits only once the breaker says that the endpoint is at fault and not the turn."""

    code = "timeout"
    hint = "The endpoint is slow; [llm] timeout_seconds and turns_per_call of the policy set what is asked of it."
    outage = True


class RateLimited(ModelFailure):
    """The endpoint asks to be left alone for a while."""

    code = "rate_limited"
    hint = "Turns wait as long as the endpoint asks for; a higher quota at the provider helps."
    waits = outage = again = True


class Refused(ModelFailure):
    """The model, a content filter or the endpoint will not take this conversation."""

    code = "refused"

    def __init__(self, message: str, *, http: int | None = None, usage: Usage | None = None) -> None:
        super().__init__(message, http=http, usage=usage)
        self.outage = http is not None  # said of the request: where all are refused so, the settings are at fault


class InvalidOutput(ModelFailure):
    """An answer that is not what the schema asks for, is far too long, or speaks of turns that it was not asked about."""

    code = "invalid_output"


class Truncated(ModelFailure):
    """An answer that was cut off, or a conversation that is too long for the model."""

    code = "truncated"


class BudgetExhausted(ModelFailure):
    """The tenant has used its tokens of the day; nothing was sent."""

    code = "budget_exhausted"
    hint = "[llm] tokens_per_day of the policy sets the budget; the turns wait for the next day (UTC)."
    waits = True
