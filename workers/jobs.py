"""Every job by name: what beat runs on schedule, and `lethe run` by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from typing import Any
from uuid import UUID

from redis import RedisError
from sqlalchemy.engine import Connection, Engine

from lethe import log
from lethe.errors import LetheError, NotFound
from lethe.ids import shown
from lethe.index.embedder import Embeds
from lethe.lifecycle.deletion import named, requests
from lethe.lifecycle.deletion.requests import Reach
from lethe.lifecycle.forgetting import access
from lethe.lifecycle.forgetting import jobs as forgetting
from lethe.lifecycle.forgetting.running import Delete, Run
from lethe.recall.uses import UseBuffer
from lethe.rules import Rules


@dataclass(frozen=True, slots=True)
class Order:
    """What a run is asked to do. `now`: the time to judge as of; `clock`: the time it is."""

    engine: Engine
    rules: Rules
    now: datetime
    clock: datetime
    tenant: str | None = None
    dry_run: bool = False
    force: bool = False
    window: str | None = None
    actor: str = "job"
    most: Callable[[], bool] = lambda: False
    delete: Delete | None = None
    uses: UseBuffer | None = None
    embedder: Embeds | None = None
    among: Callable[[str], bool] = lambda _: True


Report = dict[str, Any]


class NoSuchJob(LetheError):
    """This build has no such job."""

    code = "no_such_job"
    hint = "See `lethe run --help`."


def _forgetting(name: str) -> Callable[[Order], Report]:
    def run(order: Order) -> Report:
        made = Run(
            order.engine,
            order.rules,
            order.now,
            min(order.now, order.clock),
            order.dry_run,
            order.force,
            order.actor,
            order.delete,
            order.embedder,
        )
        if name in ("decay", "evict", "nightly") and order.uses is not None and not order.dry_run:
            _flush(order, order.uses)
        outcome = forgetting.run_job(name, made, order.tenant, order.window, order.most, order.among)
        found: Report = {
            "due": outcome.done.due,
            "changed": dict(outcome.done.changed),
            "tenants": outcome.tenants,
            "asks": outcome.done.asks,
            "failures": outcome.failures,
        }
        return found | {"would": outcome.done.would} if order.dry_run else found

    return run


def _flush(order: Order, uses: UseBuffer) -> None:
    """What was used lately stays: write the counts first. A cache that does not answer costs counts, not the job."""
    try:
        access.flush(order.engine, uses, order.rules, order.clock)
    except RedisError as fault:
        log.get().warning("uses.not_flushed", failure=type(fault).__name__)


def final_deletion(reach: Reach) -> Delete:
    """Deletion by retention is a deletion like any other: tombstones, erasure, receipt."""

    def delete(tenant: str, memory: UUID, now: datetime, still: Callable[[Connection], bool] = requests.always) -> bool:
        try:
            what = named.of(tenant, memory=shown("mem", memory))
            requests.request(reach, what, now, reason=requests.RETENTION, still=still)
        except NotFound:
            return False
        return True

    return delete


def _elsewhere(name: str, module: str, function: str) -> Callable[[Order], Report]:
    """A job that lives in a module of its own."""

    def run(order: Order) -> Report:
        try:
            found: Callable[[Order], Report] = getattr(import_module(module), function)
        except (ImportError, AttributeError):
            raise NoSuchJob(f"The job {name!r} is not part of this build.") from None
        return found(order)

    return run


JOBS: dict[str, Callable[[Order], Report]] = {
    "expire": _forgetting("expire"),
    "decay": _forgetting("decay"),
    "evict": _forgetting("evict"),
    "review": _forgetting("review"),
    "consolidate": _forgetting("consolidate"),
    "purge": _forgetting("purge"),
    "erase": _elsewhere("erase", "workers.deleting", "run_erase"),
    "verify": _elsewhere("verify", "workers.deleting", "run_verify"),
    "nightly": _forgetting("nightly"),
}
