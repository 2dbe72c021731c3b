"""A statement that says of itself that an amount changed replaces what an earlier one said of the same amount, whatever name
that went by: "the budget for the office chairs went up to 900 euros" and "I set 700 euros aside for office chairs".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property

from lethe.records import Cardinality, Kind, Proposal
from policies.amounts import CLOCK, DATE, MONEY, SHARE, Amount, Found, amounts, found
from policies.grounds import word_set
from policies.likeness_forms import base, verbs
from policies.likeness_text import Sort, Word, read

_MOVED = (
    r"(?:reschedul|postpon|delay|extend|shift|adjust|chang|mov|updat|revis)(?:ed|ing|es|e|s)?"
    r"|push(?:ed|ing|es)?|put off|brought|bring|set back"
)
_BROUGHT = (
    rf"{_MOVED}|(?:increas|rais|reduc|decreas|lower|improv|shorten|lengthen|expand|bump|upgrad|boost|doubl)(?:ed|ing|es|e|s)?"
    r"|cut|gr[eo]wn?|growing|ris(?:e|en|es|ing)|rose|dropp?(?:ed|ing|s)?|f[ae]ll(?:en|s|ing)?|go(?:es|ing|ne)?|went|jump(?:ed|s)?"
    r"|climb(?:ed|s)?|shr[aiu]nk"
)
_ALTERED = r"new|increased|reduced|raised|lowered|revised|updated|extended|expanded|improved|adjusted|rescheduled|postponed|higher|lower"
# What stands right before an amount that has become what it is.
_BROUGHT_TO = re.compile(
    rf"\b(?:{_BROUGHT})\b[^;.]{{0,60}}?\bto(?: (?:about|around|roughly|nearly|almost|over|a total of|a))*$",
    re.IGNORECASE,
)
_NEW_ONE = re.compile(rf"\b(?:{_ALTERED})\b(?: [\w'’-]+){{1,5}}? (?:of|is|to|at)$", re.IGNORECASE)
_REACHED = re.compile(
    r"\b(?:(?:currently|reached|reaches|hit|totals?|total of|up to|down to)(?: (?:has|have|is|are|at|a total of|of))*"
    r"|now(?: [\w'’-]+){0,4})$",
    re.IGNORECASE,
)
_RECORD = re.compile(r"\b(?:highest|lowest|best|fastest|longest|record)\b[^;.]{0,50}$", re.IGNORECASE)
_MOVED_TO = re.compile(
    r"\b(?:reschedul\w+|postpon\w+|push\w* back|mov\w+ (?:back|forward|up)|(?:brought|bring) forward)\b[^;.]{0,100}$",
    re.IGNORECASE,
)
_MOVES = re.compile(rf"\b(?:{_MOVED}|new|rescheduled)\b", re.IGNORECASE)
_AFTERWARDS = re.compile(r"[;,] |\b(?:which|because|since|so that|so|while|although|but|due to|after)\b")
_PERIOD = re.compile(
    r"\b(january|february|march|april|may|june|july|august|september|october|november|december"
    r"|mon|tues|wednes|thurs|fri|satur|sun)(?:days?)?\b(?! ?\d)",
    re.IGNORECASE,
)
_ASKS = re.compile(r"to (?:understand|figure out|find out|know|see|learn|work out|calculate)\b")
_LEFT = re.compile(r"\bfrom(?: (?:about|around|roughly|the (?:original|initial|old|previous)))? $", re.IGNORECASE)
_BOUND = re.compile(r"\b(?:from|since|starting|beginning|after|before|until|till)(?: on)? $", re.IGNORECASE)
# Events that set an amount for the time to come. Of others ("spent", "ran") the amount stays true.
_SETS = verbs(
    "allocate set plan budget book schedule join get have estimate arrange reserve register sign aim target assign expect "
    "agree fix earmark start"
)
_ALLOTS = verbs("allocate budget earmark reserve set assign")
_FUNDS = word_set("budget fund limit allowance")
_TIMES = frozenset({CLOCK, DATE})
_MEASURED = frozenset({MONEY, SHARE, ""}) | word_set(
    "ms millisecond second minute hour day week month year km kilometer mile kg gb mb kb"
)
_SAYS_LITTLE = word_set(
    "user new total current recent recently first last next try plan consider want need get have make due take now other "
    "increase extend reduce raise lower cut update revise reschedule move postpone push shift improve grow rise drop fall "
    "shorten lengthen expand bump upgrade change reach bring adjust worry worried kinda stres stressed reschedul originally initially "
    "january february march april may june july august september october november december am pm percent dollar euro pound "
    "proces timeline procedure add use help work know think sure free some back forward miss remind manage look"
)
_SHARED = 0.6  # of the words that say what changed, how many must stand in the earlier statement


@dataclass(frozen=True)
class Level:
    """What amounts a statement gives, and of what. `was`: what it says they were before. `of`: the quantity, where the statement gives it a value ("budget"). `slot`: all
    words of the quantity's name ("sprint deadline")."""

    amounts: frozenset[Amount]
    said: str
    of: str
    verb: str
    slot: frozenset[str]
    was: frozenset[Amount] = frozenset()

    @cached_property
    def topic(self) -> tuple[Word, ...]:
        """The words that say what the amounts are about, each once."""
        telling = {word.base: word for word in read(self.said).words if word.sort in (Sort.PLAIN, Sort.NAME)}
        return tuple(word for word in telling.values() if word.base not in _SAYS_LITTLE)

    @cached_property
    def periods(self) -> frozenset[str]:
        """Months and weekdays that are no dates: "the January budget"."""
        return frozenset(period.lower() for period in _PERIOD.findall(self.said))

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(word.base for word in self.topic if word.sort is Sort.NAME)


def earlier(proposal: Proposal) -> Level | None:
    """The amounts of a statement that a later one could replace, or None."""
    verb = base(proposal.predicate.split("_")[0])
    if proposal.negated or not (proposal.kind is Kind.SEMANTIC or verb in _SETS) or _ASKS.match(proposal.object):
        return None
    own = amounts(proposal.object) if _is_measure(proposal) else frozenset()
    named = own or frozenset(each.amount for each in found(proposal.claim) if not _is_bound(each, proposal.claim))
    return _level(proposal, named, proposal.claim) if named else None


def changed(proposal: Proposal) -> Level | None:
    """The amounts that have become what the statement says, or None."""
    if proposal.negated or not proposal.cue:
        return None
    claim = proposal.claim.rstrip(".")
    fresh: list[Found] = []
    named = found(claim)
    for each in named:
        if _has_become(each, claim[: each.start].rstrip()) or (fresh and _goes_with(fresh[-1], each, claim)):
            fresh.append(each)
    if not fresh:
        return None
    rest = claim[fresh[-1].end :]
    after = _AFTERWARDS.search(rest)
    said = claim[: fresh[-1].end] + (rest[: after.start()] if after else rest)
    was = frozenset(each.amount for each in named if _LEFT.search(claim[: each.start]))
    return replace(_level(proposal, frozenset(each.amount for each in fresh), said), was=was)


def _has_become(each: Found, before: str) -> bool:
    if each.amount.unit in _TIMES:
        brought = _BROUGHT_TO.search(before) or _NEW_ONE.search(before)
        moved = brought is not None and _MOVES.search(before[brought.start() :]) is not None
        return moved or _MOVED_TO.search(before) is not None
    return any(way.search(before) is not None for way in (_BROUGHT_TO, _NEW_ONE, _REACHED, _RECORD))


def _goes_with(before: Found, each: Found, claim: str) -> bool:
    """ "moved to 4 May at 3 PM": a day and its hour."""
    return {before.amount.unit, each.amount.unit} == _TIMES and each.start - before.end <= len(" 2026, at ")


def _is_bound(each: Found, claim: str) -> bool:
    """ "every day from April 6": since when something holds is not when it takes place."""
    return each.amount.unit == DATE and _BOUND.search(claim[: each.start]) is not None


def _level(proposal: Proposal, named: frozenset[Amount], said: str) -> Level:
    verb, *names = proposal.predicate.split("_")
    of = base(names[-1] if names else verb) if _is_measure(proposal) or (verb == "has" and names) else ""
    slot = frozenset(map(base, (verb, *names))) if _is_measure(proposal) and names else frozenset()
    return Level(named, f"{said.rstrip('.')} {' '.join(names)}", of, base(verb), slot)


def _is_measure(proposal: Proposal) -> bool:
    return proposal.cardinality is Cardinality.SINGLE


def replaces(newer: Level, older: Level) -> bool:
    """Does the newer say what an amount of the older has become?"""
    mine = _with_the_units_of(older, newer)
    units = {amount.unit for amount in mine} & {amount.unit for amount in older.amounts}
    units = {unit for unit in units if _was_what_it_says(unit, newer, older)}
    if not any(_has_another(unit, mine, older.amounts) and _same_measure(unit, newer, older) for unit in units):
        return False
    if _are_apart(newer.names, older.names) or _are_apart(newer.periods, older.periods):
        return False
    shared = [word for word in newer.topic if any(not word.meanings.isdisjoint(each.meanings) for each in older.topic)]
    named = bool(newer.slot) and newer.slot <= {word.base for word in shared}
    return len(shared) >= 2 and (named or len(shared) >= _SHARED * len(newer.topic))


def _are_apart(mine: frozenset[str], yours: frozenset[str]) -> bool:
    return bool(mine and yours) and mine.isdisjoint(yours)


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
    if newer.of and older.of:
        return newer.of == older.of
    if unit not in _MEASURED or not newer.of:
        return unit != ""
    return any(word.base == newer.of for word in older.topic) or (newer.of in _FUNDS and older.verb in _ALLOTS)
