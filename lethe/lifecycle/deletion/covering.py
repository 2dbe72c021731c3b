"""Which rows a request covers. They are marked by id, set by set, and every later step works on the marks."""

from __future__ import annotations

from typing import Any, NamedTuple
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lethe.ids import parsed, plain_value, turn_id
from lethe.lifecycle.deletion.marks import mark, marked, marking
from lethe.lifecycle.deletion.named import What
from lethe.lifecycle.deletion.needles import Needles
from lethe.lifecycle.proposing import same_claim
from lethe.recall.words import terms

MOST_TEXTS = 2000  # of a sort; of more some stand for all (ids are hashes, so the first of them are a fair sample)


def cover(connection: Connection, what: What, deletion: UUID) -> bool:
    """Mark what is named itself; False where there is no such thing."""
    if what.sort == "memory":
        return _cover_memory(connection, what.tenant, deletion, parsed("mem", str(what.value)))
    named: dict[str, Any] = {"tenant": what.tenant, "deletion": deletion, "value": what.value}
    if what.sort == "turn":
        named["value"] = turn_id(what.tenant, str(what.session), str(what.value))
    return bool(connection.execute(_COVER[what.sort], named).rowcount)


def _covering(condition: str) -> sa.TextClause:
    return marking("turn", f"select id from turns where tenant = :tenant and {condition}")


_COVER = {
    "turn": _covering("id = :value"),
    "session": _covering("session = :value"),
    "user": _covering("user_id = :value"),
    "project": _covering("project = :value"),
    "whole_tenant": _covering("cast(:value as text) is null"),
}


# --- one memory ---------------------------------------------------------------------------------------------------


def _cover_memory(connection: Connection, tenant: str, deletion: UUID, memory: UUID) -> bool:
    """The memory, what it was merged from, every proposal of the same value, and the texts of their turns."""
    found = connection.execute(_WITH_INPUTS, {"tenant": tenant, "memory": memory}).all()
    if not found:
        return False
    mark(connection, tenant, deletion, "memory", [row.id for row in found])
    cover_proposals(connection, tenant, deletion, _alike(connection, tenant, [row.id for row in found]))
    return True


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


_BLANK = marking(
    "blank", f"select distinct turn_id from proposals where tenant = :tenant and id in ({marked('proposal')})"
)
_BESIDE = sa.text(f"""
select p.id, p.turn_id, p.claim, p.object, p.negated, p.id in ({marked("proposal")}) as marked,
       exists (select from evidence e where e.tenant = p.tenant and e.proposal = p.id
               and e.memory not in ({marked("memory")})) as stands
from proposals p where p.tenant = :tenant and p.turn_id in ({marked("blank")})
""")


# --- what hangs on it ---------------------------------------------------------------------------------------------


class Affected(NamedTuple):
    """What must change: keys to fold again, and merged memories to be taken apart."""

    keys: list[UUID]
    merged: list[UUID]


def follow(connection: Connection, tenant: str, deletion: UUID, needles: Needles) -> Affected:
    """Mark everything that hangs on the covered turns and proposals, and undo the merges that rest on them."""
    named = {"tenant": tenant, "deletion": deletion}
    connection.execute(_PROPOSALS, named)
    reread = connection.execute(_REREAD, named).rowcount
    needles.add(_texts(connection, named, every=bool(reread)), words=bool(reread))
    mark(connection, tenant, deletion, "proposal", _read_with_it(connection, named, needles))
    connection.execute(_SUGGESTED, named)
    living = list(connection.execute(_LIVING_KEYS, named).scalars())
    connection.execute(_MEMORIES, {**named, "living": living})
    merged = _derived(connection, named)
    leaning = connection.execute(_LEANING, {**named, "living": living}).scalars()
    return Affected([*living, *leaning], merged)


_PROPOSALS = marking("proposal", f"select id from proposals where tenant = :tenant and turn_id in ({marked('turn')})")
_REREAD = marking(
    "reread",
    f"""
with covered as materialized (
  select t.id, t.session from turns t where t.tenant = :tenant and t.id in ({marked("turn", "blank")}))
select t.id from turns t
where t.tenant = :tenant and t.session in (select session from covered) and t.id not in (select id from covered)
  and exists (select from unnest(t.window_seen) seen join covered on covered.id = seen)
""",
)


def _texts(connection: Connection, named: dict[str, Any], every: bool) -> list[str]:
    """What the verifier will look for: every text where a later turn was read with a covered one, else as many as it needs."""
    rows = connection.execute(_TEXTS, {**named, "most": None if every else MOST_TEXTS})
    return [text for row in rows for text in row if text]


_TEXTS = sa.text(f"""
(select t.text, null as claim, null as object, null as replaces from turns t
where t.tenant = :tenant and t.id in ({marked("turn", "blank")}) order by t.id limit cast(:most as bigint))
union all
(select null, p.claim, case when strpos(p.claim, p.object) = 0 then p.object end, p.replaces from proposals p
where p.tenant = :tenant and p.id in ({marked("proposal")}) order by p.id limit cast(:most as bigint))
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


_OF_REREAD = sa.text(f"""
select p.id, p.claim, p.object, t.text from proposals p
join turns t on t.tenant = p.tenant and t.id = p.turn_id
where p.tenant = :tenant and p.turn_id in ({marked("reread")}) and not p.explicit
""")
# A suggestion counts outcomes: with one of them deleted it says too much, unless somebody has made it their own.
_SUGGESTED = marking(
    "proposal",
    f"""
select g.proposal from evidence e
join consolidation_inputs i on i.tenant = e.tenant and i.memory = e.memory
join consolidation_groups g on g.tenant = i.tenant and g.consolidation = i.consolidation and g.place = i.place
join proposals p on p.tenant = g.tenant and p.id = g.proposal and p.ruling is null
where e.tenant = :tenant and e.proposal in ({marked("proposal")}) group by g.proposal
""",
)
_KEYS = f"select distinct p.key from proposals p where p.tenant = :tenant and p.id in ({marked('proposal')})"
_LIVING_KEYS = sa.text(f"""
select k.key from ({_KEYS}) k
where exists (select from proposals o where o.tenant = :tenant and o.key = k.key and o.id not in ({marked("proposal")}))
""")
# A key that keeps no proposal needs no fold: its memories go.
_MEMORIES = marking(
    "memory",
    f"""select x.id from memories x
    where x.tenant = :tenant and not (x.key = any(cast(:living as uuid[]))) and x.key in ({_KEYS})""",
)


# What a covered statement replaced under another key may be current again.
_LEANING = sa.text(f"""
select distinct m.key from memories m join memories n on n.tenant = m.tenant and n.id = m.superseded_by
where m.tenant = :tenant and m.key <> n.key and not (m.key = any(cast(:living as uuid[])))
  and m.id not in ({marked("memory")}) and (n.key = any(cast(:living as uuid[])) or n.id in ({marked("memory")}))
""")


def _derived(connection: Connection, named: dict[str, Any]) -> list[UUID]:
    """What was merged from a covered memory goes, through every level."""
    merged = connection.execute(_MERGED, named).scalar()
    outputs = list(connection.execute(_OUTPUTS, named).scalars()) if merged else []
    mark(connection, named["tenant"], named["deletion"], "memory", outputs)
    return outputs


_MERGED = sa.text("select exists (select from lineage where tenant = :tenant)")
_OUTPUTS = sa.text(f"""
with recursive hit(id) as (
  {marked("memory")} union select e.memory from evidence e where e.tenant = :tenant and e.proposal in ({marked("proposal")})
), above(id) as (
  select l.output from lineage l join hit on l.tenant = :tenant and l.input = hit.id
  union select l.output from lineage l join above on l.tenant = :tenant and l.input = above.id
) select distinct id from above
""")
