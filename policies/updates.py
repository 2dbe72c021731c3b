"""A later statement of what an amount is replaces what an earlier one said of the same amount, whatever name that went by: "the
budget for the office chairs went up to 900 euros" and "I set 700 euros aside for office chairs".
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from policies.amounts import MONEY, SHARE, Amount
from policies.grounds import word_set
from policies.levels import TIMES, By, Level
from policies.likeness_forms import verbs
from policies.likeness_order import match
from policies.likeness_text import Word

_ALLOTS = verbs("allocate budget earmark reserve set assign")
_FUNDS = word_set("budget fund limit allowance")
_SAYS_ITS_UNIT = {SHARE: word_set("rate percentage percent share")}
_ONE_OF_A_PERSON = _FUNDS | word_set("salary income rent wage weight")
_MEASURED = frozenset({MONEY, SHARE, ""}) | word_set(
    "ms millisecond second minute hour day week month year km kilometer mile kg gb mb kb"
)
_SHARED = 0.6  # of the words that say what changed, how many must stand in the earlier statement
_CLAUSE = 3  # words of a clause that are enough to know a thing that is counted
_FARTHEST = 2.0  # times: what rose or fell to farther away was another amount


def replaces(newer: Level, older: Level) -> bool:
    """Does the newer say what has become of an amount of the older?"""
    if newer.another or _are_apart(newer.names, older.names) or _are_apart(newer.periods, older.periods):
        return False
    if newer.by is By.CALLING_OFF:
        return _is_to_come(older, newer) and _says_all(newer.topic, older)
    if newer.by is By.ADDING:
        return _has_fewer(older, newer) and newer.mine == older.mine and _says_all(newer.topic, older)
    mine = _with_the_units_of(older, newer)
    units = {amount.unit for amount in mine} & {amount.unit for amount in older.amounts}
    units = {unit for unit in units if _was_what_it_says(unit, newer, older)}
    if not any(_has_another(unit, mine, older.amounts) and _same_measure(unit, newer, older) for unit in units):
        return False
    if newer.by is By.VALUE:
        return _of_the_same(newer, older)
    shared = _shared(newer.topic, older)
    named = bool(newer.slot) and newer.slot <= {word.base for word in shared}
    enough = len(shared) >= 2 and (named or len(shared) >= _SHARED * len(newer.topic))
    return enough or _counts_the_same(newer, older) or _is_the_only_one(newer, older)


def _are_apart(mine: frozenset[str], yours: frozenset[str]) -> bool:
    return bool(mine and yours) and mine.isdisjoint(yours)


def _shared(topic: Sequence[Word], older: Level) -> list[Word]:
    return [word for word in topic if any(match(word, each) for each in older.topic)]


def _says_all(topic: Sequence[Word], older: Level) -> bool:
    return len(topic) >= 2 and len(_shared(topic, older)) == len(topic)


def _is_to_come(older: Level, newer: Level) -> bool:
    """An occasion that is over cannot be moved."""
    return bool(older.days) and max(older.days) + timedelta(days=1) > newer.proposal.observed_at


def _has_fewer(older: Level, newer: Level) -> bool:
    """Who puts 52 in has no longer 45."""
    return any(
        mine.unit == yours.unit and mine.unit not in _MEASURED and _number(mine) > _number(yours) > 0
        for mine in newer.amounts
        for yours in older.held
    )


def _number(amount: Amount) -> float:
    """Its value; 0 for a range."""
    try:
        return float(amount.value)
    except ValueError:
        return 0.0


def _of_the_same(newer: Level, older: Level) -> bool:
    """ "for office chairs", "on loans above 200 euros": both say in the same words what the quantity is for."""
    mine, yours = newer.about, older.about
    if len(mine) + len(newer.limits) < 2 or newer.limits != older.limits or _are_apart(_own(newer), _own(older)):
        return False
    return bool(mine) and all(any(match(word, each) for each in yours) for word in mine) and len(mine) == len(yours)


def _own(level: Level) -> frozenset[str]:
    """What tells the quantity from others of its sort ("annual")."""
    return level.slot - {level.of}


def _counts_the_same(newer: Level, older: Level) -> bool:
    """ "…, especially that the user now leads a team of five engineers": the older says all of the clause that counts them."""
    counted = {mine.unit for mine in newer.amounts} & {yours.unit for yours in older.amounts} - _MEASURED - TIMES
    return bool(counted) and len(newer.core) >= _CLAUSE and len(_shared(newer.core, older)) == len(newer.core)


def _is_the_only_one(newer: Level, older: Level) -> bool:
    """ "my increased budget of 650" and "my annual budget of 600": neither says what for, and the one rose to the other."""
    if not newer.of or newer.of != older.of or newer.of not in _ONE_OF_A_PERSON or newer.about or older.about:
        return False
    if not (_own(newer) <= _own(older) or _own(older) <= _own(newer)):
        return False
    return any(
        mine.unit == yours.unit and 1 < (_number(mine) / _number(yours)) ** newer.rose <= _FARTHEST
        for mine in newer.amounts
        for yours in older.amounts
        if _number(mine) and _number(yours)
    )


def _with_the_units_of(older: Level, newer: Level) -> frozenset[Amount]:
    """ "the list of titles …, currently 25" counts titles, where the earlier statement does."""
    topic = {word.base for word in newer.topic}
    counted = [amount.unit for amount in older.amounts if amount.unit in topic]
    bare = [amount.value for amount in newer.amounts if not amount.unit]
    return newer.amounts | {Amount(unit, value) for unit in counted for value in bare}


def _has_another(unit: str, newer: frozenset[Amount], older: frozenset[Amount]) -> bool:
    mine = {amount.value for amount in newer if amount.unit == unit}
    return mine.isdisjoint(amount.value for amount in older if amount.unit == unit)


def _was_what_it_says(unit: str, newer: Level, older: Level) -> bool:
    """ "moved from 20 April to 1 May" is about what was on 20 April."""
    before = {amount.value for amount in newer.was if amount.unit == unit}
    return not before or not before.isdisjoint(amount.value for amount in older.amounts if amount.unit == unit)


def _same_measure(unit: str, newer: Level, older: Level) -> bool:
    """Prices, shares and lengths of time are of many things: both must be of the same."""
    if newer.of and older.of and newer.of not in _SAYS_ITS_UNIT.get(unit, ()):
        return newer.of == older.of
    if newer.of and older.of:
        return True
    if unit not in _MEASURED or not newer.of:
        return unit != ""
    return any(word.base == newer.of for word in older.topic) or (newer.of in _FUNDS and older.verb in _ALLOTS)
