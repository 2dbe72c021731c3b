"""A small policy and a maker of proposals for the tests of the fold."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from uuid import UUID

from lethe.ids import words_id
from lethe.records import Act, Author, Basis, Cardinality, KeyState, Kind, Proposal, Scope
from policies.fold import fold

START = datetime(2026, 1, 1, 9, tzinfo=UTC)
_ids = count(1)


@dataclass(frozen=True)
class SmallPolicy:
    """Everything on: inferred preferences wait, `salary` is of high consequence, `order_state` belongs to the tools."""

    version: str = "test@1"

    def cardinality(self, predicate: str) -> Cardinality | None:
        return {"lives_in": Cardinality.SINGLE, "salary": Cardinality.SINGLE, "order_state": Cardinality.SINGLE}.get(
            predicate
        )

    def is_high_consequence(self, predicate: str) -> bool:
        return predicate == "salary"

    def is_authoritative(self, predicate: str) -> bool:
        return predicate == "order_state"

    def needs_second_session(self, proposal: Proposal) -> bool:
        return proposal.kind is Kind.PREFERENCE and proposal.basis is Basis.INFERRED

    def hold_for(self) -> timedelta:
        return timedelta(days=90)

    def confidence(self, basis: Basis, stated: float, independent: int) -> float:
        return round(1 - (1 - stated) * 0.5 ** max(0, independent - 1), 6)


POLICY = SmallPolicy()


def proposal(
    value: str, day: float = 0, *, session: str | None = None, words: str | None = None, **fields: Any
) -> Proposal:
    """A plain statement of the user: "lives in `value`", on a day counted from START."""
    number = next(_ids)
    given: dict[str, Any] = {
        "id": UUID(int=number),
        "turn_id": UUID(int=number + (1 << 64)),
        "session": session or f"s{day}",
        "turn": f"t{number:06}",
        "ordinal": 0,
        "author": Author.USER,
        "verified": False,
        "explicit": False,
        "scope": Scope("u"),
        "kind": Kind.SEMANTIC,
        "subject": "user",
        "predicate": "lives_in",
        "object": value,
        "claim": f"The user lives in {value}.",
        "negated": False,
        "act": Act.ASSERT,
        "basis": Basis.STATED,
        "confidence": 0.9,
        "importance": 0.5,
        "cardinality": None,
        "observed_at": START + timedelta(days=day),
        "words": words_id(words or f"{value} {number}"),
        "refusals": (),
    }
    return Proposal(**{**given, **fields})


def folded(*proposals: Proposal) -> KeyState:
    return fold(proposals, POLICY)


def current(state: KeyState) -> list[str]:
    """Objects that stand now, oldest first."""
    return [
        ("not " if each.lead.negated else "") + each.lead.object for each in state.standings if each.closed_as is None
    ]


def outcomes(state: KeyState) -> list[tuple[str, str]]:
    return [(decision.outcome.value, decision.reasons[0].value) for decision in state.decisions]
