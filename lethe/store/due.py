"""Which tenants have something due, without looking at any of them.

A mark (sort, tenant, item, at) promises: nothing of this sort falls due in that tenant before the earliest mark. Marks hold
no text and stand outside row-level security, so that a job finds its tenants through one index. Whoever writes a row with a
due date leaves a mark, unless an earlier one stands far enough ahead that no job takes it away meanwhile; a job that has
worked a tenant off takes the marks that have passed and leaves one for what comes next (docs/decisions/004).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from lethe.store.database import transaction

EXPIRE, DECAY, REVIEW, EVICT, CONSOLIDATE = "expire", "decay", "review", "evict", "consolidate"
TEXT, LOG, HELD, ENDED, HISTORY = "text", "log", "held", "ended", "history"
KEPT = "kept"  # tells that a tenant has memories; no job waits for it
NEVER = datetime(9000, 1, 1, tzinfo=UTC)
WHOLE = UUID(int=0)

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
_GRAIN = {EXPIRE: HOUR, EVICT: HOUR}
# A mark so far ahead of now outlives every transaction that relies on it. The marks of what is kept for days from its own
# date on (text, log, held, ended) carry that date, and pass a day later at the earliest.
_SAFE = {TEXT: -DAY + HOUR, LOG: -DAY + HOUR, HELD: -DAY + HOUR, ENDED: -DAY + HOUR}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EARLIEST = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark as a job saw it before it worked: taken away only if nobody raised its version since."""

    item: UUID
    at: datetime
    version: int


def mark(
    connection: Connection, tenant: str, dates: Mapping[str, datetime | None], now: datetime, item: UUID = WHOLE
) -> None:
    """Tell that rows of these sorts fall due at these times; in the transaction that writes them."""
    given = sorted((sort, at) for sort, at in dates.items() if at is not None)
    if given:
        connection.execute(
            _MARK,
            {
                "tenant": tenant,
                "item": item,
                "sorts": [sort for sort, _ in given],
                "times": [floor(sort, at) for sort, at in given],
                "safe": [now + _SAFE.get(sort, HOUR) for sort, _ in given],
            },
        )


_MARK = sa.text("""
insert into due (sort, tenant, item, at)
select given.sort, :tenant, :item, given.at
from unnest(cast(:sorts as text[]), cast(:times as timestamptz[]), cast(:safe as timestamptz[])) as given(sort, at, safe)
where not exists (select from due d where d.sort = given.sort and d.tenant = :tenant and d.item = :item
                  and d.at <= given.at and d.at > given.safe)
order by given.sort
on conflict (sort, tenant, item, at) do update set version = due.version + 1
""")


def tenants(
    engine: Engine, until: Mapping[str, datetime], among: Sequence[str] | None = None
) -> dict[str, frozenset[str]]:
    """{tenant: sorts} of the marks at or before their sort's time, in the order of the tenants' names; of all or some."""
    asked = {"sorts": list(until), "until": list(until.values())}
    with transaction(engine) as connection:
        if among is None:
            found = connection.execute(_TENANTS, asked)
        else:
            found = connection.execute(_AMONG, {**asked, "among": list(among)})
        return {row.tenant: frozenset(row.sorts) for row in found}


_DUE = """
select d.tenant, array_agg(distinct d.sort) as sorts
from unnest(cast(:sorts as text[]), cast(:until as timestamptz[])) as asked(sort, until)
join due d on d.sort = asked.sort and d.at <= asked.until {among} group by d.tenant order by d.tenant
"""
_TENANTS = sa.text(_DUE.format(among=""))
_AMONG = sa.text(_DUE.format(among="and d.tenant = any(cast(:among as text[]))"))


def marks(connection: Connection, tenant: str, sort: str, until: datetime) -> list[Mark]:
    """The marks of one tenant that have come."""
    found = connection.execute(_MARKS, {"sort": sort, "tenant": tenant, "until": until})
    return [Mark(row.item, row.at, row.version) for row in found]


_MARKS = sa.text(
    "select item, at, version from due where sort = :sort and tenant = :tenant and at <= :until order by item, at"
)


def since(seen: Sequence[Mark]) -> datetime:
    """Before when nothing waits any more, by the marks that have come. Rows that a job has dealt with keep their dates and their
    place in the index, so that it writes to no index: a job begins to look at its earliest mark."""
    return min((each.at for each in seen), default=_EARLIEST)


def earliest(connection: Connection, query: sa.TextClause, named: Mapping[str, Any]) -> datetime | None:
    """The date that a query finds, or None."""
    found: datetime | None = connection.execute(query, named).scalar()
    return found


def settle(
    connection: Connection,
    tenant: str,
    sort: str,
    seen: Sequence[Mark],
    passed: datetime,
    following: Callable[[], datetime | None],
) -> None:
    """Take away the seen marks whose hour or day is over at `passed`, and leave one for what follows. That is looked up
    afterwards: another job may have taken the same marks away, and a writer left them anew for what came since."""
    gone = [each for each in seen if each.at + _GRAIN.get(sort, DAY) <= passed]
    if gone:
        connection.execute(
            _GONE,
            {
                "sort": sort,
                "tenant": tenant,
                "items": [each.item for each in gone],
                "times": [each.at for each in gone],
                "versions": [each.version for each in gone],
            },
        )
    if (next_date := following()) is not None:
        named: dict[str, Any] = {"sort": sort, "tenant": tenant, "item": WHOLE, "at": floor(sort, next_date)}
        connection.execute(_FOLLOWING, named)


_GONE = sa.text("""
delete from due using unnest(cast(:items as uuid[]), cast(:times as timestamptz[]), cast(:versions as int[])) as seen(item, at, version)
where due.sort = :sort and due.tenant = :tenant and due.item = seen.item and due.at = seen.at and due.version = seen.version
""")
_FOLLOWING = sa.text("""
insert into due (sort, tenant, item, at) values (:sort, :tenant, :item, :at) on conflict do nothing
""")


def every_tenant(engine: Engine) -> list[str]:
    """Every tenant that was given a memory."""
    with transaction(engine) as connection:
        found = connection.execute(sa.text("select tenant from due where sort = :sort order by tenant"), {"sort": KEPT})
        return list(found.scalars())


def floor(sort: str, at: datetime) -> datetime:
    """The beginning of the hour or day, in UTC."""
    return at - (at - _EPOCH) % _GRAIN.get(sort, DAY)
