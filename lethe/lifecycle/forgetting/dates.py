"""Due dates of stored memories, computed anew: after use, pinning, restoring, and when the policy has changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Row

from lethe.records import Basis, Kind
from lethe.rules import Dates, Rules
from lethe.store import due


def rows(connection: Connection, tenant: str, ids: Sequence[UUID], *, wait: bool = True) -> list[Row[Any]]:
    """What the dates of these memories follow from, each locked until the transaction ends; in the order of their ids.
    Without `wait` those that another holds are left out."""
    return list(connection.execute(_ROWS if wait else _FREE_ROWS, {"tenant": tenant, "ids": list(ids)}).all())


_LOCKED = """
with locked as materialized (
  select m.* from memories m where m.tenant = :tenant and m.id = any(cast(:ids as uuid[])) and m.invisible_at is null
  order by m.id for update {skip}
)
select m.*, coalesce(lead.verified, false) as verified, backing.stated, backing.received_at, backing.said_at, e.ended_at
from locked m
left join proposals lead on lead.tenant = m.tenant and lead.id = m.lead
left join ended_tasks e on e.tenant = m.tenant and e.owner = m.owner
left join lateral (
  select max(p.expires_at) filter (where v.role = 'source' or v.independent) as stated, max(p.observed_at) as said_at,
         (array_agg(t.received_at order by p.observed_at desc, t.received_at desc))[1] as received_at
  from evidence v join proposals p on p.tenant = v.tenant and p.id = v.proposal join turns t on t.tenant = p.tenant and t.id = p.turn_id
  where v.tenant = m.tenant and v.memory = m.id) backing on true
order by m.id
"""
_ROWS = sa.text(_LOCKED.format(skip=""))
_FREE_ROWS = sa.text(_LOCKED.format(skip="skip locked"))


def computed(row: Any, rules: Rules, **changed: Any) -> Dates:
    """The dates of a row of `rows`, some of its columns changed. What rests on no proposals (a merged memory) keeps the
    expiry that it was given; what came up for review too soon or too late by a new policy is moved."""
    given = {name: changed.get(name, getattr(row, name)) for name in ("touched_at", "uses", "pinned")}
    kept_at = changed.get("kept_at", row.kept_at)
    said_at = row.said_at or row.observed_at
    merged = row.received_at is None
    stated = row.expires_at if merged else row.stated
    if row.ended_at is not None and said_at <= row.ended_at:
        stated = min(stated or row.ended_at, row.ended_at)
    found = rules.due(
        kind=Kind(row.kind),
        basis=Basis(row.basis),
        verified=row.verified,
        stated=stated,
        observed_at=max(said_at, kept_at or said_at),
        received_at=row.received_at or row.created_at,
        importance=row.importance,
        independent=row.independent,
        **given,
    )
    if found.expires_at is None and found.review_after is None:
        return Dates(None, row.review_after, found.fades_at)
    return found


def write(
    connection: Connection,
    tenant: str,
    dates: Mapping[UUID, Dates],
    now: datetime,
    columns: Mapping[UUID, datetime] | None = None,
) -> None:
    """Store dates, and leave marks for them. `columns`: the new `touched_at` of some."""
    if not dates:
        return
    touched = columns or {}
    connection.execute(
        _WRITE,
        {
            "tenant": tenant,
            "ids": list(dates),
            "expires": [each.expires_at for each in dates.values()],
            "review": [each.review_after for each in dates.values()],
            "fades": [each.fades_at for each in dates.values()],
            "touched": [touched.get(name) for name in dates],
        },
    )
    mark(connection, tenant, dates.values(), now)


_WRITE = sa.text("""
update memories m set expires_at = given.expires, review_after = given.review, fades_at = given.fades,
  touched_at = greatest(m.touched_at, given.touched)
from unnest(cast(:ids as uuid[]), cast(:expires as timestamptz[]), cast(:review as timestamptz[]), cast(:fades as timestamptz[]),
            cast(:touched as timestamptz[])) as given(id, expires, review, fades, touched)
where m.tenant = :tenant and m.id = given.id
""")


def mark(connection: Connection, tenant: str, dates: Iterable[Dates], now: datetime) -> None:
    """Leave marks for the earliest of these dates."""
    found = list(dates)

    def earliest(times: Iterable[datetime | None]) -> datetime | None:
        return min((time for time in times if time is not None), default=None)

    due.mark(
        connection,
        tenant,
        {
            due.EXPIRE: earliest(each.expires_at for each in found),
            due.DECAY: earliest(each.fades_at for each in found),
            due.REVIEW: earliest(each.review_after for each in found),
        },
        now,
    )
