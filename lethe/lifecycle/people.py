"""What people decide: about held proposals, about contradictions, and corrections in their own words.

A decision is a dated input of the fold, written to the proposals that it is about; the fold then says what follows.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lethe.errors import InvalidInput, LetheError, NotFound
from lethe.ids import content_id, parsed, turn_id, words_id
from lethe.keys import Keyring
from lethe.lifecycle.consolidation.standing_behind import bottom
from lethe.lifecycle.forgetting.keeping import revalidate
from lethe.lifecycle.gate import fold_keys
from lethe.records import Act, Author, Basis, Outcome, Ruling
from lethe.rules import Rules
from lethe.store import barrier, due, work

CORRECTIONS = "corrections"  # the session of what people wrote to set a memory right
PERSON = "person"


class NotHeld(LetheError):
    """The proposal is not held any more."""

    code = "not_held"
    hint = "`lethe held --tenant T` lists what waits."


class Settled(LetheError):
    """The review is settled already."""

    code = "already_resolved"
    hint = "`lethe reviews --tenant T` lists what waits."


def rule_on_held(
    connection: Connection, tenant: str, held: str, ruling: Ruling, rules: Rules, now: datetime
) -> UUID | None:
    """Confirm or decline a held proposal; returns the memory that it supports now, if any.

    Raises NotFound for an unknown id, NotHeld where it waits no longer.
    """
    barrier.share(connection, tenant)
    name = parsed("prop", held)
    row = connection.execute(
        sa.text("""select p.key, d.outcome from proposals p join decisions d on d.tenant = p.tenant and d.proposal = p.id
        where p.tenant = :tenant and p.id = :id for update of p"""),
        {"tenant": tenant, "id": name},
    ).first()
    if row is None:
        raise NotFound(f"There is nothing held under {held!r}.", hint="`lethe held --tenant T` lists what waits.")
    if row.outcome != Outcome.HOLD:
        raise NotHeld(f"{held!r} is not held any more: it was decided as {row.outcome!r}.")
    _rule(connection, tenant, [name], ruling, now)
    _fold(connection, tenant, [row.key], rules, now)
    return _supported(connection, tenant, name)


def resolve(
    connection: Connection, tenant: str, review: str, ruling: Ruling, preferred: str | None, rules: Rules, now: datetime
) -> list[UUID]:
    """Settle a contradiction: keep both, retire both, or prefer one. Returns its memories.

    Raises NotFound, Settled, and InvalidInput where the preferred memory is not part of the review.
    """
    barrier.share(connection, tenant)
    row = connection.execute(
        sa.text("select id, key, memories, resolved_at from reviews where tenant = :tenant and id = :id for update"),
        {"tenant": tenant, "id": parsed("rev", review)},
    ).first()
    if row is None:
        raise NotFound(f"There is no review {review!r}.", hint="`lethe reviews --tenant T` lists what waits.")
    if row.resolved_at is not None:
        raise Settled(f"{review!r} was resolved on {row.resolved_at:%Y-%m-%d}.")
    chosen, others = list(row.memories), []
    if preferred is not None:
        name = parsed("mem", preferred)
        if name not in chosen:
            raise InvalidInput(f"{preferred!r} is no side of {review!r}.", hint="`lethe reviews` names the sides.")
        chosen, others = [name], [each for each in chosen if each != name]
    sources = [(memory.key, memory.lead) for memory in bottom(connection, tenant, chosen)]
    _rule(connection, tenant, [lead for _, lead in sources], ruling, now)
    if preferred is not None:  # within a key the fold closes the other sides; those of other keys are taken out
        beyond = [each for each in bottom(connection, tenant, others) if each.key not in {key for key, _ in sources}]
        _rule(connection, tenant, [each.lead for each in beyond], Ruling.RETIRED, now)
        sources += [(each.key, each.lead) for each in beyond]
    if ruling is not Ruling.RETIRED:
        revalidate(connection, tenant, chosen, rules, now)
    connection.execute(
        sa.text("update reviews set resolved_at = :now, resolution = :ruling where tenant = :tenant and id = :id"),
        {"tenant": tenant, "id": row.id, "now": now, "ruling": ruling.value},
    )
    _fold(connection, tenant, list({row.key} | {key for key, _ in sources}), rules, now)
    return list(row.memories)


def correct(
    connection: Connection, tenant: str, memory: str, claim: str, rules: Rules, keys: Keyring, now: datetime
) -> UUID | None:
    """A successor in a person's own words, confirmed; it rests on a turn of its own. Returns the new memory.

    Raises NotFound for an unknown memory, InvalidInput where the claim is empty or holds a secret.
    """
    barrier.share(connection, tenant)
    old = connection.execute(
        sa.text("select * from memories where tenant = :tenant and id = :id and invisible_at is null for update"),
        {"tenant": tenant, "id": parsed("mem", memory)},
    ).first()
    if old is None:
        raise NotFound(f"There is no memory {memory!r}.")
    if not claim.strip():
        raise InvalidInput("The corrected claim is empty.")
    if rules.redact(claim)[1]:
        raise InvalidInput("The corrected claim holds a secret or an identifier, which is kept nowhere.", code="secret")
    behind = bottom(connection, tenant, [old.id])
    old, others = behind[0], behind[1:]  # of a merged memory: the one that leads it, and the rest of what it said
    _rule(connection, tenant, [each.lead for each in others], Ruling.RETIRED, now)
    source = _own_turn(connection, tenant, old, claim, keys, now)
    proposal = content_id("corrected", str(old.id), claim, now.isoformat())
    connection.execute(_CORRECTION, _correction(tenant, old, claim, source, proposal, now))
    _fold(connection, tenant, list({old.key} | {each.key for each in others}), rules, now)
    return _supported(connection, tenant, proposal)


def _own_turn(connection: Connection, tenant: str, old: Any, claim: str, keys: Keyring, now: datetime) -> Any:
    name = f"{old.id.hex}.{now.isoformat()}"
    found = {"id": turn_id(tenant, CORRECTIONS, name), "session": CORRECTIONS, "turn": name}
    connection.execute(
        sa.text("""insert into turns (tenant, id, session, turn, author, user_id, project, task, text, text_mac, text_mac_key,
          observed_at, received_at, extractor, extracted_at)
        values (:tenant, :id, :session, :turn, 'user', :user, :project, :task, :text, :mac, :mac_key, :now, :now, 'person', :now)
        on conflict do nothing"""),
        {
            **found,
            "tenant": tenant,
            "user": old.user_id,
            "project": old.project,
            "task": old.task,
            "text": claim,
            "mac": keys.mac("text", claim),
            "mac_key": keys.current,
            "now": now,
        },
    )
    due.mark(connection, tenant, {due.TEXT: now}, now)
    return found


def _correction(tenant: str, old: Any, claim: str, source: Any, proposal: UUID, now: datetime) -> dict[str, Any]:
    return {
        "tenant": tenant, "id": proposal, "turn_id": source["id"], "session": source["session"], "turn": source["turn"],
        "author": Author.USER.value, "proposed_by": PERSON, "owner": old.owner, "user_id": old.user_id,
        "project": old.project, "task": old.task, "key": old.key, "kind": old.kind, "subject": old.subject,
        "predicate": old.predicate, "object": claim, "claim": claim, "act": Act.ASSERT.value,
        "basis": Basis.CONFIRMED.value, "importance": old.importance, "cardinality": old.cardinality, "now": now,
        "replaces": old.object, "supersedes": old.id, "words": words_id(claim), "extractor": PERSON,
        "ruling": Ruling.PREFERRED.value,
        "sensitivity": old.sensitivity, "uses": list(old.allowed_uses),
    }  # fmt: skip


# A person's own correction is the confirmation that the checks would ask for: it is screened as passed.
_CORRECTION = sa.text("""
insert into proposals (tenant, id, turn_id, session, turn, ordinal, author, explicit, proposed_by, owner, user_id, project, task,
  key, kind, subject, predicate, object, claim, act, basis, confidence, importance, cardinality, observed_at, replaces,
  supersedes, words, extractor, created_at, refusals, sensitivity, allowed_uses, ruling, ruled_at)
values (:tenant, :id, :turn_id, :session, :turn, 0, :author, true, :proposed_by, :owner, :user_id, :project, :task, :key, :kind,
  :subject, :predicate, :object, :claim, :act, :basis, 1.0, :importance, :cardinality, :now, :replaces, :supersedes, :words,
  :extractor, :now, '{}', :sensitivity, :uses, :ruling, :now)
""")


def _rule(connection: Connection, tenant: str, proposals: Iterable[UUID], ruling: Ruling, now: datetime) -> None:
    connection.execute(
        sa.text("update proposals set ruling = :ruling, ruled_at = :now where tenant = :tenant and id = any(:ids)"),
        {"tenant": tenant, "ids": list(proposals), "ruling": ruling.value, "now": now},
    )


def _fold(connection: Connection, tenant: str, keys: list[UUID], rules: Rules, now: datetime) -> None:
    written = fold_keys(connection, tenant, keys, rules, now)
    work.enqueue(connection, work.INDEX, tenant, written.to_index, now)
    work.enqueue(connection, work.GATE, tenant, written.unscreened, now)


def _supported(connection: Connection, tenant: str, proposal: UUID) -> UUID | None:
    found: UUID | None = connection.execute(
        sa.text("select memory from decisions where tenant = :tenant and proposal = :proposal"),
        {"tenant": tenant, "proposal": proposal},
    ).scalar()
    return found
