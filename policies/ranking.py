"""How well a memory answers a query: similarity x scope x confidence x freshness, each in 0..1; similarity with brevity in it.

Cosines of unrelated sentences lie between 0 and 0.2 with the packaged model, those of a question and its answer mostly
above 0.3; `NEAREST` is where more likeness says nothing more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from lethe.records import Kind

FARTHEST, NEAREST = 0.1, 0.7
OTHER_NAME = 0.4  # a question about Anna is not answered by what Bea did, however alike
OTHER_TIME = 0.5
WIDER = 0.97
# Of two claims that answer alike the shorter one leaves more room for others: pivoted length normalisation (Singhal 1996).
PIVOT, SLOPE = 100, 0.1
STORED = (Kind.PREFERENCE, Kind.INSTRUCTION, Kind.SEMANTIC, Kind.EPISODIC)

Floats = NDArray[np.floating[Any]]


class _HalfLives(Protocol):
    def of(self, kind: Kind) -> int: ...


class _Recall(Protocol):
    @property
    def k(self) -> int: ...
    @property
    def threshold(self) -> float: ...
    @property
    def dense_weight(self) -> float: ...
    @property
    def lexical_weight(self) -> float: ...
    @property
    def candidates(self) -> int: ...
    @property
    def freshness_half_life_days(self) -> _HalfLives: ...
    @property
    def freshness_floor(self) -> float: ...


class _Policy(Protocol):
    @property
    def recall(self) -> _Recall: ...
    def of(self, tenant: str) -> Self: ...


class PolicyRanking:
    """The formulas of [recall]."""

    def __init__(self, policy: _Policy) -> None:
        self._policy, self._recall = policy, policy.recall
        self.k = policy.recall.k
        self.threshold = policy.recall.threshold
        self.candidates = policy.recall.candidates
        self._half_lives = {kind.value: policy.recall.freshness_half_life_days.of(kind) for kind in STORED}

    def of(self, tenant: str) -> PolicyRanking:
        """The formulas with what holds for a tenant."""
        theirs = self._policy.of(tenant)
        return self if theirs is self._policy else PolicyRanking(theirs)

    def similarity(self, dense: Floats, lexical: Floats, missing: Floats, outside: Floats) -> Floats:
        """The weighted mean of the cosine, stretched from FARTHEST..NEAREST to 0..1, and the share of the words that occur;
        lowered where the question names somebody or something else, or another time.

        `dense` holds NaN where there is no vector yet: such a memory competes by its words alone. `missing` is the share of
        the names in the question that the memory lacks, `outside` 1 where it tells of no time that was asked about, else 0.
        """
        near = np.clip((dense - FARTHEST) / (NEAREST - FARTHEST), 0.0, 1.0)
        by_meaning, by_words = self._recall.dense_weight, self._recall.lexical_weight
        mean = (by_meaning * near + by_words * lexical) / (by_meaning + by_words)
        alike = np.where(np.isnan(dense), lexical, mean)
        return np.asarray(alike * (1 - OTHER_NAME * missing) * (1 - OTHER_TIME * outside))

    def brevity(self, lengths: Floats) -> Floats:
        """What a claim of so many characters counts against one of PIVOT characters, which counts 1."""
        return np.asarray(1 / (1 - SLOPE + SLOPE * lengths / PIVOT))

    def scope(self, steps: int) -> float:
        """1 for a memory of exactly the asked scope, a little less for each step that it is wider."""
        return float(WIDER**steps)

    def freshness(self, kinds: Sequence[str], days: Floats) -> Floats:
        """floor + (1 - floor) * 2^(-days / half-life): old memories rank lower and never vanish by age alone."""
        half_lives = np.array([self._half_lives[kind] for kind in kinds], dtype=np.float64)
        floor = self._recall.freshness_floor
        return np.asarray(floor + (1 - floor) * np.exp2(-np.maximum(0.0, days) / half_lives))
