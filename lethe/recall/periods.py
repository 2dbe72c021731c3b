"""Times that a question or a claim names, as spans of seconds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from lethe.extraction.dates import moments

DAY = 86_400.0
_DAYS = {"day": 1.0, "week": 7.0, "month": 31.0, "season": 92.0, "year": 366.0}
_SLACK = {"day": 1.5, "week": 4.0, "month": 4.0, "season": 15.0, "year": 5.0}
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_ONWARDS, _UP_TO = ("since ", "after "), ("before ", "until ", "by ")


@dataclass(frozen=True, slots=True)
class Period:
    """From `start` to `end`, in seconds since the epoch; either may be infinite."""

    start: float
    end: float


def asked(question: str, at: datetime) -> tuple[tuple[Period, ...], str]:
    """The times that a question names, seen from `at`, with some slack, and the question without them.

    What it says of today limits nothing.
    """
    periods, rest = [], question
    for found in reversed(moments(question, at)):
        if found.grain == "day" and found.when.date() == at.date():
            continue
        periods.append(_period(question[found.start : found.end].lower(), found.when, found.grain))
        rest = rest[: found.start] + " " + rest[found.end :]
    return tuple(periods), rest


def told(claim: str, observed_at: datetime) -> tuple[Period, ...]:
    """When a claim was made, and the times that it names; claims name theirs with the year."""
    said = observed_at.timestamp()
    spans = [Period(said, said)]
    if _YEAR.search(claim):
        for found in moments(claim, observed_at):
            start = found.when.timestamp()
            spans.append(Period(start, start + _DAYS[found.grain] * DAY))
    return tuple(spans)


def _period(said: str, when: datetime, grain: str) -> Period:
    start = when.timestamp()
    if said.startswith(_ONWARDS):
        return Period(start, float("inf"))
    if said.startswith(_UP_TO):
        return Period(float("-inf"), start + _DAYS[grain] * DAY)
    return Period(start - _SLACK[grain] * DAY, start + (_DAYS[grain] + _SLACK[grain]) * DAY)
