"""The record of calls: numbers and the class of the outcome, never a word of what was sent or said."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.extraction.llm.budget import SetAside, settle
from lethe.extraction.llm.failures import Usage
from lethe.store.database import tenant_transaction

ANSWERED = "answered"


@dataclass(frozen=True, slots=True)
class Call:
    """One call with all its tries. `outcome`: `answered` or the code of its failure; `ms`: from the first try to the last."""

    at: datetime
    model: str
    prompt: str
    outcome: str
    status: int | None
    turns: int
    tries: int
    usage: Usage
    ms: int
    cost: float


def record(engine: Engine, call: Call, held: SetAside, keep: timedelta) -> None:
    """Write the call down and settle its budget, in one transaction; what is older than `keep` goes."""
    usage = call.usage
    row = {"tenant": held.tenant, "at": call.at, "model": call.model, "prompt": call.prompt, "outcome": call.outcome,
           "status": call.status, "turns": call.turns, "tries": call.tries, "tokens_in": usage.tokens_in,
           "tokens_out": usage.tokens_out, "estimated": usage.estimated, "ms": call.ms, "cost": call.cost}  # fmt: skip
    with tenant_transaction(engine, held.tenant) as connection:
        connection.execute(_INSERT, row)
        settle(connection, held, usage.total)
        connection.execute(_OLD_CALLS, {"tenant": held.tenant, "before": call.at - keep})
        connection.execute(_OLD_DAYS, {"tenant": held.tenant, "before": (call.at - keep).date()})


_INSERT = sa.text("""
insert into llm_calls (tenant, at, model, prompt, outcome, status, turns, tries, tokens_in, tokens_out, estimated, ms, cost)
values (:tenant, :at, :model, :prompt, :outcome, :status, :turns, :tries, :tokens_in, :tokens_out, :estimated, :ms, :cost)
""")
_OLD_CALLS = sa.text("delete from llm_calls where tenant = :tenant and at < :before")
_OLD_DAYS = sa.text("delete from llm_budget where tenant = :tenant and day < :before")
