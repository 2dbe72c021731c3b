"""Extraction: turns in, recorded proposals out. What is read, computed and written stands in three separate steps.

A turn is read with a window of the turns before it. When a turn arrives after later ones of its session, those are read
again, so that the order of arrival does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from lethe.ids import words_id
from lethe.lifecycle.intake import record_turn_decision
from lethe.lifecycle.proposing import Draft, draft_of, record
from lethe.records import Author, Reason, Turn
from lethe.rules import Rules
from lethe.store import barrier, due, work
from lethe.store.database import tenant_transaction

WINDOW = 4
WINDOW_CHARS = 2000


@dataclass(frozen=True, slots=True)
class Read:
    """A turn as stored, with its window (oldest first)."""

    id: UUID
    turn: Turn
    window: tuple[UUID, ...]
    before: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Extracted:
    """What one turn gave: proposals, or the reason why it gave none."""

    read: Read
    drafts: tuple[Draft, ...]
    refusal: Reason | None


def extract_turns(engine: Engine, claimed: work.Claim, rules: Rules, now: datetime) -> int:
    """Work off a claim of the extract stage; returns how many proposals were recorded."""
    read: dict[str, list[Read]] = {}
    for tenant in claimed.rows:
        with tenant_transaction(engine, tenant) as connection:
            read[tenant] = _read(connection, tenant, claimed.of(tenant))
    made = _extract([item for items in read.values() for item in items], rules)
    recorded = 0
    for tenant, items in read.items():
        with tenant_transaction(engine, tenant) as connection:
            recorded += _write(connection, tenant, [made[item.id] for item in items], claimed, rules, now)
    return recorded


def _extract(items: Sequence[Read], rules: Rules) -> dict[UUID, Extracted]:
    refused = {item.id: _refusal(item.turn, rules) for item in items}
    heard = [item for item in items if refused[item.id] is None]
    found = rules.extract([(item.turn, item.before) for item in heard])
    drafts = {
        item.id: tuple(
            draft_of(item.id, item.turn, rules.place(item.turn, candidate), candidate, ordinal, rules)
            for ordinal, candidate in enumerate(candidates)
        )
        for item, candidates in zip(heard, found, strict=True)
    }
    return {item.id: Extracted(item, drafts.get(item.id, ()), refused[item.id]) for item in items}


def _refusal(turn: Turn, rules: Rules) -> Reason | None:
    if (reason := rules.turn_refusal(turn)) is not None:
        return reason
    if turn.author is Author.USER and rules.unsupported_language(turn.text):
        return Reason.UNSUPPORTED_LANGUAGE
    return None


# --- reading ------------------------------------------------------------------------------------------------------


def _read(connection: Connection, tenant: str, ids: Sequence[UUID]) -> list[Read]:
    rows = connection.execute(_TURNS, {"tenant": tenant, "ids": list(ids)}).all()
    windows = _windows(connection, tenant, [row.id for row in rows])
    wanted = {other for window in windows.values() for other in window}
    texts = {
        row.id: _turn(tenant, row)
        for row in connection.execute(_SHORT_TURNS, {"tenant": tenant, "ids": list(wanted), "chars": WINDOW_CHARS})
    }
    return [
        Read(
            row.id,
            _turn(tenant, row),
            windows[row.id],
            tuple(texts[other] for other in windows[row.id] if other in texts),
        )
        for row in rows
    ]


_COLUMNS = (
    """id, session, turn, author, user_id, project, task, observed_at, observed_offset, verified, recalled, speaker"""
)
_TURNS = sa.text(f"select {_COLUMNS}, text from turns where tenant = :tenant and id = any(:ids) and text is not null")
_SHORT_TURNS = sa.text(
    f"select {_COLUMNS}, right(text, :chars) as text from turns where tenant = :tenant and id = any(:ids) and text is not null"
)


def _turn(tenant: str, row: Any) -> Turn:
    return Turn.model_construct(
        tenant=tenant,
        user=row.user_id,
        project=row.project,
        task=row.task,
        session=row.session,
        turn=row.turn,
        author=Author(row.author),
        text=row.text,
        observed_at=local(row.observed_at, row.observed_offset),
        verified=row.verified,
        recalled=list(row.recalled),
        speaker=row.speaker,
    )


def local(moment: datetime, offset: int) -> datetime:
    """An instant in the offset (seconds) that its producer sent."""
    return moment.astimezone(timezone(timedelta(seconds=offset)))


def _windows(connection: Connection, tenant: str, ids: Sequence[UUID]) -> dict[UUID, tuple[UUID, ...]]:
    """The turns before each of these in its session, oldest first."""
    found = connection.execute(_WINDOWS, {"tenant": tenant, "ids": list(ids), "window": WINDOW})
    return {row.id: tuple(reversed(row.ids or [])) for row in found}


_WINDOWS = sa.text("""
select t.id, (select array_agg(b.id) from (
    select p.id from turns p where p.tenant = t.tenant and p.session = t.session
      and (p.observed_at, p.turn) < (t.observed_at, t.turn) and p.observed_at <= t.observed_at
    order by p.observed_at desc, p.turn desc limit :window) b) as ids
from turns t where t.tenant = :tenant and t.id = any(:ids)
""")


# --- writing ------------------------------------------------------------------------------------------------------


def _write(
    connection: Connection, tenant: str, made: Sequence[Extracted], claimed: work.Claim, rules: Rules, now: datetime
) -> int:
    barrier.share(connection, tenant)
    alive = _lock(connection, tenant, [item.read.id for item in made])
    kept = [item for item in made if item.read.id in alive]
    keys = record(
        connection,
        tenant,
        [draft for item in kept for draft in item.drafts],
        [item.read.id for item in kept],
        rules,
        now,
    )
    for item in kept:
        if item.refusal is not None and not alive[item.read.id]:
            record_turn_decision(connection, tenant, item.read.turn, item.read.id, [item.refusal], rules.version, now)
    connection.execute(
        _EXTRACTED,
        {
            "tenant": tenant,
            "ids": [item.read.id for item in kept],
            "windows": [_array(item.read.window) for item in kept],
            "extractor": rules.extractor,
            "now": now,
        },
    )
    due.mark(connection, tenant, {due.TEXT: claimed.since}, now)
    work.enqueue(connection, work.GATE, tenant, keys, now, claimed.since)
    work.enqueue(
        connection,
        work.EXTRACT,
        tenant,
        _overtaken(connection, tenant, [item.read.id for item in kept]),
        now,
        claimed.since,
    )
    work.finish(connection, claimed, tenant, now)
    return sum(len(item.drafts) for item in kept)


def _lock(connection: Connection, tenant: str, ids: Sequence[UUID]) -> dict[UUID, bool]:
    """Which of the turns still stand (a deletion may have come first), and whether they were extracted before."""
    rows = connection.execute(
        sa.text(
            "select id, extracted_at is not null as before from turns where tenant = :tenant and id = any(:ids) and text is not null"
            " order by id for update"
        ),
        {"tenant": tenant, "ids": list(ids)},
    )
    return {row.id: row.before for row in rows}


def _array(ids: Iterable[UUID]) -> str:
    return "{" + ",".join(map(str, ids)) + "}"


_EXTRACTED = sa.text("""
update turns set extractor = :extractor, extracted_at = :now, window_seen = cast(given.seen as uuid[])
from unnest(cast(:ids as uuid[]), cast(:windows as text[])) as given(id, seen)
where turns.tenant = :tenant and turns.id = given.id
""")


def _overtaken(connection: Connection, tenant: str, ids: Sequence[UUID]) -> list[UUID]:
    """Turns whose window, as it stands now, is not the one that they were read with: these or ones soon after them."""
    later = [row.id for row in connection.execute(_LATER, {"tenant": tenant, "ids": list(ids), "window": WINDOW})]
    suspects = list({*ids, *later})
    now_seen = _windows(connection, tenant, suspects)
    seen = connection.execute(
        sa.text(
            "select id, window_seen from turns where tenant = :tenant and id = any(:ids) and window_seen is not null"
        ),
        {"tenant": tenant, "ids": suspects},
    )
    return [row.id for row in seen if tuple(row.window_seen) != now_seen[row.id]]


_LATER = sa.text("""
select distinct n.id from turns t cross join lateral (
    select p.id from turns p where p.tenant = t.tenant and p.session = t.session
      and (p.observed_at, p.turn) > (t.observed_at, t.turn) and p.observed_at >= t.observed_at
    order by p.observed_at, p.turn limit :window) n
where t.tenant = :tenant and t.id = any(:ids)
""")


def words_of(text: str) -> UUID:
    """The id of a wording, for telling a pasted repeat from a statement made anew."""
    return words_id(text)
