"""Write what the folds of some keys say: each table once for all keys, and only what changed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lethe.ids import new_id
from lethe.lifecycle.consolidation import marking
from lethe.lifecycle.forgetting import endings
from lethe.lifecycle.forgetting.crowding import mark_crowded
from lethe.lifecycle.forgetting.reviewing import settle_reviews
from lethe.records import KeyState
from lethe.rules import Rules
from lethe.store import due

ACTOR = "gate"
Folded = Mapping[UUID, tuple[KeyState, Mapping[UUID, Any]]]


@dataclass(slots=True)
class Written:
    """What a pass changed."""

    to_index: set[UUID] = field(default_factory=set)
    outcomes: Counter[str] = field(default_factory=Counter)
    unscreened: set[UUID] = field(default_factory=set)


@dataclass(slots=True)
class Plan:
    """Rows to write, gathered over all keys so that each table is written once."""

    tenant: str
    rules: Rules
    now: datetime
    new: list[dict[str, Any]] = field(default_factory=list)
    changed: list[dict[str, Any]] = field(default_factory=list)
    withdrawn: list[Any] = field(default_factory=list)
    evidence: dict[UUID, dict[UUID, dict[str, Any]]] = field(default_factory=dict)
    events: list[dict[str, Any]] = field(default_factory=list)
    memory_of: dict[UUID, UUID] = field(default_factory=dict)
    led: dict[UUID, UUID] = field(default_factory=dict)  # the memory that a proposal leads
    reviews: dict[tuple[UUID, ...], UUID] = field(default_factory=dict)
    owners: dict[UUID, Any] = field(default_factory=dict)
    grown: Counter[UUID] = field(default_factory=Counter)
    to_index: set[UUID] = field(default_factory=set)
    revalidated: list[UUID] = field(default_factory=list)
    ended: dict[UUID, datetime] = field(default_factory=dict)
    merged: set[UUID] = field(default_factory=set)

    def note_merged(self, row: Any) -> None:
        """A stored row that changes; if it stands behind a merged memory, that one has to go first."""
        if row.retired_as == "consolidated":
            self.merged.add(row.id)

    def event(self, subject: UUID, change: str, reason: str, detail: dict[str, Any] | None = None) -> None:
        self.events.append(
            {
                "tenant": self.tenant,
                "at": self.now,
                "subject": subject,
                "change": change,
                "reason": reason,
                "actor": ACTOR,
                "policy": self.rules.version,
                "detail": json.dumps(detail) if detail else None,
            }
        )


_MEMORY_COLUMNS = (
    "tenant", "id", "owner", "user_id", "project", "task", "key", "kind", "subject", "predicate", "object", "claim", "negated",
    "cardinality", "basis", "confidence", "importance", "sensitivity", "allowed_uses", "lead", "source_turn", "source_session",
    "source_author", "evidence_turns", "independent", "observed_at", "observed_offset", "valid_from", "valid_to",
    "superseded_by", "standing", "contested", "expires_at", "review_after", "fades_at", "touched_at", "policy",
)  # fmt: skip
_NEW = sa.text(
    f"insert into memories ({', '.join(_MEMORY_COLUMNS)}, created_at, changed_at) "
    f"values ({', '.join(':' + name for name in _MEMORY_COLUMNS)}, :created_at, :changed_at)"
)
_CHANGED = sa.text(
    "update memories set "
    + ", ".join(f"{name} = :{name}" for name in _MEMORY_COLUMNS if name not in ("tenant", "id"))
    + ", changed_at = :changed_at, version = version + 1,"
    " stale_since = case when :called_back then null else stale_since end,"
    " retired_at = case when :called_back then null else retired_at end,"
    " retired_as = case when :called_back then null else retired_as end"
    " where tenant = :tenant and id = :id"
)
EVENT = sa.text("""insert into events (tenant, at, subject, change, reason, actor, policy, detail)
values (:tenant, :at, :subject, :change, :reason, :actor, :policy, cast(:detail as jsonb))""")


def write_memories(connection: Connection, plan: Plan) -> None:
    if plan.new:
        connection.execute(_NEW, plan.new)
    if plan.changed:
        connection.execute(_CHANGED, plan.changed)
    looked_at = [row for row in (*plan.new, *plan.changed) if row["standing"] == "current"]
    marking.mark(connection, plan.tenant, {row["id"]: row["owner"] for row in looked_at}, plan.now)
    for row in plan.withdrawn:
        plan.event(row.id, "withdrawn", "evidence_lost")
    if plan.revalidated:
        settle_reviews(connection, plan.tenant, plan.revalidated, "new_evidence", plan.now)
    if plan.withdrawn:
        connection.execute(
            sa.text("delete from memories where tenant = :tenant and id = any(:ids)"),
            {"tenant": plan.tenant, "ids": [row.id for row in plan.withdrawn]},
        )


def write_evidence(connection: Connection, plan: Plan, rested: Mapping[UUID, Mapping[UUID, Any]]) -> None:
    rows: list[dict[str, Any]] = []
    for name, wanted in plan.evidence.items():
        before = rested.get(name, {})
        gone = before.keys() - wanted.keys()
        if gone:
            connection.execute(
                sa.text("delete from evidence where tenant = :tenant and memory = :memory and proposal = any(:gone)"),
                {"tenant": plan.tenant, "memory": name, "gone": list(gone)},
            )
        for proposal, row in wanted.items():
            old = before.get(proposal)
            if old is None or (old.role, old.independent) != (row["role"], row["independent"]):
                rows.append({"tenant": plan.tenant, **row})
    if rows:
        connection.execute(_EVIDENCE, rows)


_EVIDENCE = sa.text("""insert into evidence (tenant, memory, proposal, turn_id, role, independent)
values (:tenant, :memory, :proposal, :turn_id, :role, :independent)
on conflict (tenant, memory, proposal) do update set role = excluded.role, independent = excluded.independent""")


def write_decisions(connection: Connection, plan: Plan, folded: Folded) -> Counter[str]:
    """One decision a proposal: recorded once, and changed only where what is known now changes it."""
    outcomes: Counter[str] = Counter()
    stored = _decided(connection, plan.tenant, [name for _, proposals in folded.values() for name in proposals])
    rows: list[dict[str, Any]] = []
    for state, proposals in folded.values():
        for decision in state.decisions:
            source = proposals[decision.proposal]
            outcome, reasons = decision.outcome.value, [reason.value for reason in decision.reasons]
            memory = plan.memory_of.get(decision.proposal)
            outcomes[outcome] += 1
            if stored.get(decision.proposal) != (outcome, reasons, memory):
                rows.append(
                    {
                        "tenant": plan.tenant, "id": new_id(), "proposal": decision.proposal, "turn_id": source.turn_id,
                        "session": source.session, "turn": source.turn, "user": source.user_id, "project": source.project,
                        "kind": source.kind, "outcome": outcome, "policy": decision.policy, "reasons": reasons,
                        "memory": memory, "now": plan.now,
                    }
                )  # fmt: skip
    if rows:
        connection.execute(_DECISION, rows)
    return outcomes


def _decided(
    connection: Connection, tenant: str, proposals: Sequence[UUID]
) -> dict[UUID, tuple[str, list[str], UUID | None]]:
    """{proposal: (outcome, reasons, memory)} as stored."""
    query = sa.text(
        "select proposal, outcome, reasons, memory from decisions where tenant = :tenant and proposal = any(:proposals)"
    )
    found = connection.execute(query, {"tenant": tenant, "proposals": list(proposals)})
    return {row.proposal: (row.outcome, list(row.reasons), row.memory) for row in found}


_DECISION = sa.text("""
insert into decisions (tenant, id, proposal, turn_id, session, turn, user_id, project, kind, outcome, reasons, policy, memory, decided_at)
values (:tenant, :id, :proposal, :turn_id, :session, :turn, :user, :project, :kind, :outcome, :reasons, :policy, :memory, :now)
on conflict (tenant, proposal) do update
set outcome = excluded.outcome, reasons = excluded.reasons, policy = excluded.policy, memory = excluded.memory,
    decided_at = excluded.decided_at
""")


def write_reviews(connection: Connection, plan: Plan, keys: Sequence[UUID]) -> None:
    rows = connection.execute(
        sa.text("""select id, memories from reviews where tenant = :tenant and key = any(:keys) and resolved_at is null
        and reason = 'conflict_needs_review'"""),
        {"tenant": plan.tenant, "keys": list(keys)},
    ).all()
    stored = {tuple(sorted(row.memories)): row.id for row in rows}
    for pair in plan.reviews.keys() - stored.keys():
        connection.execute(
            sa.text("""insert into reviews (tenant, id, key, memories, reason, opened_at)
            values (:tenant, :id, :key, :memories, 'conflict_needs_review', :now)"""),
            {"tenant": plan.tenant, "id": new_id(), "key": plan.reviews[pair], "memories": list(pair), "now": plan.now},
        )
    settled = [name for pair, name in stored.items() if pair not in plan.reviews]
    if settled:
        connection.execute(
            sa.text(
                "update reviews set resolved_at = :now, resolution = 'no_longer_in_conflict' where tenant = :tenant and id = any(:ids)"
            ),
            {"tenant": plan.tenant, "ids": settled, "now": plan.now},
        )


def mark_due(connection: Connection, plan: Plan, held: bool) -> None:
    """Tell the jobs from when on they have something to do here."""
    rows = [*plan.new, *plan.changed]
    current = [row for row in rows if row["standing"] == "current"]
    columns = {due.EXPIRE: "expires_at", due.DECAY: "fades_at", due.REVIEW: "review_after"}
    dates: dict[str, datetime | None] = {
        sort: min((row[column] for row in current if row[column] is not None), default=None)
        for sort, column in columns.items()
    }
    dates[due.HELD] = plan.now if held else None
    dates[due.KEPT] = due.NEVER if plan.new else None
    due.mark(connection, plan.tenant, dates, plan.now)
    endings.mark(connection, plan.tenant, [row["id"] for row in rows if row["standing"] != "current"], plan.now)
    mark_crowded(connection, plan.tenant, [owner for owner, n in plan.grown.items() if n > 0], plan.rules, plan.now)


def write_owners(connection: Connection, plan: Plan) -> None:
    """Raise the revision of every owner whose rows changed, in one order, so that no two passes wait in a circle."""
    rows = [
        {
            "tenant": plan.tenant,
            "owner": owner,
            "user": row.user_id,
            "project": row.project,
            "task": row.task,
            "grown": plan.grown[owner],
        }
        for owner, row in sorted(plan.owners.items())
    ]
    if rows and (plan.new or plan.changed or plan.withdrawn):
        connection.execute(_OWNER, rows)


_OWNER = sa.text("""
insert into owners (tenant, owner, user_id, project, task, memories) values (:tenant, :owner, :user, :project, :task, greatest(0, :grown))
on conflict (tenant, owner) do update set revision = owners.revision + 1, memories = greatest(0, owners.memories + :grown)
""")
