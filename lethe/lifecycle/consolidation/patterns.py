"""Repeated verified outcomes become a proposal: an inferred preference that the gate holds until somebody confirms it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lethe.ids import content_id, key_id, words_id
from lethe.lifecycle.consolidation.writing import RunOf, write_run
from lethe.merging import Outcome, Pattern
from lethe.records import Reason, Scope
from lethe.store import barrier, work

SORT = "pattern"


@dataclass(frozen=True, slots=True)
class Suggested:
    """A pattern that nobody was asked about yet, with the proposal that asks."""

    proposal: UUID
    key: UUID
    pattern: Pattern


def suggested(connection: Connection, run: RunOf, changed: Sequence[UUID]) -> list[Suggested]:
    """What the outcomes among these changed memories suggest and was not proposed before."""
    by_key: dict[UUID, list[Outcome]] = {}
    for row in connection.execute(_OUTCOMES, {"tenant": run.tenant, "ids": list(changed)}):
        outcome = Outcome(row.subject, row.predicate, row.object, row.times, row.latest, tuple(row.memories))
        by_key.setdefault(row.key, []).append(outcome)
    patterns = [run.rules.merging.pattern(outcomes) for _, outcomes in sorted(by_key.items())]
    found = [_suggested(connection, run, each) for each in patterns if each is not None]
    named = {"tenant": run.tenant, "ids": [each.proposal for each in found]}
    known = set(connection.execute(_KNOWN, named).scalars()) if found else set()
    return [each for each in found if each.proposal not in known]


def _suggested(connection: Connection, run: RunOf, pattern: Pattern) -> Suggested:
    source = connection.execute(_SOURCE, {"tenant": run.tenant, "id": pattern.outcome.latest}).one()
    scope = Scope(source.user_id, source.project, source.task)
    key = key_id(run.tenant, scope, source.subject, pattern.predicate)
    return Suggested(content_id("pattern", str(key), pattern.outcome.object), key, pattern)


def propose(connection: Connection, run: RunOf, place: int, changed: Sequence[UUID]) -> list[Suggested]:
    """Propose what the outcomes among these changed memories suggest, once each; returns what is new."""
    barrier.share(connection, run.tenant)
    made: list[Suggested] = []
    for each in suggested(connection, run, changed):
        if _propose(connection, run, place + len(made), each):
            made.append(each)
    return made


def _propose(connection: Connection, run: RunOf, place: int, each: Suggested) -> bool:
    new = connection.execute(_PROPOSE, _row(run, each)).first()
    if new is None:
        return False
    write_run(connection, run)
    named = {"tenant": run.tenant, "run": run.id, "place": place, "proposal": each.proposal}
    connection.execute(_GROUP, {**named, "inputs": sorted(each.pattern.outcome.memories)})
    work.enqueue(connection, work.GATE, run.tenant, [each.key], run.now)
    return True


def _row(run: RunOf, each: Suggested) -> dict[str, Any]:
    pattern = each.pattern
    return {
        "tenant": run.tenant, "id": each.proposal, "source": pattern.outcome.latest, "key": each.key,
        "predicate": pattern.predicate, "object": pattern.outcome.object, "claim": pattern.claim,
        "confidence": round(pattern.outcome.times / pattern.among, 4), "words": words_id(pattern.claim),
        "holds": [Reason.AWAITING_SECOND_SESSION.value], "extractor": run.transform, "now": run.now,
    }  # fmt: skip


# Evidence that an outcome repeats counts here, dependent or not: each is an outcome of its own turn.
_OUTCOMES = sa.text("""
with keys as materialized (
  select distinct key from memories where tenant = :tenant and id = any(cast(:ids as uuid[])) and source_author = 'tool')
select p.key, min(p.subject) as subject, min(p.predicate) as predicate, min(p.object) as object,
  count(distinct p.turn_id) as times, (array_agg(p.id order by p.observed_at desc, p.id))[1] as latest,
  array_agg(distinct e.memory) as memories
from keys join proposals p on p.tenant = :tenant and p.key = keys.key
join evidence e on e.tenant = p.tenant and e.proposal = p.id
where p.author = 'tool' and p.verified and p.act = 'assert' and not p.negated and p.kind = 'episodic'
group by p.key, lower(p.object) order by p.key, lower(p.object)
""")
_KNOWN = sa.text("select id from proposals where tenant = :tenant and id = any(cast(:ids as uuid[]))")
_SOURCE = sa.text("select * from proposals where tenant = :tenant and id = :id")
_PROPOSE = sa.text("""
insert into proposals (tenant, id, turn_id, session, turn, ordinal, author, verified, proposed_by, owner, user_id, project, task, key,
  kind, subject, predicate, object, claim, act, basis, confidence, importance, cardinality, observed_at, observed_offset, words,
  refusals, holds, sensitivity, allowed_uses, extractor, created_at)
select s.tenant, :id, s.turn_id, s.session, s.turn, 2000, s.author, s.verified, 'consolidation', s.owner, s.user_id, s.project, s.task,
  :key, 'preference', s.subject, :predicate, :object, :claim, 'assert', 'inferred', :confidence, s.importance, 'many', s.observed_at,
  s.observed_offset, :words, '{}', :holds, s.sensitivity, s.allowed_uses, :extractor, :now
from proposals s where s.tenant = :tenant and s.id = :source
on conflict do nothing returning id
""")
_GROUP = sa.text("""
with made as (
  insert into consolidation_groups (tenant, consolidation, place, sort, proposal) values (:tenant, :run, :place, 'pattern', :proposal))
insert into consolidation_inputs (tenant, consolidation, place, memory)
select :tenant, :run, :place, m from unnest(cast(:inputs as uuid[])) m
""")


def withdraw(connection: Connection, tenant: str, proposals: Sequence[UUID], now: Any) -> list[UUID]:
    """Take back what nobody has decided about yet; returns these."""
    rows = connection.execute(_WITHDRAW, {"tenant": tenant, "ids": list(proposals)}).all()
    connection.execute(_DECISIONS, {"tenant": tenant, "ids": [row.id for row in rows]})
    work.enqueue(connection, work.GATE, tenant, {row.key for row in rows}, now)
    return [row.id for row in rows]


_WITHDRAW = sa.text("""
delete from proposals where tenant = :tenant and id = any(cast(:ids as uuid[])) and ruling is null returning id, key
""")
_DECISIONS = sa.text("delete from decisions where tenant = :tenant and proposal = any(cast(:ids as uuid[]))")
