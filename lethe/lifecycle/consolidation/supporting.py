"""Would each input's own claim, asked as a question, still find the output? Computed as recall computes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import numpy as np

from lethe.index.packed import Vector
from lethe.merging import Group, Wording
from lethe.recall.lexicon import Lexicon
from lethe.recall.questions import read
from lethe.recall.ranking import Ranking
from lethe.recall.words import terms


def asked_of(group: Group) -> list[UUID]:
    """The memories whose claims must find the output: its inputs, and what stands behind them."""
    return list(dict.fromkeys(name for each in group.members for name in (each.id, *each.leaves)))


def unsupported(
    group: Group,
    wording: Wording,
    output: Vector,
    claims: Mapping[UUID, Any],
    vectors: Mapping[UUID, Vector],
    ranking: Ranking,
    least: float,
) -> UUID | None:
    """The first memory whose claim would find the output with less than `least` similarity, or below the threshold of recall.
    A claim's own vector is that of the question."""
    confidence = min(each.confidence for each in group.members)
    lexicon = Lexicon.of([frozenset(terms(f"{wording.claim} {group.members[0].subject}"))])
    for name in asked_of(group):
        similarity = _similarity(claims[name], vectors[name], output, lexicon, ranking)
        if similarity < least or similarity * confidence < ranking.threshold:
            return name
    return None


def _similarity(row: Any, vector: Vector, output: Vector, lexicon: Lexicon, ranking: Ranking) -> float:
    """A claim asks about no time, whatever day it names: it is a statement."""
    question = read(row.claim, row.observed_at)
    dense = np.array([float(vector @ output)])
    lexical = lexicon.coverage(question.stems)
    found = ranking.similarity(dense, lexical, lexicon.missing(question.names), np.zeros(1))
    return float(np.asarray(found)[0])


def complete(group: Group, vectors: Mapping[UUID, Vector], claims: Mapping[UUID, Any]) -> bool:
    """Has everything that the check needs its vector? What is not indexed yet waits for the next run."""
    names: Sequence[UUID] = asked_of(group)
    return all(name in vectors and name in claims for name in names)
