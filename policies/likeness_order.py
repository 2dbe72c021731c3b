"""Which words of two statements stand for each other, and whether they stand in an order that says the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from policies.grounds import word_set
from policies.likeness_text import Reading, Word

_FREE = frozenset({"", "of", "which"})
_AHEAD = word_set(
    "after before during since until while when near above below under over behind beside between through against"
)


@dataclass(frozen=True, slots=True)
class Pairing:
    """Which words of two statements stand for each other: places in the first and the second, and what is left over."""

    pairs: tuple[tuple[int, int], ...]
    left: tuple[int, ...]
    right: tuple[int, ...]


def pair(one: Sequence[Word], other: Sequence[Word]) -> Pairing:
    """Words that mean the same, in order where the statements run alike, then wherever they stand."""
    pairs: list[tuple[int, int]] = []
    start, end = 0, min(len(one), len(other))
    while start < end and match(one[start], other[start]):
        pairs.append((start, start))
        start += 1
    stop, other_stop = len(one), len(other)
    while stop > start and other_stop > start and match(one[stop - 1], other[other_stop - 1]):
        stop, other_stop = stop - 1, other_stop - 1
        pairs.append((stop, other_stop))
    free = list(range(start, other_stop))
    left = []
    for place in range(start, stop):
        found = next((each for each in free if match(one[place], other[each])), None)
        if found is None:
            left.append(place)
        else:
            free.remove(found)
            pairs.append((place, found))
    return Pairing(tuple(sorted(pairs)), tuple(left), tuple(free))


def match(one: Word, other: Word) -> bool:
    """Are they forms of one word, or synonyms?"""
    return one.base == other.base or not one.meanings.isdisjoint(other.meanings)


def same_order(one: Reading, other: Reading, pairing: Pairing) -> bool:
    """Do the words stand in the same order, or in one that says the same: passive, "A and B", a phrase moved as a whole?"""
    order = [partner for _, partner in pairing.pairs]
    rising = order == sorted(order)
    mine = [one.words[place] for place, _ in pairing.pairs]
    yours = [other.words[partner] for _, partner in pairing.pairs]
    if one.passive != other.passive:
        return not rising and (
            _is_passive_of(order, yours) if other.passive else _is_passive_of(*_inverted(order, mine))
        )
    if rising:
        return all(marks_agree(mine[place], yours[place]) for place in range(len(order)))
    return _is_exchange(order, mine, yours)


def marks_agree(one: Word, other: Word) -> bool:
    """Does the same preposition stand before both, or before one of them none that matters?"""
    return one.mark == other.mark or one.mark in _FREE or other.mark in _FREE


def _inverted(order: list[int], words: list[Word]) -> tuple[list[int], list[Word]]:
    """The same pairing seen from the other side."""
    ranked = sorted(range(len(order)), key=order.__getitem__)
    return ranked, [words[place] for place in ranked]


def _is_passive_of(order: list[int], passive: list[Word]) -> bool:
    """Active "S V O …" against passive "O V by S …". `order`: where the active's words stand in the passive."""
    for verb in range(1, len(order)):
        subject, object_ = order[:verb], []
        for place in order[verb + 1 :]:
            if place > order[verb]:
                break
            object_.append(place)
        rest = order[verb + 1 + len(object_) :]
        if (
            object_
            and passive[0].mark == "by"
            and min(subject) > order[verb] > max(object_)
            and all(block == sorted(block) for block in (subject, object_, rest))
        ):
            return True
    return False


def _is_exchange(order: list[int], mine: list[Word], yours: list[Word]) -> bool:
    """Are two neighbouring blocks exchanged, and is it one that keeps the meaning?"""
    ranks = sorted(order)
    first = next(place for place, rank in enumerate(ranks) if order[place] != rank)
    last = next(place for place in reversed(range(len(ranks))) if order[place] != ranks[place])
    middle = order[first : last + 1]
    turn = middle.index(min(middle))
    if middle[turn:] + middle[:turn] != sorted(middle):
        return False
    ahead, behind = first, first + turn  # where the two blocks begin in the first statement
    if any(mine[place].denied or yours[place].denied for place in range(first, last + 1)):
        return False  # "to Ann, not Bob"
    if _mark_stays(mine, yours) or mine[behind - 1].base in _AHEAD or mine[last].base in _AHEAD:
        return False
    if mine[behind].joined and yours[ahead].joined:
        return all(marks_agree(mine[place], yours[place]) or place in (ahead, behind) for place in range(len(order)))
    if not all(marks_agree(mine[place], yours[place]) for place in range(len(order))):
        return False
    if (turn == 1 and _is_adverb(mine[first])) or (len(middle) - turn == 1 and _is_adverb(mine[last])):
        return True
    return any(mine[place].mark or yours[place].mark or mine[place].base in _AHEAD for place in (ahead, behind))


def _mark_stays(mine: list[Word], yours: list[Word]) -> bool:
    """Does a preposition stay in its place while the words change theirs? "Tea to coffee", "coffee to tea"."""
    both = list(zip(mine, yours, strict=True))
    lost = {one.mark for one, other in both if one.mark and not other.mark}
    return not lost.isdisjoint(other.mark for one, other in both if not one.mark)


def _is_adverb(word: Word) -> bool:
    return len(word.base) > 4 and word.base.endswith("ly")
