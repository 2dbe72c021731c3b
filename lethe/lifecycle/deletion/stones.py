"""Tombstones: keyed hashes of names and claims, by which what was deleted is known again when somebody brings it back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lethe.ids import plain_value
from lethe.keys import Keyring
from lethe.lifecycle.deletion.marks import marked
from lethe.lifecycle.deletion.named import What
from lethe.lifecycle.screening import claim_fingerprint, claim_fingerprints

PEOPLE = ("user", "project", "whole_tenant")
MAC = 32  # bytes of a hash


@dataclass(frozen=True, slots=True)
class Stone:
    """What is hashed, and up to when it was observed (None: for good)."""

    sort: str
    parts: tuple[str, ...]
    observed_before: datetime | None = None


def lay(connection: Connection, what: What, deletion: UUID, ring: Keyring, now: datetime) -> None:
    """Write the tombstones of a request, while the rows that it covers are still there."""
    laid = [*_of_names(connection, what, deletion, now), *_of_claims(connection, what, deletion, now)]
    if what.sort not in ("user", "whole_tenant"):
        laid += _of_retractions(connection, what.tenant, deletion)
    write(
        connection,
        what.tenant,
        deletion,
        [(each.sort, ring.mac(*each.parts), ring.current, each.observed_before) for each in laid],
        now,
    )


def write(
    connection: Connection,
    tenant: str,
    deletion: UUID,
    stones: Iterable[tuple[str, bytes, str, datetime | None]],
    now: datetime,
) -> None:
    """Write (sort, mac, id of the key, observed before); of two for the same thing the wider one holds."""
    alike: dict[tuple[str, str, datetime | None], set[bytes]] = {}
    for sort, mac, key, before in stones:
        alike.setdefault((sort, key, before), set()).add(mac)
    for (sort, key, before), macs in alike.items():
        connection.execute(
            _STONES,
            {
                "tenant": tenant,
                "deletion": deletion,
                "now": now,
                "sort": sort,
                "macs": b"".join(sorted(macs)),
                "count": len(macs),
                "width": MAC,
                "key": key,
                "before": before,
            },
        )


# The hashes come as one value, end to end: a user may have many.
_STONES = sa.text("""
insert into tombstones (tenant, sort, mac, mac_key, observed_before, deletion, created_at)
select :tenant, :sort, substring(cast(:macs as bytea) from 1 + n * :width for :width), :key, cast(:before as timestamptz),
  :deletion, :now
from generate_series(0, :count - 1) n
on conflict (tenant, sort, mac) do update
set observed_before = excluded.observed_before, deletion = excluded.deletion, created_at = excluded.created_at
where tombstones.observed_before < excluded.observed_before
   or (tombstones.observed_before is not null and excluded.observed_before is null)
""")


def standing_since(connection: Connection, tenant: str, macs: Iterable[bytes]) -> dict[bytes, datetime]:
    """{hash of a claim: from when on its tombstone has stood here}."""
    found = connection.execute(_STANDING, {"tenant": tenant, "macs": list(macs)})
    return {bytes(row.mac): row.created_at for row in found}


_STANDING = sa.text(
    "select mac, created_at from tombstones where tenant = :tenant and sort = 'claim' and mac = any(:macs)"
)


def refuse(connection: Connection, tenant: str, proposals: Sequence[UUID]) -> list[UUID]:
    """Proposals whose claim was retracted are refused from now on; returns the keys of those that were not yet."""
    return list(connection.execute(_REFUSE, {"tenant": tenant, "ids": list(proposals)}).scalars())


# --- what is hashed -----------------------------------------------------------------------------------------------


def _of_names(connection: Connection, what: What, deletion: UUID, now: datetime) -> list[Stone]:
    """The scope itself, and the names of the covered turns; a session's own name covers all of its turns."""
    if what.sort == "session":
        return [Stone("session", ("session", what.tenant, str(what.value)))]
    stones = []
    if what.sort in PEOPLE:
        sort = "tenant" if what.sort == "whole_tenant" else what.sort
        parts = ("tenant", what.tenant) if what.value is None else (sort, what.tenant, what.value)
        stones.append(Stone(sort, parts, now))
    sorts = {"turn": "turn", "blank": "excerpt"}
    for row in connection.execute(_NAMES, {"tenant": what.tenant, "deletion": deletion}):
        stones.append(Stone(sorts[row.sort], ("turn", what.tenant, row.session, row.turn)))
    return stones


_NAMES = sa.text("""
select m.sort, t.session, t.turn from (
  select sort, unnest(refs) as ref from deletion_marks
  where tenant = :tenant and deletion = :deletion and sort in ('turn', 'blank')) m
join turns t on t.tenant = :tenant and t.id = m.ref
""")


def _of_claims(connection: Connection, what: What, deletion: UUID, now: datetime) -> list[Stone]:
    """A forgotten memory is not to come back from another turn that was observed before the request."""
    if what.sort != "memory":
        return []
    found = connection.execute(_CLAIMS, {"tenant": what.tenant, "deletion": deletion})
    names = {name for row in found for name in claim_fingerprints(what.tenant, row)}
    return [Stone("claim", name, now) for name in sorted(names)]


_CLAIMS = sa.text(f"""
select distinct p.owner, p.key, p.object, p.claim from proposals p
where p.tenant = :tenant and p.id in ({marked("proposal")}) and (p.refusals = '{{}}' or exists (
  select from evidence e where e.tenant = p.tenant and e.proposal = p.id))
""")


def _of_retractions(connection: Connection, tenant: str, deletion: UUID) -> list[Stone]:
    """A retraction keeps its effect, without its text, when the turn that expressed it goes."""
    named = {"tenant": tenant, "deletion": deletion}
    gone = connection.execute(_RETRACTIONS, named).all()
    for row in gone:
        _refuse_retracted(connection, named, row)
    return [Stone("claim", claim_fingerprint(tenant, row.owner, row.key, row.object), row.observed_at) for row in gone]


_RETRACTIONS = sa.text(f"""
select p.owner, p.key, p.object, p.observed_at from proposals p
where p.tenant = :tenant and p.id in ({marked("proposal")}) and p.act = 'retract' and p.refusals = '{{}}' and (p.holds = '{{}}' or p.ruling = 'confirmed')
""")


def _refuse_retracted(connection: Connection, named: dict[str, Any], retraction: Any) -> None:
    """Screened proposals are not screened again: what was retracted is refused from now on."""
    rows = connection.execute(_EARLIER, {**named, "key": retraction.key, "at": retraction.observed_at}).all()
    same = [row.id for row in rows if plain_value(row.object) == plain_value(retraction.object)]
    if same:
        refuse(connection, named["tenant"], same)


_EARLIER = sa.text(f"""
select p.id, p.object from proposals p
where p.tenant = :tenant and p.key = :key and p.observed_at <= :at and p.refusals = '{{}}' and p.act <> 'retract'
  and p.id not in ({marked("proposal")})
""")
_REFUSE = sa.text("""
update proposals set refusals = '{forgotten}' where tenant = :tenant and id = any(cast(:ids as uuid[])) and refusals = '{}'
returning key
""")
