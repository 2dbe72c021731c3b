"""Marks of what changed since the last run, and the tenants that have some (docs/decisions/006)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lethe.store import due

# A mark so far ahead, rounded down to its day, outlives every transaction that relies on it, and one a day is written.
AHEAD = timedelta(hours=25)


def mark(connection: Connection, tenant: str, changed: Mapping[UUID, UUID], now: datetime) -> None:
    """{memory: owner}: the next run looks at these; in the transaction that changes them."""
    if not changed:
        return
    ids = sorted(changed)
    connection.execute(_MARK, {"tenant": tenant, "ids": ids, "owners": [changed[name] for name in ids]})
    due.mark(connection, tenant, {due.CONSOLIDATE: now + AHEAD}, now)


_MARK = sa.text("""
insert into unconsolidated (tenant, memory, owner)
select :tenant, given.memory, given.owner from unnest(cast(:ids as uuid[]), cast(:owners as uuid[])) as given(memory, owner)
on conflict (tenant, memory) do update set version = unconsolidated.version + 1
""")
