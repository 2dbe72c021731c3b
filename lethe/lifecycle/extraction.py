"""Extraction: turns in, recorded proposals out. What is read, computed and written stands in three separate steps.

A turn is read with a window of the turns before it. When a turn arrives after later ones of its session, those are read
again, so that the order of arrival does not matter.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from lethe import log
from lethe.errors import NotExtracted
from lethe.lifecycle import rescreening
from lethe.lifecycle.intake import record_turn_decisions
from lethe.lifecycle.proposing import Draft, draft_of, record
from lethe.records import Author, Reason, Turn
from lethe.rules import Rules
from lethe.store import barrier, due, work
from lethe.store.database import tenant_transaction

WINDOW = 4
WINDOW_CHARS = 2000
WAIT = 5.0  # seconds, where an extractor that is away does not say how long


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


def extract_turns(
    engine: Engine, claimed: work.Claim, rules: Rules, now: datetime, *, seconds: float = math.inf
) -> int:
    """Work off a claim of the extract stage; returns how many proposals were recorded.

    Each of the extractor's batches is written by itself. What it fails at goes back to the queue by itself, and so does what
    was not begun within so many `seconds`.
    """
    items: list[Read] = []
    for tenant in claimed.rows:
        with tenant_transaction(engine, tenant) as connection:
            items += _read(connection, tenant, claimed.of(tenant))
    refused = {
        item.id: reason for item in items if (reason := _refusal(item.turn, rules.of(item.turn.tenant))) is not None
    }
    heard = [item for item in items if item.id not in refused]
    made = [Extracted(item, (), refused[item.id]) for item in items if item.id in refused]
    silent = {row for tenant in claimed.rows for row in claimed.of(tenant)} - {item.id for item in heard}
    _record(engine, made, claimed.part(silent), rules, now)
    recorded, began = 0, time.monotonic()
    for ruling, batch in _batches(heard, rules):
        part = claimed.part({item.id for item in batch})
        passed = time.monotonic() - began
        try:
            if passed > seconds:
                work.put_back(engine, part, None, now)
                continue
            recorded += _record(engine, _extract(batch, ruling), part, rules, now)
        except NotExtracted as fault:
            _give_back(engine, part, fault, now + timedelta(seconds=time.monotonic() - began))
    return recorded


def _batches(heard: Sequence[Read], rules: Rules) -> Iterator[tuple[Rules, list[Read]]]:
    """The extractor's batches; tenants with rules of their own are read under these."""
    apart: dict[str, list[Read]] = {}
    for item in heard:
        apart.setdefault(item.turn.tenant if item.turn.tenant in rules.own else "", []).append(item)
    for tenant, items in apart.items():
        ruling = rules.of(tenant)
        for positions in ruling.batches([(item.turn, item.before) for item in items]):
            yield ruling, [items[position] for position in positions]


def _record(engine: Engine, made: Sequence[Extracted], part: work.Claim, rules: Rules, now: datetime) -> int:
    recorded = 0
    for tenant in part.rows:
        with tenant_transaction(engine, tenant) as connection:
            mine = [item for item in made if item.read.turn.tenant == tenant]
            recorded += _write(connection, tenant, mine, part, rules.of(tenant), now)
    return recorded


def _give_back(engine: Engine, part: work.Claim, fault: NotExtracted, now: datetime) -> None:
    if fault.waits:
        due_at = now + timedelta(seconds=WAIT if fault.after is None else fault.after)
        work.put_back(engine, part, fault.code, due_at)
    else:
        work.fail(engine, part, fault.code, now)
    log.get().warning(
        "turns.not_extracted", failure=fault.code, waits=fault.waits, rows=sum(map(len, part.rows.values()))
    )


def _extract(items: Sequence[Read], rules: Rules) -> list[Extracted]:
    found = rules.extract([(item.turn, item.before) for item in items])
    return [
        Extracted(
            item,
            tuple(
                draft_of(item.id, item.turn, rules.place(item.turn, candidate), candidate, ordinal, rules)
                for ordinal, candidate in enumerate(candidates)
            ),
            None,
        )
        for item, candidates in zip(items, found, strict=True)
    ]


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
        if row.id in windows  # else it was deleted between the two statements
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
    fresh = [item.read.id for item in kept if not alive[item.read.id]]
    recalling = [item.read.id for item in kept if not alive[item.read.id] and item.read.turn.recalled]
    rescreening.after_recalls(connection, tenant, recalling, now)
    rescreening.beside(connection, tenant, _later(connection, tenant, fresh), now)
    refused = [
        (item.read.turn, item.read.id, [item.refusal])
        for item in kept
        if item.refusal is not None and not alive[item.read.id]
    ]
    record_turn_decisions(connection, tenant, refused, rules.version, now)
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
where turns.tenant = :tenant and turns.id = any(cast(:ids as uuid[])) and turns.id = given.id
""")


def _overtaken(connection: Connection, tenant: str, ids: Sequence[UUID]) -> list[UUID]:
    """Turns whose window, as it stands now, is not the one that they were read with: these or ones soon after them."""
    suspects = list({*ids, *_later(connection, tenant, ids)})
    now_seen = _windows(connection, tenant, suspects)
    seen = connection.execute(
        sa.text(
            "select id, window_seen from turns where tenant = :tenant and id = any(:ids) and window_seen is not null"
        ),
        {"tenant": tenant, "ids": suspects},
    )
    return [row.id for row in seen if tuple(row.window_seen) != now_seen[row.id]]


def _later(connection: Connection, tenant: str, ids: Sequence[UUID]) -> list[UUID]:
    """The turns that have one of these in their window."""
    found = connection.execute(_LATER, {"tenant": tenant, "ids": list(ids), "window": WINDOW})
    return list(found.scalars())


_LATER = sa.text("""
select distinct n.id from turns t cross join lateral (
    select p.id from turns p where p.tenant = t.tenant and p.session = t.session
      and (p.observed_at, p.turn) > (t.observed_at, t.turn) and p.observed_at >= t.observed_at
    order by p.observed_at, p.turn limit :window) n
where t.tenant = :tenant and t.id = any(:ids)
""")
