"""Which rows a request covers. They are marked by id, set by set, and every later step works on the marks.

turn      goes whole, with what was proposed from it      proposal   goes, with its decision and evidence
blank     loses its text; its other memories stay         memory     goes
reread    was read with a covered turn before it          key        keeps no proposal: its memories go without a fold
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lethe.ids import parsed, plain_value, turn_id
from lethe.lifecycle.deletion.named import What
from lethe.lifecycle.deletion.needles import Needles
from lethe.lifecycle.proposing import same_claim
from lethe.recall.words import terms

MOST_TEXTS = 2000


def mark(connection: Connection, tenant: str, deletion: UUID, sort: str, refs: Iterable[UUID]) -> int:
    """Mark rows by id; returns how many were not marked yet."""
    given = {"tenant": tenant, "deletion": deletion, "sort": sort, "refs": list(refs)}
    return connection.execute(_MARK, given).rowcount if given["refs"] else 0


_MARK = sa.text("""
insert into deletion_marks (tenant, deletion, sort, ref)
select :tenant, :deletion, :sort, r from unnest(cast(:refs as uuid[])) r on conflict do nothing
""")


def cover(connection: Connection, what: What, deletion: UUID) -> int:
    """Mark what is named itself; returns how many rows that are (0: there is no such thing)."""
    if what.sort == "memory":
        return _cover_memory(connection, what.tenant, deletion, parsed("mem", str(what.value)))
    named: dict[str, Any] = {"tenant": what.tenant, "deletion": deletion, "value": what.value}
    if what.sort == "turn":
        named["value"] = turn_id(what.tenant, str(what.session), str(what.value))
    return connection.execute(_COVER[what.sort], named).rowcount


def _covering(condition: str) -> sa.TextClause:
    return sa.text(
        "insert into deletion_marks (tenant, deletion, sort, ref) "
        f"select tenant, :deletion, 'turn', id from turns where tenant = :tenant and {condition} on conflict do nothing"
    )


_COVER = {
    "turn": _covering("id = :value"),
    "session": _covering("session = :value"),
    "user": _covering("user_id = :value"),
    "project": _covering("project = :value"),
    "whole_tenant": _covering("cast(:value as text) is null"),
}


# --- one memory ---------------------------------------------------------------------------------------------------


def _cover_memory(connection: Connection, tenant: str, deletion: UUID, memory: UUID) -> int:
    """The memory, what it was merged from, every proposal of the same value, and the texts of their turns."""
    found = connection.execute(_WITH_INPUTS, {"tenant": tenant, "memory": memory}).all()
    if not found:
        return 0
    mark(connection, tenant, deletion, "memory", [row.id for row in found])
    cover_proposals(connection, tenant, deletion, _alike(connection, tenant, [row.id for row in found]))
    return len(found)


_WITH_INPUTS = sa.text("""
with recursive behind(id) as (
  select id from memories where tenant = :tenant and id = :memory and invisible_at is null
  union select l.input from lineage l join behind on l.tenant = :tenant and l.output = behind.id
) select id from behind
""")


def _alike(connection: Connection, tenant: str, memories: list[UUID]) -> list[UUID]:
    """Proposals behind these memories, and the others of their keys with the same value."""
    rows = connection.execute(_OF_KEYS, {"tenant": tenant, "memories": memories}).all()
    values = {(row.key, plain_value(row.object)) for row in rows if row.behind}
    return [row.id for row in rows if (row.key, plain_value(row.object)) in values]


_OF_KEYS = sa.text("""
with behind as (
  select distinct e.proposal from evidence e where e.tenant = :tenant and e.memory = any(cast(:memories as uuid[])))
select p.id, p.key, p.object, p.id in (select proposal from behind) as behind
from proposals p where p.tenant = :tenant and p.key in (
  select key from proposals where tenant = :tenant and id in (select proposal from behind))
""")


def cover_proposals(connection: Connection, tenant: str, deletion: UUID, proposals: list[UUID]) -> None:
    """These proposals go, and their turns lose their texts, with every wording of the same claim and all that was refused."""
    mark(connection, tenant, deletion, "proposal", proposals)
    connection.execute(_BLANK, {"tenant": tenant, "deletion": deletion})
    rows = connection.execute(_BESIDE, {"tenant": tenant, "deletion": deletion}).all()
    marked: dict[UUID, list[Any]] = {}
    for row in rows:
        if row.marked:
            marked.setdefault(row.turn_id, []).append(row)
    beside = [
        row.id
        for row in rows
        if not row.marked and (not row.stands or any(same_claim(row, other) for other in marked[row.turn_id]))
    ]
    mark(connection, tenant, deletion, "proposal", beside)


_BLANK = sa.text("""
insert into deletion_marks (tenant, deletion, sort, ref)
select distinct p.tenant, m.deletion, 'blank', p.turn_id from proposals p
join deletion_marks m on m.tenant = p.tenant and m.deletion = :deletion and m.sort = 'proposal' and m.ref = p.id
where p.tenant = :tenant on conflict do nothing
""")
_BESIDE = sa.text("""
select p.id, p.turn_id, p.claim, p.object, p.negated,
       exists (select from deletion_marks m where m.tenant = p.tenant and m.deletion = :deletion and m.sort = 'proposal'
               and m.ref = p.id) as marked,
       exists (select from evidence e where e.tenant = p.tenant and e.proposal = p.id and not exists (
                 select from deletion_marks m where m.tenant = e.tenant and m.deletion = :deletion and m.sort = 'memory'
                 and m.ref = e.memory)) as stands
from proposals p
join deletion_marks b on b.tenant = p.tenant and b.deletion = :deletion and b.sort = 'blank' and b.ref = p.turn_id
where p.tenant = :tenant
""")


# --- what hangs on it ---------------------------------------------------------------------------------------------


class Affected(NamedTuple):
    """What stays and must change: keys to fold again, and inputs of merges that are undone."""

    keys: list[UUID]
    released: list[UUID]


def follow(connection: Connection, tenant: str, deletion: UUID, needles: Needles) -> Affected:
    """Mark everything that hangs on the covered turns and proposals, and undo the merges that rest on them."""
    named = {"tenant": tenant, "deletion": deletion}
    connection.execute(_PROPOSALS, named)
    reread = connection.execute(_REREAD, named).rowcount
    _gather(connection, named, needles, bool(reread))
    mark(connection, tenant, deletion, "proposal", _read_with_it(connection, named, needles))
    living = list(connection.execute(_LIVING_KEYS, named).scalars())
    connection.execute(_MEMORIES, {**named, "living": living})
    return Affected(living, _derived(connection, named))


_PROPOSALS = sa.text("""
insert into deletion_marks (tenant, deletion, sort, ref)
select p.tenant, m.deletion, 'proposal', p.id from proposals p
join deletion_marks m on m.tenant = p.tenant and m.deletion = :deletion and m.sort = 'turn' and m.ref = p.turn_id
where p.tenant = :tenant on conflict do nothing
""")
_REREAD = sa.text("""
with covered as materialized (
  select t.id, t.session, m.sort from turns t join deletion_marks m
  on m.tenant = t.tenant and m.deletion = :deletion and m.sort in ('turn', 'blank') and m.ref = t.id where t.tenant = :tenant)
insert into deletion_marks (tenant, deletion, sort, ref)
select t.tenant, :deletion, 'reread', t.id from turns t
where t.tenant = :tenant and t.session in (select session from covered) and t.id not in (select id from covered)
  and exists (select from unnest(t.window_seen) seen join covered on covered.id = seen)
on conflict do nothing
""")


def _gather(connection: Connection, named: dict[str, Any], needles: Needles, words: bool) -> None:
    """What the verifier will look for. Single words matter where a later turn was read with a covered one; of many texts
    some stand for all (ids are hashes, so the first of them are a fair sample)."""
    rows = connection.execute(_TEXTS, {**named, "most": None if words else MOST_TEXTS})
    needles.add((text for row in rows for text in row if text), words=words)


_TEXTS = sa.text("""
(select t.text, null as claim, null as object, null as replaces from turns t
join deletion_marks m on m.tenant = t.tenant and m.deletion = :deletion and m.sort in ('turn', 'blank') and m.ref = t.id
where t.tenant = :tenant order by m.ref limit cast(:most as bigint))
union all
(select null, p.claim, p.object, p.replaces from proposals p
join deletion_marks m on m.tenant = p.tenant and m.deletion = :deletion and m.sort = 'proposal' and m.ref = p.id
where p.tenant = :tenant order by m.ref limit cast(:most as bigint))
""")


def _read_with_it(connection: Connection, named: dict[str, Any], needles: Needles) -> list[UUID]:
    """Proposals of later turns that say something which only the covered turns before them said."""
    return [row.id for row in connection.execute(_OF_REREAD, named) if borrowed(row, needles)]


def borrowed(row: Any, needles: Needles) -> bool:
    """Does a claim hold words of what is erased that its own turn does not have? Without the text nobody can tell."""
    if row.text is None:
        return False
    own = set(terms(row.text))
    return bool(needles.known(set(terms(f"{row.claim} {row.object}")) - own))


_OF_REREAD = sa.text("""
select p.id, p.claim, p.object, t.text from proposals p
join turns t on t.tenant = p.tenant and t.id = p.turn_id
join deletion_marks m on m.tenant = p.tenant and m.deletion = :deletion and m.sort = 'reread' and m.ref = p.turn_id
where p.tenant = :tenant and not p.explicit
""")
_LIVING_KEYS = sa.text("""
select k.key from (
  select distinct p.key from proposals p
  join deletion_marks m on m.tenant = p.tenant and m.deletion = :deletion and m.sort = 'proposal' and m.ref = p.id
  where p.tenant = :tenant) k
where exists (
  select from proposals o where o.tenant = :tenant and o.key = k.key and not exists (
    select from deletion_marks n where n.tenant = :tenant and n.deletion = :deletion and n.sort = 'proposal' and n.ref = o.id))
""")
# A key that keeps no proposal needs no fold: its memories go.
_MEMORIES = sa.text("""
insert into deletion_marks (tenant, deletion, sort, ref)
select x.tenant, :deletion, 'memory', x.id from memories x
where x.tenant = :tenant and not (x.key = any(cast(:living as uuid[]))) and x.key in (
  select p.key from proposals p
  join deletion_marks m on m.tenant = p.tenant and m.deletion = :deletion and m.sort = 'proposal' and m.ref = p.id
  where p.tenant = :tenant)
on conflict do nothing
""")


def _derived(connection: Connection, named: dict[str, Any]) -> list[UUID]:
    """What was merged from a covered memory goes, through every level; what else it was merged from stands alone again."""
    outputs = list(connection.execute(_OUTPUTS, named).scalars())
    if not outputs:
        return []
    mark(connection, named["tenant"], named["deletion"], "memory", outputs)
    return list(connection.execute(_RELEASE, {**named, "outputs": outputs}).scalars())


_OUTPUTS = sa.text("""
with recursive hit(id) as (
  select m.ref from deletion_marks m where m.tenant = :tenant and m.deletion = :deletion and m.sort = 'memory'
  union
  select e.memory from evidence e join deletion_marks m
  on m.tenant = e.tenant and m.deletion = :deletion and m.sort = 'proposal' and m.ref = e.proposal where e.tenant = :tenant
), above(id) as (
  select l.output from lineage l join hit on l.tenant = :tenant and l.input = hit.id
  union select l.output from lineage l join above on l.tenant = :tenant and l.input = above.id
) select distinct id from above
""")
_RELEASE = sa.text("""
update memories m set retired_as = null, retired_at = null, version = version + 1
where m.tenant = :tenant and m.retired_as = 'consolidated' and not (m.id = any(cast(:outputs as uuid[])))
  and m.id in (select input from lineage where tenant = :tenant and output = any(cast(:outputs as uuid[])))
  and not exists (select from deletion_marks k where k.tenant = m.tenant and k.deletion = :deletion and k.sort = 'memory'
                  and k.ref = m.id)
returning m.id
""")
