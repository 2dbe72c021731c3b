"""What ended long ago goes for good, by the same deletion as a person's request: with a receipt, and without coming back.

A value that holds again, or that stands behind a merged memory, is kept: deleting what ended must not take what stands.
"""

from __future__ import annotations

from functools import partial
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lethe.ids import plain_value
from lethe.lifecycle.forgetting.running import BATCH, Done, Run, batch
from lethe.store import due


def delete_ended(run: Run, tenant: str, done: Done) -> None:
    """Delete up to a batch of one tenant's ended memories; what is left over is due still."""
    kept = run.rules.forgetting.ended
    if kept is None or (run.delete is None and not run.dry_run):
        return
    named = {"tenant": tenant, "then": run.now - kept, "limit": BATCH}
    with batch(run, tenant) as connection:
        seen = due.marks(connection, tenant, due.ENDED, run.now - kept)
        ended = connection.execute(_ENDED, named).all()
    gone: set[UUID] = set()
    while fresh := _deletable(run, tenant, {**named, "ids": [row.memory for row in ended], "gone": list(gone)}):
        for row in fresh:
            _delete(run, tenant, row, named, done)
        gone |= {row.id for row in fresh}
    if not run.dry_run:
        with batch(run, tenant) as connection:
            worked_off = {"ids": [row.memory for row in ended], "times": [row.at for row in ended]}
            connection.execute(_WORKED_OFF, {**named, **worked_off, "today": due.floor(due.ENDED, run.now)})
            following = partial(due.earliest, connection, _FOLLOWING, named)
            due.settle(connection, tenant, due.ENDED, seen, run.passed - kept, following)


def _deletable(run: Run, tenant: str, named: dict[str, Any]) -> list[Any]:
    """What may go now. What nothing replaced goes after whatever it replaced itself: that would be current again."""
    with batch(run, tenant) as connection:
        rows = connection.execute(_GOES, named).all()
        keys = list({row.key for row in rows})
        standing = {
            (row.key, plain_value(row.object)) for row in connection.execute(_STANDING, {**named, "keys": keys})
        }
    return [row for row in rows if (row.key, plain_value(row.object)) not in standing]


def _delete(run: Run, tenant: str, row: Any, named: dict[str, Any], done: Done) -> None:
    done.due += 1
    if run.dry_run:
        done.note(tenant, row.id, "deleted", "ended_days")
    elif run.delete is not None and run.delete(tenant, row.id, run.passed, partial(_still_goes, named, row.id)):
        done.changed["deleted"] += 1


def _still_goes(named: dict[str, Any], memory: UUID, connection: Connection) -> bool:
    """Was it not brought back since it was listed? Nobody brings it back after this."""
    return connection.execute(_STILL, {**named, "ids": [memory], "gone": []}).first() is not None


_IS_OVER = "not (m.standing = 'current' and m.retired_as is null) and m.invisible_at is null"
_ENDED = sa.text("""
select at, memory from endings where tenant = :tenant and at <= :then order by at, memory limit :limit
""")
_REPLACED = "from memories p where p.tenant = m.tenant and p.superseded_by = m.id and p.invisible_at is null"
_MAY_GO = f"""
select m.id, m.key, m.object from memories m
where m.tenant = :tenant and m.id = any(cast(:ids as uuid[])) and m.id <> all(cast(:gone as uuid[])) and {_IS_OVER}
  and m.changed_at <= :then and m.retired_as is distinct from 'consolidated'
  and not exists (select from lineage l where l.tenant = m.tenant and l.input = m.id)
  and (m.superseded_by is not null or not exists (select {_REPLACED} and p.id <> all(cast(:gone as uuid[]))))
order by m.changed_at, m.id
"""
_GOES = sa.text(_MAY_GO)
_STILL = sa.text(f"{_MAY_GO} for update of m")
_STANDING = sa.text("""
select key, object from memories where tenant = :tenant and key = any(cast(:keys as uuid[])) and invisible_at is null
  and (changed_at > :then or (standing = 'current' and retired_as is null))
""")
# What changed since it ended is looked at again so long after that change, and what waits for those that it replaced, when they
# are due; what is kept for what stands, so long from now.
_WORKED_OFF = sa.text(f"""
with seen as (
  select * from unnest(cast(:times as timestamptz[]), cast(:ids as uuid[])) as s(at, memory)
), gone as (
  delete from endings e using seen where e.tenant = :tenant and e.at = seen.at and e.memory = seen.memory
)
insert into endings (tenant, at, memory)
select m.tenant, case when waits.until > :then then date_trunc('day', waits.until, 'UTC') else :today end, m.id
from memories m cross join lateral (
  select greatest(m.changed_at, (select max(p.changed_at) {_REPLACED})) as until) waits
where m.tenant = :tenant and m.id in (select memory from seen) and {_IS_OVER}
on conflict do nothing
""")
_FOLLOWING = sa.text("select min(at) from endings where tenant = :tenant")
