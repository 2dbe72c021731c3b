"""What a run of a job is told, and what it tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any, Protocol
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from lethe.ids import shown
from lethe.index.embedder import Embeds
from lethe.rules import Rules
from lethe.store.database import tenant_transaction

BATCH = 1000
NOTHING: Mapping[UUID, UUID] = MappingProxyType({})


class Delete(Protocol):
    """Delete a memory as a person's request would; False where it is gone already, or does not go any more (`still`)."""

    def __call__(self, tenant: str, memory: UUID, now: datetime, still: Callable[[Connection], bool] = ...) -> bool: ...


@dataclass(frozen=True, slots=True)
class Run:
    """`now`: the time that the job judges as of. `passed`: up to when marks may be taken away; never ahead of the clock,
    so that a look into the future leaves to the real run what is due to it. `force`: retire without asking. `delete`: how what
    ended long ago is deleted for good, at `passed`: what is said until a time to come must not meet its tombstone; None: it is left. `embedder`: the model, which consolidation needs."""

    engine: Engine
    rules: Rules
    now: datetime
    passed: datetime
    dry_run: bool = False
    force: bool = False
    actor: str = "job"
    delete: Delete | None = None
    embedder: Embeds | None = None

    def of(self, tenant: str) -> Run:
        """The run under the rules that hold for a tenant."""
        return replace(self, rules=self.rules.of(tenant))


@dataclass(slots=True)
class Done:
    """What a job did for one tenant. `would`: in a dry run, each change that the real run would make, and in `gone` what
    would have been retired, with its owner."""

    due: int = 0
    changed: Counter[str] = field(default_factory=Counter)
    asks: list[dict[str, Any]] = field(default_factory=list)
    would: list[dict[str, Any]] = field(default_factory=list)
    gone: dict[UUID, UUID] = field(default_factory=dict)

    def add(self, other: Done) -> None:
        """Add what another job did for the same tenant, or this job for another one."""
        self.due += other.due
        self.changed.update(other.changed)
        self.asks += other.asks
        self.would += other.would
        self.gone |= other.gone

    def note(self, tenant: str, memory: UUID, change: str, reason: str) -> None:
        """Take down a change that a dry run leaves to the real one."""
        self.changed[change] += 1
        self.would.append({"tenant": tenant, "memory": shown("mem", memory), "change": change, "reason": reason})


_AS_A_JOB = sa.text("""
select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('synchronous_commit', 'off', true)
""")


@contextmanager
def batch(run: Run, tenant: str) -> Iterator[Connection]:
    """One transaction of a job. Plans are made for the values at hand: how much is due differs from day to day. Its commit
    does not wait for the disk: after a crash the changes and the marks that were taken away are lost together, and done again."""
    with tenant_transaction(run.engine, tenant) as connection:
        connection.execute(_AS_A_JOB)
        yield connection


def asks_first(run: Run, would_retire: int, of: int) -> bool:
    """Would this retire so much of an owner's set that somebody has to say so? (`--force`)"""
    ruling = run.rules.forgetting
    return not run.force and of > ruling.ask_above and would_retire > ruling.ask_share * of


def ask(job: str, tenant: str, owner: Any, would_retire: int, of: int) -> dict[str, Any]:
    """A row of `asks`; `owner` is a row of `owners`."""
    return {
        "job": job, "tenant": tenant, "owner": shown("own", owner.owner), "user": owner.user_id, "project": owner.project,
        "task": owner.task, "would_retire": would_retire, "of": of,
    }  # fmt: skip
