"""What happens once on a date and is over then: an appointment, an exam, a flight. What comes back every week is a habit."""

from __future__ import annotations

import re
from typing import Any

from lethe.extraction.words import words

JOURNEYS = words("flight train bus ferry plane")
_APPOINTMENTS = words("appointment checkup check-up consultation exam viewing reservation booking")
OCCASIONS = _APPOINTMENTS | words("interview meeting flight train ferry")
_FIXING = words("have get book make schedule arrange")
_LEAVING = words("leave depart arrive land")
_DUE = words("deadline cutoff")
_RECURRING = re.compile(
    r"\b(?:(?:every|each)(?: \w+)? (?:day|week|month|quarter|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|weekly|fortnightly|biweekly|monthly|daily|yearly|annual|regular|recurring|standing|usual|usually|always|often|normally|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days|mornings|afternoons|evenings|nights)\b",
    re.IGNORECASE,
)
# "The deadline for the grant is Friday", "a dentist appointment Friday": which one is meant, such a noun tells.
_SET_ON = re.compile(
    rf"\b(?:due|(?:{'|'.join(sorted(OCCASIONS | _DUE))})(?:\b[^.;!?]{{0,60}}?(?:\b(?:is|are|was|were|to)|['’]s))?)\s+$",
    re.IGNORECASE,
)


_MOVED_TO = re.compile(
    r"\b(?:moved|shifted|pushed|postponed|rescheduled|delayed|extended|changed|brought|put|switched|set)\b[^.;!?]{0,60}?\b(?:to|until|till|for)\s+$",
    re.IGNORECASE,
)


def moves_to_a_day(before: str) -> bool:
    """The text before a weekday says that something was moved to it."""
    return bool(_MOVED_TO.search(before))


def sets_a_day(before: str) -> bool:
    """The text before a bare weekday is one that a single day follows."""
    return bool(_SET_ON.search(before))


def is_due(token: Any) -> bool:
    """ "due on Friday", not "due to the rain" or "due for a check-up"."""
    follower = token.nbor().lower_ if token.i + 1 < len(token.doc) else ""
    return (
        token.lower_ == "due"
        and token.dep_ in ("acomp", "attr", "amod", "advmod", "oprd")
        and follower not in ("to", "for")
    )


def recurs(tokens: list[Any]) -> bool:
    """The clause tells of something that comes back."""
    return bool(_RECURRING.search(" ".join(token.text for token in tokens)))


def happens_once(verb: Any, subject: Any, tokens: list[Any]) -> bool:
    """The clause says when an occasion of the author's is: "my exam is …", "I have a meeting …", "my flight leaves …"."""
    return not recurs(tokens) and (_is_told_of(verb, subject) or _had(verb, subject, OCCASIONS))


def is_over_with_its_day(verb: Any, subject: Any) -> bool:
    """Of such an occasion, nothing but the day is told, or it is an appointment. A meeting with somebody about something
    stays a part of what happened."""
    return _is_told_of(verb, subject) or _had(verb, subject, _APPOINTMENTS)


def _is_told_of(verb: Any, subject: Any) -> bool:
    own = any(child.dep_ == "poss" and child.lower_ in ("my", "our") for child in subject.children)
    if not own or subject.tag_ not in ("NN", "NNP"):
        return False
    lemma, noun = verb.lemma_.lower(), subject.lemma_.lower()
    return (lemma in ("be", "'s") and noun in OCCASIONS) or (lemma in _LEAVING and noun in JOURNEYS)


def _had(verb: Any, subject: Any, occasions: frozenset[str]) -> bool:
    if subject.lower_ not in ("i", "we") or verb.lemma_.lower() not in _FIXING:
        return False
    return any(c.dep_ == "dobj" and c.tag_ in ("NN", "VBG") and c.lower_ in occasions for c in verb.children)


def has_a_deadline(tokens: list[Any]) -> bool:
    """The clause speaks of something due or of a deadline that does not come back."""
    return any(token.lower_ in _DUE or is_due(token) for token in tokens) and not recurs(tokens)
