"""Intake: turns and the work that follows from them, in one transaction; the answer never waits for an extractor."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from lethe.errors import NotRunning
from lethe.ids import new_id, turn_id
from lethe.keys import Keyring
from lethe.records import Outcome, ProposalIn, Reason, Turn
from lethe.rules import Rules
from lethe.store.database import statements, tenant_transaction

BATCH = 500


@dataclass(frozen=True, slots=True)
class Refused:
    """One item that was not taken; `index` counts from 0 in what was handed in."""

    index: int
    code: str
    message: str


@dataclass(slots=True)
class Taken:
    """What became of a hand-in."""

    accepted: int = 0
    duplicates: int = 0
    refused: list[Refused] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Given:
    """A turn as it will be stored: redacted before any transaction begins."""

    index: int
    turn: Turn
    row: dict[str, Any]


def push(engine: Engine, turns: Sequence[Turn], rules: Rules, keys: Keyring, now: datetime) -> Taken:
    """Store turns once each and hand them to the extractor. Good ones go in whatever the others are."""
    taken = Taken()
    by_tenant: dict[str, list[_Given]] = {}
    for index, turn in enumerate(turns):
        if fault := _fault(turn, rules.of(turn.tenant), now):
            taken.refused.append(Refused(index, *fault))
            continue
        by_tenant.setdefault(turn.tenant, []).append(_Given(index, turn, _row(turn, *rules.redact(turn.text), keys)))
    for tenant, all_given in sorted(by_tenant.items()):
        all_given.sort(key=lambda each: each.row["id"])  # one order for all writers: no deadlock
        for start in range(0, len(all_given), BATCH):
            batch = all_given[start : start + BATCH]
            others = _take(engine, tenant, batch, rules.of(tenant).version, keys, now, taken)
            _compare(engine, tenant, others, keys, taken)
    taken.refused.sort(key=lambda refused: refused.index)
    return taken


_NAMES = ("tenant", "user", "project", "task", "session", "turn", "speaker", "recalled", "proposed_by", "supersedes")

_PLAIN_NAME = re.compile(r"[\w.-]{1,15}|(?:mem_|[a-z][-_]?)?[0-9a-fA-F-]{1,64}")  # most names; no secret looks so


def secret_in_a_name(record: Turn | ProposalIn, rules: Rules) -> tuple[str, str] | None:
    """(code, message) where a name holds a secret: names are kept as they are, for as long as anything of them is known.

    Only what opens something is looked for; a name may well be a number that a card could have.
    """
    for field_name in _NAMES:
        value = getattr(record, field_name, None)
        for name in value if isinstance(value, list) else [value]:
            if name and not _PLAIN_NAME.fullmatch(name) and Reason.SECRET in rules.redact(name)[1]:
                return (
                    Reason.SECRET.value,
                    f"The field {field_name!r} holds a secret; names are kept. Use another name.",
                )
    return None


def _fault(turn: Turn, rules: Rules, now: datetime) -> tuple[str, str] | None:
    if secret := secret_in_a_name(turn, rules):
        return secret
    if len(turn.text) > rules.max_text_chars:
        return (
            "text_too_long",
            f"The text has {len(turn.text)} characters; the policy takes {rules.max_text_chars}. Split it.",
        )
    if not turn.text.strip():
        return "text_empty", "The text is empty."
    if turn.observed_at > now + rules.max_ahead:
        return (
            "observed_in_future",
            f"observed_at lies more than {rules.max_ahead} ahead of the clock; check the zone and the clock.",
        )
    return None


def _take(
    engine: Engine, tenant: str, given: Sequence[_Given], policy: str, keys: Keyring, now: datetime, taken: Taken
) -> list[_Given]:
    """Store what is new; returns what was there already."""
    turns = json.dumps([_as_json(each, keys) for each in given], default=str)
    found = _called(engine, {"tenant": tenant, "turns": turns, "policy": policy, "now": now})
    written = {row.id for row in found if row.id}
    covered = {row.place for row in found if row.id is None}
    others: list[_Given] = []
    for each in given:
        if each.index in covered:
            taken.refused.append(_forgotten(each))
        elif each.row["id"] in written:
            written.remove(each.row["id"])  # the same name once more in one hand-in is a repetition
            taken.accepted += 1
        else:
            others.append(each)
    return others


def _called(engine: Engine, named: dict[str, Any]) -> Sequence[Any]:
    """What `take_turns` answers. A connection that turns out to be dead is replaced, once: to take the same turns twice is to
    take them once."""
    try:
        with statements(engine) as connection:
            return connection.execute(_TAKE, named).all()
    except NotRunning as fault:
        if not getattr(fault.__cause__, "connection_invalidated", False):
            raise
    with statements(engine) as connection:
        return connection.execute(_TAKE, named).all()


_TAKE = sa.text("select id, place from take_turns(:tenant, :turns, :policy, :now)")


def _compare(engine: Engine, tenant: str, repeated: Sequence[_Given], keys: Keyring, taken: Taken) -> None:
    """Tell repetitions from other turns under a name that is taken."""
    if not repeated:
        return
    with tenant_transaction(engine, tenant) as connection:
        found = connection.execute(_KNOWN, {"tenant": tenant, "ids": [each.row["id"] for each in repeated]})
        known = {row["id"]: dict(row) for row in found.mappings()}
    for each in repeated:
        stored = known.get(each.row["id"])
        if stored is None:  # deleted since
            taken.refused.append(_forgotten(each))
        elif differing := _differing(keys, each, stored):
            message = f"A turn of that name has another {differing}; names are given once. Use a new turn name."
            taken.refused.append(Refused(each.index, "turn_conflict", message))
        else:
            taken.duplicates += 1


_KNOWN = sa.text("""
select id, text_mac, text_mac_key, author, user_id, project, task, observed_at from turns where tenant = :tenant and id = any(:ids)
""")


def _forgotten(given: _Given) -> Refused:
    return Refused(given.index, Reason.FORGOTTEN, "This turn was deleted on request and is not kept again.")


def _row(turn: Turn, text: str, findings: Sequence[Reason], keys: Keyring) -> dict[str, Any]:
    offset = turn.observed_at.utcoffset()
    return {
        "id": turn_id(turn.tenant, turn.session, turn.turn),
        "session": turn.session,
        "turn": turn.turn,
        "author": turn.author.value,
        "user_id": turn.user,
        "project": turn.project,
        "task": turn.task,
        "text": text,
        "text_mac": keys.mac("text", turn.text),
        "text_mac_key": keys.current,
        "observed_at": turn.observed_at,
        "observed_offset": int(offset.total_seconds()) if offset else 0,
        "verified": turn.verified,
        "recalled": turn.recalled,
        "speaker": turn.speaker,
        "redacted": bool(findings),
        "decision": new_id() if findings else None,
        "reasons": sorted({reason.value for reason in findings}),
    }


def _as_json(given: _Given, keys: Keyring) -> dict[str, Any]:
    """A row as `take_turns` reads it."""
    names = [mac.hex() for parts in tombstone_names(given.turn) for mac in keys.macs(*parts)]
    return {**given.row, "text_mac": "\\x" + given.row["text_mac"].hex(), "place": given.index, "names": names}


_TOLD = {"author": "author", "user_id": "user", "project": "project", "task": "task", "observed_at": "observed_at"}


def _differing(keys: Keyring, given: _Given, stored: Mapping[str, Any]) -> str | None:
    """What a second hand-in of a name says otherwise: its text, whose it is, or when it was observed."""
    key = stored["text_mac_key"]
    if key not in keys.keys or keys.mac("text", given.turn.text, key=key) != bytes(stored["text_mac"]):
        return "text"
    return next((told for name, told in _TOLD.items() if given.row[name] != stored[name]), None)


def tombstone_names(turn: Turn) -> list[tuple[str, ...]]:
    """Every name under which a deletion may have covered this turn."""
    names: list[tuple[str, ...]] = [
        ("turn", turn.tenant, turn.session, turn.turn),
        ("session", turn.tenant, turn.session),
        ("tenant", turn.tenant),
    ]
    if turn.user is not None:
        names.append(("user", turn.tenant, turn.user))
    if turn.project is not None:
        names.append(("project", turn.tenant, turn.project))
    return names


def record_turn_decisions(
    connection: Connection,
    tenant: str,
    refused: Sequence[tuple[Turn, UUID, Sequence[Reason]]],
    policy: str,
    now: datetime,
) -> None:
    """Refusals of whole turns, or of something that was taken out of them: decisions without a proposal."""
    if not refused:
        return
    rows = [
        {
            "id": str(new_id()), "turn_id": str(row), "session": turn.session, "turn": turn.turn, "user_id": turn.user,
            "project": turn.project, "reasons": sorted({reason.value for reason in reasons}),
        }
        for turn, row, reasons in refused
    ]  # fmt: skip
    named = {"tenant": tenant, "rows": json.dumps(rows), "outcome": Outcome.REJECT.value, "policy": policy, "now": now}
    connection.execute(_TURN_DECISIONS, named)


_TURN_DECISIONS = sa.text("""
insert into decisions (tenant, id, turn_id, session, turn, user_id, project, outcome, reasons, policy, decided_at)
select :tenant, id, turn_id, session, turn, user_id, project, :outcome, reasons, :policy, :now
from jsonb_to_recordset(cast(:rows as jsonb))
  as given(id uuid, turn_id uuid, session text, turn text, user_id text, project text, reasons text[])
""")
