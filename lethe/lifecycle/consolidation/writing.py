"""One group as rows, in one transaction: its inputs are read again under their locks, the output is written, then they retire.

Whatever changed one of them since it was read (a fold, a job, a person, a deletion, another run) makes the group void.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lethe.ids import new_id
from lethe.index.packed import Vector
from lethe.index.vectors import as_text
from lethe.lifecycle.consolidation.neighbours import IN_FORCE
from lethe.lifecycle.forgetting import dates
from lethe.lifecycle.gate import lock_keys
from lethe.merging import Group, Refusal, Refused, Sort, Wording
from lethe.records import WEAKEST_FIRST, Basis, Kind
from lethe.rules import Dates, Rules
from lethe.store import barrier


@dataclass(frozen=True, slots=True)
class RunOf:
    """The run that a group belongs to."""

    tenant: str
    id: UUID
    rules: Rules
    transform: str
    actor: str
    now: datetime


def write_run(connection: Connection, run: RunOf) -> None:
    """Write the run itself down, once."""
    named = {"tenant": run.tenant, "id": run.id, "at": run.now, "actor": run.actor, "policy": run.rules.version}
    connection.execute(_RUN, {**named, "transform": run.transform})


_RUN = sa.text("""
insert into consolidations (tenant, id, at, actor, policy, transform) values (:tenant, :id, :at, :actor, :policy, :transform)
on conflict do nothing
""")


def write_refusal(connection: Connection, run: RunOf, place: int, group: Group, refusal: Refusal) -> None:
    """Write down that a group was refused, and why. An input that is gone or changed meanwhile leaves no text here."""
    barrier.share(connection, run.tenant)
    write_run(connection, run)
    unchanged = len(_locked(connection, run.tenant, group)) == len(group.members)
    detail = refusal.detail if unchanged else None
    _write_group(connection, run, place, group, refused=refusal.reason.value, detail=detail)
    if refusal.reason is Refused.INPUTS_CONFLICT and unchanged:
        _open_review(connection, run, group)


def write_group(
    connection: Connection, run: RunOf, place: int, group: Group, wording: Wording, vector: Vector, model: str
) -> UUID | None:
    """Write a group's output and retire its inputs; returns the output's id, None where an input changed since."""
    barrier.share(connection, run.tenant)
    lock_keys(connection, run.tenant, _keys(connection, run.tenant, group))
    rows = _locked(connection, run.tenant, group)
    if len(rows) < len(group.members):
        return None
    write_run(connection, run)
    output = _output(run, group, wording, rows)
    made = {name: output[name] for name in ("uses", "unhelpful", "pinned", "touched_at")}
    _write_group(connection, run, place, group, output=output["id"], **made)
    connection.execute(_OUTPUT, output)
    named = {"tenant": run.tenant, "output": output["id"], "inputs": [row.id for row in rows], "run": run.id}
    connection.execute(_VECTOR, {**named, "owner": output["owner"], "model": model, "embedding": as_text(vector)})
    connection.execute(_LINEAGE, named)
    connection.execute(_RETIRE, {**named, "now": run.now})
    _tell(connection, run, output["id"], [row.id for row in rows], group.sort)
    connection.execute(_OWNER, {"tenant": run.tenant, "owner": output["owner"], "fewer": len(rows) - 1})
    due = Dates(output["expires_at"], output["review_after"], output["fades_at"])
    dates.mark(connection, run.tenant, [due], run.now)
    found: UUID = output["id"]
    return found


def _keys(connection: Connection, tenant: str, group: Group) -> list[UUID]:
    named = {"tenant": tenant, "ids": [each.id for each in group.members]}
    return list(connection.execute(_KEYS, named).scalars())


_KEYS = sa.text("select distinct key from memories where tenant = :tenant and id = any(cast(:ids as uuid[]))")


def _locked(connection: Connection, tenant: str, group: Group) -> Sequence[Any]:
    """Those of a group's rows that stand as they were read, locked."""
    ids, versions = [each.id for each in group.members], [each.version for each in group.members]
    return connection.execute(_LOCKED, {"tenant": tenant, "ids": ids, "versions": versions}).all()


_LOCKED = sa.text(f"""
with locked as materialized (
  select m.* from memories m join unnest(cast(:ids as uuid[]), cast(:versions as int[])) as seen(id, version)
    on m.id = seen.id and m.version = seen.version
  where m.tenant = :tenant and {IN_FORCE} order by m.id for update of m)
select m.*, coalesce(p.verified, false) as verified from locked m
left join proposals p on p.tenant = m.tenant and p.id = m.lead order by m.id
""")


# --- the output ---------------------------------------------------------------------------------------------------


def _output(run: RunOf, group: Group, wording: Wording, rows: Sequence[Any]) -> dict[str, Any]:
    """The row of an output: the strictest of its inputs' dates, sensitivity and uses, their weakest basis, and what was
    learned about all of them."""
    lead = next(row for row in rows if row.id == wording.lead.id)
    latest = max(rows, key=lambda row: row.observed_at)
    turns = [turn for row in sorted(rows, key=lambda row: row.observed_at) for turn in row.evidence_turns]
    row: dict[str, Any] = {
        "tenant": run.tenant, "id": new_id(), "owner": lead.owner, "user_id": lead.user_id, "project": lead.project,
        "task": lead.task, "key": new_id(), "kind": lead.kind, "subject": lead.subject, "predicate": lead.predicate,
        "object": wording.object, "claim": wording.claim, "negated": lead.negated,
        "cardinality": min((row.cardinality for row in rows), key=["single", "many"].index),
        "basis": min((Basis(row.basis) for row in rows), key=WEAKEST_FIRST.index).value, "confidence": min(row.confidence for row in rows),
        "importance": max(row.importance for row in rows),
        "sensitivity": max((row.sensitivity for row in rows), key=["normal", "personal"].index),
        "allowed_uses": sorted(set.intersection(*(set(row.allowed_uses) for row in rows))), "lead": lead.lead,
        "source_turn": lead.source_turn, "source_session": lead.source_session, "source_author": lead.source_author,
        "evidence_turns": list(dict.fromkeys(turns)), "independent": _independent(group, rows),
        "observed_at": latest.observed_at, "observed_offset": latest.observed_offset,
        "valid_from": min(row.valid_from for row in rows), "pinned": any(row.pinned for row in rows),
        "expires_at": _earliest(row.expires_at for row in rows), "review_after": _earliest(row.review_after for row in rows),
        "touched_at": max(row.touched_at for row in rows), "uses": sum(row.uses for row in rows),
        "unhelpful": max(row.unhelpful for row in rows), "policy": run.rules.version, "now": run.now,
    }  # fmt: skip
    row["fades_at"] = _fades_at(run.rules, row, lead)
    return row


def _independent(group: Group, rows: Sequence[Any]) -> int:
    """What says the same in several sessions is evidence for itself; of different things none is for another."""
    most: int = max(row.independent for row in rows)
    return max(most, len({row.source_session for row in rows})) if group.sort is Sort.SAME else most


def _earliest(times: Any) -> datetime | None:
    return min((time for time in times if time is not None), default=None)


def _fades_at(rules: Rules, row: dict[str, Any], lead: Any) -> datetime | None:
    return rules.due(
        kind=Kind(row["kind"]), basis=Basis(row["basis"]), verified=lead.verified, stated=row["expires_at"],
        observed_at=row["observed_at"], received_at=row["now"], touched_at=row["touched_at"], importance=row["importance"],
        independent=row["independent"], uses=row["uses"], pinned=row["pinned"],
    ).fades_at  # fmt: skip


_COLUMNS = (
    "tenant", "id", "owner", "user_id", "project", "task", "key", "kind", "subject", "predicate", "object", "claim", "negated",
    "cardinality", "basis", "confidence", "importance", "sensitivity", "allowed_uses", "lead", "source_turn", "source_session",
    "source_author", "evidence_turns", "independent", "observed_at", "observed_offset", "valid_from", "pinned", "expires_at",
    "review_after", "fades_at", "touched_at", "uses", "unhelpful", "policy",
)  # fmt: skip
_OUTPUT = sa.text(
    f"insert into memories ({', '.join(_COLUMNS)}, standing, created_at, changed_at) "
    f"values ({', '.join(':' + name for name in _COLUMNS)}, 'current', :now, :now)"
)
_VECTOR = sa.text("""
insert into vectors (tenant, memory, owner, model, memory_version, ann, embedding)
select :tenant, :output, :owner, :model, 1, coalesce(bool_or(v.ann), false), cast(:embedding as halfvec)
from vectors v where v.tenant = :tenant and v.memory = any(cast(:inputs as uuid[]))
""")
_LINEAGE = sa.text("""
insert into lineage (tenant, output, input, consolidation, changed_at)
select tenant, :output, id, :run, changed_at from memories where tenant = :tenant and id = any(cast(:inputs as uuid[]))
""")
_RETIRE = sa.text("""
update memories set retired_as = 'consolidated', retired_at = :now, changed_at = :now, version = version + 1
where tenant = :tenant and id = any(cast(:inputs as uuid[]))
""")
_OWNER = sa.text("""
update owners set revision = revision + 1, memories = greatest(0, memories - :fewer) where tenant = :tenant and owner = :owner
""")


# --- the record of it ---------------------------------------------------------------------------------------------


def _write_group(connection: Connection, run: RunOf, place: int, group: Group, **fields: Any) -> None:
    blank = dict.fromkeys(("output", "refused", "detail", "uses", "unhelpful", "pinned", "touched_at", "proposal"))
    named = {"tenant": run.tenant, "run": run.id, "place": place}
    connection.execute(_GROUP, {**blank, **named, "sort": group.sort.value, **fields})
    connection.execute(_INPUTS, {**named, "inputs": sorted(each.id for each in group.members)})


_GROUP = sa.text("""
insert into consolidation_groups (tenant, consolidation, place, sort, output, proposal, refused, detail, uses, unhelpful, pinned, touched_at)
values (:tenant, :run, :place, :sort, :output, :proposal, :refused, :detail, :uses, :unhelpful, :pinned, :touched_at)
""")
_INPUTS = sa.text("""
insert into consolidation_inputs (tenant, consolidation, place, memory)
select :tenant, :run, :place, m from unnest(cast(:inputs as uuid[])) m
""")


def _tell(connection: Connection, run: RunOf, output: UUID, inputs: Sequence[UUID], sort: Sort) -> None:
    detail = {"consolidation": str(run.id), "output": str(output)}
    named = {
        "tenant": run.tenant,
        "now": run.now,
        "reason": sort.value,
        "actor": run.actor,
        "policy": run.rules.version,
    }
    connection.execute(_EVENTS, {**named, "ids": list(inputs), "change": "consolidated", "detail": json.dumps(detail)})
    made = {"consolidation": str(run.id), "inputs": len(inputs)}
    connection.execute(_EVENTS, {**named, "ids": [output], "change": "merged", "detail": json.dumps(made)})


_EVENTS = sa.text("""
insert into events (tenant, at, subject, change, reason, actor, policy, detail)
select :tenant, :now, id, :change, :reason, :actor, :policy, cast(:detail as jsonb) from unnest(cast(:ids as uuid[])) id
""")


def _open_review(connection: Connection, run: RunOf, group: Group) -> None:
    """What cannot both hold is put to people, once."""
    ids = sorted(each.id for each in group.members)
    connection.execute(_REVIEW, {"tenant": run.tenant, "id": new_id(), "ids": ids, "now": run.now})


_REVIEW = sa.text("""
insert into reviews (tenant, id, key, memories, reason, opened_at)
select :tenant, :id, (select key from memories where tenant = :tenant and id = any(cast(:ids as uuid[])) order by id limit 1),
  cast(:ids as uuid[]), 'inputs_conflict', :now
where not exists (select from reviews r join memories m on m.tenant = r.tenant and m.key = r.key
                  where r.tenant = :tenant and m.id = any(cast(:ids as uuid[])) and r.memories @> cast(:ids as uuid[])
                    and r.reason = 'inputs_conflict')
""")
