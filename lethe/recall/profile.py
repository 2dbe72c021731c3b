"""The profile: what is always loaded for a user, without a question."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.recall.eligibility import ELIGIBLE, Dates, moment, state_at
from lethe.recall.envelopes import VISIBLE, envelope
from lethe.recall.scopes import seen
from lethe.recall.search import HandOuts
from lethe.store.database import tenant_transaction
from lethe.store.tables import memories

_ALWAYS = VISIBLE.where(
    memories.c.tenant == sa.bindparam("tenant"),
    memories.c.owner == sa.any_(sa.bindparam("owners", type_=sa.ARRAY(sa.UUID))),
    sa.or_(
        memories.c.kind.in_(("instruction", "preference")),
        sa.and_(memories.c.kind == "semantic", memories.c.cardinality == "single"),
    ),
)
_ORDER = {"instruction": 0, "preference": 1, "semantic": 2}


def profile(
    engine: Engine,
    tenant: str,
    user: str | None,
    project: str | None = None,
    as_of: datetime | None = None,
    *,
    now: datetime,
    session: str | None = None,
    log: HandOuts | None = None,
) -> dict[str, Any]:
    """{"memories": [envelope…]}: instructions, preferences and single-valued facts that may be handed out, in this order.

    Raises InvalidInput (scope_missing) without user and project.
    """
    when = moment(as_of, now)
    owners = [part.owner for part in seen(tenant, user, project)]
    with tenant_transaction(engine, tenant) as connection:
        rows = connection.execute(_ALWAYS, {"tenant": tenant, "owners": owners}).all()
    codes = Dates.of(rows).codes(when, None)
    given = [row for row, code in zip(rows, codes, strict=True) if code == ELIGIBLE]
    given.sort(
        key=lambda row: (_ORDER[row.kind], not row.pinned, -row.importance, -row.observed_at.timestamp(), row.id)
    )
    if log is not None and given:
        log.note(tenant, [row.id for row in given], session, when)
    return {"memories": [envelope(row, state_at(row, when)).as_dict() for row in given]}
