"""The barrier between writers of text and deletions of one tenant.

A transaction that may bring text in takes its side first, before any row lock; a deletion takes the other. So a writer
either commits before a deletion looks for what it covers, or begins after it and meets its tombstones.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.engine import Connection


def share(connection: Connection, tenant: str) -> None:
    """Writers pass side by side; held until the transaction ends."""
    connection.execute(_SHARE, {"tenant": tenant})


def close(connection: Connection, tenant: str) -> None:
    """Wait for the tenant's writers and keep new ones out until the transaction ends."""
    connection.execute(_CLOSE, {"tenant": tenant})


_SHARE = sa.text("select pg_advisory_xact_lock_shared(hashtextextended('deletion' || :tenant, 0))")
_CLOSE = sa.text("select pg_advisory_xact_lock(hashtextextended('deletion' || :tenant, 0))")
