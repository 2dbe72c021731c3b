"""Do two statements about the same thing say the same, the contrary, or something else? By words alone: no model, no
context; the same two statements always get the same answer.

Telling too little apart is the worse error, so that everything that is not understood makes two statements different.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from lethe.ids import plain_value
from policies.bounds import BOUNDING, bounds
from policies.likeness_classes import WIDER, exclude_each_other
from policies.likeness_order import Pairing, marks_agree, match, pair, same_order
from policies.likeness_text import Reading, Sort, Word, read
from policies.likeness_words import are_antonyms, meanings

LOOSE = 0.1  # of the words of two long statements, how many may have no counterpart where both say the same
LONG = 8  # words from which a statement counts as long
MOST_IN_SLOT = 3  # words of the value that a change names
_CUE = re.compile(
    r"\b(?:now|nowadays|no longer|not any ?more|any ?more|actually|instead|these days|from now on|since then|correction|"
    r"(?:has|have|had|'s|'ve) (?:since |now )?(?:become|turned|changed|moved|switched|stopped|started)|became|"
    r"(?:changed|switched|moved) (?:over )?(?:from|to))\b",
    re.IGNORECASE,
)
_ADDS = re.compile(r"\b(?:also|too|as well|in addition|besides|another)\b", re.IGNORECASE)


class Likeness(StrEnum):
    """What two statements of one key are to each other."""

    SAME = "same"
    CONTRARY = "contrary"
    UPDATE = "update"  # contrary, and the second says of itself that something changed
    DIFFERENT = "different"


@dataclass(frozen=True)
class Statement:
    """What one proposal says of its subject and predicate. It is read once, when it is first compared."""

    claim: str
    object: str
    negated: bool = False

    @cached_property
    def reading(self) -> Reading:
        """The object taken apart."""
        return read(self.object)

    @cached_property
    def plain(self) -> str:
        """The object without regard to case, spacing and a leading article."""
        return plain_value(self.object)

    @cached_property
    def meanings(self) -> frozenset[str]:
        """Everything that the words of the object may mean: statements without a common meaning are different."""
        return frozenset().union(*(word.meanings for word in self.reading.words))

    @cached_property
    def exact(self) -> frozenset[str]:
        """Its numbers and ranks."""
        return frozenset(word.base for word in self.reading.words if word.sort in (Sort.NUMBER, Sort.RANK))

    @cached_property
    def denies(self) -> bool:
        """Is it a denial, by its own words or else by its mark?"""
        return self.reading.negations % 2 == 1 or (self.negated and not self.reading.negations)

    @cached_property
    def bounds(self) -> frozenset[str]:
        """What its claim says beside the object that narrows it."""
        return bounds(self.claim, self.object)

    @cached_property
    def changes(self) -> bool:
        """Does its wording say that something changed?"""
        claim = self.claim.replace("’", "'")
        return _CUE.search(claim) is not None and _ADDS.search(claim) is None


def compare(first: Statement, second: Statement, loose: float = LOOSE) -> Likeness:
    """What `second`, the newer, is to `first`. `loose`: the share of words that long statements may have for themselves."""
    if first.plain == second.plain:
        return _same_object(first, second)
    if first.meanings.isdisjoint(second.meanings) or _far_apart(first, second, loose):
        return Likeness.DIFFERENT
    one, other = first.reading, second.reading
    pairing = pair(one.words, other.words)
    if first.denies == second.denies:
        if _says_the_same(one, other, pairing, loose):
            return Likeness.SAME
        contrary = _differs_in_one_value(one, other, pairing, second.changes)
    else:
        contrary = _denies(one, other, pairing, first.denies)
    if not contrary:
        return Likeness.DIFFERENT
    return _contrary(first, second)


def _contrary(first: Statement, second: Statement) -> Likeness:
    return Likeness.UPDATE if second.changes and not first.changes else Likeness.CONTRARY


def _far_apart(first: Statement, second: Statement, loose: float) -> bool:
    """Can a cheap look tell that nothing else will be found?"""
    if first.denies != second.denies:
        return False
    one, other = len(first.reading.words), len(second.reading.words)
    sentences = first.reading.whole or second.reading.whole or second.changes
    if not sentences and (first.exact != second.exact or (one != other and min(one, other) < LONG)):
        return True
    least = min(one, other) - max(MOST_IN_SLOT, int(loose * (one + other)))
    if least < 1:
        return False
    return sum(not word.meanings.isdisjoint(second.meanings) for word in first.reading.words) < least


def _same_object(first: Statement, second: Statement) -> Likeness:
    """The values are the same: it is the claims, or the marks, that may be against each other ("loves", "cannot stand")."""
    contrary = first.negated != second.negated
    if not contrary and plain_value(first.claim) != plain_value(second.claim):
        one, other = read(first.claim), read(second.claim)
        contrary = one.negations == other.negations and _are_opposites(one, other, pair(one.words, other.words))
    if contrary:
        return _contrary(first, second)
    return Likeness.SAME if same_bounds(first, second) else Likeness.DIFFERENT


def same_bounds(first: Statement, second: Statement) -> bool:
    """Do the claims hold at the same times and under the same conditions? "In French on Fridays" is not "in French"."""
    return first.claim == second.claim or first.bounds == second.bounds


# --- the same in other words --------------------------------------------------------------------------------------


def _says_the_same(one: Reading, other: Reading, pairing: Pairing, loose: float) -> bool:
    if one.negations != other.negations or (one.gender and other.gender and one.gender != other.gender):
        return False
    left = [one.words[place] for place in pairing.left if not _is_article(one.words, place)]
    right = [other.words[place] for place in pairing.right if not _is_article(other.words, place)]
    together = len(one.words) + len(other.words)
    long = min(len(one.words), len(other.words)) >= LONG
    if len(left) + len(right) > (loose * together if long else 0):
        return False
    if any(_is_telling(word) for word in (*left, *right)):
        return False
    if any(are_antonyms(mine.base, yours.base) for mine in left for yours in right):
        return False
    if _replaces_one_for_one(pairing) or _plurals_differ(one, other, pairing):
        return False
    if any(one.words[place].denied != other.words[partner].denied for place, partner in pairing.pairs):
        return False
    if _tense(one) != _tense(other) or _pasts_differ(one, other, pairing):
        return False
    return same_order(one, other, pairing)


def _is_article(words: Sequence[Word], place: int) -> bool:
    """ "One man" is "a man"."""
    return words[place].base == "1" and place + 1 < len(words) and not words[place + 1].plural


def _is_telling(word: Word) -> bool:
    """A word that no paraphrase may lack: a number, a name, a quantifier, a member of a class."""
    return word.sort is not Sort.PLAIN or word.base in BOUNDING or exclude_each_other(word.base, word.base)


def _replaces_one_for_one(pairing: Pairing) -> bool:
    """Does one word stand where another stood, and all around it is alike?"""
    partners = dict(pairing.pairs) | {-1: -1}
    return any(partners.get(place - 1, -9) + 1 in pairing.right for place in pairing.left)


def _plurals_differ(one: Reading, other: Reading, pairing: Pairing) -> bool:
    return any(one.words[place].plural != other.words[partner].plural for place, partner in pairing.pairs)


def _tense(reading: Reading) -> bool:
    return reading.tense == {"past"}


def _pasts_differ(one: Reading, other: Reading, pairing: Pairing) -> bool:
    return any(one.words[place].past != other.words[partner].past for place, partner in pairing.pairs)


# --- against each other -------------------------------------------------------------------------------------------


def _differs_in_one_value(one: Reading, other: Reading, pairing: Pairing, change: bool) -> bool:
    """The same sentence with one value of one slot changed: its opposite, or another member of its class."""
    if one.negations != other.negations or not (one.whole or other.whole or (change and len(pairing.pairs) > 1)):
        return False
    if not _leave_one_slot(pairing):
        return False
    mine = [one.words[place] for place in pairing.left]
    yours = [other.words[place] for place in pairing.right]
    if not marks_agree(mine[0], yours[0]):
        return False
    after_something = pairing.left[0] > 0
    if change and after_something and max(len(mine), len(yours)) <= MOST_IN_SLOT:
        return True
    if all(word.sort is Sort.NAME for word in (*mine, *yours)):
        return after_something
    return (
        len(mine) == len(yours)
        and sum(not match(*two) for two in zip(mine, yours, strict=True)) == 1
        and all(match(*two) or _exclude(*two) for two in zip(mine, yours, strict=True))
    )


def _are_opposites(one: Reading, other: Reading, pairing: Pairing) -> bool:
    """The same sentence with one word turned into its opposite."""
    if not _leave_one_slot(pairing) or len(pairing.left) + len(pairing.right) > 2:
        return False
    return are_antonyms(one.words[pairing.left[0]].base, other.words[pairing.right[0]].base)


def _leave_one_slot(pairing: Pairing) -> bool:
    """Do both run alike but for one run of words in one place?"""
    order = [partner for _, partner in pairing.pairs]
    if order != sorted(order) or not order or not pairing.left or not pairing.right:
        return False
    if not (_is_run(pairing.left) and _is_run(pairing.right)):
        return False
    before = sum(place < pairing.left[0] for place, _ in pairing.pairs)
    return before == sum(partner < pairing.right[0] for _, partner in pairing.pairs)


def _is_run(places: tuple[int, ...]) -> bool:
    return places[-1] - places[0] == len(places) - 1


def _exclude(one: Word, other: Word) -> bool:
    if one.sort in (Sort.NUMBER, Sort.RANK):
        return one.sort is other.sort
    return exclude_each_other(one.base, other.base) or are_antonyms(one.base, other.base)


def _denies(one: Reading, other: Reading, pairing: Pairing, first_denies: bool) -> bool:
    """Is all that the denial denies said by the other? "No dog runs" is against "a brown dog runs", not the reverse."""
    if not pairing.pairs:
        return False
    denial, said = (one, other) if first_denies else (other, one)
    only_denied, only_said = (pairing.left, pairing.right) if first_denies else (pairing.right, pairing.left)
    over = [said.words[place] for place in only_said]
    missing = [denial.words[place] for place in only_denied]
    if not missing and not over:
        return True
    if not (one.whole and other.whole):
        return False
    return all(_covered(word, over) for word in missing)


def _covered(word: Word, over: list[Word]) -> bool:
    return any(not word.meanings.isdisjoint(_wider(each)) for each in over)


def _wider(word: Word) -> frozenset[str]:
    return frozenset().union(*(meanings(kind) for kind in WIDER.get(word.base, ())))
