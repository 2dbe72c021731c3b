"""Runs as documents: what `consolidate` and `consolidations` print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.ids import shown
from lethe.lifecycle.consolidation.anew import Taken
from lethe.lifecycle.consolidation.patterns import Suggested
from lethe.lifecycle.consolidation.reverting import PREFIX
from lethe.lifecycle.consolidation.running import Made, Outcome
from lethe.recall.envelopes import by_ids, envelope
from lethe.store.database import tenant_transaction

Document = dict[str, Any]


def document(
    engine: Engine, tenant: str, outcome: Outcome, taken: Sequence[Taken], transform: str, *, dry_run: bool
) -> Document:
    """{"consolidation", "groups": [{"inputs", "output": envelope | null, "refused", …}], "taken_apart", "patterns"}; what a dry
    run would do in the same words, with `consolidation` and every `output` None."""
    outputs = [each.output for each in outcome.made if each.output is not None]
    with tenant_transaction(engine, tenant) as connection:
        rows = by_ids(connection, tenant, outputs)
    counts = outcome.counts()
    return {
        "consolidation": None if dry_run else shown(PREFIX, outcome.consolidation),
        "dry_run": dry_run,
        "transform": transform,
        "looked_at": outcome.looked_at,
        "merged": counts["merged"],
        "refused": {name.removeprefix("refused_"): n for name, n in counts.items() if name.startswith("refused_")},
        "proposed": [shown("prop", each.proposal) for each in outcome.proposed],
        "patterns": [_pattern(each) for each in outcome.proposed],
        "taken_apart": [_taken(each) for each in taken],
        "groups": [_group(each, rows) for each in outcome.made],
    }


def _taken(each: Taken) -> Document:
    inputs = [shown("mem", name) for name in each.inputs]
    return {"memory": shown("mem", each.output), "claim": each.claim, "inputs": inputs, "claims": list(each.claims)}


def _pattern(each: Suggested) -> Document:
    return {
        "proposal": shown("prop", each.proposal),
        "claim": each.pattern.claim,
        "times": each.pattern.outcome.times,
        "of": each.pattern.among,
    }


def _group(made: Made, rows: dict[UUID, Any]) -> Document:
    row = rows.get(made.output) if made.output is not None else None
    return {
        "inputs": [shown("mem", each.id) for each in made.group.members],
        "output": envelope(row).as_dict() if row is not None else None,
        "refused": made.refusal.reason.value if made.refusal else None,
        "detail": made.refusal.detail if made.refusal else None,
        "sort": made.group.sort.value,
        "claims": [each.claim for each in made.group.members],
        "claim": made.wording.claim if made.wording else None,
    }


def consolidations(engine: Engine, tenant: str) -> Document:
    """{"consolidations": [{"consolidation", "at", "groups", …}]}, the oldest first. The `output` of a group is an envelope while
    it stands; `output_id` stays, and `undone` tells what became of it."""
    with tenant_transaction(engine, tenant) as connection:
        runs = connection.execute(_RUNS, {"tenant": tenant}).all()
        groups = connection.execute(_GROUPS, {"tenant": tenant}).all()
        rows = by_ids(connection, tenant, [each.output for each in groups if each.output is not None])
    by_run: dict[UUID, list[Any]] = {}
    for each in groups:
        by_run.setdefault(each.consolidation, []).append(each)
    return {"consolidations": [_run(run, by_run.get(run.id, []), rows) for run in runs]}


_RUNS = sa.text("select * from consolidations where tenant = :tenant order by at, id")
_GROUPS = sa.text("""
select g.*, array(select i.memory from consolidation_inputs i where i.tenant = g.tenant
  and i.consolidation = g.consolidation and i.place = g.place order by i.memory) as inputs
from consolidation_groups g where g.tenant = :tenant order by g.consolidation, g.place
""")


def _run(run: Any, groups: Sequence[Any], rows: dict[UUID, Any]) -> Document:
    return {
        "consolidation": shown(PREFIX, run.id),
        "at": run.at.isoformat(),
        "actor": run.actor,
        "policy": run.policy,
        "transform": run.transform,
        "reverted_at": run.reverted_at.isoformat() if run.reverted_at else None,
        "groups": [_past(each, rows) for each in groups],
    }


def _past(group: Any, rows: dict[UUID, Any]) -> Document:
    row = rows.get(group.output)
    return {
        "inputs": [shown("mem", name) for name in group.inputs],
        "output": envelope(row).as_dict() if row is not None else None,
        "refused": group.refused,
        "detail": group.detail,
        "sort": group.sort,
        "proposal": shown("prop", group.proposal) if group.proposal else None,
        "output_id": shown("mem", group.output) if group.output else None,
        "undone": group.undone_as,
        "undone_at": group.undone_at.isoformat() if group.undone_at else None,
    }
