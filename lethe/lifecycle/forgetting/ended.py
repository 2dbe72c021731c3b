"""What ended long ago goes for good, by the same deletion as a person's request: with a receipt, and without coming back.

A value that holds again, or that stands behind a merged memory, is kept: deleting what ended must not take what stands.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa

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
        rows = connection.execute(_OVER, {**named, "ids": [row.memory for row in ended]}).all()
        standing = {
            (row.key, plain_value(row.object)) for row in connection.execute(_STANDING, {**named, "keys": _keys(rows)})
        }
    for row in rows:
        if (row.key, plain_value(row.object)) not in standing:
            _delete(run, tenant, row, done)
    if not run.dry_run:
        with batch(run, tenant) as connection:
            worked_off = {"ids": [row.memory for row in ended], "times": [row.at for row in ended]}
            connection.execute(_WORKED_OFF, {**named, **worked_off, "today": due.floor(due.ENDED, run.now)})
            following: datetime | None = connection.execute(_FOLLOWING, named).scalar()
            due.settle(connection, tenant, due.ENDED, seen, run.passed - kept, following)


def _keys(rows: Any) -> list[Any]:
    return list({row.key for row in rows})


def _delete(run: Run, tenant: str, row: Any, done: Done) -> None:
    done.due += 1
    if run.dry_run:
        done.note(tenant, row.id, "deleted", "ended_days")
    elif run.delete is not None and run.delete(tenant, row.id, run.passed):
        done.changed["deleted"] += 1


_IS_OVER = "not (m.standing = 'current' and m.retired_as is null) and m.invisible_at is null"
_ENDED = sa.text("""
select at, memory from endings where tenant = :tenant and at <= :then order by at, memory limit :limit
""")
_OVER = sa.text(f"""
select m.id, m.key, m.object from memories m
where m.tenant = :tenant and m.id = any(cast(:ids as uuid[])) and {_IS_OVER} and m.changed_at <= :then
  and m.retired_as is distinct from 'consolidated' and not exists (select from lineage l where l.tenant = m.tenant and l.input = m.id)
order by m.changed_at, m.id
""")
_STANDING = sa.text("""
select key, object from memories where tenant = :tenant and key = any(cast(:keys as uuid[])) and invisible_at is null
  and (changed_at > :then or (standing = 'current' and retired_as is null))
""")
# What changed since it ended is looked at again so long after that change; what is kept for what stands, so long from now.
_WORKED_OFF = sa.text(f"""
with seen as (
  select * from unnest(cast(:times as timestamptz[]), cast(:ids as uuid[])) as s(at, memory)
), gone as (
  delete from endings e using seen where e.tenant = :tenant and e.at = seen.at and e.memory = seen.memory
)
insert into endings (tenant, at, memory)
select m.tenant, case when m.changed_at > :then then date_trunc('day', m.changed_at, 'UTC') else :today end, m.id
from memories m where m.tenant = :tenant and m.id in (select memory from seen) and {_IS_OVER}
on conflict do nothing
""")
_FOLLOWING = sa.text("select min(at) from endings where tenant = :tenant")
