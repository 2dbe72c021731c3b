"""A person who says that they have never done a thing denies every statement that has them do it, whatever its verb.

"I have never used Krita" is against "I downloaded Krita in May": who downloads a program has had to do with it. It is not
against "I bought a book about Krita". Which deeds bear a denied one out is a table of verbs, written by hand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from lethe.records import Proposal
from policies.amounts import DATE, amounts, day_nearest
from policies.grounds import word_set
from policies.likeness_forms import base, verbs
from policies.likeness_order import match
from policies.likeness_text import Reading, Sort, Word, beginning, read
from policies.likeness_words import meanings

_NEVER = re.compile(r"\bnever\b", re.IGNORECASE)
_COMPARES = re.compile(r"\bas \w+ as\b|\bthan\b", re.IGNORECASE)  # "never met anyone as kind as Ana"
_OR = re.compile(r",?\s+(?:or|nor|like|such as|including)\s+", re.IGNORECASE)
_NARROWS = re.compile(
    r"[\s,]+(?:with|at|in|on|for|from|to|by|through|via|about|during|before|after|without|under|that|which|who|where|"
    r"related|based|called|named|\w+(?:ated|ized|ised))\b",
    re.IGNORECASE,
)
_DEICTIC = re.compile(
    r"[\s,]+(?:(?:in|on|for|at|with) (?:this|that) [\w-]+|before|until now|so far|in the past|yet|related to [^,]+)(?!\w)",
    re.IGNORECASE,
)
_MAIN_CLAUSE = re.compile(
    r"The user (?:(?:has|have|had|is|was|been|just|already|also|recently) )*(?P<did>[^;:?]+?)"
    r"(?=[;:.?]|,? (?:since|because|so|but|which|who|where|when|while|although|though|and the user)\b|$)"
)
_PURPOSE = re.compile(r"[\s,]+to (?!the\b|an?\b|this\b|that\b)", re.IGNORECASE)
_SAYS_NOTHING = word_set(
    "any anyone anybody anything someone something one kind sort type other single such real actual proper scheduled planned "
    "new certain particular similar person people user"
) | verbs("schedule plan")
# Deeds that are not done: what is wished, planned, feared, or only thought of.
_NOT_DONE = verbs(
    "want wish need plan intend hope consider think wonder worry worried afraid fear nervous avoid would could might should "
    "aim goal decide choose prefer interested curious tempt skip prevent"
)
_UNDER_WAY = verbs("try attempt start begin")
_SETS_OUT = re.compile(r"user (?:tr(?:y|ies|ied|ying)|attempt\w*|start\w*|begin\w*) to (?P<verb>\w+)")
# What has a date ahead under such a verb is arranged, not done: "I have a meeting with Ana on 3 May".
_ARRANGED = verbs("have get schedule book plan arrange set") | {"has"}
_BETWEEN = 3  # words between those of one thing
# What is prepared for a day, and denied after it, did not come to pass.
_PREPARING = verbs("plan schedule arrange book coordinate organise organize prepare")
_PREPARES = re.compile(
    r"\b(?:scheduled|planned|booked|arranged|coming up|(?:schedul|plann|arrang|coordinat|organi[sz]|prepar)ing|plans|coordinates|organi[sz]es|prepares)\b",
    re.IGNORECASE,
)

# class: verbs whose denial it is; words of another statement that bear such a deed out.
_MEET = verbs(
    "meet see visit talk speak chat work collaborate call lunch dinner coffee interview consult meeting session "
    "appointment introduce catch join date"
)
_GOT_FROM = re.compile(r"\b(?:got|gets?|received?|heard|learn(?:ed|t)|took)\b.*? from\b", re.IGNORECASE)
_USE = verbs(
    "use try download install integrate implement adopt run configure switch migrate work deploy employ set setup "
    "learn add import build write draft connect"
)
_MAKE = verbs("write implement build create develop code make draft design compose add finish complete program")
_DO = verbs(
    "complete practice practise solve do finish work study take score pass improve exercise train answer attempt "
    "accuracy"
)
_ATTEND = verbs("attend go join visit take enroll enrol register participate sign be speak host travel fly trip")
_ENJOY = verbs("listen hear watch read play eat drink taste try finish start order cook")
_CLASSES: tuple[tuple[frozenset[str], frozenset[str]], ...] = (
    (verbs("meet know talk speak collaborate"), _MEET),
    (verbs("use try utilize utilise install integrate adopt employ"), _USE),
    (verbs("implement"), _USE | _MAKE),
    (verbs("write build create develop code make design compose program"), _MAKE),
    (verbs("complete practice practise solve do study finish"), _DO),
    (verbs("attend join visit take enroll enrol participate go be travel"), _ATTEND),
    (verbs("listen hear watch read play eat drink taste"), _ENJOY),
)


@dataclass(frozen=True, slots=True)
class Thing:
    """One of the things that a denial names: its own words, and those that narrow it ("with Ana", "through the school")."""

    words: tuple[Word, ...]
    narrowed: tuple[Word, ...]

    @property
    def named(self) -> bool:
        return any(word.sort is Sort.NAME for word in self.words)

    def may_stand_in(self, text: str) -> bool:
        """A cheap look: are its words there, but for those that have synonyms?"""
        return all(beginning(word.base) in text or len(word.meanings) > 1 for word in self.words)


@dataclass(frozen=True, slots=True)
class Denial:
    """What somebody says never to have done: a verb, and the things that it denies each by itself."""

    verb: str
    things: tuple[Thing, ...]


def denial(proposal: Proposal) -> Denial | None:
    """The deed that the proposal denies altogether, or None."""
    if not proposal.negated or _NEVER.search(proposal.claim) is None or _COMPARES.search(proposal.object):
        return None
    things = _things(_OR.split(_DEICTIC.sub("", proposal.object)))
    return Denial(base(proposal.predicate.split("_")[0]), things) if things else None


def _things(parts: Sequence[str]) -> tuple[Thing, ...]:
    """ "a fair or market with Ana": what narrows the last narrows all; "oil or acrylic paints": all are of the last's sort. What
    a thing known by its name is there for ("Krita to retouch photos") does not narrow it."""
    cut = [
        (part[: hit.start()], part[hit.start() :]) if (hit := _NARROWS.search(part)) else (part, "") for part in parts
    ]
    own = [_telling(read(f"user {text}").words) for text, _ in cut]  # a first word would never count as a name
    narrowed = [_telling(read(text).words) for _, text in cut]
    last = own[-1]
    things = []
    for words, narrows in zip(own, narrowed, strict=True):
        bare = words is not last and len(words) == 1 < len(last) and not words[0].plural and words[0].sort is Sort.PLAIN
        known = bool(words) and all(word.sort is Sort.NAME for word in words) and _PURPOSE.match(cut[-1][1])
        things.append(Thing((*words, last[-1]) if bare else words, () if known else narrows or narrowed[-1]))
    return tuple(thing for thing in things if thing.words)


def _telling(words: Sequence[Word]) -> tuple[Word, ...]:
    return tuple(word for word in words if word.base not in _SAYS_NOTHING)


@dataclass(frozen=True)
class Deed:
    """What a statement has somebody do. Its words are read when first asked for."""

    text: str
    ahead: bool  # it is only announced, for no day that it names ("will use")
    due: datetime | None  # it arranges for that day, and is no deed before ("have a meeting on 3 May")

    @cached_property
    def low(self) -> str:
        return self.text.lower()

    @cached_property
    def reading(self) -> Reading:
        return read(self.text)

    @cached_property
    def bases(self) -> frozenset[str]:
        return frozenset(word.base for word in self.reading.words)


def deed(proposal: Proposal) -> Deed:
    """The statement as a deed, its predicate included."""
    verb, *names = proposal.predicate.split("_")
    prepares = _PREPARES.search(f"{verb} {proposal.object}") is not None
    due = _due(proposal) if prepares or not {verb, base(verb)}.isdisjoint(_ARRANGED) else None
    ahead = verb in ("will", "would") or (prepares and due is None)
    return Deed(f"user {' '.join((verb, *names))} {proposal.object}", ahead, due)


def deeds(proposal: Proposal) -> tuple[Deed, ...]:
    """The statement by its predicate and object, and by its own main clause, which may say with whom ("has worked with Ana at
    Omnia": works for, Omnia)."""
    first = deed(proposal)
    told = _MAIN_CLAUSE.match(proposal.claim)
    return (first, replace(first, text=f"user {told['did']}")) if told else (first,)


def _due(proposal: Proposal) -> datetime | None:
    """The last day that the statement names."""
    said = proposal.observed_at
    days = [day_nearest(each, said) for each in amounts(proposal.object) if each.unit == DATE]
    return max([*days, proposal.event_at] if proposal.event_at is not None else days, default=None)


def is_denied(denied: Denial, done: Deed, *, before: bool, by: datetime) -> bool:
    """Does the deed have the person do what they deny? `before`: it was told before the denial; who tells afterwards that they
    are at it may well be so for the first time. `by`: when the later of the two was said."""
    things = [thing for thing in denied.things if thing.may_stand_in(done.low)]
    arranged = done.due is not None and done.due < by
    if (
        not things
        or done.ahead
        or (done.due is not None and not arranged)
        or done.reading.negations
        or done.bases & (_NOT_DONE - _PREPARING if arranged else _NOT_DONE)
        or (not before and done.bases & _UNDER_WAY)
    ):
        return False
    return any(_covers(thing, done.reading) and _bears_out(denied.verb, thing, done, arranged) for thing in things)


def is_attempt(denied: Denial, done: Deed) -> bool:
    """Does the deed only set out to do what is denied ("is trying to set up Krita")?"""
    hit = _SETS_OUT.match(done.text)
    return hit is not None and base(hit["verb"]) in _bearing(denied.verb)


def _covers(thing: Thing, reading: Reading) -> bool:
    """Are all words of the thing said, near each other, and most of those that narrow it?"""
    if not _stand_together(thing.words, reading.words):
        return False
    missing = [word for word in thing.narrowed if not any(match(word, each) for each in reading.words)]
    return not any(word.sort is Sort.NAME for word in missing) and 2 * len(missing) <= len(thing.narrowed)


def _stand_together(wanted: Sequence[Word], said: Sequence[Word]) -> bool:
    """ "knot problems" stands in "problems with 12 knots", not in "knots, and how my score rose after 12 problems"."""
    stretch = len(wanted) + _BETWEEN if len(wanted) > 1 else len(said)
    starts = range(max(1, len(said) - stretch + 1))
    return any(
        all(any(match(word, each) for each in said[start : start + stretch]) for word in wanted) for start in starts
    )


def _bears_out(verb: str, thing: Thing, done: Deed, arranged: bool) -> bool:
    bearing = _bearing(verb)
    if not bearing:
        return any(not meanings(verb).isdisjoint(word.meanings) for word in done.reading.words)
    if arranged and bearing in (_MEET, _ATTEND) and done.bases & _PREPARING:
        return True
    return _encounter(thing, done) if bearing is _MEET and thing.named else not bearing.isdisjoint(done.bases)


def _bearing(verb: str) -> frozenset[str]:
    """Words that bear out a deed of this verb; none where it stands in no class."""
    return next((bearing for denied, bearing in _CLASSES if verb in denied), frozenset())


def _encounter(thing: Thing, done: Deed) -> bool:
    """ "worked with Ana", "met Ana", "got it from Ana"; not "at Ana's party"."""
    words = done.reading.words
    place = next(place for place, word in enumerate(words) if match(word, thing.words[0]))
    mark, before = words[place].mark, [word.base for word in words[:place]]
    if mark == "from":
        return _GOT_FROM.search(done.text) is not None
    return not _MEET.isdisjoint(before if mark in ("with", "to") else before[-1:] if not mark else ())
