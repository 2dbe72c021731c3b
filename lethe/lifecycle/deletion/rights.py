"""What is kept about a person, for that person: memories with sources and reasons, what was refused or waits, raw turns."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from lethe.errors import NotFound
from lethe.ids import shown
from lethe.lifecycle.deletion.receipts import shape
from lethe.recall import reading
from lethe.store.database import tenant_transaction

Document = dict[str, Any]


def about(engine: Engine, tenant: str, user: str, now: datetime) -> Document:
    """{"tenant", "user", "exported_at", "memories": [{"memory", "evidence", "history", …}], "held", "decisions", "reviews",
    "turns", "handed_out", "deletions"}. Raises NotFound where nothing is kept of that user."""
    memories = reading.memories(engine, tenant, user, every=True)["memories"]
    with tenant_transaction(engine, tenant) as connection:
        turns = _turns(connection, tenant, user)
        handed_out = _handed_out(connection, tenant, user)
        deletions = _deletions(connection, tenant, user, now)
    if not (memories or turns or deletions):
        raise NotFound(
            f"nothing is kept of user {user!r} in tenant {tenant!r}",
            hint="Check the name; it is taken as it is written.",
        )
    return {
        "tenant": tenant,
        "user": user,
        "exported_at": now.isoformat(),
        "memories": [reading.why(engine, tenant, each["memory"]) for each in memories],
        "held": reading.held(engine, tenant, user)["held"],
        "decisions": reading.decisions(engine, tenant, user)["decisions"],
        "reviews": reading.reviews(engine, tenant, user)["reviews"],
        "turns": turns,
        "handed_out": handed_out,
        "deletions": deletions,
    }


def _turns(connection: Connection, tenant: str, user: str) -> list[Document]:
    return [
        {
            "session": row.session,
            "turn": row.turn,
            "author": row.author,
            "observed_at": _local(row.observed_at, row.observed_offset),
            "received_at": row.received_at.isoformat(),
            "project": row.project,
            "text": row.text,
            "redacted": row.redacted,
        }
        for row in connection.execute(_TURNS, {"tenant": tenant, "user": user})
    ]


_TURNS = sa.text("""
select session, turn, author, observed_at, observed_offset, received_at, project, text, redacted from turns
where tenant = :tenant and user_id = :user order by observed_at, session, turn
""")


def _handed_out(connection: Connection, tenant: str, user: str) -> list[Document]:
    rows = connection.execute(_HANDED_OUT, {"tenant": tenant, "user": user})
    return [{"memory": shown("mem", row.memory), "at": row.at.isoformat(), "session": row.session} for row in rows]


_HANDED_OUT = sa.text("""
select h.memory, h.at, h.session from handouts h join memories m on m.tenant = h.tenant and m.id = h.memory
where h.tenant = :tenant and m.user_id = :user order by h.at, h.id
""")


def _deletions(connection: Connection, tenant: str, user: str, now: datetime) -> list[Document]:
    rows = connection.execute(_DELETIONS, {"tenant": tenant, "user": user})
    return [shape(row, now) for row in rows]


_DELETIONS = sa.text("""
select * from deletions where tenant = :tenant and what ->> 'user' = :user order by requested_at
""")


def _local(moment: datetime, offset: int) -> str:
    return moment.astimezone(timezone(timedelta(seconds=offset))).isoformat()
