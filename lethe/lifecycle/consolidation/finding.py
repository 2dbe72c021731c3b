"""What changed since the last run, and what lies near it: the same owner, the same kind, found through vectors and keys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lethe.index.packed import Vector, packed, units
from lethe.lifecycle.consolidation import neighbours
from lethe.lifecycle.consolidation.neighbours import AS_SUPPOSED
from lethe.lifecycle.consolidation.supposing import Supposed
from lethe.lifecycle.extraction import local
from lethe.merging import Mergeable
from lethe.records import Basis, Kind

PAGE = 500  # changed memories looked at together
SAME_KEY = 50  # memories of the same key that a changed one is compared with


@dataclass(frozen=True, slots=True)
class Asked:
    """Whose memories. `again`: also those of groups that a person took apart."""

    tenant: str
    user: str | None = None
    project: str | None = None
    again: bool = False


@dataclass(frozen=True, slots=True)
class Fresh:
    """A changed memory, at the version of its mark; 0: it carries none."""

    owner: UUID
    memory: UUID
    version: int


@dataclass(slots=True)
class Found:
    """Candidates by owner and kind, with the cosines of the pairs worth a look and the pairs that stay apart."""

    candidates: dict[tuple[UUID, Kind], list[Mergeable]] = field(default_factory=dict)
    near: dict[tuple[UUID, UUID], float] = field(default_factory=dict)
    apart: frozenset[tuple[UUID, UUID]] = frozenset()
    unindexed: frozenset[UUID] = frozenset()  # changed ones without a vector yet: they wait for the next run


def page(connection: Connection, asked: Asked, after: tuple[UUID, UUID] | None, supposed: Supposed) -> list[Fresh]:
    """The next changed memories, in the order of owner and id."""
    owner, memory = after or (UUID(int=0), UUID(int=0))
    named = {**_changed(asked, supposed), "owner": owner, "memory": memory, "limit": PAGE}
    return [Fresh(*row) for row in connection.execute(_PAGE, named)]


def count(connection: Connection, asked: Asked, supposed: Supposed) -> int:
    """How many changed memories there are."""
    return int(connection.execute(_COUNT, _changed(asked, supposed)).scalar_one())


def _changed(asked: Asked, supposed: Supposed) -> dict[str, Any]:
    supposes = {"gone": list(supposed.taken), "back": list(supposed.back), "everything": supposed.everything}
    return {**scope(asked), **supposes, "again": asked.again}


def scope(asked: Asked) -> dict[str, Any]:
    """The parameters of `within`."""
    return {"tenant": asked.tenant, "user": asked.user, "project": asked.project}


def within(table: str) -> str:
    """SQL: is the owner of a row of this table in the asked scope?"""
    return f"""(cast(:user as text) is null and cast(:project as text) is null or {table}.owner in (
  select o.owner from owners o where o.tenant = :tenant and (cast(:user as text) is null or o.user_id = :user)
    and (cast(:project as text) is null or o.project = :project)))"""


_CHANGED = f"""
  select u.owner, u.memory, u.version from unconsolidated u where u.tenant = :tenant and {within("u")}
  union all
  select m.owner, m.id, 0 from memories m where (:again or :everything) and m.tenant = :tenant and {within("m")}
    and {AS_SUPPOSED} and (:everything or m.id in (
      select i.memory from consolidation_groups g join consolidation_inputs i using (tenant, consolidation, place)
      where g.tenant = :tenant and g.undone_as = 'reverted'))
    and not exists (select from unconsolidated u where u.tenant = m.tenant and u.memory = m.id)"""
_PAGE = sa.text(f"""
select owner, memory, version from ({_CHANGED}) changed where (owner, memory) > (:owner, :memory) order by owner, memory limit :limit
""")
_COUNT = sa.text(f"select count(*) from ({_CHANGED}) changed")


def look(
    connection: Connection,
    asked: Asked,
    fresh: Iterable[Fresh],
    model: str,
    near: float,
    most: int,
    supposed: Supposed,
) -> Found:
    """The neighbours of changed memories, and everything that deciding about them needs."""
    changed = [each.memory for each in fresh]
    named = {"tenant": asked.tenant, "ids": changed, "model": model, **supposed.named}
    found = Found(unindexed=frozenset(connection.execute(_UNINDEXED, named).scalars()))
    found.near = neighbours.nearest(connection, asked.tenant, changed, model, near, most, supposed)
    for row in connection.execute(_SAME_KEY, {**named, "most": SAME_KEY}):
        one, other = sorted((row.one, row.other))
        found.near[one, other] = row.likeness
    names = {name for both in found.near for name in both}
    ids = list(names)
    outputs = [(each, owner) for owner, each, _ in supposed.standing() if each.id in names]
    for each, owner in [*_memories(connection, asked.tenant, ids), *outputs]:
        found.candidates.setdefault((owner, each.kind), []).append(each)
    if not asked.again:
        found.apart = _apart(connection, asked.tenant, ids)
    return found


_SAME_KEY = sa.text(f"""
with fresh as materialized (
  select m.id, m.kind, m.key, v.embedding from memories m
  join vectors v on v.tenant = m.tenant and v.memory = m.id and v.model = :model
  where m.tenant = :tenant and m.id = any(cast(:ids as uuid[])) and {AS_SUPPOSED}
)
select fresh.id as one, alike.id as other, 1 - (alike.embedding <=> fresh.embedding) as likeness
from fresh cross join lateral (
  select m.id, v.embedding from memories m join vectors v on v.tenant = m.tenant and v.memory = m.id and v.model = :model
  where m.tenant = :tenant and m.key = fresh.key and m.id <> fresh.id and m.kind = fresh.kind and {AS_SUPPOSED}
  order by m.id limit :most) alike
""")
_UNINDEXED = sa.text(f"""
select m.id from memories m where m.tenant = :tenant and m.id = any(cast(:ids as uuid[])) and {AS_SUPPOSED}
and not exists (select from vectors v where v.tenant = m.tenant and v.memory = m.id and v.model = :model)
""")


def _memories(connection: Connection, tenant: str, ids: Sequence[UUID]) -> list[tuple[Mergeable, UUID]]:
    rows = connection.execute(_ROWS, {"tenant": tenant, "ids": list(ids)}).all()
    behind = leaves(connection, tenant, [row.id for row in rows])
    return [(mergeable(row, tuple(behind.get(row.id, ()))), row.owner) for row in rows]


def mergeable(row: Any, behind: tuple[UUID, ...] = ()) -> Mergeable:
    """A row of `memories` with its lead's `verified`."""
    return Mergeable(
        id=row.id, version=row.version, scope=(row.tenant, row.user_id, row.project, row.task), kind=Kind(row.kind),
        subject=row.subject, predicate=row.predicate, object=row.object, claim=row.claim, negated=row.negated,
        basis=Basis(row.basis), verified=row.verified, confidence=row.confidence, session=row.source_session,
        observed_at=local(row.observed_at, row.observed_offset), leaves=behind,
    )  # fmt: skip


_ROWS = sa.text("""
select m.*, coalesce(p.verified, false) as verified from memories m
left join proposals p on p.tenant = m.tenant and p.id = m.lead
where m.tenant = :tenant and m.id = any(cast(:ids as uuid[])) order by m.id
""")


def leaves(connection: Connection, tenant: str, ids: Sequence[UUID]) -> dict[UUID, list[UUID]]:
    """{output: the memories at the bottom of what it was merged from}."""
    found: dict[UUID, list[UUID]] = {}
    for row in connection.execute(_LEAVES, {"tenant": tenant, "ids": list(ids)}):
        found.setdefault(row.top, []).append(row.name)
    return found


_LEAVES = sa.text("""
with recursive behind(top, name) as (
  select output, input from lineage where tenant = :tenant and output = any(cast(:ids as uuid[]))
  union select b.top, l.input from behind b join lineage l on l.tenant = :tenant and l.output = b.name
) select top, name from behind b where not exists (select from lineage l where l.tenant = :tenant and l.output = b.name)
order by top, name
""")


def _apart(connection: Connection, tenant: str, ids: Sequence[UUID]) -> frozenset[tuple[UUID, UUID]]:
    """Pairs that were merged once and that a person took apart: no nightly run merges them again."""
    return frozenset(tuple(row) for row in connection.execute(_APART, {"tenant": tenant, "ids": list(ids)}))


_APART = sa.text("""
with given as materialized (
  select consolidation, place, memory from consolidation_inputs where tenant = :tenant and memory = any(cast(:ids as uuid[]))
), reverted as (
  select given.* from given join consolidation_groups g using (consolidation, place)
  where g.tenant = :tenant and g.undone_as = 'reverted'
)
select one.memory, other.memory from reverted one
join reverted other on other.consolidation = one.consolidation and other.place = one.place and other.memory > one.memory
""")


def vectors_of(connection: Connection, tenant: str, ids: Iterable[UUID], model: str) -> dict[UUID, Vector]:
    """The stored vectors of memories."""
    rows = connection.execute(_VECTORS, {"tenant": tenant, "ids": list(ids), "model": model})
    return {row.memory: units(row.packed)[0] for row in rows}


_VECTORS = sa.text(f"""
select v.memory, {packed("v.embedding")} as packed from vectors v
where v.tenant = :tenant and v.memory = any(cast(:ids as uuid[])) and v.model = :model
""")


def settle(connection: Connection, tenant: str, looked_at: Sequence[Fresh]) -> None:
    """These were looked at; what changed again meanwhile stays marked."""
    connection.execute(
        _SETTLE,
        {
            "tenant": tenant,
            "ids": [each.memory for each in looked_at],
            "versions": [each.version for each in looked_at],
        },
    )


_SETTLE = sa.text("""
delete from unconsolidated u using unnest(cast(:ids as uuid[]), cast(:versions as int[])) as seen(memory, version)
where u.tenant = :tenant and u.memory = seen.memory and u.version = seen.version
""")


def claims_of(connection: Connection, tenant: str, ids: Iterable[UUID]) -> dict[UUID, Any]:
    """{memory: its claim and time} of memories, retired ones included."""
    rows = connection.execute(_CLAIMS, {"tenant": tenant, "ids": list(ids)})
    return {row.id: row for row in rows}


_CLAIMS = sa.text("""
select id, claim, subject, observed_at from memories where tenant = :tenant and id = any(cast(:ids as uuid[]))
""")


def sizes(connection: Connection, tenant: str, owners: Sequence[UUID]) -> dict[UUID, int]:
    """{owner: how many memories are in force}."""
    found = connection.execute(_SIZES, {"tenant": tenant, "owners": list(owners)})
    return {row.owner: row.memories for row in found}


_SIZES = sa.text("select owner, memories from owners where tenant = :tenant and owner = any(cast(:owners as uuid[]))")
