"""`expire`: what has passed its time to live or its stated deadline, and what belongs to a task that has ended.

A merged memory does not expire as a whole with the shortest of its inputs: it is taken apart, the input expires, and the
others stand alone again until the next consolidation.
"""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

import sqlalchemy as sa

from lethe.lifecycle.consolidation import unmaking
from lethe.lifecycle.forgetting.dated import Dated
from lethe.lifecycle.forgetting.running import BATCH, NOTHING, Done, Run, batch
from lethe.store import barrier, due

_EXPIRE = Dated(
    job="expire",
    sort=due.EXPIRE,
    column="expires_at",
    counted="expired",
    change="expired",
    reason="""case
 when m.task is not null and exists (
   select from ended_tasks e where e.tenant = m.tenant and e.owner = m.owner and e.ended_at >= m.expires_at) then 'task_ended'
 when (select p.expires_at is not null from proposals p where p.tenant = m.tenant and p.id = m.lead) then 'deadline_passed'
 else 'time_to_live' end""",
    sets="retired_as = 'expired', retired_at = :now",
)


def expire(run: Run, tenant: str, gone: Mapping[UUID, UUID] = NOTHING) -> Done:
    """Work one tenant off. `gone`: what an earlier job of the same dry run would have retired, with owners."""
    apart = _take_apart(run, tenant)
    done = _EXPIRE(run, tenant, gone)
    if not run.dry_run and apart:
        done.changed["taken_apart"] += apart
    return done


def _take_apart(run: Run, tenant: str) -> int:
    """Merged memories of which an input has passed its time; a dry run shows these as due themselves."""
    taken, more = 0, not run.dry_run
    while more:
        with batch(run, tenant) as connection:
            barrier.share(connection, tenant)
            since = due.since(due.marks(connection, tenant, due.EXPIRE, run.now))
            named = {"tenant": tenant, "now": run.now, "since": since, "limit": BATCH}
            outputs = list(connection.execute(_DUE, named).scalars())
            why = unmaking.Why(unmaking.EXPIRED, run.actor, run.rules, run.now)
            taken += len(unmaking.unmake(connection, tenant, outputs, why).withdrawn)
            more = len(outputs) == BATCH
    return taken


_DUE = sa.text("""
select m.id from memories m where m.tenant = :tenant and m.standing = 'current' and m.retired_as is null
  and m.invisible_at is null and m.expires_at >= :since and m.expires_at <= :now
  and exists (select from lineage l where l.tenant = m.tenant and l.output = m.id) order by m.expires_at limit :limit
""")
