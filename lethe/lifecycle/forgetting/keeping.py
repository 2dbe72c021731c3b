"""What people and agents say about a memory's keeping: restore it, pin it, let it go again, and whether it helped."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from lethe.errors import LetheError, NotFound
from lethe.ids import parsed
from lethe.lifecycle.consolidation import marking
from lethe.lifecycle.forgetting import dates
from lethe.lifecycle.forgetting.crowding import mark_crowded
from lethe.lifecycle.forgetting.reviewing import settle_reviews
from lethe.recall.envelopes import by_ids, envelope
from lethe.records import Mark
from lethe.rules import Rules
from lethe.store import due
from lethe.store.database import tenant_transaction

ACTOR = "person"


class NotArchived(LetheError):
    """Only what is archived can be restored."""

    code = "not_archived"
    hint = "`lethe why MEMORY --tenant T` tells what became of it."


class NotInForce(LetheError):
    """What was replaced, withdrawn or retired is no longer handed out, pinned or not."""

    code = "not_in_force"
    hint = "An archived memory comes back with `lethe restore MEMORY --tenant T`."


def restore(engine: Engine, tenant: str, memory: str, rules: Rules, now: datetime) -> dict[str, Any]:
    """Bring an archived memory back, as strong as if it were said today; returns its envelope. Raises NotFound, NotArchived."""
    with tenant_transaction(engine, tenant) as connection:
        row = _locked(connection, tenant, memory)
        if row.standing != "current" or row.retired_as != "archived":
            raise NotArchived(f"{memory} is {row.state}, not archived.")
        found = dates.computed(row, rules, touched_at=now)
        if found.expires_at is not None and found.expires_at <= now:
            raise NotArchived(f"{memory} would expire at once: its time ended at {found.expires_at.isoformat()}.")
        connection.execute(_RESTORE, {"tenant": tenant, "id": row.id})
        dates.write(connection, tenant, {row.id: found}, now, {row.id: now})
        marking.mark(connection, tenant, {row.id: row.owner}, now)
        _changed(connection, tenant, row, "restored", "by_request", rules, now, grown=1)
        mark_crowded(connection, tenant, [row.owner], rules, now)
        return _envelope(connection, tenant, row.id)


_RESTORE = sa.text("""
update memories set retired_as = null, retired_at = null, stale_since = null where tenant = :tenant and id = :id
""")


def pin(
    engine: Engine, tenant: str, memory: str, rules: Rules, now: datetime, *, pinned: bool = True
) -> dict[str, Any]:
    """Pin a memory, or let it go: what is pinned neither fades nor ends by its kind, and is evicted last. Returns the
    envelope. Raises NotFound, NotInForce."""
    with tenant_transaction(engine, tenant) as connection:
        row = _in_force(connection, tenant, memory)
        if row.pinned != pinned:
            connection.execute(
                sa.text("update memories set pinned = :pinned where tenant = :tenant and id = :id"),
                {"tenant": tenant, "id": row.id, "pinned": pinned},
            )
            dates.write(connection, tenant, {row.id: dates.computed(row, rules, pinned=pinned)}, now)
            _changed(connection, tenant, row, "pinned" if pinned else "unpinned", "by_request", rules, now)
        return _envelope(connection, tenant, row.id)


def feedback(engine: Engine, tenant: str, memory: str, mark: Mark, rules: Rules, now: datetime) -> dict[str, Any]:
    """Take down how a hand-out served. Useful: a use, and what was marked before is forgiven. Wrong or outdated again and
    again: due for review, sooner where it matches ever better. Returns the envelope. Raises NotFound, NotInForce."""
    with tenant_transaction(engine, tenant) as connection:
        row = _in_force(connection, tenant, memory)
        if mark is Mark.USEFUL:
            connection.execute(_HELPED, {"tenant": tenant, "id": row.id})
            found = dates.computed(row, rules, touched_at=max(row.touched_at, now), uses=row.uses + 1)
            dates.write(connection, tenant, {row.id: found}, now, {row.id: now})
        else:
            limit = rules.forgetting.unhelpful
            marks = 2 if row.unhelpful and _matches_better(connection, tenant, row.id) else 1
            named = {"tenant": tenant, "id": row.id, "limit": limit, "marks": marks, "now": now}
            connection.execute(_DID_NOT, named)
            due.mark(connection, tenant, {due.REVIEW: now if row.unhelpful + marks >= limit else None}, now)
        _changed(connection, tenant, row, "feedback", mark.value, rules, now)
        return _envelope(connection, tenant, row.id)


_HELPED = sa.text("update memories set uses = uses + 1, unhelpful = 0 where tenant = :tenant and id = :id")
_DID_NOT = sa.text("""
update memories set unhelpful = unhelpful + :marks,
  review_after = case when unhelpful + :marks >= :limit then least(review_after, :now) else review_after end
where tenant = :tenant and id = :id
""")


def _matches_better(connection: Connection, tenant: str, memory: UUID) -> bool:
    """Was it handed out last with a higher score than before on the whole?"""
    return bool(connection.execute(_RISES, {"tenant": tenant, "id": memory}).scalar())


_RISES = sa.text("""
with scored as (
  select score, row_number() over (order by at desc, id desc) as place from handouts
  where tenant = :tenant and memory = :id and score is not null and not past)
select (select score from scored where place = 1) > (select avg(score) from scored where place > 1)
""")


def revalidate(connection: Connection, tenant: str, ids: list[UUID], rules: Rules, now: datetime) -> None:
    """Somebody looked at these memories and keeps them: no longer stale, and not up for review until its days are over again."""
    rows = dates.rows(connection, tenant, ids)
    found = {row.id: dates.computed(row, rules, touched_at=now, kept_at=now) for row in rows}
    connection.execute(
        sa.text(
            "update memories set stale_since = null, unhelpful = 0, kept_at = :now"
            " where tenant = :tenant and id = any(cast(:ids as uuid[]))"
        ),
        {"tenant": tenant, "ids": list(found), "now": now},
    )
    dates.write(connection, tenant, found, now, dict.fromkeys(found, now))
    marking.mark(connection, tenant, {row.id: row.owner for row in rows if row.stale_since is not None}, now)
    settle_reviews(connection, tenant, list(found), "kept", now)


def _locked(connection: Connection, tenant: str, memory: str) -> Any:
    rows = dates.rows(connection, tenant, [parsed("mem", memory)])
    if not rows:
        raise NotFound(f"there is no memory {memory} in tenant {tenant!r}")
    return rows[0]


def _in_force(connection: Connection, tenant: str, memory: str) -> Any:
    row = _locked(connection, tenant, memory)
    if row.standing != "current" or row.retired_as is not None:
        raise NotInForce(f"{memory} is {row.state}.")
    return row


def _changed(
    connection: Connection, tenant: str, row: Any, change: str, reason: str, rules: Rules, now: datetime, grown: int = 0
) -> None:
    named = {"tenant": tenant, "id": row.id, "owner": row.owner, "now": now, "grown": grown}
    connection.execute(_CHANGED, named)
    connection.execute(_REVISION, named)
    connection.execute(_EVENT, {**named, "change": change, "reason": reason, "actor": ACTOR, "policy": rules.version})


_CHANGED = sa.text("update memories set changed_at = :now, version = version + 1 where tenant = :tenant and id = :id")
_REVISION = sa.text("""
update owners set revision = revision + 1, memories = memories + :grown where tenant = :tenant and owner = :owner
""")
_EVENT = sa.text("""
insert into events (tenant, at, subject, change, reason, actor, policy) values (:tenant, :now, :id, :change, :reason, :actor, :policy)
""")


def _envelope(connection: Connection, tenant: str, memory: UUID) -> dict[str, Any]:
    return envelope(by_ids(connection, tenant, [memory])[memory]).as_dict()
