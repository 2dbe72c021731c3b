"""Counted uses, written to the rows in batches: a use lengthens the half-life, and strength starts anew from it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.lifecycle.forgetting import dates
from lethe.recall.uses import Use, UseBuffer
from lethe.rules import Rules
from lethe.store.database import tenant_transaction

BATCH = 500


def flush(engine: Engine, buffer: UseBuffer, rules: Rules, now: datetime) -> int:
    """Write every tenant's counts; returns how many memories they concern. Rows that another holds keep their counts in the
    buffer; those of memories that are gone go too."""
    written = 0
    for tenant in buffer.tenants():
        uses = sorted(buffer.take(tenant).items())
        for start in range(0, len(uses), BATCH):
            some = dict(uses[start : start + BATCH])
            held = _write(engine, tenant, some, rules.of(tenant), now)
            if held:
                buffer.give_back(tenant, held)
            written += len(some) - len(held)
    return written


def _write(engine: Engine, tenant: str, uses: Mapping[UUID, Use], rules: Rules, now: datetime) -> dict[UUID, Use]:
    """Write some counts; returns those whose rows are held by another."""
    with tenant_transaction(engine, tenant) as connection:
        rows = dates.rows(connection, tenant, list(uses), wait=False)
        found, touched = {}, {}
        for row in rows:
            use = uses[row.id]
            touched[row.id] = max(row.touched_at, min(use.last, now))
            found[row.id] = dates.computed(row, rules, uses=row.uses + use.count, touched_at=touched[row.id])
        counts = {"ids": list(found), "counts": [uses[name].count for name in found]}
        connection.execute(_USES, {"tenant": tenant, **counts})
        dates.write(connection, tenant, found, now, touched)
        there = set(connection.execute(_THERE, {"tenant": tenant, "ids": list(uses)}).scalars())
    return {name: use for name, use in uses.items() if name in there and name not in found}


_USES = sa.text("""
update memories m set uses = m.uses + given.count
from unnest(cast(:ids as uuid[]), cast(:counts as int[])) as given(id, count) where m.tenant = :tenant and m.id = given.id
""")
_THERE = sa.text(
    "select id from memories where tenant = :tenant and id = any(cast(:ids as uuid[])) and invisible_at is null"
)
