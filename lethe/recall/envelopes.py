"""Rows of the memories table as envelopes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Row

from lethe.ids import shown
from lethe.records import Envelope
from lethe.store.tables import lineage, memories, proposals

_INPUTS = (
    sa.func.array(
        sa.select(lineage.c.input)
        .where(lineage.c.tenant == memories.c.tenant, lineage.c.output == memories.c.id)
        .order_by(lineage.c.input)
        .scalar_subquery()
    )
    .cast(sa.ARRAY(sa.UUID))
    .label("inputs")
)

_VERIFIED = sa.func.coalesce(
    sa.select(proposals.c.verified)
    .where(proposals.c.tenant == memories.c.tenant, proposals.c.id == memories.c.lead)
    .scalar_subquery(),
    sa.false(),
).label("verified")

VISIBLE = sa.select(memories, _INPUTS, _VERIFIED).where(memories.c.invisible_at.is_(None))
_BY_IDS = VISIBLE.where(
    memories.c.tenant == sa.bindparam("tenant"), memories.c.id == sa.any_(sa.bindparam("ids", type_=sa.ARRAY(sa.UUID)))
)


def by_ids(connection: Connection, tenant: str, ids: Sequence[UUID]) -> dict[UUID, Row[Any]]:
    """The visible ones of these memories, as they are stored at this moment."""
    if not ids:
        return {}
    return {row.id: row for row in connection.execute(_BY_IDS, {"tenant": tenant, "ids": list(ids)})}


def envelope(row: Any, state: str | None = None) -> Envelope:
    """A row of `VISIBLE` as an envelope; `state` stands for the stored one where a time was asked for."""
    said = timezone(timedelta(seconds=row.observed_offset))
    source: dict[str, Any] = {
        "turn": row.source_turn,
        "session": row.source_session,
        "author": row.source_author,
        "verified": row.verified,
    }
    return Envelope(
        memory=shown("mem", row.id),
        kind=row.kind,
        claim=row.claim,
        subject=row.subject,
        predicate=row.predicate,
        object=row.object,
        negated=row.negated,
        state=state or row.state,
        scope={"tenant": row.tenant, "user": row.user_id, "project": row.project, "task": row.task},
        basis=row.basis,
        confidence=row.confidence,
        importance=row.importance,
        sensitivity=row.sensitivity,
        source=source,
        evidence=list(row.evidence_turns),
        observed_at=row.observed_at.astimezone(said),
        valid_from=row.valid_from.astimezone(said),
        valid_to=_in(said, row.valid_to),
        review_after=_in(said, row.review_after),
        expires_at=_in(said, row.expires_at),
        allowed_uses=list(row.allowed_uses),
        superseded_by=shown("mem", row.superseded_by) if row.superseded_by else None,
        derived_from=[shown("mem", name) for name in row.inputs],
        pinned=row.pinned,
    )


def _in(zone: timezone, moment: datetime | None) -> datetime | None:
    return moment.astimezone(zone) if moment else None
