"""Statements of one person under several predicates, and what stands of them."""

from __future__ import annotations

from collections import defaultdict
from typing import Any
from uuid import UUID, uuid5

from lethe.records import Cardinality, KeyState, Kind, Proposal
from policies.across import reconcile
from policies.fold import fold
from tests.unit.policies.fold_cases import POLICY, proposal

SPACE = UUID(int=7)


def did(predicate: str, value: str, day: float, claim: str | None = None, **fields: Any) -> Proposal:
    """Something that the user says of themselves, under its own predicate."""
    fields = {"kind": Kind.EPISODIC, "cardinality": Cardinality.MANY, **fields}
    words = claim or f"The user {predicate.replace('_', ' ')} {value}."
    return proposal(value, day, predicate=predicate, subject=fields.pop("subject", "user"), claim=words, **fields)


def never(predicate: str, value: str, day: float, **fields: Any) -> Proposal:
    claim = f"The user has never {predicate.replace('_', ' ')} any {value}."
    return did(predicate, value, day, claim, negated=True, **fields)


def became(predicate: str, value: str, day: float, claim: str, **fields: Any) -> Proposal:
    fields = {"kind": Kind.SEMANTIC, "cardinality": Cardinality.SINGLE, **fields}
    return did(predicate, value, day, claim, cue=True, **fields)


def states(*proposals: Proposal) -> dict[UUID, KeyState]:
    by_key: dict[UUID, list[Proposal]] = defaultdict(list)
    for each in proposals:
        by_key[uuid5(SPACE, f"{each.subject}/{each.predicate}")].append(each)
    return reconcile({key: fold(some, POLICY) for key, some in by_key.items()}, POLICY)


def current(*proposals: Proposal) -> set[str]:
    """The claims that stand."""
    return {
        standing.lead.claim
        for state in states(*proposals).values()
        for standing in state.standings
        if standing.closed_as is None
    }


def replaced(older: Proposal, newer: Proposal) -> bool:
    return current(older, newer) == {newer.claim}
