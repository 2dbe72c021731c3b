"""Taking the marked rows out, and making what is left what its own evidence says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lethe.lifecycle.consolidation import unmaking
from lethe.lifecycle.deletion.marks import mark, marked
from lethe.lifecycle.deletion.named import What
from lethe.lifecycle.reaching import companions, fold_rows
from lethe.lifecycle.standing import write_key
from lethe.rules import Rules
from lethe.store import work

PAGE = 500  # keys folded at a time


def remove(connection: Connection, tenant: str, deletion: UUID) -> tuple[Counter[str], set[UUID]]:
    """Delete the marked rows from every table; returns how many by table, and whose. Doing it again changes nothing."""
    named = {"tenant": tenant, "deletion": deletion}
    counts: Counter[str] = Counter()
    owners: set[UUID] = set()
    for store, query in _REMOVALS.items():
        found = connection.execute(query, named)
        if store in _OWNED:
            rows = found.all()
            counts[store] = sum(row.gone for row in rows)
            owners.update(row.owner for row in rows)
        else:
            counts[store] = found.rowcount
    return counts, owners


def _owned(table: str, marked: str) -> str:
    return f"""with gone as (delete from {table} where tenant = :tenant and id in ({marked}) returning owner)
        select owner, count(*) as gone from gone group by owner"""


_OWNED = ("memories", "proposals")
_MEMORIES, _PROPOSALS, _TURNS = marked("memory"), marked("proposal"), marked("turn")
_REMOVALS = {
    store: sa.text(statement)
    for store, statement in {
        "evidence": f"delete from evidence where tenant = :tenant and (memory in ({_MEMORIES}) or proposal in ({_PROPOSALS}))",
        "vectors": f"delete from vectors where tenant = :tenant and memory in ({_MEMORIES})",
        "memories": _owned("memories", _MEMORIES),
        # A writer that locks a memory has written its rows by the time that the memory can be deleted.
        "handouts": f"delete from handouts where tenant = :tenant and memory in ({_MEMORIES})",
        "lineage": f"delete from lineage where tenant = :tenant and (input in ({_MEMORIES}) or output in ({_MEMORIES}))",
        "consolidations": f"""update consolidation_groups g set detail = null where tenant = :tenant and detail is not null
            and exists (select from consolidation_inputs i where i.tenant = g.tenant and i.consolidation = g.consolidation
                        and i.place = g.place and i.memory in ({_MEMORIES}))""",
        "reviews": f"""delete from reviews where tenant = :tenant
            and id in (select r.id from reviews r cross join unnest(r.memories) named
                       where r.tenant = :tenant and named in ({_MEMORIES}))""",
        "decisions": f"""delete from decisions where tenant = :tenant
            and (proposal in ({_PROPOSALS}) or turn_id in ({_TURNS}))""",
        "proposals": _owned("proposals", _PROPOSALS),
        "turns": f"delete from turns where tenant = :tenant and id in ({_TURNS})",
        "excerpts": f"""update turns set text = null where tenant = :tenant and text is not null
            and id in ({marked("blank")})""",
        "events": f"delete from events where tenant = :tenant and subject in ({marked('memory', 'proposal', 'turn')})",
        "work": f"delete from work where tenant = :tenant and item in ({marked('memory', 'turn')})",
    }.items()
}


def remove_scope(connection: Connection, what: What) -> int:
    """Rows that only say that a user, project or tenant was there; returns how many."""
    if what.sort not in _SCOPES:
        return 0
    named = {"tenant": what.tenant, "value": what.value}
    return sum(connection.execute(query, named).rowcount for query in _SCOPES[what.sort])


_EMPTY = "not exists (select from proposals p where p.tenant = o.tenant and p.owner = o.owner)"
_TASKS = """delete from ended_tasks e where tenant = :tenant
 and not exists (select from owners o where o.tenant = e.tenant and o.owner = e.owner)"""
_SCOPES = {
    "user": [
        sa.text(f"delete from owners o where tenant = :tenant and user_id = :value and {_EMPTY}"),
        sa.text(_TASKS),
    ],
    "project": [
        sa.text(f"delete from owners o where tenant = :tenant and project = :value and {_EMPTY}"),
        sa.text(_TASKS),
    ],
    "whole_tenant": [
        sa.text(f"delete from {table} where tenant = :tenant")
        for table in (
            "owners",
            "endings",
            "ended_tasks",
            "tenants",
            "due",
            "job_runs",
            "recomputations",
            "llm_calls",
            "llm_budget",
            "consolidations",
        )
    ],
}


# --- what stays ---------------------------------------------------------------------------------------------------


def unlink(connection: Connection, tenant: str, deletion: UUID, keys: Sequence[UUID]) -> None:
    """Before the rows go: what outlives them, under these keys, forgets what it had from them."""
    named = {"tenant": tenant, "deletion": deletion}
    connection.execute(_REPLACES, named)
    if keys:
        connection.execute(_TOUCHED, named)


# An explicit proposal that names the memory it supersedes carries that memory's value.
_REPLACES = sa.text(f"""
update proposals set replaces = null, supersedes = null where tenant = :tenant and supersedes in ({_MEMORIES})
""")
# When a memory was last touched, and so when it is due, must not tell of evidence that goes. Without its evidence the row
# differs from what the fold says, which then writes all of it anew from what stays.
_TOUCHED = sa.text(f"""
update memories m set evidence_turns = '{{}}', touched_at = least(m.touched_at, coalesce(
  (select max(h.at) from handouts h where h.tenant = m.tenant and h.memory = m.id and not h.past), m.valid_from))
where m.tenant = :tenant and m.id in (
  select e.memory from evidence e where e.tenant = :tenant and e.proposal in ({_PROPOSALS})
  except {_MEMORIES})
""")


def refold(
    connection: Connection, tenant: str, deletion: UUID, keys: Sequence[UUID], rules: Rules, now: datetime
) -> tuple[list[UUID], int]:
    """Fold the keys that lost some of their proposals; returns the memories that changed and stay, and how many went.

    What nobody screened yet is left out: the gate folds these keys again when it has.
    """
    stayed: list[UUID] = []
    withdrawn = 0
    if not keys:
        return stayed, withdrawn
    for start in range(0, len(keys), PAGE):
        some = list(keys[start : start + PAGE])
        some += companions(connection, tenant, some, rules)
        before = _memories_of(connection, tenant, some)
        proposals: dict[UUID, list[Any]] = {key: [] for key in some}
        for row in connection.execute(_SCREENED, {"tenant": tenant, "keys": some}):
            proposals[row.key].append(row)
        written = write_key(connection, tenant, fold_rows(proposals, rules), rules, now)
        work.enqueue(connection, work.INDEX, tenant, written.to_index, now)
        after = _memories_of(connection, tenant, some)
        mark(connection, tenant, deletion, "memory", before.keys() - after.keys())  # the fold has deleted these already
        withdrawn += len(before.keys() - after.keys())
        stayed += [name for name, version in after.items() if before.get(name) != version]
    connection.execute(_TOUCHED_AGAIN, {"tenant": tenant, "keys": list(keys)})
    connection.execute(_REPLACES, {"tenant": tenant, "deletion": deletion})
    return stayed, withdrawn


_SCREENED = sa.text("""
select p.*, t.received_at from proposals p join turns t on t.tenant = p.tenant and t.id = p.turn_id
where p.tenant = :tenant and p.key = any(cast(:keys as uuid[])) and p.refusals is not null order by p.id
""")
_TOUCHED_AGAIN = sa.text("""
update memories set touched_at = observed_at
where tenant = :tenant and key = any(cast(:keys as uuid[])) and touched_at < observed_at
""")


def _memories_of(connection: Connection, tenant: str, keys: list[UUID]) -> dict[UUID, int]:
    found = connection.execute(
        sa.text("select id, version from memories where tenant = :tenant and key = any(cast(:keys as uuid[]))"),
        {"tenant": tenant, "keys": keys},
    )
    return {row.id: row.version for row in found}


def raise_revisions(connection: Connection, tenant: str, owners: Collection[UUID]) -> None:
    """No cache may serve what it knew of these owners; their counts are made anew."""
    connection.execute(_REVISIONS, {"tenant": tenant, "owners": sorted(owners)})


_REVISIONS = sa.text("""
update owners o set revision = revision + 1, memories = (
  select count(*) from memories m where m.tenant = o.tenant and m.owner = o.owner and m.standing = 'current' and m.retired_as is null)
where o.tenant = :tenant and o.owner = any(cast(:owners as uuid[]))
""")


def why(rules: Rules, now: datetime) -> unmaking.Why:
    """Inputs of a merge that goes stand alone again, and say so in their history."""
    return unmaking.Why(unmaking.DELETED, "eraser", rules, now)


def read_again(connection: Connection, tenant: str, deletion: UUID, now: datetime) -> None:
    """Turns that were read with a covered one before them are read without it."""
    found = connection.execute(_REREAD, {"tenant": tenant, "deletion": deletion})
    work.enqueue(connection, work.EXTRACT, tenant, found.scalars(), now)


_REREAD = sa.text(f"select id from turns where tenant = :tenant and text is not null and id in ({marked('reread')})")
