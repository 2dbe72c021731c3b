"""Windows of jobs: each (job, tenant, window) is claimed by one process, and claimed again only if that one was lost."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.store.database import transaction

LEASE = timedelta(minutes=15)
KEPT = timedelta(days=30)
EVERYBODY = ""  # stands for all tenants; no tenant has an empty name


def claim(engine: Engine, job: str, tenant: str, window: str, now: datetime) -> bool:
    """Is this window ours to work off? A window that was finished, or that another holds, is not."""
    with transaction(engine) as connection:
        named = {"job": job, "tenant": tenant, "window": window, "now": now, "until": now + LEASE}
        return connection.execute(_CLAIM, named).first() is not None


_CLAIM = sa.text("""
insert into job_runs (job, tenant, "window", claimed_at, leased_until) values (:job, :tenant, :window, :now, :until)
on conflict (job, tenant, "window") do update set claimed_at = excluded.claimed_at, leased_until = excluded.leased_until
where job_runs.finished_at is null and job_runs.leased_until <= excluded.claimed_at
returning job
""")


def finish(
    engine: Engine,
    job: str,
    tenant: str,
    window: str,
    now: datetime,
    *,
    due: int,
    changed: dict[str, int],
    asks: list[dict[str, Any]],
    failure: str | None,
) -> None:
    """Write down what came of a window. A failed one is finished too: the next window finds what is still due."""
    with transaction(engine) as connection:
        connection.execute(
            _FINISH,
            {
                "job": job,
                "tenant": tenant,
                "window": window,
                "now": now,
                "due": due,
                "changed": json.dumps(changed),
                "asks": json.dumps(asks),
                "failure": failure,
            },
        )


_FINISH = sa.text("""
insert into job_runs (job, tenant, "window", claimed_at, leased_until, finished_at, due, changed, asks, failure)
values (:job, :tenant, :window, :now, :now, :now, :due, cast(:changed as jsonb), cast(:asks as jsonb), :failure)
on conflict (job, tenant, "window") do update
set finished_at = excluded.finished_at, due = excluded.due, changed = excluded.changed, asks = excluded.asks, failure = excluded.failure
""")


def is_over(engine: Engine, job: str, window: str) -> bool:
    """Has this window been closed for all tenants?"""
    with transaction(engine) as connection:
        named = {"job": job, "window": window, "all": EVERYBODY}
        return connection.execute(_IS_OVER, named).first() is not None


def close(engine: Engine, job: str, window: str, now: datetime) -> None:
    """Close a window for all tenants, unless somebody still works on one of them or was lost over it."""
    with transaction(engine) as connection:
        connection.execute(_CLOSE, {"job": job, "window": window, "all": EVERYBODY, "now": now})


_IS_OVER = sa.text("""
select 1 from job_runs where job = :job and tenant = :all and "window" = :window and finished_at is not null
""")
_CLOSE = sa.text("""
insert into job_runs (job, tenant, "window", claimed_at, leased_until, finished_at)
select :job, :all, :window, :now, :now, :now
where not exists (select from job_runs where job = :job and "window" = :window and finished_at is null)
on conflict do nothing
""")


def overview(engine: Engine) -> list[dict[str, Any]]:
    """The latest run of each job that failed for somebody or asks for a decision: what `status` tells of jobs."""
    with transaction(engine) as connection:
        return [
            {
                "job": row.job,
                "tenant": row.tenant,
                "at": row.finished_at.isoformat(),
                "failure": row.failure,
                "asks": row.asks,
            }
            for row in connection.execute(_OVERVIEW)
        ]


_OVERVIEW = sa.text("""
select * from (
  select distinct on (job, tenant) job, tenant, finished_at, failure, asks from job_runs
  where finished_at is not null order by job, tenant, finished_at desc) latest
where failure is not null or asks <> '[]' order by job, tenant limit 100
""")


def forget(engine: Engine, now: datetime) -> int:
    """Delete the records of windows that are long over; returns how many."""
    with transaction(engine) as connection:
        return connection.execute(
            sa.text("delete from job_runs where claimed_at < :then"), {"then": now - KEPT}
        ).rowcount
