"""Which memories of a set hold which stems, and when what they tell of was."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lethe.recall.periods import Period
from lethe.recall.ranking import Floats

BACKGROUND = 10
Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Traits:
    """What is searched of one memory, worked out once a version. `length`: of its claim, in characters."""

    version: int
    stems: frozenset[str]
    periods: tuple[Period, ...]
    length: int


@dataclass(frozen=True, slots=True)
class Lexicon:
    """An index of stems over a set of memories."""

    postings: Mapping[str, list[int]]
    size: int

    @classmethod
    def of(cls, stems: Sequence[frozenset[str]]) -> Lexicon:
        found: dict[str, list[int]] = {}
        for place, some in enumerate(stems):
            for stem in some:
                found.setdefault(stem, []).append(place)
        return cls(found, len(stems))

    def weight(self, stem: str) -> float:
        """BM25's idf; a stem that no memory holds weighs most. In a handful of memories alone every stem would be common."""
        among = len(self.postings.get(stem, ()))
        return math.log(1 + (self.size + BACKGROUND - among + 0.5) / (among + 0.5))

    def coverage(self, stems: Iterable[str]) -> Floats:
        """For each memory the share, by weight, of these stems that it holds; 0 where there are none."""
        return self._share({stem: self.weight(stem) for stem in stems})

    def missing(self, stems: Iterable[str]) -> Floats:
        """For each memory the share of these stems, counted alike, that it lacks; 0 where there are none."""
        wanted = dict.fromkeys(stems, 1.0)
        return 1 - self._share(wanted) if wanted else np.zeros(self.size)

    def _share(self, weights: Mapping[str, float]) -> Floats:
        out = np.zeros(self.size)
        for stem, weight in weights.items():
            if stem in self.postings:
                out[self.postings[stem]] += weight
        whole = sum(weights.values())
        return out / whole if whole else out


@dataclass(frozen=True, slots=True)
class Calendar:
    """The periods that the memories of a set tell of, side by side with their places."""

    place: Places
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    size: int

    @classmethod
    def of(cls, periods: Sequence[tuple[Period, ...]]) -> Calendar:
        flat = [(place, period) for place, some in enumerate(periods) for period in some]
        return cls(
            place=np.array([place for place, _ in flat], dtype=np.intp),
            start=np.array([period.start for _, period in flat], dtype=np.float64),
            end=np.array([period.end for _, period in flat], dtype=np.float64),
            size=len(periods),
        )

    def outside(self, asked: Sequence[Period]) -> Floats:
        """1 for each memory that tells of no time in any of these periods, 0 for the others and where none is asked."""
        out = np.full(self.size, 1.0 if asked else 0.0)
        for period in asked:
            out[self.place[(self.start <= period.end) & (self.end >= period.start)]] = 0.0
        return out
