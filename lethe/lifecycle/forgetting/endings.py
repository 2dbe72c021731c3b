"""Which memories ended when: where deletion for good begins to look.

They stand in a table of their own, so that what ends a memory changes no column that an index of `memories` holds: the row is
then rewritten within its page, and a night costs the same pages however many memories there are (docs/decisions/009).
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lethe.store import due


def mark(connection: Connection, tenant: str, ended: Collection[UUID], now: datetime) -> None:
    """Tell that these ended, in the transaction that ends them."""
    if ended:
        named = {"tenant": tenant, "ids": sorted(ended), "day": due.floor(due.ENDED, now)}
        connection.execute(_MARK, named)
        due.mark(connection, tenant, {due.ENDED: now}, now)


_MARK = sa.text("""
insert into endings (tenant, at, memory) select :tenant, :day, id from unnest(cast(:ids as uuid[])) id on conflict do nothing
""")
