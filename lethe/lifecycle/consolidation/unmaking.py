"""An output goes, and its inputs stand again as they were, with what was learned from it meanwhile.

That happens on request, when an input is no longer what was merged (a new turn changed it, it expired, it was deleted), and
level by level where an output was merged further. Callers share the tenant's barrier, or have closed it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lethe.lifecycle.consolidation import marking
from lethe.lifecycle.forgetting import dates, endings
from lethe.rules import Rules

REVERTED, CHANGED, EXPIRED, DELETED, ANEW = "reverted", "input_changed", "input_expired", "merge_deleted", "made_anew"


@dataclass(frozen=True, slots=True)
class Why:
    """The reason for the history, and who asks for it."""

    reason: str
    actor: str
    rules: Rules
    now: datetime


@dataclass(slots=True)
class Unmade:
    """`restored`: inputs that stand alone again; `withdrawn`: outputs that are gone."""

    restored: list[UUID] = field(default_factory=list)
    withdrawn: list[UUID] = field(default_factory=list)


def above(connection: Connection, tenant: str, memories: Iterable[UUID]) -> list[UUID]:
    """Every output that rests on one of these, through all levels."""
    return list(connection.execute(_ABOVE, {"tenant": tenant, "ids": list(memories)}).scalars())


_ABOVE = sa.text("""
with recursive above(id) as (
  select output from lineage where tenant = :tenant and input = any(cast(:ids as uuid[]))
  union select l.output from above a join lineage l on l.tenant = :tenant and l.input = a.id
) select id from above order by id
""")


def unmake(
    connection: Connection, tenant: str, outputs: Sequence[UUID], why: Why, *, leave_rows: bool = False
) -> Unmade:
    """Take these outputs apart, those that rest on them first. `leave_rows`: a deletion removes the rows itself."""
    unmade = Unmade()
    left = set(outputs) | set(above(connection, tenant, outputs))
    if not left:
        return unmade
    connection.execute(_LOCK, {"tenant": tenant, "ids": sorted(left)})
    while left:
        tops = sorted(left - set(connection.execute(_BENEATH, {"tenant": tenant, "ids": list(left)}).scalars()))
        _one_level(connection, tenant, tops, why, unmade, leave_rows)
        left -= set(tops)
    unmade.restored = [name for name in unmade.restored if name not in set(unmade.withdrawn)]
    if why.reason != REVERTED:
        found = connection.execute(_OWNED, {"tenant": tenant, "ids": unmade.restored})
        marking.mark(connection, tenant, {row.id: row.owner for row in found}, why.now)
    return unmade


_OWNED = sa.text("select id, owner from memories where tenant = :tenant and id = any(cast(:ids as uuid[]))")
_LOCK = sa.text("""
select id from memories where tenant = :tenant and (id = any(cast(:ids as uuid[])) or id in (
  select input from lineage where tenant = :tenant and output = any(cast(:ids as uuid[])))) order by id for update
""")
_BENEATH = sa.text("""
select input from lineage where tenant = :tenant and output = any(cast(:ids as uuid[])) and input = any(cast(:ids as uuid[]))
""")


def _one_level(
    connection: Connection, tenant: str, tops: list[UUID], why: Why, unmade: Unmade, leave_rows: bool
) -> None:
    """Outputs on which no other rests."""
    named = {"tenant": tenant, "outputs": tops, "now": why.now}
    there = connection.execute(_THERE, named).all()
    restored = connection.execute(_RESTORE, named).all()
    connection.execute(_HANDOUTS, named)
    connection.execute(_REVIEWS, named)
    told = {"tenant": tenant, "now": why.now, "reason": why.reason, "actor": why.actor, "policy": why.rules.version}
    connection.execute(_EVENTS, {**told, "ids": [row.id for row in restored], "change": "restored"})
    connection.execute(_EVENTS, {**told, "ids": [row.id for row in there], "change": "withdrawn"})
    connection.execute(_UNDONE, {**named, "reason": why.reason})
    _count(connection, tenant, there, restored)
    if not leave_rows:
        for query in _REMOVE:
            connection.execute(query, named)
    _redate(connection, tenant, [row.id for row in restored], why)
    unmade.restored += [row.id for row in restored]
    unmade.withdrawn += [row.id for row in there]


_THERE = sa.text("""
select id, owner, retired_as from memories where tenant = :tenant and id = any(cast(:outputs as uuid[])) order by id
""")
# A use, a hand-out or a mark of the output was one of each claim that stood in it. What faded or was evicted in it stays so.
_RESTORE = sa.text("""
with gone as (
  select o.id, o.uses - coalesce(g.uses, o.uses) as used, o.unhelpful = 0 and coalesce(g.unhelpful, 0) > 0 as forgiven,
    greatest(0, o.unhelpful - coalesce(g.unhelpful, o.unhelpful)) as unhelpful, o.stale_since,
    case when o.pinned is distinct from coalesce(g.pinned, o.pinned) then o.pinned end as pinned,
    case when o.touched_at > coalesce(g.touched_at, o.touched_at) then o.touched_at end as touched_at,
    case when o.retired_as = 'archived' then o.retired_at end as archived_at
  from memories o left join consolidation_groups g on g.tenant = o.tenant and g.output = o.id
  where o.tenant = :tenant and o.id = any(cast(:outputs as uuid[]))
), learned as (
  select l.input, l.changed_at, gone.*, (used <> 0 or forgiven or unhelpful > 0 or stale_since is not null or pinned is not null
    or touched_at is not null or archived_at is not null) as anything
  from gone join lineage l on l.tenant = :tenant and l.output = gone.id
)
update memories m set retired_as = case when n.archived_at is not null then 'archived' end, retired_at = n.archived_at,
  uses = greatest(0, m.uses + n.used), unhelpful = case when n.forgiven then 0 else m.unhelpful + n.unhelpful end,
  pinned = coalesce(n.pinned, m.pinned), stale_since = n.stale_since, touched_at = greatest(m.touched_at, n.touched_at),
  changed_at = case when n.anything then :now else coalesce(n.changed_at, :now) end, version = m.version + 1
from learned n where m.tenant = :tenant and m.id = n.input and m.retired_as = 'consolidated'
returning m.id, m.owner, m.retired_as
""")
_HANDOUTS = sa.text("""
insert into handouts (tenant, memory, session, at, past, score)
select h.tenant, l.input, h.session, h.at, h.past, h.score from handouts h
join lineage l on l.tenant = h.tenant and l.output = h.memory
where h.tenant = :tenant and h.memory = any(cast(:outputs as uuid[]))
""")
_REVIEWS = sa.text("""
insert into reviews (tenant, id, key, memories, reason, opened_at)
select r.tenant, gen_random_uuid(), m.key, array[m.id], r.reason, r.opened_at from reviews r
join lineage l on l.tenant = r.tenant and l.output = any(r.memories) and l.output = any(cast(:outputs as uuid[]))
join memories o on o.tenant = r.tenant and o.id = l.output and o.key = r.key
join memories m on m.tenant = r.tenant and m.id = l.input
where r.tenant = :tenant and r.resolved_at is null and cardinality(r.memories) = 1
""")
_EVENTS = sa.text("""
insert into events (tenant, at, subject, change, reason, actor, policy)
select :tenant, :now, id, :change, :reason, :actor, :policy from unnest(cast(:ids as uuid[])) id order by id
""")
_UNDONE = sa.text("""
update consolidation_groups set undone_at = :now, undone_as = :reason where tenant = :tenant and output = any(cast(:outputs as uuid[]))
""")
_REMOVE = [
    sa.text("delete from handouts where tenant = :tenant and memory = any(cast(:outputs as uuid[]))"),
    sa.text("""delete from reviews r using memories o where r.tenant = :tenant and o.tenant = r.tenant and o.key = r.key
      and o.id = any(cast(:outputs as uuid[])) and o.id = any(r.memories)"""),
    sa.text("delete from work where tenant = :tenant and stage = 'index' and item = any(cast(:outputs as uuid[]))"),
    sa.text("delete from lineage where tenant = :tenant and output = any(cast(:outputs as uuid[]))"),
    sa.text("delete from memories where tenant = :tenant and id = any(cast(:outputs as uuid[]))"),
]


def _count(connection: Connection, tenant: str, outputs: Sequence[Any], inputs: Sequence[Any]) -> None:
    """Raise the owners' revisions and set their numbers right, in one order."""
    grown: dict[UUID, int] = {}
    for row in inputs:
        grown[row.owner] = grown.get(row.owner, 0) + (row.retired_as is None)
    for row in outputs:
        grown[row.owner] = grown.get(row.owner, 0) - (row.retired_as is None)
    named = {"tenant": tenant, "owners": sorted(grown), "grown": [grown[owner] for owner in sorted(grown)]}
    connection.execute(_OWNERS, named)


_OWNERS = sa.text("""
with given as (select * from unnest(cast(:owners as uuid[]), cast(:grown as int[])) as g(owner, n)),
locked as (select o.owner from owners o join given using (owner) where o.tenant = :tenant order by o.owner for update of o)
update owners o set revision = revision + 1, memories = greatest(0, memories + n) from given join locked using (owner)
where o.tenant = :tenant and o.owner = given.owner
""")


def _redate(connection: Connection, tenant: str, restored: list[UUID], why: Why) -> None:
    """What was used or pinned fades anew, a task may have ended, the policy have changed; every restored one is looked for by the
    jobs again."""
    rows = dates.rows(connection, tenant, restored) if restored else []
    dates.write(connection, tenant, {row.id: dates.computed(row, why.rules) for row in rows}, why.now)
    endings.mark(connection, tenant, [row.id for row in rows if row.retired_as is not None], why.now)
