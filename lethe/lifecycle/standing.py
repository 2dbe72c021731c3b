"""Make memories, evidence, decisions and reviews what the folds of some keys say, touching only what changed.

A memory keeps its id as long as a proposal that it rested on still stands behind it. What jobs and people did to it
(archived, pinned, uses) stays, but for new evidence, which calls a faded or stale memory back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lethe.ids import new_id
from lethe.lifecycle.consolidation import unmaking
from lethe.lifecycle.writing import (
    ACTOR,
    EVENT,
    Folded,
    Plan,
    Written,
    mark_due,
    write_decisions,
    write_evidence,
    write_memories,
    write_owners,
    write_reviews,
)
from lethe.records import Basis, KeyState, Kind, Ruling, Standing
from lethe.rules import Rules
from lethe.store.tables import ended_tasks, evidence, memories


def write_key(connection: Connection, tenant: str, folded: Folded, rules: Rules, now: datetime) -> Written:
    """Write what the folds say; returns the memories to index and the decisions by outcome."""
    keys = list(folded)
    plan, rested = _planned(connection, tenant, folded, rules, now)
    if plan.merged:
        _unmake(connection, plan)
        plan, rested = _planned(connection, tenant, folded, rules, now)
    write_memories(connection, plan)
    write_evidence(connection, plan, rested)
    outcomes = write_decisions(connection, plan, folded)
    write_reviews(connection, plan, keys)
    write_owners(connection, plan)
    mark_due(connection, plan, held="hold" in outcomes)
    if plan.events:
        connection.execute(EVENT, plan.events)
    return Written(plan.to_index, outcomes)


def _planned(
    connection: Connection, tenant: str, folded: Folded, rules: Rules, now: datetime
) -> tuple[Plan, dict[UUID, dict[UUID, Any]]]:
    plan = Plan(tenant, rules, now)
    stored = _stored(connection, tenant, list(folded))
    rested = _rested(connection, tenant, [row.id for rows in stored.values() for row in rows])
    plan.ended = _ended_tasks(connection, tenant, folded)
    ids = {key: _matched(state.standings, stored[key], rested) for key, (state, _) in folded.items()}
    plan.led = {
        standing.lead.id: name
        for key, (state, _) in folded.items()
        for standing, name in zip(state.standings, ids[key], strict=True)
    }
    for key, (state, proposals) in folded.items():
        _plan_key(plan, key, state, ids[key], proposals, stored[key], rested)
    return plan, rested


def _unmake(connection: Connection, plan: Plan) -> None:
    """An input that changes must not live on in what it was merged into: its outputs go, and it stands alone again."""
    why = unmaking.Why(unmaking.CHANGED, ACTOR, plan.rules, plan.now)
    outputs = unmaking.above(connection, plan.tenant, plan.merged)
    unmaking.unmake(connection, plan.tenant, outputs, why)


def _stored(connection: Connection, tenant: str, keys: Sequence[UUID]) -> dict[UUID, list[Any]]:
    found: dict[UUID, list[Any]] = defaultdict(list)
    query = sa.select(memories).where(
        memories.c.tenant == tenant, memories.c.key == sa.any_(sa.cast(keys, sa.ARRAY(sa.UUID)))
    )
    for row in connection.execute(query.order_by(memories.c.created_at, memories.c.id)):
        found[row.key].append(row)
    return found


def _rested(connection: Connection, tenant: str, ids: Sequence[UUID]) -> dict[UUID, dict[UUID, Any]]:
    """{memory: {proposal: its evidence row}} as stored."""
    found: dict[UUID, dict[UUID, Any]] = {name: {} for name in ids}
    if ids:
        query = sa.select(evidence).where(
            evidence.c.tenant == tenant, evidence.c.memory == sa.any_(sa.cast(list(ids), sa.ARRAY(sa.UUID)))
        )
        for row in connection.execute(query):
            found[row.memory][row.proposal] = row
    return found


def _ended_tasks(connection: Connection, tenant: str, folded: Folded) -> dict[UUID, datetime]:
    """{owner: when its task was closed} of the task scopes among these keys."""
    owners = {row.owner for _, rows in folded.values() for row in rows.values() if row.task is not None}
    if not owners:
        return {}
    query = sa.select(ended_tasks.c.owner, ended_tasks.c.ended_at).where(
        ended_tasks.c.tenant == tenant, ended_tasks.c.owner == sa.any_(sa.cast(list(owners), sa.ARRAY(sa.UUID)))
    )
    return {row.owner: row.ended_at for row in connection.execute(query)}


# --- planning -----------------------------------------------------------------------------------------------------


def _plan_key(
    plan: Plan,
    key: UUID,
    state: KeyState,
    ids: Sequence[UUID],
    proposals: Mapping[UUID, Any],
    stored: Sequence[Any],
    rested: Mapping[UUID, Mapping[UUID, Any]],
) -> None:
    by_id = {row.id: row for row in stored}
    for standing, name in zip(state.standings, ids, strict=True):
        successor = ids[standing.successor] if standing.successor is not None else None
        if standing.successor_lead is not None:
            successor = plan.led[standing.successor_lead]
        lost = rested.get(name, {}).keys() - {support.proposal for support in standing.support}
        row = _row(plan, key, standing, name, successor, proposals, by_id.get(name), lost)
        plan.owners[row["owner"]] = proposals[standing.lead.id]
        plan.evidence[name] = {
            support.proposal: {
                "memory": name, "proposal": support.proposal, "turn_id": proposals[support.proposal].turn_id,
                "role": support.role, "independent": support.independent,
            }
            for support in standing.support
        }  # fmt: skip
        plan.memory_of |= {support.proposal: name for support in standing.support}
        _compare(plan, by_id.get(name), row, rested.get(name, {}))
    for row in stored:
        if row.id not in ids:
            plan.note_merged(row)
            plan.withdrawn.append(row)
            plan.owners[row.owner] = row
            plan.grown[row.owner] -= _in_force(row.standing, row.retired_as)
    for one, other in state.reviews:
        plan.reviews[tuple(sorted((ids[one], ids[other])))] = key


def _matched(
    standings: Sequence[Standing], stored: Sequence[Any], rested: Mapping[UUID, Mapping[UUID, Any]]
) -> list[UUID]:
    """The memory of each standing: the stored one that shares its earliest proposal, else a new one."""
    holder = {proposal: row.id for row in reversed(stored) for proposal in rested.get(row.id, {})}
    taken: set[UUID] = set()
    ids = []
    for standing in standings:
        found = next(
            (holder[s.proposal] for s in standing.support if holder.get(s.proposal) not in (None, *taken)), None
        )
        name = found or new_id()
        taken.add(name)
        ids.append(name)
    return ids


def _row(
    plan: Plan,
    key: UUID,
    standing: Standing,
    name: UUID,
    successor: UUID | None,
    proposals: Mapping[UUID, Any],
    stored: Any | None,
    lost: Collection[UUID],
) -> dict[str, Any]:
    lead = standing.lead
    source = proposals[lead.id]
    backing = [proposals[support.proposal] for support in standing.support]
    counted = [
        proposals[support.proposal] for support in standing.support if support.role == "source" or support.independent
    ]
    latest = max(counted, key=lambda row: row.observed_at)
    importance = max(row.importance for row in counted)
    stated = max((row.expires_at for row in counted if row.expires_at), default=None)
    said = max(backing, key=lambda row: (row.observed_at, row.received_at))
    ended = plan.ended.get(source.owner)
    if ended is not None and said.observed_at <= ended:
        stated = min(stated or ended, ended)
    touched = _touched(stored, said.observed_at, [proposals[each] for each in lost if each in proposals])
    basis = Basis.CONFIRMED if lead.ruling is Ruling.CONFIRMED else Basis(lead.basis)
    kept = stored.kept_at if stored is not None and stored.kept_at is not None else said.observed_at
    dates = plan.rules.due(
        kind=Kind(lead.kind), basis=basis, verified=source.verified, stated=stated, observed_at=max(said.observed_at, kept),
        received_at=said.received_at, touched_at=touched, importance=importance, independent=standing.independent,
        uses=stored.uses if stored is not None else 0, pinned=stored is not None and stored.pinned,
    )  # fmt: skip
    turns = list(dict.fromkeys(row.turn for row in sorted(counted, key=lambda row: row.observed_at)))
    strictest = max((row.sensitivity for row in backing), key=("normal", "personal").index)
    uses = set.intersection(*(set(row.allowed_uses) for row in backing))
    cardinality = source.cardinality or plan.rules.cardinality(lead.predicate) or "many"
    return {
        "tenant": plan.tenant, "id": name, "owner": source.owner, "user_id": source.user_id, "project": source.project,
        "task": source.task, "key": key, "kind": lead.kind.value, "subject": lead.subject, "predicate": lead.predicate,
        "object": lead.object, "claim": lead.claim, "negated": lead.negated, "cardinality": str(cardinality),
        "basis": basis.value, "confidence": standing.confidence,
        "importance": importance, "sensitivity": strictest, "allowed_uses": sorted(uses), "lead": lead.id,
        "source_turn": lead.turn, "source_session": lead.session, "source_author": lead.author.value,
        "evidence_turns": turns, "independent": standing.independent, "observed_at": latest.observed_at,
        "observed_offset": latest.observed_offset, "valid_from": standing.valid_from, "valid_to": standing.valid_to,
        "superseded_by": successor, "standing": standing.closed_as.value if standing.closed_as else "current",
        "contested": standing.contested, "expires_at": dates.expires_at, "review_after": dates.review_after,
        "fades_at": dates.fades_at, "touched_at": touched, "policy": plan.rules.version,
    }  # fmt: skip


def _touched(stored: Any | None, said: datetime, lost: Sequence[Any]) -> datetime:
    """The last evidence or use; evidence that counts no longer takes its touch along."""
    if stored is None or stored.touched_at in [row.observed_at for row in lost]:
        return said
    latest: datetime = max(stored.touched_at, said)
    return latest


_COMPARED = (
    "kind", "subject", "predicate", "object", "claim", "negated", "cardinality", "basis", "confidence", "importance",
    "sensitivity", "allowed_uses", "lead", "evidence_turns", "independent", "observed_at", "observed_offset", "valid_from",
    "valid_to", "superseded_by", "standing", "contested",
)  # fmt: skip


def _compare(plan: Plan, stored: Any | None, row: dict[str, Any], rested: Mapping[UUID, Any]) -> None:
    if stored is None:
        plan.new.append({**row, "created_at": plan.now, "changed_at": plan.now})
        plan.event(row["id"], "admitted", "passed_every_check")
        if row["standing"] != "current":
            _tell(plan, None, row)
        plan.grown[row["owner"]] += _in_force(row["standing"], None)
        plan.to_index.add(row["id"])
        return
    different = [name for name in _COMPARED if getattr(stored, name) != row[name]]
    fresh = plan.evidence[row["id"]].keys() - rested.keys()
    cooled = row["touched_at"] < stored.touched_at
    called_back = bool(fresh) and row["standing"] == "current" and _can_come_back(stored, row, plan.now)
    if not different and not called_back and not fresh and not cooled:
        return
    plan.note_merged(stored)
    if called_back:
        counted = row["independent"] > stored.independent
        plan.event(row["id"], "restored", "independent_evidence" if counted else "said_again")
        plan.revalidated.append(row["id"])
    plan.changed.append({**row, "called_back": called_back, "changed_at": plan.now})
    plan.grown[row["owner"]] += _in_force(row["standing"], None if called_back else stored.retired_as)
    plan.grown[row["owner"]] -= _in_force(stored.standing, stored.retired_as)
    _tell(plan, stored, row)
    if stored.claim != row["claim"]:
        plan.to_index.add(row["id"])


def _in_force(standing: str, retired_as: str | None) -> int:
    """1 for a memory that counts towards its owner's number."""
    return int(standing == "current" and retired_as is None)


def _can_come_back(stored: Any, row: Mapping[str, Any], now: datetime) -> bool:
    """New evidence calls back what was only doubted or faded, and what expired if it now has time left."""
    if stored.retired_as == "expired":
        return row["expires_at"] is None or bool(row["expires_at"] > now)
    return stored.retired_as == "archived" or (stored.retired_as is None and stored.stale_since is not None)


def _tell(plan: Plan, stored: Any | None, row: dict[str, Any]) -> None:
    """Events for what changed in a way that somebody will ask about."""
    before = stored.standing if stored is not None else "current"
    if before != row["standing"]:
        reasons = {"superseded": "superseded_by_newer", "retracted": "retracted_by_user", "current": "successor_gone"}
        change = row["standing"] if row["standing"] != "current" else "current_again"
        plan.event(row["id"], change, reasons[row["standing"]])
    if stored is None:
        return
    if stored.contested != row["contested"]:
        plan.event(row["id"], "contested" if row["contested"] else "uncontested", "conflict_needs_review")
    if stored.independent != row["independent"] or stored.confidence != row["confidence"]:
        gained = row["independent"] >= stored.independent
        detail = {
            "confidence": [stored.confidence, row["confidence"]],
            "independent": [stored.independent, row["independent"]],
        }
        plan.event(row["id"], "confidence", "independent_evidence" if gained else "evidence_lost", detail)
