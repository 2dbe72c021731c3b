"""The figures of one tenant for now: counts alone, no text."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.store.database import tenant_transaction


def figures(engine: Engine, tenant: str, now: datetime) -> dict[str, Any]:
    """{"memories": by state, "decisions": by outcome of the last day, "reasons": by reason of the last day, "held",
    "reviews": {"open", "oldest_seconds"}, "handouts": of the last day}."""
    with tenant_transaction(engine, tenant) as connection:
        named = {"tenant": tenant, "now": now}
        counts = {name: connection.execute(sql, named).all() for name, sql in _COUNTS.items()}
        reviews = connection.execute(_REVIEWS, named).one()
        held = connection.execute(_HELD, named).scalar_one()
        handouts = connection.execute(_HANDOUTS, named).scalar_one()
    oldest = (now - reviews.oldest).total_seconds() if reviews.oldest else None
    return {
        **{name: {row.label: row.n for row in rows} for name, rows in counts.items()},
        "held": held,
        "reviews": {"open": reviews.n, "oldest_seconds": oldest},
        "handouts": handouts,
    }


_LATELY = "tenant = :tenant and decided_at > cast(:now as timestamptz) - interval '1 day'"
_COUNTS = {
    "memories": sa.text("""
select state as label, count(*) as n from memories where tenant = :tenant and invisible_at is null group by 1 order by 1"""),
    "decisions": sa.text(
        f"select outcome as label, count(*) as n from decisions where {_LATELY} group by 1 order by 1"
    ),
    "reasons": sa.text(f"""
select reason as label, count(*) as n from decisions cross join unnest(reasons) reason where {_LATELY} group by 1 order by 1"""),
}
_REVIEWS = sa.text("""
select count(*) as n, min(opened_at) as oldest from reviews where tenant = :tenant and resolved_at is null""")
_HELD = sa.text("select count(*) from decisions where tenant = :tenant and outcome = 'hold' and proposal is not null")
_HANDOUTS = sa.text("""
select count(*) from handouts where tenant = :tenant and at > cast(:now as timestamptz) - interval '1 day'""")
