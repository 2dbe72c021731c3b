"""Folding keys together: which keys stand against each other, and what the folds of all of them say.

Most statements concern their own key alone. The few that reach further (`Rules.reach`) are found through an index of their own,
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
from lethe.rules import Rules


def fold_rows(
    by_key: Mapping[UUID, Sequence[Any]], rules: Rules, read: Callable[[Any], Proposal] = proposal_of
) -> dict[UUID, tuple[KeyState, dict[UUID, Any]]]:
    """The state of each key from its rows of `proposals`, and these rows by id."""
    states = {key: rules.fold([read(row) for row in rows]) for key, rows in by_key.items()}
    of_owner: dict[UUID, dict[UUID, KeyState]] = defaultdict(dict)
    for key, rows in by_key.items():
        if rows:
            of_owner[rows[0].owner][key] = states[key]
    for together in of_owner.values():
        states |= rules.reconcile(together)
    return {key: (states[key], {row.id: row for row in rows}) for key, rows in by_key.items()}


def companions(connection: Connection, tenant: str, keys: Collection[UUID], rules: Rules) -> set[UUID]:
    """The keys that have to be folded with these: what stands against them, and what was replaced from them before."""
    named = {"tenant": tenant, "keys": list(keys)}
    found = set(keys).union(connection.execute(_REPLACED_FROM, named).scalars())
    owners = list(connection.execute(_REACHING, named).scalars())
    if owners:
        of_owner: dict[UUID, list[Any]] = defaultdict(list)
        for row in connection.execute(_TOLD, {"tenant": tenant, "owners": owners}):
            of_owner[row.owner].append(row)
        for rows in of_owner.values():
            found |= _joined(found, rows, rules)
    return found.difference(keys)


def _joined(keys: Collection[UUID], rows: Sequence[Any], rules: Rules) -> set[UUID]:
    """These keys with whatever stands against their statements, and against those in turn, until nothing is left to add."""
    told = [(row.key, proposal_of(row)) for row in rows]
    key_of = {proposal.id: key for key, proposal in told}
    joined, fresh = set(keys), set(keys)
    while fresh:
        some = [proposal for key, proposal in told if key in fresh]
        others = [proposal for key, proposal in told if key not in joined]
        fresh = {key_of[name] for name in rules.reach(some, others)}
        joined |= fresh
    return joined


_REACHING = sa.text("""
select r.owner from (select distinct owner from proposals where tenant = :tenant and key = any(:keys) and not explicit) o
join proposals r on r.tenant = :tenant and r.owner = o.owner and not r.explicit and (r.negated or r.cue)
group by r.owner
""")
_TOLD = sa.text("""
select * from proposals
where tenant = :tenant and owner = any(:owners) and not explicit and refusals is not null order by id
""")
_REPLACED_FROM = sa.text("""
select distinct m.key from memories n join memories m on m.tenant = n.tenant and m.superseded_by = n.id
where n.tenant = :tenant and n.key = any(:keys) and m.key <> n.key
""")
