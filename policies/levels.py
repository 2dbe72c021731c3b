"""The amounts that statements give, and of what: what a later statement may replace, and what it says has become of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from functools import cached_property

from lethe.records import Cardinality, Kind, Proposal
from policies.amounts import CLOCK, DATE, Amount, Found, amounts, day_nearest, found
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
# Up to where the last clause begins, but for one that leans on what stands before it (", which …").
_OUTER = re.compile(
    r"^.*(?:[;,] (?!which\b|who\b)|\b(?:where|that|because|since|so|while|although|but|considering|especially|when)\b )"
)
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
_OFF = r"(?:rescheduled|postponed|cancell?ed|delayed|(?:called|put) off|(?:pushed|moved|put|set|brought) (?:back|forward|up))"
# "The rehearsal has been postponed", "The user cancelled the appointment"; not what somebody only is glad, afraid or told of.
_CALLED_OFF = re.compile(
    rf"(?!The user (?:is|was|has|had|and)\b)[^,;:]*? (?:has been|have been|had been|was|were|got|is|are) (?:just |now |recently )?"
    rf"(?:{_OFF}\b|(?:moved|pushed|shifted|changed|extended)$)"
    rf"|The user (?:and others )?(?:(?:has|have|had|just|already|recently) )*{_OFF} ",
    re.IGNORECASE,
)
_IN_DOUBT = re.compile(
    r"\b(?:not|never|nearly|almost|might|may|could|would|should|will|if|unless|whether|until)\b|n['’]t\b", re.IGNORECASE
)
_PUT_IN = re.compile(
    r"\b(?:added|put|moved|uploaded|imported|saved|gathered|collected)(?: (?:about|over|around|more than))? $",
    re.IGNORECASE,
)
_INTO = re.compile(r"^\S+(?: [\w'’-]+){1,4}? (?:to|in|into|on) ")
_HOLDS = re.compile(
    r"\b(?:has|have|had|contains?|holds?|includes?|counts?)(?: (?:about|over|around))? $", re.IGNORECASE
)
_ABOUT = re.compile(
    r"\b(?:for|on|per) (?P<about>.+?)(?=[,;]|\.?$| (?:is|are|was|at|to|of|in|by|with|from|which|that|who|because|since|so|after|above|below|over"
    r"|under|beyond|within)\b)"
)
_ANOTHER = re.compile(r"\b(?:the other|another|an? (?:second|different|separate))\b", re.IGNORECASE)
_MINE = re.compile(r"\bthe user(?: and others)?['’]s?\b", re.IGNORECASE)
_LIMITS = re.compile(r"\b(?:above|below|over|under|beyond|within|up to) $")
_RAISED = re.compile(r"\b(?:increas|rais|rose|grew|grow|higher|boost|expand)\w*", re.IGNORECASE)
_CUT = re.compile(r"\b(?:reduc|lower|decreas|shr[aiu]nk|cut|dropp)\w*", re.IGNORECASE)
REACH = 200  # characters
TIMES = frozenset({CLOCK, DATE})
_SAYS_LITTLE = word_set(
    "user new total current recent recently first last next try plan consider want need get have make due take now other "
    "increase extend reduce raise lower cut update revise reschedule move postpone push shift improve grow rise drop fall "
    "shorten lengthen expand bump upgrade change reach bring adjust worry worried kinda stres stressed reschedul originally initially "
    "january february march april may june july august september october november december am pm percent dollar euro pound "
    "proces timeline procedure add use help work know think sure free some back forward miss remind manage look cancel delay call off cal_off put_off put"
)


class By(Enum):
    """How a statement says what an amount is now."""

    CHANGE = "change"  # "went up to 900 euros"
    VALUE = "value"  # "the budget for office chairs is 900 euros"
    ADDING = "adding"  # "added 52 shells to the collection": there are at least so many
    CALLING_OFF = "calling off"  # "has been postponed": whatever day it had, it has no longer


@dataclass(frozen=True)
class Level:
    """What amounts a statement gives, and of what. `said`: the part of it that is about them. `was`: what it says they were before."""

    proposal: Proposal
    amounts: frozenset[Amount]
    said: str
    by: By = By.CHANGE
    was: frozenset[Amount] = frozenset()

    @cached_property
    def of(self) -> str:
        """The quantity, where the statement gives it a value ("budget")."""
        verb, *names = self.proposal.predicate.split("_")
        valued = _is_measure(self.proposal) or (verb == "has" and names)
        return base(names[-1] if names else verb) if valued else ""

    @cached_property
    def verb(self) -> str:
        return base(self.proposal.predicate.split("_")[0])

    @cached_property
    def slot(self) -> frozenset[str]:
        """All words of the quantity's name ("sprint deadline")."""
        names = self.proposal.predicate.split("_")
        return frozenset(map(base, names)) if _is_measure(self.proposal) and len(names) > 1 else frozenset()

    @cached_property
    def topic(self) -> tuple[Word, ...]:
        """The words that say what the amounts are about, each once."""
        names = " ".join(self.proposal.predicate.split("_")[1:])
        said = read(f"{self.said.rstrip('.')} {names}").words
        telling = {word.base: word for word in said if word.sort in (Sort.PLAIN, Sort.NAME)}
        return tuple(word for word in telling.values() if word.base not in _SAYS_LITTLE)

    @cached_property
    def core(self) -> tuple[Word, ...]:
        """The words of the topic that stand in the clause of the amount."""
        clause = {word.base for word in read(f"user {_OUTER.sub('', self.said)}").words}
        return tuple(word for word in self.topic if word.base in clause)

    @cached_property
    def about(self) -> tuple[Word, ...]:
        """What the quantity is for: "for office chairs", "on loans above 200 euros"."""
        hit = _ABOUT.search(self.proposal.claim)
        words = read(f"user {hit['about']}").words[1:] if hit and not hit["about"][:1].isdigit() else ()
        return tuple(word for word in words if word.sort in (Sort.PLAIN, Sort.NAME))

    @cached_property
    def limits(self) -> frozenset[Amount]:
        """From where on it holds."""
        claim = self.proposal.claim
        return frozenset(each.amount for each in found(claim) if _LIMITS.search(_before(each, claim)))

    @cached_property
    def held(self) -> frozenset[Amount]:
        """How many of a thing something has, as against how many something was done to."""
        claim = self.proposal.claim
        return frozenset(each.amount for each in found(claim) if _HOLDS.search(_before(each, claim)))

    @cached_property
    def days(self) -> tuple[datetime, ...]:
        """The days that it names, each in the year that brings it nearest to when it was said."""
        return tuple(day_nearest(each, self.proposal.observed_at) for each in self.amounts if each.unit == DATE)

    @cached_property
    def rose(self) -> int:
        """1 where it says that the amount rose, -1 where it fell."""
        return bool(_RAISED.search(self.said)) - bool(_CUT.search(self.said))

    @cached_property
    def another(self) -> bool:
        """Does it say of itself that it is about another one?"""
        return _ANOTHER.search(self.said) is not None

    @cached_property
    def mine(self) -> bool:
        """Is it about something of the user's?"""
        return _MINE.search(self.said) is not None

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
    return Level(proposal, named, proposal.claim) if named else None


def changed(proposal: Proposal) -> Level | None:
    """What has become of amounts by the statement, or None."""
    if proposal.negated or not proposal.cue:
        return None
    return _changed(proposal) or _added(proposal) or _called_off(proposal) or _valued(proposal)


def _changed(proposal: Proposal) -> Level | None:
    claim = proposal.claim.rstrip(".")
    fresh: list[Found] = []
    named = found(claim)
    for each in named:
        if _has_become(each, _before(each, claim).rstrip()) or (fresh and _goes_with(fresh[-1], each, claim)):
            fresh.append(each)
    if not fresh:
        return None
    said = claim[: fresh[-1].end] + _before_an_aside(claim[fresh[-1].end :])
    was = frozenset(each.amount for each in named if _LEFT.search(_before(each, claim)))
    return Level(proposal, frozenset(each.amount for each in fresh), said, was=was)


def _added(proposal: Proposal) -> Level | None:
    claim = proposal.claim.rstrip(".")
    for each in found(claim):
        if each.amount.unit and _PUT_IN.search(_before(each, claim)) and _INTO.search(claim[each.start :]):
            return Level(proposal, frozenset({each.amount}), _before_an_aside(claim), By.ADDING)
    return None


def _called_off(proposal: Proposal) -> Level | None:
    claim = _before_an_aside(proposal.claim.rstrip("."))
    if not _CALLED_OFF.match(claim) or _IN_DOUBT.search(claim):
        return None
    dated = any(each.unit in TIMES for each in amounts(claim)) or _PERIOD.search(claim)
    return None if dated else Level(proposal, frozenset(), claim, By.CALLING_OFF)


def _valued(proposal: Proposal) -> Level | None:
    own = frozenset(each for each in amounts(proposal.object) if each.unit not in TIMES)
    return Level(proposal, own, proposal.claim, By.VALUE) if own and _is_measure(proposal) else None


def _before(each: Found, claim: str) -> str:
    """As much of what stands before an amount as says what has become of it; no more, or a text full of amounts would be read
    once for each."""
    return claim[max(0, each.start - REACH) : each.start]


def _before_an_aside(text: str) -> str:
    hit = _AFTERWARDS.search(text)
    return text[: hit.start()] if hit else text


def _has_become(each: Found, before: str) -> bool:
    if each.amount.unit in TIMES:
        brought = _BROUGHT_TO.search(before) or _NEW_ONE.search(before)
        moved = brought is not None and _MOVES.search(before[brought.start() :]) is not None
        return moved or _MOVED_TO.search(before) is not None
    return any(way.search(before) is not None for way in (_BROUGHT_TO, _NEW_ONE, _REACHED, _RECORD))


def _goes_with(before: Found, each: Found, claim: str) -> bool:
    """ "moved to 4 May at 3 PM": a day and its hour."""
    return {before.amount.unit, each.amount.unit} == TIMES and each.start - before.end <= len(" 2026, at ")


def _is_bound(each: Found, claim: str) -> bool:
    """ "every day from April 6": since when something holds is not when it takes place."""
    return each.amount.unit == DATE and _BOUND.search(_before(each, claim)) is not None


def _is_measure(proposal: Proposal) -> bool:
    return proposal.cardinality is Cardinality.SINGLE
