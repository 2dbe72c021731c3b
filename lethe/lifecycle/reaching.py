"""Folding keys together: which keys stand against each other, and what the folds of all of them say.

Most statements concern their own key alone. The few that reach further (`Rules.across`) are found through an index of their own,
so that owners without any pay one look at it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lethe.lifecycle.screening import proposal_of
from lethe.records import KeyState, Proposal
from lethe.rules import Across, Rules


def fold_rows(
    by_key: Mapping[UUID, Sequence[Any]], rules: Rules, read: Callable[[Any], Proposal] = proposal_of
) -> dict[UUID, tuple[KeyState, dict[UUID, Any]]]:
    """The state of each key from its rows of `proposals`, and these rows by id."""
    states = {key: rules.fold([read(row) for row in rows]) for key, rows in by_key.items()}
    of_owner: dict[UUID, dict[UUID, KeyState]] = defaultdict(dict)
    for key, rows in by_key.items():
        if rows:
            of_owner[rows[0].owner][key] = states[key]
    if rules.across is not None:
        for together in of_owner.values():
            states |= rules.across.reconcile(together)
    return {key: (states[key], {row.id: row for row in rows}) for key, rows in by_key.items()}


def companions(connection: Connection, tenant: str, keys: Collection[UUID], rules: Rules) -> set[UUID]:
    """The keys that have to be folded with these: what stands against them, and against that in turn, until nothing is left to
    add; and what was replaced from them before."""
    named = {"tenant": tenant, "keys": list(keys)}
    found = set(keys).union(connection.execute(_REPLACED_FROM, named).scalars())
    fresh = set(found)
    while fresh and rules.across is not None:
        fresh = _against(connection, tenant, fresh, rules.across) - found
        found |= fresh
    return found.difference(keys)


def _against(connection: Connection, tenant: str, keys: Collection[UUID], across: Across) -> set[UUID]:
    """Keys with a statement that stands against one of these keys. A statement that does not reach can only be met by one that
    does; where one that reaches may meet something, the store looks among all that its owner said."""
    rows = {row.id: row for row in connection.execute(_MET, {"tenant": tenant, "keys": list(keys)})}
    asked = {row.id for row in rows.values() if row.key in keys}
    sought = [each for row in rows.values() if row.id in asked for each in _sought(row, across)]
    if sought:
        given = {"tenant": tenant, "owners": [owner for owner, _ in sought], "fragments": [each for _, each in sought]}
        rows |= {row.id: row for row in connection.execute(_MENTIONING, given)}
    told: dict[UUID, list[Proposal]] = defaultdict(list)
    for row in rows.values():
        told[row.owner].append(proposal_of(row))
    pairs = (pair for some in told.values() for pair in across.oppositions(some, asked))
    return {rows[each].key for pair in pairs for each in pair}


def _sought(row: Any, across: Across) -> list[tuple[UUID, str]]:
    """(owner, fragment) of what a statement may stand against; "" stands in every text."""
    some = across.fragments(proposal_of(row)) if row.negated or row.cue else None
    return [] if some is None else [(row.owner, each) for each in some or ("",)]


# Owners without a statement that may reach have no row here.
_MET = sa.text("""
with reaching as materialized (
  select r.* from (select distinct owner from proposals where tenant = :tenant and key = any(:keys) and not explicit) o
  join proposals r on r.tenant = :tenant and r.owner = o.owner and not r.explicit and (r.negated or r.cue)
  where r.refusals is not null
)
select * from reaching
union all
select p.* from proposals p
where p.tenant = :tenant and p.key = any(:keys) and not p.explicit and p.refusals is not null and not (p.negated or p.cue)
  and p.owner in (select owner from reaching)
order by id
""")
_MENTIONING = sa.text("""
select p.* from (select distinct unnest(cast(:owners as uuid[])) as owner) o
join proposals p on p.tenant = :tenant and p.owner = o.owner and not p.explicit and p.refusals is not null
cross join lateral (select lower(replace(p.predicate, '_', ' ') || ' ' || p.object || ' ' || p.claim) as text offset 0) said
where exists (select 1 from unnest(cast(:owners as uuid[]), cast(:fragments as text[])) as sought(owner, fragment)
              where sought.owner = p.owner and position(sought.fragment in said.text) > 0)
order by p.id
""")
_REPLACED_FROM = sa.text("""
select distinct m.key from memories n join memories m on m.tenant = n.tenant and m.superseded_by = n.id
where n.tenant = :tenant and n.key = any(:keys) and m.key <> n.key
""")
