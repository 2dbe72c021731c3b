"""What people and tools list: memories, decisions, held proposals, open reviews, and one memory with its history."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine, Row

from lethe.errors import NotFound
from lethe.ids import parsed, shown
from lethe.lifecycle.consolidation.standing_behind import bottom
from lethe.lifecycle.deletion.receipts import tell_if_deleted
from lethe.recall.asking import question
from lethe.recall.envelopes import VISIBLE, by_ids, envelope
from lethe.store.database import tenant_transaction
from lethe.store.tables import decisions as decisions_table
from lethe.store.tables import events, evidence, lineage, proposals, turns
from lethe.store.tables import memories as memories_table
from lethe.store.tables import reviews as reviews_table

CURRENT = ("admitted", "reinforced")
REFUSED_AS_SECRET = ("secret", "sensitive_identifier")
EXCERPT = 200

Document = dict[str, Any]


def memories(
    engine: Engine,
    tenant: str,
    user: str | None = None,
    project: str | None = None,
    kind: str | None = None,
    states: Sequence[str] = (),
    every: bool = False,
) -> Document:
    """{"memories": [envelope…]} by time of observation; current ones unless `states` or `every` widens it.

    A user alone lists all of the user's rows, a project alone all of the project's; both together what counts for that user in
    that project. The state is the stored one.
    """
    table = memories_table.c
    query = VISIBLE.where(table.tenant == tenant, *_within(table, user, project))
    if kind is not None:
        query = query.where(table.kind == kind)
    if not every:
        query = query.where(table.state.in_(list(states) or CURRENT))
    with tenant_transaction(engine, tenant) as connection:
        rows = connection.execute(query.order_by(table.observed_at, table.id)).all()
    return {"memories": [envelope(row).as_dict() for row in rows]}


def decisions(
    engine: Engine,
    tenant: str,
    user: str | None = None,
    project: str | None = None,
    turn: str | None = None,
    outcome: str | None = None,
) -> Document:
    """{"decisions": […]} in the order in which they were made; `claim` is None where there is no text or it is a secret's."""
    table = decisions_table.c
    query = _decided().where(table.tenant == tenant, *_within(table, user, project))
    if turn is not None:
        query = query.where(table.turn == turn)
    if outcome is not None:
        query = query.where(table.outcome == outcome)
    with tenant_transaction(engine, tenant) as connection:
        rows = connection.execute(
            query.order_by(table.decided_at, proposals.c.observed_at, proposals.c.ordinal, table.id)
        ).all()
    return {"decisions": [_decision(row) for row in rows]}


def held(engine: Engine, tenant: str, user: str | None = None, project: str | None = None) -> Document:
    """{"held": […]}: proposals that wait, each with the sentence to ask about it."""
    table = decisions_table.c
    query = _decided().where(
        table.tenant == tenant, table.outcome == "hold", table.proposal.is_not(None), *_within(table, user, project)
    )
    with tenant_transaction(engine, tenant) as connection:
        rows = connection.execute(query.order_by(table.decided_at, proposals.c.observed_at, proposals.c.ordinal)).all()
    return {
        "held": [
            {
                "held": shown("prop", row.proposal),
                "turn": row.turn,
                "session": row.session,
                "kind": row.kind,
                "claim": row.claim,
                "reasons": list(row.reasons),
                "held_at": row.decided_at.isoformat(),
                "ask": question(row.claim),
            }
            for row in rows
            if row.claim
        ]
    }


def reviews(engine: Engine, tenant: str, user: str | None = None, project: str | None = None) -> Document:
    """{"reviews": […]}: what waits for somebody to decide, oldest first, with the claims that stand against each other."""
    table = reviews_table.c
    query = sa.select(reviews_table).where(table.tenant == tenant, table.resolved_at.is_(None))
    with tenant_transaction(engine, tenant) as connection:
        rows = connection.execute(query.order_by(table.opened_at, table.id)).all()
        named = by_ids(connection, tenant, list({name for row in rows for name in row.memories}))
    wanted = [row for row in rows if any(_counts(named.get(name), user, project) for name in row.memories)]
    return {"reviews": [_review(row, named) for row in wanted]}


def why(engine: Engine, tenant: str, memory: str) -> Document:
    """{"memory", "evidence", "history", "derived_from", "derived"} of one memory; a merged one rests on all the turns of what
    it was merged from, through every level. Raises NotFound."""
    name = parsed("mem", memory)
    with tenant_transaction(engine, tenant) as connection:
        row = by_ids(connection, tenant, [name]).get(name)
        if row is None:
            tell_if_deleted(connection, tenant, name)
            raise NotFound(f"there is no memory {memory} in tenant {tenant!r}")
        outputs = connection.execute(
            sa.select(lineage.c.output)
            .where(lineage.c.tenant == tenant, lineage.c.input == name)
            .order_by(lineage.c.output)
        ).scalars()
        found = envelope(row)
        return {
            "memory": found.as_dict(),
            "evidence": _evidence(connection, tenant, name),
            "history": _history(connection, tenant, name),
            "derived_from": found.derived_from,
            "derived": [shown("mem", output) for output in outputs],
        }


# --- parts --------------------------------------------------------------------------------------------------------


def _within(table: Any, user: str | None, project: str | None) -> list[sa.ColumnElement[bool]]:
    if user is not None and project is not None:
        own = sa.and_(table.user_id == user, sa.or_(table.project.is_(None), table.project == project))
        return [sa.or_(own, sa.and_(table.user_id.is_(None), table.project == project))]
    if user is not None:
        return [table.user_id == user]
    return [table.project == project] if project is not None else []


def _counts(row: Row[Any] | None, user: str | None, project: str | None) -> bool:
    if row is None:
        return False
    if user is not None and project is not None:
        return (row.user_id == user and row.project in (None, project)) or (
            row.user_id is None and row.project == project
        )
    if user is not None:
        return bool(row.user_id == user)
    return project is None or bool(row.project == project)


def _decided() -> sa.Select[Any]:
    joined = decisions_table.outerjoin(
        proposals,
        sa.and_(proposals.c.tenant == decisions_table.c.tenant, proposals.c.id == decisions_table.c.proposal),
    )
    return sa.select(decisions_table, proposals.c.claim).select_from(joined)


def _decision(row: Row[Any]) -> Document:
    kept_from = any(reason in REFUSED_AS_SECRET for reason in row.reasons)
    return {
        "proposal": shown("prop", row.proposal) if row.proposal else None,
        "turn": row.turn,
        "session": row.session,
        "kind": row.kind,
        "claim": None if kept_from else row.claim or None,
        "outcome": row.outcome,
        "reasons": list(row.reasons),
        "policy": row.policy,
        "memory": shown("mem", row.memory) if row.memory else None,
        "decided_at": row.decided_at.isoformat(),
    }


def _review(row: Row[Any], named: dict[UUID, Row[Any]]) -> Document:
    there = [named[name] for name in row.memories if name in named]
    return {
        "review": shown("rev", row.id),
        "memories": [shown("mem", name) for name in row.memories],
        "reason": row.reason,
        "opened_at": row.opened_at.isoformat(),
        "choices": [
            {
                "memory": shown("mem", memory.id),
                "claim": memory.claim,
                "turn": memory.source_turn,
                "observed_at": _said_at(memory).isoformat(),
                "basis": memory.basis,
                "confidence": memory.confidence,
            }
            for memory in there
        ],
    }


_EVIDENCE = (
    sa.select(
        turns.c.turn,
        turns.c.session,
        turns.c.author,
        turns.c.observed_at,
        turns.c.observed_offset,
        turns.c.text,
        evidence.c.role,
        evidence.c.independent,
        proposals.c.object,
    )
    .select_from(
        evidence.join(turns, sa.and_(turns.c.tenant == evidence.c.tenant, turns.c.id == evidence.c.turn_id)).join(
            proposals, sa.and_(proposals.c.tenant == evidence.c.tenant, proposals.c.id == evidence.c.proposal)
        )
    )
    .where(
        evidence.c.tenant == sa.bindparam("tenant"),
        evidence.c.memory == sa.any_(sa.bindparam("memories", type_=sa.ARRAY(sa.UUID))),
    )
    .order_by(turns.c.observed_at, turns.c.turn, proposals.c.ordinal)
)


def _evidence(connection: Connection, tenant: str, memory: UUID) -> list[Document]:
    return [
        {
            "turn": row.turn,
            "session": row.session,
            "author": row.author,
            "observed_at": _said_at(row).isoformat(),
            "role": row.role,
            "independent": row.independent,
            "excerpt": excerpt(row.text, row.object),
        }
        for row in connection.execute(_EVIDENCE, {"tenant": tenant, "memories": _behind(connection, tenant, memory)})
    ]


def _behind(connection: Connection, tenant: str, memory: UUID) -> list[UUID]:
    return list({memory, *(row.id for row in bottom(connection, tenant, [memory]))})


def _history(connection: Connection, tenant: str, memory: UUID) -> list[Document]:
    query = (
        sa.select(events)
        .where(events.c.tenant == tenant, events.c.subject == memory)
        .order_by(events.c.at, events.c.id)
    )
    return [
        {
            "at": row.at.isoformat(),
            "change": row.change,
            "reason": row.reason,
            "actor": row.actor,
            "policy": row.policy,
            "detail": row.detail,
        }
        for row in connection.execute(query)
    ]


def excerpt(text: str | None, around: str) -> str | None:
    """About `EXCERPT` characters of a turn around a word of it; None where the raw text has been purged."""
    if text is None:
        return None
    plain = " ".join(text.split())
    if len(plain) <= EXCERPT:
        return plain
    found = max(0, plain.casefold().find(" ".join(around.split()).casefold()))
    start = max(0, min(found + len(around) // 2 - EXCERPT // 2, len(plain) - EXCERPT))
    end = min(len(plain), start + EXCERPT)
    return ("…" if start else "") + plain[start:end].strip() + ("…" if end < len(plain) else "")


def _said_at(row: Any) -> datetime:
    moment: datetime = row.observed_at
    return moment.astimezone(timezone(timedelta(seconds=row.observed_offset)))
