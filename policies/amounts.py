"""The amounts that a statement names, each with the unit that makes it comparable: money, a share, a time of day, a date, or
so many of some thing.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from policies.grounds import Earlier, word_set
from policies.likeness_forms import base

MONEY, SHARE, CLOCK, DATE = "money", "share", "clock", "date"
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?P<month{n}>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?(?:\s?[-–]\s?\d+(?:\.\d+)?)?"
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_AMOUNT = re.compile(
    rf"(?P<iso>\b\d{{4}}-\d\d-\d\d\b)"
    rf"|\b{_MONTH.format(n=1)} (?P<day1>\d{{1,2}})(?:\s?[-–]\s?(?P<until>\d{{1,2}}))?(?:st|nd|rd|th)?\b(?!,\d|%)"
    rf"|\b(?P<day2>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?{_MONTH.format(n=2)}\b"
    rf"|\b(?P<clock>\d{{1,2}}(?::\d\d)?) ?(?P<half>[ap])\.?m\b\.?"
    rf"|[$€£] ?(?P<money>{_NUMBER})(?P<thousand>k\b)?"
    rf"|\b(?P<share>{_NUMBER}) ?(?:%|percent\b)"
    rf"|\b(?P<number>{_NUMBER}|(?:{'|'.join(_WORDS[1:])})(?= ))(?P<counted>(?:-| ?)[^\W\d_][\w'’-]*(?: [^\W\d_][\w'’-]*){{0,3}})?",
    re.IGNORECASE,
)
_ENDS_A_COUNT = word_set(
    "of in on at to for from by with and or but as is are was were has have had this that which who when while so because "
    "per each more less than correct today already before after during within into over the a an its"
)
_MONEY_NOUNS = word_set("dollar euro pound buck usd eur gbp")


class Amount(NamedTuple):
    """`unit`: one of the four above, the base form of the thing that is counted ("book", "month"), or "" for a bare number."""

    unit: str
    value: str


class Found(NamedTuple):
    """An amount and where it stands in the text."""

    amount: Amount
    start: int
    end: int


def amounts(text: str) -> frozenset[Amount]:
    """Every amount that the text names."""
    return frozenset(each.amount for each in found(text))


def told(claim: str, value: str, text: str, window: Sequence[Earlier]) -> bool:
    """Does every amount of a claim stand in its turn or just before it? Dates and times apart, which may be worked out."""
    if any(each.text is None for each in window):
        return True
    return _counts(f"{claim}\n{value}") <= _counts("\n".join([text, *(each.text or "" for each in window)]))


_WORKED_OUT = re.compile(r"\b\d{1,2}:\d\d\b|\b(?:19|20)\d\d\b")


def _counts(text: str) -> frozenset[str]:
    return frozenset(each.value for each in amounts(_WORKED_OUT.sub(" ", text)) if each.unit not in (CLOCK, DATE))


def found(text: str) -> list[Found]:
    """The amounts in order."""
    return [Found(_amount(hit), hit.start(), hit.end()) for hit in _AMOUNT.finditer(text)]


def day_nearest(date: Amount, to: datetime) -> datetime:
    """The month and day of a DATE, in the year that brings it nearest; what the calendar lacks is its last before."""
    month, day = (max(1, int(part)) for part in date.value.split("-"))
    month = min(month, 12)
    years = (to.year - 1, to.year, to.year + 1)
    days = [to.replace(year=year, month=month, day=min(day, monthrange(year, month)[1])) for year in years]
    return min(days, key=lambda each: abs(each - to))


def _amount(hit: re.Match[str]) -> Amount:
    if hit["iso"]:
        return Amount(DATE, hit["iso"][5:])
    if hit["day1"] or hit["day2"]:
        month = _MONTHS.index((hit["month1"] or hit["month2"])[:3].lower()) + 1
        return Amount(DATE, f"{month:02}-{int(hit['until'] or hit['day1'] or hit['day2']):02}")
    if hit["clock"]:
        hour, _, minutes = hit["clock"].partition(":")
        return Amount(CLOCK, f"{int(hour) % 12 + 12 * (hit['half'].lower() == 'p')}:{minutes or '00'}")
    if hit["money"]:
        return Amount(MONEY, hit["money"].replace(",", "") + ("000" if hit["thousand"] else ""))
    if hit["share"]:
        return Amount(SHARE, hit["share"])
    unit = _counted(hit["counted"] or "")
    number = hit["number"].replace(",", "").lower()
    value = str(_WORDS.index(number) + 1) if number in _WORDS else number
    return Amount(MONEY if unit in _MONEY_NOUNS else unit, value)


def _counted(text: str) -> str:
    """ "conditional probability problems in a row" -> "problem": the last word before one that ends the phrase."""
    last = ""
    for word in text.strip(" -").split():
        if word.lower() in _ENDS_A_COUNT:
            break
        last = word.lower()
        if last.endswith("s") and base(last) != last:  # a plural ends it as well
            break
    return base(last) if last else ""
