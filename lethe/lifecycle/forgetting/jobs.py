"""One job over every tenant that has something due, found through the marks; one tenant's failure does not stop the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.exc import DBAPIError

from lethe import log
from lethe.lifecycle.consolidation.requesting import nightly
from lethe.lifecycle.forgetting.decay import decay
from lethe.lifecycle.forgetting.evict import evict
from lethe.lifecycle.forgetting.expire import expire
from lethe.lifecycle.forgetting.purge import purge
from lethe.lifecycle.forgetting.purge import until as purge_until
from lethe.lifecycle.forgetting.review import review
from lethe.lifecycle.forgetting.running import Done, Run
from lethe.store import due, job_runs

OneTenant = Callable[[Run, str, Mapping[UUID, UUID], bool], Done]

EACH: Mapping[str, OneTenant] = {
    "expire": lambda run, tenant, gone, _: expire(run, tenant, gone),
    "decay": lambda run, tenant, gone, _: decay(run, tenant, gone),
    "evict": lambda run, tenant, gone, named: evict(run, tenant, gone, everybody=named),
    "review": lambda run, tenant, gone, _: review(run, tenant, gone),
    "purge": lambda run, tenant, _gone, _named: purge(run, tenant),
    "consolidate": lambda run, tenant, gone, _: nightly(run, tenant, gone),
}
NIGHTLY = tuple(EACH)


@dataclass(slots=True)
class Outcome:
    """What a job did. `failures`: tenants that it could not do, with the class of failure."""

    job: str
    tenants: int = 0
    done: Done = field(default_factory=Done)
    failures: list[dict[str, str]] = field(default_factory=list)


def sorts(job: str, run: Run) -> dict[str, datetime]:
    """Which marks tell that this job has something to do, each with the time up to which it has."""
    if job == "nightly":
        return {sort: until for each in NIGHTLY for sort, until in sorts(each, run).items()}
    return purge_until(run) if job == "purge" else {job: run.now}


def run_job(
    job: str,
    run: Run,
    tenant: str | None = None,
    window: str | None = None,
    most: Callable[[], bool] = lambda: False,
    among: Callable[[str], bool] = lambda _: True,
) -> Outcome:
    """Run `job` (one of `EACH`, or "nightly" for all of them in order) for one tenant, or for all that have something due.

    `window`: claimed per tenant, so that each is worked off once. `most` tells when to stop between two tenants: the next
    tick goes on with those that are left. `among`: which tenants it is for.
    """
    outcome = Outcome(job)
    found = {tenant: frozenset(sorts(job, run.of(tenant)))} if tenant is not None else _found(job, run)
    for name, come in found.items():
        if not among(name):
            continue
        if most():
            break
        if window is not None and not job_runs.claim(run.engine, job, name, window, run.passed):
            continue
        done, failure = _one(job, run.of(name), name, come, tenant is not None)
        outcome.tenants += 1
        outcome.done.add(done)
        if failure is not None:
            outcome.failures.append({"tenant": name, "failure": failure})
        if not run.dry_run and run.now == run.passed and (window is not None or done.due or failure):
            _write_down(job, run, name, window or f"by hand {run.passed.isoformat()}", done, failure)
    return outcome


def _found(job: str, run: Run) -> dict[str, frozenset[str]]:
    """{tenant: sorts} of what is due, by each tenant's own dates: one look-up for all, and one for each set of other dates."""
    usual = sorts(job, run)
    dates = {tenant: sorts(job, run.of(tenant)) for tenant in run.rules.own}
    apart = [tenant for tenant, theirs in dates.items() if theirs != usual]
    found = due.tenants(run.engine, usual)
    found = {tenant: come for tenant, come in found.items() if tenant not in apart}
    while apart:
        theirs = dates[apart[0]]
        alike = [tenant for tenant in apart if dates[tenant] == theirs]
        found |= due.tenants(run.engine, theirs, alike)
        apart = [tenant for tenant in apart if tenant not in alike]
    return dict(sorted(found.items()))


def _one(job: str, run: Run, tenant: str, come: frozenset[str], named: bool) -> tuple[Done, str | None]:
    """Those of the jobs that have something due in this tenant."""
    done = Done()
    try:
        for each in NIGHTLY if job == "nightly" else (job,):
            if come.isdisjoint(sorts(each, run)):
                continue
            done.add(EACH[each](run, tenant, done.gone, named))
    except Exception as fault:
        failure = failure_class(fault)
        log.get().warning(f"{job}.failed", tenant=tenant, failure=failure)
        return done, failure
    return done, None


def failure_class(fault: Exception) -> str:
    """The class of a failure; never its message, which may quote a row."""
    if isinstance(fault, DBAPIError):
        return f"database:{getattr(fault.orig, 'sqlstate', None) or type(fault.orig).__name__}"
    return str(getattr(fault, "code", None) or type(fault).__name__)


def _write_down(job: str, run: Run, tenant: str, window: str, done: Done, failure: str | None) -> None:
    """Numbers and ids alone: these rows stand outside row-level security."""
    asks: list[dict[str, Any]] = [
        {name: value for name, value in each.items() if name in ("job", "owner", "would_retire", "of")}
        for each in done.asks
    ]
    changed = dict(done.changed)
    job_runs.finish(
        run.engine, job, tenant, window, run.passed, due=done.due, changed=changed, asks=asks, failure=failure
    )
