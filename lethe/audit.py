"""`lethe audit`: what should not be in a tenant's memory, counted, with examples. It looks and changes nothing.

Every memory in force is looked at by the rules of today, whatever they were when it was admitted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from lethe.ids import shown
from lethe.keys import Keyring
from lethe.lifecycle.consolidation.neighbours import Pair, nearest
from lethe.lifecycle.consolidation.supposing import Supposed
from lethe.lifecycle.screening import with_context
from lethe.records import Reason
from lethe.rules import Rules
from lethe.store.database import tenant_transaction

NEAR = 0.95  # cosine of two memories' vectors from which on they count as near duplicates
EXAMPLES = 5
MOST_NEAR = 20  # of each memory
PAGE = 500
Ticks = Callable[[int, int], None]


@dataclass(slots=True)
class Found:
    """How many, and the first few."""

    count: int = 0
    examples: list[dict[str, Any]] = field(default_factory=list)

    def add(self, example: dict[str, Any], count: int = 1) -> None:
        self.count += count
        if len(self.examples) < EXAMPLES:
            self.examples.append(example)

    def as_dict(self) -> dict[str, Any]:
        return {"count": self.count, "examples": self.examples}


def audit(
    engine: Engine,
    tenant: str,
    rules: Rules,
    keys: Keyring,
    counted: Sequence[UUID],
    now: datetime,
    tick: Ticks = lambda done, of: None,
) -> dict[str, Any]:
    """{"tenant", "memories": in force, and each check: {"count", "examples"}}.

    `counted`: memories whose uses stand in the cache. `tick` is told how many of how many memories were compared.
    """
    ruling = rules.of(tenant)
    named = {"tenant": tenant, "now": now, "counted": list(counted)}
    with tenant_transaction(engine, tenant) as connection:
        memories = connection.execute(_IN_FORCE, named).all()
        found = {
            "exact_duplicates": _exact(connection, named),
            "never_recalled": _listed(connection, _NEVER_RECALLED, named),
            "orphan_vectors": _listed(connection, _ORPHANS, named),
            "missing_vectors": _listed(connection, _MISSING, named),
            "stale_cache_entries": _listed(connection, _STALE, named),
            "overdue_deletions": _overdue(connection, named),
        }
    found["near_duplicates"] = _near(engine, tenant, {row.id: row.claim for row in memories}, tick)
    found["echoes"] = _echoes(engine, tenant, ruling, keys)
    found["secrets"] = _secrets(memories, ruling)
    return {"tenant": tenant, "memories": len(memories), **{name: each.as_dict() for name, each in found.items()}}


def _exact(connection: Connection, named: dict[str, Any]) -> Found:
    """The same words of one owner, each beyond the first."""
    out = Found()
    for row in connection.execute(_SAME, named):
        out.add({"memories": [shown("mem", name) for name in row.ids], "claim": row.claim}, len(row.ids) - 1)
    return out


def _near(engine: Engine, tenant: str, claims: Mapping[UUID, str], tick: Ticks) -> Found:
    """Pairs of one owner and kind whose vectors lie nearly together, and whose words are not the same."""
    alike: dict[Pair, float] = {}
    names = list(claims)
    with tenant_transaction(engine, tenant) as connection:
        models = connection.execute(_MODELS, {"tenant": tenant}).scalars().all()
    for start in range(0, len(names), PAGE):
        for model in models:
            with tenant_transaction(engine, tenant) as connection:
                page = names[start : start + PAGE]
                alike |= nearest(connection, tenant, page, model, NEAR, MOST_NEAR, Supposed())
        tick(min(start + PAGE, len(names)), len(names))
    out = Found()
    for (one, two), likeness in sorted(alike.items(), key=lambda pair: (-pair[1], pair[0])):
        both = [claims.get(one), claims.get(two)]
        if None not in both and len({str(claim).lower() for claim in both}) == 2:
            names_of = [shown("mem", one), shown("mem", two)]
            out.add({"memories": names_of, "claims": both, "similarity": round(likeness, 3)})
    return out


def _echoes(engine: Engine, tenant: str, rules: Rules, keys: Keyring) -> Found:
    """Memories that rest on one turn which only repeats what had been recalled into its session."""
    out = Found()
    with tenant_transaction(engine, tenant) as connection:
        behind = {row.proposal: row for row in connection.execute(_AFTER_A_RECALL, {"tenant": tenant})}
    touched = sorted({row.key for row in behind.values()})
    for start in range(0, len(touched), PAGE):
        with tenant_transaction(engine, tenant) as connection:
            proposals = with_context(connection, tenant, touched[start : start + PAGE], keys, unscreened=False)
        for each in proposals:
            memory = behind.get(each.row.id)
            if memory is not None and Reason.ECHO in each.verdict(rules).refusals:
                out.add({"memory": shown("mem", memory.id), "claim": memory.claim})
    return out


def _secrets(memories: Sequence[Any], rules: Rules) -> Found:
    """Claims in which something secret stands. Their words are not shown."""
    out = Found()
    for row in memories:
        _, reasons = rules.redact(f"{row.claim}\n{row.object}")
        if reasons:
            out.add({"memory": shown("mem", row.id), "reasons": [reason.value for reason in reasons]})
    return out


def _listed(connection: Connection, query: sa.TextClause, named: dict[str, Any]) -> Found:
    out = Found()
    for row in connection.execute(query, named):
        told = {"claim": row.claim} if row.claim is not None else {}
        out.add({"memory": shown("mem", row.id), **told})
    return out


def _overdue(connection: Connection, named: dict[str, Any]) -> Found:
    out = Found()
    for row in connection.execute(_OVERDUE, named):
        out.add({"deletion": shown("del", row.id), "requested_at": row.requested_at.isoformat()})
    return out


_CURRENT = "m.tenant = :tenant and m.standing = 'current' and m.retired_as is null and m.invisible_at is null"
_IN_FORCE = sa.text(f"select m.id, m.claim, m.object from memories m where {_CURRENT} order by m.owner, m.id")
_SAME = sa.text(f"""
select array_agg(m.id order by m.created_at, m.id) as ids, min(m.claim) as claim from memories m
where {_CURRENT} group by m.owner, lower(m.claim) having count(*) > 1 order by count(*) desc, min(m.claim)
""")
_MODELS = sa.text("select distinct model from vectors where tenant = :tenant order by model")
# Memories with one proposal behind them, whose session was told something before.
_AFTER_A_RECALL = sa.text(f"""
select m.id, m.key, m.claim, min(e.proposal::text)::uuid as proposal from memories m
join evidence e on e.tenant = m.tenant and e.memory = m.id
where {_CURRENT} and exists (
  select from turns t where t.tenant = m.tenant and t.session = m.source_session and t.recalled <> '{{}}'
  union all select from handouts h where h.tenant = m.tenant and h.session = m.source_session)
group by m.id, m.key, m.claim having count(*) = 1
""")
_NEVER_RECALLED = sa.text(f"""
select m.id, m.claim from memories m
where {_CURRENT} and m.uses = 0 and m.id <> all(cast(:counted as uuid[])) order by m.created_at, m.id
""")
_ORPHANS = sa.text("""
select v.memory as id, null as claim from vectors v left join memories m on m.tenant = v.tenant and m.id = v.memory
where v.tenant = :tenant and (m.id is null or m.owner <> v.owner) order by v.memory
""")
_MISSING = sa.text(f"""
select m.id, m.claim from memories m
where {_CURRENT} and not exists (select from vectors v where v.tenant = m.tenant and v.memory = m.id)
  and not exists (select from work w where w.tenant = m.tenant and w.stage = 'index' and w.item = m.id) order by m.created_at, m.id
""")
_STALE = sa.text("""
select given.id, null as claim from unnest(cast(:counted as uuid[])) given(id)
where not exists (select from memories m where m.tenant = :tenant and m.id = given.id) order by 1
""")
_OVERDUE = sa.text("""
select id, requested_at from deletions where tenant = :tenant and state <> 'verified' and due_at < :now order by requested_at, id
""")
