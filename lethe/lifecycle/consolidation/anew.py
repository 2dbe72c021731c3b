"""Consolidation once more: what earlier rules merged is taken apart, and everything in scope is looked at again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.errors import NotFound
from lethe.lifecycle.consolidation import unmaking
from lethe.lifecycle.consolidation.finding import Asked, scope, within
from lethe.lifecycle.consolidation.neighbours import IN_FORCE
from lethe.lifecycle.consolidation.supposing import Supposed
from lethe.rules import Rules
from lethe.store import barrier
from lethe.store.database import tenant_transaction

PAGE = 200


@dataclass(frozen=True, slots=True)
class Taken:
    """A merged memory that is taken apart, and what stood in it. `back`: those that stand again, being no outputs that go, too."""

    output: UUID
    claim: str
    inputs: tuple[UUID, ...]
    claims: tuple[str, ...]
    back: tuple[UUID, ...]


def to_take_apart(engine: Engine, asked: Asked, version: str, rules: Rules, transform: str) -> list[Taken]:
    """What was merged since a policy or transform version came into use, and what was merged further from that; in the order of
    making. What the rules of now have merged already stays, unless `version` is one of these.

    Raises NotFound for a version that no run had.
    """
    versions = {"version": version, "policy": rules.version, "transform": transform}
    with tenant_transaction(engine, asked.tenant) as connection:
        since = connection.execute(_SINCE, {"tenant": asked.tenant, "version": version}).scalar()
        if since is None:
            raise NotFound(
                f"No consolidation ran under policy or transform {version!r}.",
                hint="`lethe consolidations --tenant T` shows the versions of each run.",
            )
        rows = connection.execute(_OUTPUTS, {**scope(asked), **versions, "since": since}).all()
    return [Taken(row.id, row.claim, tuple(row.inputs), tuple(row.claims), tuple(row.back)) for row in rows]


def supposed(taken: Sequence[Taken]) -> Supposed:
    """For a dry run: as if these had been taken apart and everything were to be looked at."""
    back = frozenset(name for each in taken for name in each.back)
    return Supposed(frozenset(each.output for each in taken), back, everything=True)


def begin_anew(engine: Engine, asked: Asked, taken: Sequence[Taken], rules: Rules, now: datetime) -> None:
    """Take these apart and mark what stands. Safe to interrupt: what is marked stays so until a run has looked at it."""
    why = unmaking.Why(unmaking.ANEW, "person", rules, now)
    for start in range(0, len(taken), PAGE):
        with tenant_transaction(engine, asked.tenant) as connection:
            barrier.share(connection, asked.tenant)
            outputs = connection.execute(_THERE, _named(asked, taken[start : start + PAGE])).scalars()
            unmaking.unmake(connection, asked.tenant, list(outputs), why)
    with tenant_transaction(engine, asked.tenant) as connection:
        connection.execute(_MARK, scope(asked))


def _named(asked: Asked, taken: Sequence[Taken]) -> dict[str, Any]:
    return {"tenant": asked.tenant, "ids": [each.output for each in taken]}


_THERE = sa.text("select id from memories where tenant = :tenant and id = any(cast(:ids as uuid[])) order by id")
_SINCE = sa.text("select min(at) from consolidations where tenant = :tenant and :version in (policy, transform)")
# An input comes back as unmaking restores it: not where the whole has faded or gone stale since.
_OUTPUTS = sa.text(f"""
with recursive going(id) as (
  select m.id from consolidation_groups g join consolidations c on c.tenant = g.tenant and c.id = g.consolidation
  join memories m on m.tenant = g.tenant and m.id = g.output
  where g.tenant = :tenant and c.at >= :since and {within("m")}
    and (:version in (:policy, :transform) or (c.policy, c.transform) <> (:policy, :transform))
  union select l.output from going join lineage l on l.tenant = :tenant and l.input = going.id
)
select o.id, o.claim, array(select l.input from lineage l where l.tenant = :tenant and l.output = o.id order by l.input) as inputs,
  array(select i.claim from lineage l join memories i on i.tenant = l.tenant and i.id = l.input
    where l.tenant = :tenant and l.output = o.id order by l.input) as claims,
  array(select m.id from lineage l join memories m on m.tenant = l.tenant and m.id = l.input
    where l.tenant = :tenant and l.output = o.id and o.retired_as is distinct from 'archived' and o.stale_since is null
      and m.standing = 'current' and m.retired_as = 'consolidated' and not m.contested and m.id not in (select id from going)
    order by m.id) as back
from going join memories o on o.tenant = :tenant and o.id = going.id order by o.created_at, o.id
""")
_MARK = sa.text(f"""
insert into unconsolidated (tenant, memory, owner)
select m.tenant, m.id, m.owner from memories m where m.tenant = :tenant and {IN_FORCE} and {within("m")}
on conflict (tenant, memory) do update set version = unconsolidated.version + 1
""")
