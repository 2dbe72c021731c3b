"""The end of a task: its own memories expire, what was said beyond it stays.

A memory of a task is promoted by proposing it again without the task; the copy in the wider scope outlives the task.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.ids import owner_id
from lethe.records import Scope
from lethe.rules import Rules
from lethe.store import due
from lethe.store.database import tenant_transaction


def end_task(
    engine: Engine, tenant: str, task: str, user: str | None, project: str | None, rules: Rules, now: datetime
) -> dict[str, Any]:
    """Close a task, of one user or project or of everybody who took part: {"task", "ended_at", "expiring"}.

    Its memories are no longer handed out from now on; `expire` changes their state. What was observed in the task until now
    and comes in late ends with it.
    """
    with tenant_transaction(engine, tenant) as connection:
        named = {"tenant": tenant, "task": task, "user": user, "project": project, "now": now}
        owners = set(connection.execute(_OWNERS, named).scalars())
        if user is not None or project is not None:
            owners.add(owner_id(tenant, Scope(user, project, task)))
        scopes = sorted(owners)
        connection.execute(_END, {**named, "owners": scopes})
        expiring = connection.execute(_EXPIRING, {**named, "owners": scopes}).rowcount
        connection.execute(_REVISIONS, {**named, "owners": scopes})
        connection.execute(_EVENTS, {**named, "owners": scopes, "policy": rules.version})
        due.mark(connection, tenant, {due.EXPIRE: now if expiring else None}, now)
    return {"task": task, "ended_at": now.isoformat(), "expiring": expiring}


_OWNERS = sa.text("""
select owner from owners where tenant = :tenant and task = :task and (cast(:user as text) is null or user_id = :user)
  and (cast(:project as text) is null or project = :project)
""")
_END = sa.text("""
insert into ended_tasks (tenant, owner, ended_at) select :tenant, o, :now from unnest(cast(:owners as uuid[])) o order by o
on conflict (tenant, owner) do update set ended_at = greatest(ended_tasks.ended_at, excluded.ended_at)
""")
_EXPIRING = sa.text("""
update memories set expires_at = :now where tenant = :tenant and owner = any(cast(:owners as uuid[]))
  and standing = 'current' and retired_as is null and (expires_at is null or expires_at > :now)
""")
_REVISIONS = sa.text("""
update owners set revision = revision + 1 where tenant = :tenant and owner in (
  select owner from owners where tenant = :tenant and owner = any(cast(:owners as uuid[])) order by owner for update)
""")
_EVENTS = sa.text("""
insert into events (tenant, at, subject, change, reason, actor, policy)
select :tenant, :now, o, 'task_ended', 'by_request', 'person', :policy from unnest(cast(:owners as uuid[])) o order by o
""")
