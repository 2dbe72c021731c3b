"""How memories fade. strength(t) = 2^(-(t - last touched) / half-life): the forgetting curve of Ebbinghaus with the
half-life of spaced repetition; the moment at which it meets the archive line follows in closed form."""

from __future__ import annotations

import math
from datetime import datetime, timedelta

from lethe.records import Basis, Kind
from policies.policy import Policy

DAY = 86_400.0


def half_life(kind: Kind, importance: float, independent: int, uses: int, policy: Policy) -> float:
    """Days in which strength halves: the kind's, longer with importance (0..1), every further independent piece of
    evidence and every use, up to the policy's cap."""
    fading = policy.fading
    longer = (
        1
        + fading.importance_gain * importance
        + fading.evidence_gain * max(0, independent - 1)
        + fading.use_gain * max(0, uses)
    )
    return min(fading.half_life_days.of(kind) * longer, float(fading.max_half_life_days))


def strength(touched_at: datetime, now: datetime, half_life_days: float) -> float:
    """Strength in (0, 1]; 1 until the last touch."""
    age = (now - touched_at).total_seconds() / DAY
    return float(2.0 ** -(max(0.0, age) / half_life_days))


def fades_at(
    kind: Kind,
    basis: Basis,
    touched_at: datetime,
    importance: float,
    independent: int,
    uses: int,
    pinned: bool,
    policy: Policy,
) -> datetime | None:
    """When strength meets the archive line, yet not before the policy's untouched days are over. None: never, for
    kinds that the policy exempts, for what a person confirmed and for what is pinned."""
    if pinned or basis is Basis.CONFIRMED or kind.value in policy.fading.never:
        return None
    days = half_life(kind, importance, independent, uses, policy) * math.log2(1 / policy.fading.archive_below)
    return touched_at + timedelta(days=max(days, policy.fading.untouched_days))


def freshness(age_days: float, kind: Kind, policy: Policy) -> float:
    """How much an age (days since it was last observed) leaves of a score, in (0, 1]: it halves the way from 1 to the
    policy's floor once in each half-life of the kind."""
    floor = policy.recall.freshness_floor
    left = 2.0 ** -(max(0.0, age_days) / policy.recall.freshness_half_life_days.of(kind))
    return float(max(floor + (1 - floor) * left, 1e-9))
