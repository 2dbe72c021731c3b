"""Receipts: what was asked, when each step was done, what was found in each store, and what is not covered."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from lethe.errors import LetheError, NotFound
from lethe.ids import parsed, shown
from lethe.store.database import tenant_transaction, transaction

STORES = (
    "turns", "excerpts", "proposals", "decisions", "memories", "evidence", "vectors", "derived", "lineage", "consolidations", "reviews", "events",
    "handouts", "owners", "work", "statistics", "queues and caches", "logs",
)  # fmt: skip

Receipt = dict[str, Any]


class Deleted(LetheError):
    """What was asked for was deleted on request."""

    code = "deleted"
    hint = "`lethe receipt DELETION --tenant T` shows what was done; what was deleted cannot be shown."


def receipt(engine: Engine, tenant: str, deletion: str, now: datetime) -> Receipt:
    """The receipt so far. Raises NotFound."""
    name = parsed("del", deletion)
    with tenant_transaction(engine, tenant) as connection:
        row = row_of(connection, tenant, name)
    if row is None:
        raise NotFound(
            f"there is no deletion {deletion} in tenant {tenant!r}", hint="`lethe receipts --tenant T` lists them."
        )
    return shape(row, now)


def receipts(engine: Engine, tenant: str, now: datetime) -> dict[str, list[Receipt]]:
    """{"receipts": […]} of a tenant, oldest first."""
    with tenant_transaction(engine, tenant) as connection:
        rows = connection.execute(_ALL, {"tenant": tenant}).all()
    return {"receipts": [shape(row, now) for row in rows]}


_COLUMNS = """tenant, id, what, reason, state, requested_at, invisible_at, erased_at, verified_at, due_at, policy, erased,
 attempts, not_covered, words, phrases, receipt"""
_ALL = sa.text(f"select {_COLUMNS} from deletions where tenant = :tenant order by requested_at, id")
_ONE = sa.text(f"select {_COLUMNS} from deletions where tenant = :tenant and id = :id")


def row_of(connection: Connection, tenant: str, deletion: UUID) -> Any | None:
    """The row of a deletion, if there is one."""
    return connection.execute(_ONE, {"tenant": tenant, "id": deletion}).first()


def shape(row: Any, now: datetime) -> Receipt:
    """The receipt of a row: the signed one once it is verified, else the state of things."""
    if row.receipt is not None:
        return dict(row.receipt)
    overdue = row.state != "verified" and now > row.due_at
    return {**content(row, {}, None, row.not_covered), "state": "overdue" if overdue else row.state, "signature": None}


def content(
    row: Any, remaining: Mapping[str, int], checked_at: datetime | None, not_covered: Sequence[Mapping[str, str]]
) -> Receipt:
    """What a receipt says, without its signature."""
    return {
        "deletion": shown("del", row.id),
        "what": row.what,
        "reason": row.reason,
        "state": row.state,
        "requested_at": row.requested_at.isoformat(),
        "invisible_at": row.invisible_at.isoformat(),
        "erased_at": _iso(row.erased_at),
        "verified_at": _iso(row.verified_at),
        "due_at": row.due_at.isoformat(),
        "policy": row.policy,
        "stores": [
            {
                "store": store,
                "erased": row.erased.get(store, 0),
                "remaining": remaining.get(store, 0) if checked_at else None,
                "checked_at": _iso(checked_at),
            }
            for store in STORES
        ],
        "not_covered": [dict(item) for item in not_covered],
        "attempts": row.attempts,
    }


def backups(requested_at: datetime, kept_days: int, now: datetime) -> list[dict[str, str]]:
    """Backups are named until the last one from before the request is rotated."""
    until = requested_at + timedelta(days=kept_days)
    if until <= now:
        return []
    why = f"copies made before the request hold it until they are rotated ({until:%Y-%m-%d} by policy); replay the ledger after a restore"
    return [{"store": "backups", "why": why, "until": until.isoformat()}]


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


# --- steps --------------------------------------------------------------------------------------------------------


def set_erased(
    connection: Connection, tenant: str, deletion: UUID, at: datetime, not_covered: Sequence[Mapping[str, str]]
) -> None:
    """The eraser is done with it."""
    connection.execute(
        sa.text("""update deletions set state = 'erased', erased_at = :at, not_covered = cast(:left as jsonb)
        where tenant = :tenant and id = :id and state <> 'verified'"""),
        {"tenant": tenant, "id": deletion, "at": at, "left": json.dumps(list(not_covered))},
    )


def add_attempt(connection: Connection, tenant: str, deletion: UUID, at: datetime, step: str, failure: str) -> None:
    """A step that did not succeed, with its class of failure."""
    attempt = json.dumps([{"at": at.isoformat(), "step": step, "failure": failure}])
    connection.execute(
        sa.text("""update deletions set attempts = attempts || cast(:attempt as jsonb)
        where tenant = :tenant and id = :id and jsonb_array_length(attempts) < 100"""),
        {"tenant": tenant, "id": deletion, "attempt": attempt},
    )


def tried(connection: Connection, tenant: str, deletions: Sequence[UUID]) -> list[UUID]:
    """Those of these at which an attempt has failed."""
    found = sa.text("select id from deletions where tenant = :tenant and id = any(:ids) and attempts <> '[]'")
    return list(connection.execute(found, {"tenant": tenant, "ids": list(deletions)}).scalars())


def stores_of(connection: Connection, tenant: str, deletions: Sequence[UUID]) -> set[str]:
    """The stores in which these found something to erase."""
    found = sa.text(
        """select distinct jsonb_object_keys(erased) from deletions where tenant = :tenant and id = any(:ids)"""
    )
    return set(connection.execute(found, {"tenant": tenant, "ids": list(deletions)}).scalars())


def close(connection: Connection, tenant: str, deletion: UUID, at: datetime, signed: Receipt) -> None:
    """It is verified: the receipt stays, what was needed to look goes."""
    named = {"tenant": tenant, "id": deletion, "at": at, "receipt": json.dumps(signed)}
    connection.execute(_CLOSE, named)
    connection.execute(
        sa.text("delete from deletion_marks where tenant = :tenant and deletion = :id and sort <> 'memory'"), named
    )
    connection.execute(sa.text("update ledger set verified_at = :at where tenant = :tenant and deletion = :id"), named)


_CLOSE = sa.text("""
update deletions set state = 'verified', verified_at = :at, receipt = cast(:receipt as jsonb), words = null, phrases = null
where tenant = :tenant and id = :id
""")


# --- looking ------------------------------------------------------------------------------------------------------


def tell_if_deleted(connection: Connection, tenant: str, memory: UUID) -> None:
    """Raises Deleted where this memory went with a deletion."""
    row = connection.execute(_DELETED, {"tenant": tenant, "memory": memory}).first()
    if row is not None:
        raise Deleted(
            f"Memory {shown('mem', memory)} was deleted at {row.invisible_at.isoformat()} "
            f"(deletion {shown('del', row.id)}, reason: {row.reason})."
        )


_DELETED = sa.text("""
select d.id, d.invisible_at, d.reason from deletion_marks m join deletions d on d.tenant = m.tenant and d.id = m.deletion
where m.tenant = :tenant and m.sort = 'memory' and m.refs @> array[cast(:memory as uuid)] order by d.requested_at limit 1
""")


def overview(engine: Engine, now: datetime) -> dict[str, int]:
    """{"open", "overdue", "verified"} over all tenants."""
    with transaction(engine) as connection:
        row = connection.execute(_OVERVIEW, {"now": now}).one()
    return {"open": row.open, "overdue": row.overdue, "verified": row.verified}


_OVERVIEW = sa.text("""
select count(*) filter (where verified_at is null) as open,
       count(*) filter (where verified_at is null and due_at < :now) as overdue,
       count(*) filter (where verified_at is not null) as verified from ledger
""")
