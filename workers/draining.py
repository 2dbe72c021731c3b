"""How every queue works off its stage: claim, do, finish, until nothing is due. Failures are counted in the row."""

from __future__ import annotations

import time
from collections.abc import Callable

from sqlalchemy.exc import DBAPIError

from lethe import clock, log
from lethe.store import work
from workers import parts

SECONDS = 20.0


def drain(stage: str, limit: int, work_off: Callable[[work.Claim], object]) -> int:
    """Work off what is due of a stage for some seconds; returns the rows done."""
    done, until = 0, time.monotonic() + SECONDS
    while time.monotonic() < until:
        claimed = work.claim(parts.engine(), stage, clock.now(), limit)
        if claimed is None:
            break
        began = time.monotonic()
        try:
            work_off(claimed)
        except Exception as fault:
            failure = failure_class(fault)
            work.fail(parts.engine(), claimed, failure, clock.now())
            log.get().warning(f"{stage}.failed", failure=failure, rows=_count(claimed))
        else:
            done += _count(claimed)
            milliseconds = round(1000 * (time.monotonic() - began))
            log.get().info(f"{stage}.done", rows=_count(claimed), ms=milliseconds)
    return done


def failure_class(fault: Exception) -> str:
    """The class of a failure; never its message, which may quote a row."""
    if isinstance(fault, DBAPIError):
        return f"database:{getattr(fault.orig, 'sqlstate', None) or type(fault.orig).__name__}"
    return str(getattr(fault, "code", None) or type(fault).__name__)


def _count(claimed: work.Claim) -> int:
    return sum(map(len, claimed.rows.values()))
