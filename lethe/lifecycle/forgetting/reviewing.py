"""Reviews of single memories: opened by jobs and by feedback, closed when the memory is revalidated."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection

SINGLE = ("review_due", "marked_unhelpful")


def settle_reviews(
    connection: Connection, tenant: str, memories: Sequence[UUID], resolution: str, now: datetime
) -> None:
    """Close the open reviews of these memories that no contradiction opened."""
    connection.execute(
        _SETTLE,
        {"tenant": tenant, "ids": list(memories), "reasons": list(SINGLE), "resolution": resolution, "now": now},
    )


_SETTLE = sa.text("""
update reviews set resolved_at = :now, resolution = :resolution
where tenant = :tenant and resolved_at is null and reason = any(cast(:reasons as text[]))
  and key in (select key from memories where tenant = :tenant and id = any(cast(:ids as uuid[])))
  and memories <@ cast(:ids as uuid[])
""")
