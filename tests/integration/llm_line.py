"""The line with a model's extractor that asks a scripted endpoint; time passes only when a test says so."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.extraction.llm import Caller, Limits, LlmExtractor
from lethe.keys import Keyring
from lethe.store import work
from lethe.store.database import tenant_transaction, transaction
from policies.policy import parse
from tests.integration.line import Line
from tests.integration.llm_server import KEY, MODEL, Scripted
from workers import wiring


class ModelLine(Line):
    """A line whose clock, extractor's included, is `now`; `slept` are the pauses between tries."""

    extractor: LlmExtractor
    slept: list[float]

    @classmethod
    def to(cls, endpoint: Scripted, engine: Engine, keys: Keyring, *, model: str = MODEL, key: str | None = KEY,
           url: str | None = None, tenant: str = "acme", **limits: Any) -> ModelLine:  # fmt: skip
        policy = parse(wiring.default_text(), "default")
        slept: list[float] = []
        made: list[ModelLine] = []
        caller = Caller(
            url or endpoint.url, key, model, Limits(**{**policy.llm.model_dump(), "timeout_seconds": 20, **limits}),
            lambda: engine, now=lambda: made[0].now, sleep=slept.append,
        )  # fmt: skip
        extractor = LlmExtractor(caller)
        line = cls(engine, wiring.bind(policy, lambda _: extractor), keys, tenant=tenant)
        line.extractor, line.slept = extractor, slept
        made.append(line)
        return line

    def later(self, **passed: float) -> None:
        self.now += timedelta(**passed)

    def settle(self, rounds: int = 60) -> None:
        """Let time pass until nothing waits any more, except for a day to come."""
        for _ in range(rounds):
            self.drain()
            if not self.waiting():
                return
            self.later(seconds=61)

    # --- what the tables say --------------------------------------------------------------------------------------

    def calls(self) -> list[dict[str, Any]]:
        with tenant_transaction(self.engine, self.tenant) as connection:
            found = connection.execute(
                sa.text("select * from llm_calls where tenant = :t order by id"), {"t": self.tenant}
            )
            return [dict(row) for row in found.mappings()]

    def outcomes(self) -> list[str]:
        return [call["outcome"] for call in self.calls()]

    def spent(self) -> int:
        with tenant_transaction(self.engine, self.tenant) as connection:
            return int(connection.execute(sa.text("select coalesce(sum(tokens), 0) from llm_budget")).scalar_one())

    def waiting(self) -> list[tuple[str | None, int]]:
        """(failure, attempts) of what is not extracted and not set aside."""
        return self._work("quarantined_at is null")

    def set_aside(self) -> list[tuple[str | None, int]]:
        return self._work("quarantined_at is not null")

    def proposals(self) -> list[Any]:
        with tenant_transaction(self.engine, self.tenant) as connection:
            found = connection.execute(
                sa.text("select turn, claim, signals, extractor from proposals order by turn, ordinal")
            )
            return list(found)

    def _work(self, condition: str) -> list[tuple[str | None, int]]:
        query = f"select failure, attempts from work where stage = :stage and tenant = :tenant and {condition} order by item"
        with transaction(self.engine) as connection:
            found: Sequence[Any] = connection.execute(
                sa.text(query), {"stage": work.EXTRACT, "tenant": self.tenant}
            ).all()
            return [(row.failure, row.attempts) for row in found]
