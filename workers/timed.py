"""Queue `jobs`: what beat sends. Each window of a job is claimed once a tenant in PostgreSQL, however many beats there are."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial

from lethe import clock, log
from lethe.lifecycle.forgetting import access, calendar, recompute
from lethe.store import job_runs
from workers import parts
from workers.app import app

SECONDS = 480.0  # below Celery's time limit; the next tick goes on with the tenants that are left
EXPIRE_EVERY = timedelta(minutes=5)


@app.task(name="jobs.expire")  # type: ignore[untyped-decorator]
def expire_due() -> None:
    _run("expire", calendar.window(clock.now(), EXPIRE_EVERY))


@app.task(name="jobs.nightly")  # type: ignore[untyped-decorator]
def forget_nightly() -> None:
    """Every tick looks whether the night's jobs are done; a night that was missed is made up for by the first tick after it."""
    rules = parts.rules()
    for nights in calendar.every(rules):
        night = nights.window(clock.now(), rules)
        if job_runs.is_over(parts.engine(), "nightly", night):
            continue
        if _run("nightly", night, partial(nights.are_of, rules)):
            job_runs.close(parts.engine(), "nightly", night, clock.now())
            job_runs.forget(parts.engine(), clock.now())


@app.task(name="jobs.flush")  # type: ignore[untyped-decorator]
def flush_uses() -> None:
    written = access.flush(parts.engine(), parts.uses(), parts.rules(), clock.now())
    if written:
        log.get().info("uses.flushed", memories=written)


@app.task(name="jobs.recompute")  # type: ignore[untyped-decorator]
def recompute_dates() -> None:
    recompute.begin(parts.engine(), parts.rules(), clock.now())
    told = recompute.go_on(parts.engine(), parts.rules(), clock.now(), _until(SECONDS))
    if told["looked_at"]:
        log.get().info("dates.recomputed", **told)


def _run(job: str, window: str, among: Callable[[str], bool] = lambda _: True) -> bool:
    """One window; True where no tenant is left."""
    from workers.deleting import reach
    from workers.jobs import JOBS, Order, final_deletion

    most = _until(SECONDS)
    now = clock.now()
    order = Order(
        parts.engine(), parts.rules(), now, now, window=window, most=most, delete=final_deletion(reach()),
        uses=parts.uses(), embedder=parts.asked_embedder(), among=among,
    )  # fmt: skip
    report = JOBS[job](order)
    counts = {name: count for name, count in report["changed"].items() if count}
    log.get().info(
        f"{job}.done", window=window, tenants=report["tenants"], due=report["due"], asks=len(report["asks"]), **counts
    )
    return not most()


def _until(seconds: float) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end
