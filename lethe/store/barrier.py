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


def share_of(tenant: str) -> str:
    """The SQL that takes a writer's side, for a statement that begins with it; `tenant`: an expression."""
    return f"pg_advisory_xact_lock_shared(hashtextextended('deletion' || {tenant}, 0))"


_SHARE = sa.text(f"select {share_of(':tenant')}")
_CLOSE = sa.text("select pg_advisory_xact_lock(hashtextextended('deletion' || :tenant, 0))")
