"""What another policy would have decided about the recorded proposals of a tenant. Nothing is changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import attrgetter
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.keys import Keyring
from lethe.lifecycle.reaching import fold_rows
from lethe.lifecycle.screening import proposal_of, with_context
from lethe.records import Proposal
from lethe.rules import Rules
from lethe.store.database import tenant_transaction

BATCH = 500
EXAMPLES = 3

Change = tuple[str, str, str]  # the outcome that was, the one that would be, and its first reason


@dataclass(slots=True)
class Replayed:
    """`changes` counts proposals by (old outcome, new outcome, new reason), each with a few of their claims."""

    proposals: int = 0
    not_screened_again: int = 0
    changes: Counter[Change] = field(default_factory=Counter)
    examples: dict[Change, list[dict[str, str]]] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        rows = [
            {
                "was": was,
                "would_be": would,
                "reason": reason,
                "count": count,
                "examples": self.examples[was, would, reason],
            }
            for (was, would, reason), count in self.changes.most_common()
        ]
        return {
            "proposals": self.proposals,
            "changed": sum(self.changes.values()),
            "not_screened_again": self.not_screened_again,
            "changes": rows,
        }


def replay(engine: Engine, tenant: str, rules: Rules, keys: Keyring) -> Replayed:
    """Screen and fold every recorded proposal under `rules`, and compare with the decisions as they stand.

    A proposal whose turn has lost its text keeps the verdict it has; `not_screened_again` counts those.
    """
    found = Replayed()
    for batch in _batches(engine, tenant):
        with tenant_transaction(engine, tenant) as connection:
            context = {each.row.id: each for each in with_context(connection, tenant, batch, keys, unscreened=False)}
            rows = connection.execute(_PROPOSALS, {"tenant": tenant, "keys": batch}).all()
        proposals = {row.id: _under(row, context.get(row.id), rules) for row in rows}
        found.proposals += len(rows)
        found.not_screened_again += sum(row.id not in context for row in rows)
        _compare(found, rows, proposals, rules)
    return found


def _batches(engine: Engine, tenant: str) -> Iterator[list[UUID]]:
    """Keys, those of an owner always together: they may stand against each other."""
    with tenant_transaction(engine, tenant) as connection:
        every = connection.execute(
            sa.text("select owner, key from proposals where tenant = :tenant group by owner, key order by owner, key"),
            {"tenant": tenant},
        ).all()
    batch: list[UUID] = []
    for _, rows in groupby(every, key=attrgetter("owner")):
        batch += [row.key for row in rows]
        if len(batch) >= BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


_PROPOSALS = sa.text("""
select p.*, d.outcome from proposals p left join decisions d on d.tenant = p.tenant and d.proposal = p.id
where p.tenant = :tenant and p.key = any(:keys) order by p.id
""")


def _under(row: Any, context: Any | None, rules: Rules) -> Proposal:
    """The proposal with the verdict that these rules give it."""
    proposal = proposal_of(row)
    if context is None:
        return replace(proposal, refusals=proposal.refusals or ())
    verdict = context.verdict(rules)
    return replace(proposal, refusals=verdict.refusals, holds=verdict.holds)


def _compare(found: Replayed, rows: Sequence[Any], proposals: Mapping[UUID, Proposal], rules: Rules) -> None:
    stood = {row.id: row for row in rows}
    by_key: dict[UUID, list[Any]] = {}
    for row in rows:
        by_key.setdefault(row.key, []).append(row)
    for state, _ in fold_rows(by_key, rules, lambda row: proposals[row.id]).values():
        for decision in state.decisions:
            row = stood[decision.proposal]
            if row.outcome is None or row.outcome == decision.outcome.value:
                continue
            change = (row.outcome, decision.outcome.value, decision.reasons[0].value)
            found.changes[change] += 1
            examples = found.examples.setdefault(change, [])
            if len(examples) < EXAMPLES:
                examples.append({"turn": row.turn, "session": row.session, "claim": row.claim})
