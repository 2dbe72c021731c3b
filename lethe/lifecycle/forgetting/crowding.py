"""Users above the cap, found when they grow: the cap costs nothing where nobody is above it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lethe.rules import Rules
from lethe.store import due


def mark_crowded(connection: Connection, tenant: str, owners: Sequence[UUID], rules: Rules, now: datetime) -> None:
    """Mark the users behind these owner scopes that hold more than the cap over all of their scopes."""
    if not owners:
        return
    named = {"tenant": tenant, "owners": list(owners), "cap": rules.forgetting.per_user}
    for row in connection.execute(_CROWDED, named):
        due.mark(connection, tenant, {due.EVICT: now}, now, item=row.owner)


def mark_every_crowded(connection: Connection, tenant: str, rules: Rules, now: datetime) -> None:
    """Mark every user of a tenant who holds more than the cap: after a change of policy, which may have lowered it."""
    named = {"tenant": tenant, "cap": rules.forgetting.per_user}
    for row in connection.execute(_EVERY_CROWDED, named):
        due.mark(connection, tenant, {due.EVICT: now}, now, item=row.owner)


# A user is named by the first of its owner scopes: marks hold no names of users.
_CROWDED = sa.text("""
select (array_agg(owner order by owner))[1] as owner from owners where tenant = :tenant and user_id in (
  select user_id from owners where tenant = :tenant and owner = any(cast(:owners as uuid[])) and user_id is not null)
group by user_id having sum(memories) > :cap order by 1
""")
_EVERY_CROWDED = sa.text("""
select (array_agg(owner order by owner))[1] as owner from owners where tenant = :tenant and user_id is not null
group by user_id having sum(memories) > :cap order by 1
""")
