"""The queue in PostgreSQL. The broker only wakes workers up; what waits, what is claimed and what failed stands here.

A row is one piece of work of a stage: a turn to extract, a key to fold, a memory to index. Handing in the same row again
raises its version, so that what came while a worker was busy is done once more.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from lethe.store.database import transaction

EXTRACT, GATE, INDEX, ERASE = "extract", "gate", "index", "erase"
STAGES = (EXTRACT, GATE, INDEX)  # the way of a turn: what `push --wait` waits for
QUEUES = (*STAGES, ERASE)
CHANNEL = "lethe_work"
LEASE = timedelta(seconds=30)
MOST_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Claim:
    """Rows that one worker holds until `LEASE` runs out: {tenant: {row: version}}, with the oldest hand-in among them."""

    stage: str
    lease: UUID
    rows: Mapping[str, Mapping[UUID, int]]
    since: datetime

    def of(self, tenant: str) -> list[UUID]:
        return list(self.rows[tenant])

    def part(self, chosen: Collection[UUID]) -> Claim:
        """The same claim on some of its rows."""
        parts = {
            tenant: {row: version for row, version in rows.items() if row in chosen}
            for tenant, rows in self.rows.items()
        }
        return replace(self, rows={tenant: rows for tenant, rows in parts.items() if rows})


def enqueue(
    connection: Connection, stage: str, tenant: str, rows: Iterable[UUID], now: datetime, since: datetime | None = None
) -> None:
    """Hand in work, in the transaction that makes it necessary. `since`: when what it follows from was handed in."""
    given = sorted(set(rows))
    if not given:
        return
    connection.execute(_ENQUEUE, {"stage": stage, "tenant": tenant, "rows": given, "now": now, "since": since or now})
    connection.execute(_WAKE, wake_up(stage))


_ENQUEUE = sa.text("""
insert into work (stage, tenant, item, since, due)
select :stage, :tenant, r, :since, :now from unnest(cast(:rows as uuid[])) r order by r
on conflict (stage, tenant, item) do update
set version = work.version + 1, attempts = 0, quarantined_at = null, failure = null,
    since = least(work.since, excluded.since),
    due = case when work.lease is null then least(work.due, excluded.due) else work.due end
""")
_WAKE = sa.text("select pg_notify(:channel, :stage)")


def wake_up(stage: str) -> dict[str, str]:
    """The parameters of a wake-up, for a statement that hands in work by itself."""
    return {"channel": CHANNEL, "stage": stage}


def claim(engine: Engine, stage: str, now: datetime, limit: int) -> Claim | None:
    """The oldest due rows, or None. A row that failed or was lost before is claimed alone: it may be the culprit."""
    with transaction(engine) as connection:
        due = connection.execute(_DUE, {"stage": stage, "now": now, "limit": limit}).all()
        if not due:
            return None
        chosen = due[:1] if due[0].attempts else [row for row in due if not row.attempts]
        lease = uuid4()
        connection.execute(
            _CLAIM,
            {
                "stage": stage,
                "tenants": [row.tenant for row in chosen],
                "rows": [row.item for row in chosen],
                "lease": lease,
                "due": now + LEASE,
            },
        )
    rows: dict[str, dict[UUID, int]] = {}
    for row in chosen:
        rows.setdefault(row.tenant, {})[row.item] = row.version
    return Claim(stage, lease, rows, min(row.since for row in chosen))


_DUE = sa.text("""
select tenant, item, version, attempts, since from work
where stage = :stage and quarantined_at is null and due <= :now
order by due limit :limit for update skip locked
""")
_CLAIM = sa.text("""
update work set lease = :lease, due = :due, attempts = attempts + 1
from unnest(cast(:tenants as text[]), cast(:rows as uuid[])) as chosen(tenant, item)
where work.stage = :stage and work.tenant = chosen.tenant and work.item = chosen.item
""")


@contextmanager
def kept(engine: Engine, claimed: Claim, clock: Callable[[], datetime]) -> Iterator[None]:
    """Keep claimed rows while something runs that may take longer than `LEASE`; a process that dies lets them go."""
    over = threading.Event()
    keeper = threading.Thread(target=_keep, args=(engine, claimed, clock, over), name="lease", daemon=True)
    keeper.start()
    try:
        yield
    finally:
        over.set()
        keeper.join()


def _keep(engine: Engine, claimed: Claim, clock: Callable[[], datetime], over: threading.Event) -> None:
    while not over.wait(LEASE.total_seconds() / 3):
        with suppress(sa.exc.SQLAlchemyError), transaction(engine) as connection:
            for tenant in claimed.rows:
                named = {"stage": claimed.stage, "tenant": tenant, "rows": claimed.of(tenant), "lease": claimed.lease}
                connection.execute(_KEEP, {**named, "due": clock() + LEASE})


_KEEP = sa.text("""
update work set due = :due
where stage = :stage and tenant = :tenant and item = any(cast(:rows as uuid[])) and lease = :lease
""")


def finish(connection: Connection, claimed: Claim, tenant: str, now: datetime, again: Iterable[UUID] = ()) -> None:
    """Take done rows out, in the transaction that did them; those handed in again meanwhile, or in `again`, stay due."""
    repeated = set(again)
    done = [(row, version) for row, version in claimed.rows[tenant].items() if row not in repeated]
    common = {"stage": claimed.stage, "tenant": tenant, "lease": claimed.lease}
    connection.execute(
        _DONE, {**common, "rows": [row for row, _ in done], "versions": [version for _, version in done]}
    )
    connection.execute(_AGAIN, {**common, "rows": claimed.of(tenant), "now": now})


_DONE = sa.text("""
delete from work using unnest(cast(:rows as uuid[]), cast(:versions as int[])) as done(item, version)
where work.stage = :stage and work.tenant = :tenant and work.item = done.item and work.version = done.version
  and work.lease = :lease
""")
_AGAIN = sa.text("""
update work set lease = null, due = :now, attempts = 0
where stage = :stage and tenant = :tenant and item = any(cast(:rows as uuid[])) and lease = :lease
""")


def fail(engine: Engine, claimed: Claim, failure: str, now: datetime) -> None:
    """Give rows back after a failure: due again later and later, set aside after `MOST_ATTEMPTS`."""
    with transaction(engine) as connection:
        for tenant in claimed.rows:
            connection.execute(
                _FAIL,
                {
                    "stage": claimed.stage,
                    "tenant": tenant,
                    "rows": claimed.of(tenant),
                    "lease": claimed.lease,
                    "failure": failure,
                    "now": now,
                    "most": MOST_ATTEMPTS,
                },
            )


_FAIL = sa.text("""
update work set lease = null, failure = :failure,
  quarantined_at = case when attempts >= :most then cast(:now as timestamptz) end,
  due = cast(:now as timestamptz) + least(60, attempts * attempts) * interval '1 second'
where stage = :stage and tenant = :tenant and item = any(cast(:rows as uuid[])) and lease = :lease
""")


def put_back(engine: Engine, claimed: Claim, failure: str | None, due: datetime) -> None:
    """Give rows back that wait for something else (a model that is away, a budget): the attempt does not count. `failure`:
    what they wait for."""
    with transaction(engine) as connection:
        for tenant in claimed.rows:
            named = {"stage": claimed.stage, "tenant": tenant, "rows": claimed.of(tenant), "lease": claimed.lease}
            connection.execute(_PUT_BACK, {**named, "failure": failure, "due": due})


_PUT_BACK = sa.text("""
update work set lease = null, failure = :failure, due = :due, attempts = greatest(attempts - 1, 0)
where stage = :stage and tenant = :tenant and item = any(cast(:rows as uuid[])) and lease = :lease
""")


def set_aside_lost(engine: Engine, now: datetime) -> int:
    """Quarantine rows whose worker died again and again without a word; returns how many."""
    with transaction(engine) as connection:
        return connection.execute(_LOST, {"now": now, "most": MOST_ATTEMPTS}).rowcount


_LOST = sa.text("""
update work set quarantined_at = :now, failure = coalesce(failure, 'worker_lost'), lease = null
where quarantined_at is null and attempts >= :most and due <= :now
""")


def due_by_stage(engine: Engine, now: datetime) -> dict[str, int]:
    """How many rows of each stage wait for a worker now."""
    with transaction(engine) as connection:
        found = connection.execute(
            sa.text(
                "select stage, count(*) as waiting from work where quarantined_at is null and due <= :now group by stage"
            ),
            {"now": now},
        )
        return {row.stage: row.waiting for row in found}


def pending_since(engine: Engine, until: datetime) -> int:
    """How many rows are left, claimed ones included, of what was handed in up to a time."""
    with transaction(engine) as connection:
        return int(
            connection.execute(
                sa.text(
                    "select count(*) from work where quarantined_at is null and stage = any(:stages) and since <= :until"
                ),
                {"until": until, "stages": list(STAGES)},
            ).scalar_one()
        )


def overview(engine: Engine, now: datetime) -> dict[str, Any]:
    """Depth and oldest waiting row of each queue, and what was set aside with its class of failure."""
    with transaction(engine) as connection:
        queues = connection.execute(
            sa.text(
                "select stage, count(*) as waiting, min(since) as oldest from work where quarantined_at is null group by stage"
            )
        )
        waiting = {row.stage: (row.waiting, max(0.0, (now - row.oldest).total_seconds())) for row in queues}
        quarantined = connection.execute(
            sa.text(
                "select stage, failure, count(*) as n from work where quarantined_at is not null group by 1, 2 order by 1, 2"
            )
        )
        return {
            "queues": [
                {
                    "queue": stage,
                    "waiting": waiting.get(stage, (0, None))[0],
                    "oldest_seconds": waiting.get(stage, (0, None))[1],
                }
                for stage in QUEUES
            ],
            "quarantined": [{"stage": row.stage, "failure": row.failure, "count": row.n} for row in quarantined],
        }


def release_quarantined(engine: Engine, now: datetime) -> int:
    """Try again what was set aside; returns how many."""
    with transaction(engine) as connection:
        return connection.execute(
            sa.text("update work set quarantined_at = null, attempts = 0, due = :now where quarantined_at is not null"),
            {"now": now},
        ).rowcount
