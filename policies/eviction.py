"""Which memories make room when a user has more than the cap: those with the lowest retention score.

    retention = recency + frequency + confidence + importance, each in 0..1 and weighed by [cap]

Recency is the strength of policies/strength.py, so that it halves with the memory's own half-life; frequency is
uses / (uses + 3), which rises with each use and saturates. The sum of recency, importance and a use term is that of
"Generative Agents" (Park et al. 2023), confidence stands beside it.

Instructions and confirmed memories go last, pinned ones after them. What was written within the last days counts at least as
much as the middle one: it had no chance to be read yet, so it is not the first to go; nor does a flood of new rows stand
above everything that has proved itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median
from uuid import UUID

from lethe.records import Basis, Kind
from policies.policy import Policy
from policies.strength import half_life, strength

USES_AT_HALF = 3


@dataclass(frozen=True, slots=True)
class Kept:
    """What eviction looks at of one memory. `written_at`: when it came into the store; `touched_at`: its last evidence or use."""

    id: UUID
    kind: Kind
    basis: Basis
    pinned: bool
    confidence: float
    importance: float
    independent: int
    uses: int
    touched_at: datetime
    written_at: datetime


def evict(kept: Sequence[Kept], excess: int, now: datetime, policy: Policy) -> list[UUID]:
    """The ids of `excess` memories to archive, first to go first; ties go by age, then by id, so that any order of the
    same rows gives the same answer."""
    scores = {each.id: retention(each, now, policy) for each in kept}
    middle = median(scores.values()) if scores else 0.0
    grace = timedelta(days=policy.cap.grace_days)

    def order(each: Kept) -> tuple[int, float, datetime, UUID]:
        young = each.uses == 0 and now - each.written_at < grace
        score = max(scores[each.id], middle) if young else scores[each.id]
        return protection(each), score, max(each.touched_at, each.written_at), each.id

    return [each.id for each in sorted(kept, key=order)[: max(0, excess)]]


def retention(each: Kept, now: datetime, policy: Policy) -> float:
    """The retention score in 0..1."""
    cap = policy.cap
    days = half_life(each.kind, each.importance, each.independent, each.uses, policy)
    recency = strength(max(each.touched_at, each.written_at), now, days)
    frequency = each.uses / (each.uses + USES_AT_HALF)
    weighed = (
        cap.recency_weight * recency
        + cap.frequency_weight * frequency
        + cap.confidence_weight * each.confidence
        + cap.importance_weight * each.importance
    )
    return weighed / (cap.recency_weight + cap.frequency_weight + cap.confidence_weight + cap.importance_weight)


def protection(each: Kept) -> int:
    """0: ordinary; 1: an instruction, or confirmed by a person; 2: pinned."""
    if each.pinned:
        return 2
    return int(each.kind is Kind.INSTRUCTION or each.basis is Basis.CONFIRMED)
