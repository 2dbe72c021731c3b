"""`evict`: users above the cap give up what has the lowest retention score, over all of their scopes. A user is looked at
alone, so that nobody's volume costs another one a memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lethe.lifecycle.forgetting import endings
from lethe.lifecycle.forgetting.running import BATCH, NOTHING, Done, Run, ask, asks_first, batch
from lethe.store import due

JOB = "evict"


def evict(run: Run, tenant: str, gone: Mapping[UUID, UUID] = NOTHING, *, everybody: bool = False) -> Done:
    """Work off the marked users of one tenant, or look at every user of it."""
    done = Done()
    with batch(run, tenant) as connection:
        seen = due.marks(connection, tenant, due.EVICT, run.now)
        named = {"tenant": tenant, "owners": [each.item for each in seen], "everybody": everybody}
        users = connection.execute(_USERS, {**named, "cap": run.rules.forgetting.per_user}).all()
    for user in users:
        _relieve(run, tenant, user, gone, done)
    if not run.dry_run:
        with batch(run, tenant) as connection:
            still = {row.owner for row in connection.execute(_USERS, {**named, "cap": run.rules.forgetting.per_user})}
            due.settle(
                connection,
                tenant,
                due.EVICT,
                [each for each in seen if each.item not in still],
                run.passed,
                lambda: None,
            )
    return done


_USERS = sa.text("""
select (array_agg(owner order by owner))[1] as owner, user_id, null as project, null as task from owners
where tenant = :tenant and user_id is not null
  and (:everybody or user_id in (select user_id from owners where tenant = :tenant and owner = any(cast(:owners as uuid[]))))
group by user_id having sum(memories) > :cap order by user_id
""")


def _relieve(run: Run, tenant: str, user: Any, gone: Mapping[UUID, UUID], done: Done) -> None:
    with batch(run, tenant) as connection:
        rows = connection.execute(_HELD, {"tenant": tenant, "user": user.user_id}).all()
        rows = [row for row in rows if row.id not in gone]
        excess = len(rows) - run.rules.forgetting.per_user
        if excess <= 0:
            return
        done.due += excess
        if asks_first(run, excess, len(rows)):
            done.asks.append(ask(JOB, tenant, user, excess, len(rows)))
            return
        chosen = run.rules.forgetting.evict(rows, excess, run.now)
        if run.dry_run:
            owners = {row.id: row.owner for row in rows}
            for memory in chosen:
                done.note(tenant, memory, "evicted", "cap")
                done.gone[memory] = owners[memory]
            return
        for start in range(0, len(chosen), BATCH):
            done.changed["evicted"] += _archive(connection, run, tenant, chosen[start : start + BATCH])


_HELD = sa.text("""
select m.id, m.owner, m.kind, m.basis, m.pinned, m.confidence, m.importance, m.independent, m.uses, m.touched_at, m.created_at
from memories m where m.tenant = :tenant and m.owner in (select owner from owners where tenant = :tenant and user_id = :user)
  and m.standing = 'current' and m.retired_as is null and m.invisible_at is null
""")


def _archive(connection: Connection, run: Run, tenant: str, ids: Sequence[UUID]) -> int:
    named = {"tenant": tenant, "now": run.now, "ids": list(ids), "actor": run.actor, "policy": run.rules.version}
    archived = connection.execute(_ARCHIVE, named).scalar_one()
    endings.mark(connection, tenant, archived, run.now)
    return len(archived)


_ARCHIVE = sa.text("""
with chosen as materialized (
  select id from memories where tenant = :tenant and id = any(cast(:ids as uuid[]))
    and standing = 'current' and retired_as is null and invisible_at is null
  order by id for update skip locked
), changed as (
  update memories m set retired_as = 'archived', retired_at = :now, changed_at = :now, version = version + 1 from chosen
  where m.tenant = :tenant and m.id = chosen.id returning m.id, m.owner
), told as (
  insert into events (tenant, at, subject, change, reason, actor, policy)
  select :tenant, :now, id, 'archived', 'cap', :actor, :policy from changed order by id
), grown as (
  select owner, count(*) as n from changed group by owner
), locked as (
  select o.owner from owners o join grown on o.owner = grown.owner where o.tenant = :tenant order by o.owner for update of o
), raised as (
  update owners o set revision = revision + 1, memories = greatest(0, memories - n) from grown join locked using (owner)
  where o.tenant = :tenant and o.owner = grown.owner
)
select coalesce(array_agg(id), '{}') from changed
""")
