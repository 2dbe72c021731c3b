"""Recording proposals: an extractor's drafts, and the ones that agents hand in. Ids follow from content, so that the same
proposal again is the same row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert as insert_rows
from sqlalchemy.engine import Connection, Engine

from lethe.errors import NotFound
from lethe.ids import content_id, folded, key_id, owner_id, parsed, turn_id, words_id
from lethe.lifecycle import rescreening
from lethe.lifecycle.consolidation.standing_behind import bottom
from lethe.lifecycle.intake import Refused, Taken, secret_in_a_name
from lethe.records import Act, Author, Candidate, Kind, ProposalIn, Reason, Scope, Turn
from lethe.rules import Rules
from lethe.store import barrier, work
from lethe.store.database import tenant_transaction
from lethe.store.tables import proposals

EXPLICIT = "explicit"
REDACTED = "[redacted: secret]"
BY_MODEL = "llm"  # how the name of an extractor begins that asks a model


@dataclass(frozen=True, slots=True)
class Draft:
    """One row of `proposals` to be, as a mapping of its columns, with its turn and key."""

    id: UUID
    turn_id: UUID
    key: UUID
    row: dict[str, Any]


def draft_of(source: UUID, turn: Turn, scope: Scope, candidate: Candidate, ordinal: int, rules: Rules) -> Draft:
    """The draft of an extractor's candidate, without what is secret in it."""
    told, secrets = _told(candidate, candidate.replaces, rules)
    signals = {*candidate.signals, *secrets}
    key = key_id(turn.tenant, scope, told.subject, told.predicate)
    content = (told.subject, told.predicate, folded(told.object), told.claim, str(candidate.negated), candidate.act)
    offset = turn.observed_at.utcoffset()
    row = {
        "session": turn.session, "turn": turn.turn, "ordinal": ordinal, "author": turn.author.value,
        "verified": turn.verified, "explicit": False, "proposed_by": rules.extractor,
        "owner": owner_id(turn.tenant, scope), "user_id": scope.user, "project": scope.project, "task": scope.task,
        "key": key, "kind": candidate.kind.value, "subject": told.subject, "predicate": told.predicate,
        "object": told.object, "claim": told.claim, "negated": candidate.negated, "act": candidate.act.value,
        "basis": candidate.basis.value, "confidence": candidate.confidence, "importance": candidate.importance,
        "cardinality": candidate.cardinality.value if candidate.cardinality else None,
        "observed_at": turn.observed_at, "observed_offset": int(offset.total_seconds()) if offset else 0,
        "event_at": candidate.event_at, "expires_at": candidate.expires_at, "replaces": told.replaces,
        "supersedes": None, "cue": candidate.cue, "third_party": candidate.third_party,
        "signals": sorted(signal.value for signal in signals), "words": words_id(candidate.said or turn.text),
        "extractor": rules.extractor,
    }  # fmt: skip
    return Draft(content_id("extracted", str(source), *content), source, key, row)


@dataclass(frozen=True, slots=True)
class _Told:
    """What a statement says, as it may be stored."""

    claim: str
    subject: str
    predicate: str
    object: str
    replaces: str | None


def _told(given: Candidate | ProposalIn, replaces: str | None, rules: Rules) -> tuple[_Told, set[Reason]]:
    """A statement, and what is secret in it: in one of its parts, or in what predicate and object say together ("pin", "4711").
    A value that is known by the words around it stands bare in another part, so that a secret statement keeps none of its text."""
    parts = {name: getattr(given, name) for name in ("claim", "subject", "predicate", "object")} | {
        "replaces": replaces
    }
    found = {name: rules.redact(text) for name, text in parts.items() if text}
    secrets = {reason for _, reasons in found.values() for reason in reasons}
    if given.kind is not Kind.PREFERENCE:  # whose predicate names what is chosen among ("passkeys", "passwords")
        secrets |= set(rules.redact(f"{given.predicate.replace('_', ' ')} is {given.object}")[1])
    if secrets:
        hidden = {name: REDACTED for name in ("claim", "object", "replaces") if name in found}
        parts |= {name: text for name, (text, _) in found.items()} | hidden
    return _Told(**parts), secrets


def record(
    connection: Connection, tenant: str, drafts: Sequence[Draft], turns: Sequence[UUID], rules: Rules, now: datetime
) -> set[UUID]:
    """Make the extractor's proposals of these turns exactly the drafts; returns the keys whose fold is due again."""
    keep = {draft.id for draft in drafts}
    gone = connection.execute(_GONE, {"tenant": tenant, "turns": list(turns), "keep": list(keep)}).all()
    if gone:
        connection.execute(
            sa.text("delete from decisions where tenant = :tenant and proposal = any(:ids)"),
            {"tenant": tenant, "ids": [row.id for row in gone]},
        )
    new = insert(connection, tenant, drafts, now)
    changed = {row.turn_id for row in gone} | {draft.turn_id for draft in drafts if draft.id in new}
    rescreening.crowded(connection, tenant, changed, rules.turn_quota, now)
    keys = {row.key for row in gone} | {draft.key for draft in drafts if draft.id in new}
    return keys | shadow(connection, tenant, turns)


_GONE = sa.text("""
delete from proposals where tenant = :tenant and turn_id = any(:turns) and not explicit and not (id = any(cast(:keep as uuid[])))
returning id, turn_id, key
""")


def insert(connection: Connection, tenant: str, drafts: Sequence[Draft], now: datetime) -> set[UUID]:
    """Insert what is not there yet; returns the ids of the new rows."""
    unique = {draft.id: draft for draft in drafts}
    if not unique:
        return set()
    known = {
        row.id
        for row in connection.execute(
            sa.text("select id from proposals where tenant = :tenant and id = any(:ids)"),
            {"tenant": tenant, "ids": list(unique)},
        )
    }
    rows = [
        {"tenant": tenant, "id": draft.id, "turn_id": draft.turn_id, "created_at": now, **draft.row}
        for draft in sorted(unique.values(), key=lambda each: each.id)
        if draft.id not in known
    ]
    if not rows:
        return set()
    inserted = insert_rows(proposals).on_conflict_do_nothing().returning(proposals.c.id)
    return set(connection.execute(inserted, rows).scalars())


# --- an explicit proposal stands above what the extractor made of the same turn -----------------------------------


def shadow(connection: Connection, tenant: str, turns: Iterable[UUID]) -> set[UUID]:
    """Mark the extractor's proposals that make the same claim as an explicit one of their turn; returns changed keys.

    An explicit proposal that the checks refused stands above nothing.
    """
    rows = connection.execute(
        sa.text("""select id, turn_id, key, explicit, claim, object, negated, shadowed, refusals from proposals
        where tenant = :tenant and turn_id = any(:turns) and turn_id in (
          select turn_id from proposals where tenant = :tenant and turn_id = any(:turns) and explicit)"""),
        {"tenant": tenant, "turns": list(turns)},
    ).all()
    explicit: dict[UUID, list[Any]] = {}
    for row in rows:
        if row.explicit and not row.refusals:
            explicit.setdefault(row.turn_id, []).append(row)
    changed = [
        row
        for row in rows
        if not row.explicit and row.shadowed != any(same_claim(row, other) for other in explicit.get(row.turn_id, ()))
    ]
    if changed:
        connection.execute(
            sa.text("update proposals set shadowed = not shadowed where tenant = :tenant and id = any(:ids)"),
            {"tenant": tenant, "ids": [row.id for row in changed]},
        )
    return {row.key for row in changed}


_ROLE_WORDS = frozenset(
    [
        "the",
        "a",
        "an",
        "user",
        "users",
        "user's",
        "i",
        "my",
        "me",
        "is",
        "are",
        "was",
        "were",
        "has",
        "have",
        "of",
        "in",
        "on",
        "at",
        "to",
        "and",
        "s",
    ]
)


def same_claim(one: Any, other: Any) -> bool:
    """Most content words of the shorter claim stand in the longer one, or one value contains the other."""
    if one.negated != other.negated:
        return False
    first, second = _content(one.claim), _content(other.claim)
    if not first or not second:
        return folded(one.object) == folded(other.object)
    shared = len(first & second) / min(len(first), len(second))
    value = folded(one.object), folded(other.object)
    return shared >= 0.75 or (shared >= 0.5 and (value[0] in value[1] or value[1] in value[0]))


def _content(text: str) -> set[str]:
    return {word.strip(".,;:!?'\"()") for word in folded(text).split()} - _ROLE_WORDS


# --- proposals that agents hand in --------------------------------------------------------------------------------


def propose(engine: Engine, items: Sequence[ProposalIn], rules: Rules, now: datetime) -> Taken:
    """Record explicit proposals and hand their keys to the gate."""
    taken = Taken()
    by_tenant: dict[str, list[tuple[int, ProposalIn]]] = {}
    for index, item in enumerate(items):
        if fault := secret_in_a_name(item, rules):
            taken.refused.append(Refused(index, *fault))
        elif item.observed_at > now + (ahead := rules.of(item.tenant).max_ahead):
            message = f"observed_at lies more than {ahead} ahead of the clock; check the zone and the clock."
            taken.refused.append(Refused(index, "observed_in_future", message))
        else:
            by_tenant.setdefault(item.tenant, []).append((index, item))
    for tenant, given in by_tenant.items():
        with tenant_transaction(engine, tenant) as connection:
            _propose(connection, tenant, given, rules.of(tenant), now, taken)
    taken.refused.sort(key=lambda refused: refused.index)
    return taken


def _propose(
    connection: Connection, tenant: str, given: list[tuple[int, ProposalIn]], rules: Rules, now: datetime, taken: Taken
) -> None:
    barrier.share(connection, tenant)
    sources = _sources(connection, tenant, {turn_id(tenant, item.session, item.turn) for _, item in given})
    drafts: list[Draft] = []
    again = 0  # drafts beyond one an item: each memory behind a merged one is superseded by itself
    for index, item in given:
        source = sources.get(turn_id(tenant, item.session, item.turn))
        if source is None:
            message = "The turn that this rests on was never pushed, or is deleted. Push it first."
            taken.refused.append(Refused(index, Reason.NO_PROVENANCE, message))
            continue
        if (source.user_id, source.project) != (item.user, item.project) and not _within(source, item):
            message = "The proposal names another user or project than its turn."
            taken.refused.append(Refused(index, Reason.SCOPE_AMBIGUOUS, message))
            continue
        try:
            targets = _targets(connection, tenant, item)
        except NotFound as fault:
            taken.refused.append(Refused(index, fault.code, fault.message))
            continue
        made = [_explicit(item, source, target, rules) for target in targets]
        drafts += made
        again += len(made) - 1
    new = insert(connection, tenant, drafts, now)
    taken.accepted += max(0, len(new) - again)
    taken.duplicates += len(drafts) - again - max(0, len(new) - again)
    rescreening.crowded(
        connection, tenant, {draft.turn_id for draft in drafts if draft.id in new}, rules.turn_quota, now
    )
    keys = {draft.key for draft in drafts if draft.id in new}
    keys |= shadow(connection, tenant, {draft.turn_id for draft in drafts})
    work.enqueue(connection, work.GATE, tenant, keys, now)


def _sources(connection: Connection, tenant: str, ids: Iterable[UUID]) -> dict[UUID, Any]:
    found = connection.execute(
        sa.text("""select id, user_id, project, author, verified, text, observed_at, observed_offset from turns
        where tenant = :tenant and id = any(:ids) and text is not null order by id for share"""),
        {"tenant": tenant, "ids": list(ids)},
    )
    return {row.id: row for row in found}


def _within(source: Any, item: ProposalIn) -> bool:
    """A proposal may narrow or widen its turn's scope only to a part of it: the user alone, or the project alone."""
    return (item.user is None or item.user == source.user_id) and (
        item.project is None or item.project == source.project
    )


@dataclass(frozen=True, slots=True)
class _Target:
    id: UUID
    key: UUID
    object: str


def _targets(connection: Connection, tenant: str, item: ProposalIn) -> list[_Target | None]:
    """What an item supersedes: of a merged memory everything behind it; [None] where it names nothing."""
    if item.supersedes is None:
        return [None]
    row = connection.execute(
        sa.text("""select id from memories where tenant = :tenant and id = :id and owner = :owner
        and invisible_at is null"""),
        {
            "tenant": tenant,
            "id": parsed("mem", item.supersedes),
            "owner": owner_id(tenant, Scope(item.user, item.project, item.task)),
        },
    ).first()
    if row is None:
        raise NotFound(f"There is no memory {item.supersedes!r} of this owner to supersede.")
    return [_Target(each.id, each.key, each.object) for each in bottom(connection, tenant, [row.id])]


def _overreach(item: ProposalIn, source: Any) -> set[Reason]:
    """A tool, a document or the system that proposes something of another's turn speaks for somebody else."""
    speaks_for_others = item.proposed_by in (Author.TOOL, Author.DOCUMENT, Author.SYSTEM)
    return {Reason.UNTRUSTED_SOURCE} if speaks_for_others and item.proposed_by != source.author else set()


def _explicit(item: ProposalIn, source: Any, target: _Target | None, rules: Rules) -> Draft:
    """An agent's proposal as a row. It is as old as the turn that it rests on, whatever time it names: otherwise what an old
    turn says could be made to overrule a newer one, or to come back after its deletion."""
    scope = Scope(item.user, item.project, item.task)
    told, secrets = _told(item, target.object if target else None, rules)
    signals = {*secrets, *_overreach(item, source)}
    subject = "user" if told.subject.casefold() == "the user" else told.subject
    key = target.key if target else key_id(item.tenant, scope, subject, told.predicate)
    content = (
        item.model_dump_json(exclude={"subject", "predicate", "object", "claim"}),
        subject,
        told.predicate,
        told.object,
        told.claim,
        *([str(target.id)] if target else []),
    )
    row = {
        "session": item.session, "turn": item.turn, "ordinal": 1000, "author": source.author, "verified": source.verified,
        "explicit": True, "proposed_by": item.proposed_by, "owner": owner_id(item.tenant, scope), "user_id": scope.user,
        "project": scope.project, "task": scope.task, "key": key, "kind": item.kind.value, "subject": subject,
        "predicate": told.predicate, "object": told.object, "claim": told.claim, "negated": item.negated, "act": Act.ASSERT.value,
        "basis": rules.basis(item.basis, Author(source.author), source.verified, source.text).value, "confidence": item.confidence, "importance": item.importance,
        "cardinality": item.cardinality.value if item.cardinality else None, "observed_at": source.observed_at,
        "observed_offset": source.observed_offset, "event_at": None, "expires_at": item.expires_at,
        "replaces": told.replaces, "supersedes": target.id if target else None, "cue": False,
        "third_party": False, "signals": sorted(signal.value for signal in signals), "words": words_id(told.claim),
        "extractor": EXPLICIT,
    }  # fmt: skip
    return Draft(content_id("explicit", *content), source.id, key, row)
