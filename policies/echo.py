"""Does a claim only repeat what was recalled into its session? Compared by words, whoever is made to say them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from policies.grounds import ROLE_WORDS, word_set, words

_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nothing|neither|nor|cannot|without|stopped|quit|ceased|anymore|any more|no longer)\b|n['’]t\b",
    re.IGNORECASE,
)
_CAPITAL = re.compile(r"(?<=[^\W_][\s,(\"“])[A-ZÀ-ÞΑ-ΩА-Я][\w'’-]*")
_FILLERS = word_set(
    "yes yeah right correct exact exactly true indeed ok okay sure well as know known say said tell told mention mentioned "
    "earlier before already again still remind rememb recall recalled memory memor fil according that's it's now"
)
_RELATIONS = word_set(
    "mother father mum mom dad parent brother sister sibling son daughter child husband wif partner girlfriend boyfriend "
    "friend cousin aunt uncl niec nephew grandmother grandfather boss manager colleagu neighbour neighbor flatmat roommat"
)
MOST_TOGETHER = 5  # beyond that many recalled memories, some of them holds any word


@dataclass(frozen=True, slots=True)
class _Said:
    words: frozenset[str]
    names: frozenset[str]
    negated: bool


def is_echo(claim: str, recalled: Sequence[str], likeness: float) -> bool:
    """True where a recalled claim, or a few of them together, hold at least `likeness` of the claim's words, all of its
    names and numbers, the same negation and the same people."""
    said = _said(claim)
    if not said.words:
        return False
    known = [_said(each) for each in recalled]
    if any(_repeats(said, each, likeness) for each in known):
        return True
    return (
        1 < len(known) <= MOST_TOGETHER
        and len(said.words) >= 4
        and not said.negated
        and said.words <= frozenset().union(*(each.words for each in known if not each.negated))
    )


def likeness(claim: str, recalled: str) -> float:
    """Share of the claim's words that the recalled claim holds."""
    said = _said(claim).words
    return len(said & _said(recalled).words) / len(said) if said else 0.0


def _repeats(said: _Said, known: _Said, least: float) -> bool:
    if said.negated != known.negated or said.words & _RELATIONS != known.words & _RELATIONS:
        return False
    fresh = said.words - known.words
    if fresh & said.names or any(_has_digit(word) for word in fresh):
        return False
    return len(fresh) <= (1 - least) * len(said.words) + 1e-9


def _said(text: str) -> _Said:
    names = frozenset(word for name in _CAPITAL.findall(text) for word in words(name))
    found = frozenset(words(text)) - _FILLERS - ROLE_WORDS
    return _Said(found, names, bool(_NEGATION.search(text)))


def _has_digit(word: str) -> bool:
    return any(letter.isdigit() for letter in word)
