"""What a question says before anything is searched: its content words, whom or what it names, and the time it asks about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from lethe.extraction.dates import MONTHS, WEEKDAYS
from lethe.recall.periods import Period, asked
from lethe.recall.words import STOP, terms

_WORD = re.compile(r"\w[\w'’-]*")
_CALENDAR = frozenset((*MONTHS, *WEEKDAYS))


@dataclass(frozen=True, slots=True)
class Question:
    """`stems` without repeats and without those of dates, `names` the stems of proper names among them, `periods` the times asked about."""

    stems: tuple[str, ...]
    names: frozenset[str]
    periods: tuple[Period, ...]


def read(text: str, at: datetime) -> Question:
    """A question as it is understood at a time."""
    periods, rest = asked(text, at)
    return Question(tuple(dict.fromkeys(terms(rest))), names(text), periods)


def names(text: str) -> frozenset[str]:
    """Stems of words with a capital inside a sentence. A text that is mostly capitals says nothing that way."""
    words = list(_WORD.finditer(text))
    capital = [word for word in words if word.group()[0].isupper()]
    if len(words) > 3 and len(capital) > len(words) / 2:
        return frozenset()
    found: set[str] = set()
    for word in capital:
        plain = word.group().casefold()
        if not _begins_a_sentence(text, word.start()) and plain not in STOP and plain not in _CALENDAR:
            found.update(terms(word.group()))
    return frozenset(found)


def _begins_a_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \t\n\"'“‘(")
    return not before or before[-1] in ".?!:\n"
