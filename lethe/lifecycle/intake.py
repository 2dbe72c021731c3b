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

from lethe.ids import new_id, turn_id
from lethe.keys import Keyring
from lethe.records import Outcome, ProposalIn, Reason, Turn
from lethe.rules import Rules
from lethe.store import barrier, work
from lethe.store.database import tenant_transaction

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
    findings: tuple[Reason, ...]


def push(engine: Engine, turns: Sequence[Turn], rules: Rules, keys: Keyring, now: datetime) -> Taken:
    """Store turns once each and hand them to the extractor. Good ones go in whatever the others are."""
    taken = Taken()
    by_tenant: dict[str, list[_Given]] = {}
    for index, turn in enumerate(turns):
        if fault := _fault(turn, rules.of(turn.tenant), now):
            taken.refused.append(Refused(index, *fault))
            continue
        text, findings = rules.redact(turn.text)
        given = _Given(index, turn, _row(turn, text, bool(findings), keys, now), findings)
        by_tenant.setdefault(turn.tenant, []).append(given)
    for tenant, all_given in sorted(by_tenant.items()):
        all_given.sort(key=lambda each: each.row["id"])  # one order for all writers: no deadlock
        for start in range(0, len(all_given), BATCH):
            with tenant_transaction(engine, tenant) as connection:
                _store(connection, tenant, all_given[start : start + BATCH], rules.of(tenant).version, keys, now, taken)
    taken.refused.sort(key=lambda refused: refused.index)
    return taken


_NAMES = ("tenant", "user", "project", "task", "session", "turn", "speaker", "recalled", "proposed_by", "supersedes")

_PLAIN_NAME = re.compile(r"[\w.-]{1,15}|(?:mem_)?[0-9a-fA-F-]{1,64}")  # most names; no secret looks so


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


def _store(
    connection: Connection,
    tenant: str,
    given: Sequence[_Given],
    policy: str,
    keys: Keyring,
    now: datetime,
    taken: Taken,
) -> None:
    barrier.share(connection, tenant)
    forgotten = _forgotten(connection, tenant, given, keys)
    message = "This turn was deleted on request and is not kept again."
    taken.refused += [Refused(index, Reason.FORGOTTEN, message) for index in forgotten]
    fresh = [each for each in given if each.index not in forgotten]
    if not fresh:
        return
    columns = _columns(tenant, [each.row for each in fresh])
    inserted = connection.execute(_INSERT, {**columns, **work.wake_up(work.EXTRACT), "now": now})
    unmatched = {row.id for row in inserted}
    known = _known(connection, tenant, [each.row["id"] for each in fresh if each.row["id"] not in unmatched])
    redacted: list[tuple[Turn, UUID, Sequence[Reason]]] = []
    for each in fresh:
        name = each.row["id"]
        if name in unmatched:
            unmatched.remove(name)
            taken.accepted += 1
            redacted += [(each.turn, name, each.findings)] if each.findings else []
            known[name] = each.row
        elif differing := _differing(keys, each, known[name]):
            message = f"A turn of that name has another {differing}; names are given once. Use a new turn name."
            taken.refused.append(Refused(each.index, "turn_conflict", message))
        else:
            taken.duplicates += 1
    record_turn_decisions(connection, tenant, redacted, policy, now)


def _row(turn: Turn, text: str, redacted: bool, keys: Keyring, now: datetime) -> dict[str, Any]:
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
        "mac": keys.mac("text", turn.text),
        "mac_key": keys.current,
        "observed_at": turn.observed_at,
        "offset": int(offset.total_seconds()) if offset else 0,
        "received_at": now,
        "verified": turn.verified,
        "recalled": json.dumps(turn.recalled),
        "speaker": turn.speaker,
        "redacted": redacted,
    }


def _columns(tenant: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {"tenant": tenant, **{name: [row[name] for row in rows] for name in rows[0]}}


# One statement, so that a push costs little more than its commit: the turns, the work that follows, and the wake-up.
_INSERT = sa.text("""
with written as (
  insert into turns (tenant, id, session, turn, author, user_id, project, task, text, text_mac, text_mac_key, observed_at,
                     observed_offset, received_at, verified, recalled, speaker, redacted)
  select :tenant, id, session, turn, author, user_id, project, task, text, mac, mac_key, observed_at, "offset", received_at,
         verified, array(select jsonb_array_elements_text(cast(recalled as jsonb))), speaker, redacted
  from unnest(cast(:id as uuid[]), cast(:session as text[]), cast(:turn as text[]), cast(:author as text[]),
              cast(:user_id as text[]), cast(:project as text[]), cast(:task as text[]), cast(:text as text[]),
              cast(:mac as bytea[]), cast(:mac_key as text[]), cast(:observed_at as timestamptz[]), cast(:offset as int[]),
              cast(:received_at as timestamptz[]), cast(:verified as bool[]), cast(:recalled as text[]),
              cast(:speaker as text[]), cast(:redacted as bool[]))
    as given(id, session, turn, author, user_id, project, task, text, mac, mac_key, observed_at, "offset", received_at,
             verified, recalled, speaker, redacted)
  on conflict do nothing returning id
), known as (
  insert into tenants (tenant, created_at) values (:tenant, :now) on conflict do nothing
), handed_in as (
  insert into work (stage, tenant, item, since, due) select :stage, :tenant, id, :now, :now from written
  on conflict do nothing
)
select id, pg_notify(:channel, :stage) from written
""")


def _known(connection: Connection, tenant: str, ids: list[Any]) -> dict[Any, Mapping[str, Any]]:
    if not ids:
        return {}
    found = connection.execute(
        sa.text("""select id, text_mac as mac, text_mac_key as mac_key, author, user_id, project, task, observed_at
        from turns where tenant = :tenant and id = any(:ids)"""),
        {"tenant": tenant, "ids": ids},
    )
    return {row["id"]: dict(row) for row in found.mappings()}


_TOLD = {"author": "author", "user_id": "user", "project": "project", "task": "task", "observed_at": "observed_at"}


def _differing(keys: Keyring, given: _Given, stored: Mapping[str, Any]) -> str | None:
    """What a second hand-in of a name says otherwise: its text, whose it is, or when it was observed."""
    key = stored["mac_key"]
    if key not in keys.keys or keys.mac("text", given.turn.text, key=key) != bytes(stored["mac"]):
        return "text"
    return next((told for name, told in _TOLD.items() if given.row[name] != stored[name]), None)


def _forgotten(connection: Connection, tenant: str, given: Sequence[_Given], keys: Keyring) -> set[int]:
    """Indexes of turns that a deletion covers: by name for good, by scope if observed before the request."""
    if (
        connection.execute(
            sa.text("select 1 from tombstones where tenant = :tenant limit 1"), {"tenant": tenant}
        ).first()
        is None
    ):
        return set()
    asked: dict[bytes, list[_Given]] = {}
    for each in given:
        for parts in tombstone_names(each.turn):
            for mac in keys.macs(*parts):
                asked.setdefault(mac, []).append(each)
    found = connection.execute(
        sa.text("select mac, observed_before from tombstones where tenant = :tenant and mac = any(:macs)"),
        {"tenant": tenant, "macs": list(asked)},
    )
    return {
        each.index
        for row in found
        for each in asked[bytes(row.mac)]
        if row.observed_before is None or each.turn.observed_at <= row.observed_before
    }


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
