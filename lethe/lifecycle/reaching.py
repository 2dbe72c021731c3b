"""Folding keys together: which keys stand against each other, and what the folds of all of them say.

Most statements concern their own key alone. The few that reach further (`Rules.oppositions`) are found through an index of their own,
so that owners without any pay one look at it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
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


Oppositions = Callable[[Sequence[Proposal]], list[tuple[UUID, UUID]]]


@dataclass(slots=True)
class Links:
    """Which keys of an owner stand against each other, as far as it was looked at: made anew where a statement came or went."""

    seen: dict[UUID, list[UUID]] = field(default_factory=dict)  # an owner's statements
    pairs: dict[UUID, list[tuple[UUID, UUID]]] = field(default_factory=dict)  # an owner's keys, two by two


def companions(
    connection: Connection, tenant: str, keys: Collection[UUID], rules: Rules, links: Links | None = None
) -> set[UUID]:
    """The keys that have to be folded with these: what stands against them, and what was replaced from them before."""
    links = links or Links()
    named = {"tenant": tenant, "keys": list(keys)}
    found = set(keys).union(connection.execute(_REPLACED_FROM, named).scalars())
    if rules.oppositions is None:
        return found.difference(keys)
    told = {row.owner: row.ids for row in connection.execute(_REACHING, named)}
    if stale := [owner for owner, ids in told.items() if links.seen.get(owner) != ids]:
        _look(connection, tenant, stale, rules.oppositions, links)
    for owner in told:
        found |= _joined(found, links.pairs.get(owner, []))
    return found.difference(keys)


def _look(connection: Connection, tenant: str, owners: Sequence[UUID], oppositions: Oppositions, links: Links) -> None:
    of_owner: dict[UUID, list[Any]] = {owner: [] for owner in owners}
    for row in connection.execute(_TOLD, {"tenant": tenant, "owners": list(owners)}):
        of_owner[row.owner].append(row)
    for owner, rows in of_owner.items():
        key_of = {row.id: row.key for row in rows}
        opposed = oppositions([proposal_of(row) for row in rows])
        links.seen[owner] = [row.id for row in rows]
        links.pairs[owner] = [(key_of[one], key_of[other]) for one, other in opposed if key_of[one] != key_of[other]]


def _joined(keys: Collection[UUID], pairs: Sequence[tuple[UUID, UUID]]) -> set[UUID]:
    """These keys with whatever stands against them, and against those in turn, until nothing is left to add."""
    joined: set[UUID] = set(keys)
    while fresh := {key for pair in pairs if not joined.isdisjoint(pair) for key in pair} - joined:
        joined |= fresh
    return joined


_REACHING = sa.text("""
select p.owner, array_agg(p.id order by p.id) as ids from proposals p
where p.tenant = :tenant and not p.explicit and p.refusals is not null and p.owner in (
  select r.owner from (select distinct owner from proposals where tenant = :tenant and key = any(:keys) and not explicit) o
  join proposals r on r.tenant = :tenant and r.owner = o.owner and not r.explicit and (r.negated or r.cue))
group by p.owner
""")
_TOLD = sa.text("""
select * from proposals
where tenant = :tenant and owner = any(:owners) and not explicit and refusals is not null order by id
""")
_REPLACED_FROM = sa.text("""
select distinct m.key from memories n join memories m on m.tenant = n.tenant and m.superseded_by = n.id
where n.tenant = :tenant and n.key = any(:keys) and m.key <> n.key
""")
