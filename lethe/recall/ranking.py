"""What recall needs to be told about ranking; `policies.ranking` answers it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]


class Ranking(Protocol):
    """A policy's formulas. Arrays go in and come out aligned, one number a memory; scores are in 0..1."""

    def of(self, tenant: str) -> Ranking:
        """The ranking that holds for a tenant: this one, unless it has one of its own."""
        ...

    @property
    def k(self) -> int:
        """How many memories are handed out where the query does not say."""
        ...

    @property
    def threshold(self) -> float:
        """The lowest score that is handed out where the query does not say."""
        ...

    @property
    def candidates(self) -> int:
        """How many are fetched from a graph index before they are ranked."""
        ...

    def similarity(self, dense: Floats, lexical: Floats, missing: Floats, outside: Floats) -> Floats:
        """One similarity from a cosine (NaN: no vector yet), the share of the question's words that occur, the share of the
        names in it that do not, and whether (1 or 0) the memory tells of another time than the one that is asked about."""
        ...

    def brevity(self, lengths: Floats) -> Floats:
        """What similarity is multiplied by for claims of so many characters, a little more than 1 for the shortest."""
        ...

    def scope(self, steps: int) -> float:
        """The weight of a memory whose scope is so many steps wider than the asked one."""
        ...

    def freshness(self, kinds: Sequence[str], days: Floats) -> Floats:
        """Freshness of memories that nothing touched for so many days."""
        ...
