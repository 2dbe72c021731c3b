"""Owners above the switch: nearest vectors through the HNSW graph with iterative scan, instead of a set in memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lethe.index.embedder import Vectors
from lethe.index.vectors import as_text
from lethe.recall.owner_sets import COLUMNS
from lethe.store import work

WAITING = 500


@dataclass(frozen=True, slots=True)
class Near:
    """A memory of a large owner: its row and its cosine to the query, NaN where it has no vector yet."""

    row: Any
    dense: float


def nearest(connection: Connection, tenant: str, owner: UUID, model: str, vector: Vectors, limit: int) -> list[Near]:
    """The nearest memories of an owner in any state, and those that still wait for a vector."""
    connection.execute(sa.text("select set_config('hnsw.iterative_scan', 'relaxed_order', true)"))
    named = {"tenant": tenant, "owner": owner, "model": model}
    rows = connection.execute(_NEAREST, {**named, "vector": as_text(vector), "limit": limit}).all()
    waiting = connection.execute(_WAITING, {**named, "stage": work.INDEX, "limit": WAITING}).all()
    return [Near(row, float(row.cosine)) for row in rows] + [Near(row, float(np.nan)) for row in waiting]


_NEAREST = sa.text(f"""
with near as materialized (
  select memory, 1 - (embedding <=> cast(:vector as halfvec)) as cosine
  from vectors where tenant = :tenant and owner = :owner and ann and model = :model
  order by embedding <=> cast(:vector as halfvec) limit :limit
)
select {COLUMNS}, near.cosine from near
join memories m on m.tenant = :tenant and m.id = near.memory and m.owner = :owner and m.invisible_at is null
""")
_WAITING = sa.text(f"""
select {COLUMNS} from work w
join memories m on m.tenant = w.tenant and m.id = w.item and m.owner = :owner and m.invisible_at is null
where w.tenant = :tenant and w.stage = :stage
  and not exists (select from vectors v where v.tenant = m.tenant and v.memory = m.id and v.model = :model)
limit :limit
""")
