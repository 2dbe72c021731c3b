"""Dates in a sentence, resolved against the time the turn was observed; the turn's offset is kept."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Literal

from lethe.extraction.occasions import moves_to_a_day, sets_a_day

Grain = Literal["day", "week", "month", "season", "year"]

MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_NUMBERS = {
    word: number
    for number, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )
} | {"a": 1, "an": 1, "a couple of": 2, "couple of": 2, "a few": 3}

_MONTH = r"(?P<{0}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
_DAY = r"(?P<{0}>\d{{1,2}})(?:st|nd|rd|th)?"
_YEAR = r"(?P<{0}>(?:19|20)\d\d)"
_WEEKDAY = "|".join(WEEKDAYS)
_COUNT = (
    r"(?P<count>\d{1,3}|a couple of|couple of|a few|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
)

_PATTERN = re.compile(
    rf"""(?P<prep>\b(?:on|by|until|before|since|in|from|for|at)\s+)?(?:the\s+)?(?:
      (?P<iso>\b(?:19|20)\d\d-\d\d-\d\d\b)
    | \b{_DAY.format("d1")}\s+(?:of\s+)?{_MONTH.format("m1")}\b(?:,?\s+{_YEAR.format("y1")})?
    | \b{_MONTH.format("m2")}\s+{_DAY.format("d2")}\b(?!:|\.\d|%|\s*(?:am|pm)\b)(?:,?\s+{_YEAR.format("y2")})?
    | \b{_MONTH.format("m3")},?\s+{_YEAR.format("y3")}\b
    | (?P<near>\b(?:the\s+day\s+before\s+yesterday|the\s+day\s+after\s+tomorrow|yesterday|today|tonight|tomorrow
        |this\s+(?:morning|afternoon|evening)|last\s+night))\b(?:\s+(?:morning|afternoon|evening|night)\b)?
    | \b(?P<which>last|this|next|this\s+past|this\s+coming)\s+(?P<unit>week(?:end)?|month|year|{_WEEKDAY}|mon|tues?|wed|thurs?|fri|sat|sun|spring|summer|autumn|fall|winter
        |january|february|march|april|may|june|july|august|september|october|november|december)\b(?!\s+of\b)
    | \b{_COUNT}\s+(?P<span>day|week|month|year)s?\s+ago\b
    | \bin\s+(?P<ahead>\d{{1,3}}|an?|one|two|three|four|five|six|seven|eight|nine|ten)\s+(?P<aspan>day|week|month|year)s?\b(?!\s+of)
    | \b(?P<weekday>{_WEEKDAY})\b(?!\s+(?:(?:and|or|to)\s+(?:on\s+)?(?:{_WEEKDAY})|mornings|afternoons|evenings|nights)\b)
    | \b{_MONTH.format("m4")}\b
    | \b{_YEAR.format("y5")}\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Moment:
    """A date found at text[start:end]. `worded`: how a claim states it ("on 7 May 2023"); None: leave what was said."""

    start: int
    end: int
    when: datetime
    grain: Grain
    worded: str | None
    bare: bool = False  # "in September", "on Monday": which one, only a past or a plan can tell

    @property
    def iso(self) -> str:
        """The date as far as it is known: 2023-05-07, 2023-05 or 2023."""
        text = self.when.date().isoformat()
        return {"day": text, "week": text, "month": text[:7], "season": text[:7], "year": text[:4]}[self.grain]


@lru_cache(maxsize=256)
def moments(text: str, observed_at: datetime, *, ahead: bool = False) -> list[Moment]:
    """Dates in the text, in order. `ahead`: the clause looks forward (a deadline, a plan), so "Friday" is the next one."""
    day = observed_at.replace(hour=0, minute=0, second=0, microsecond=0)
    out = []
    for hit in _PATTERN.finditer(text):
        found = _resolve(hit, day, ahead)
        if found is None:
            continue
        when, grain, relative = found
        if when.date() == observed_at.date() and grain == "day":
            when = observed_at
        worded = _worded(when, grain, hit.group("prep"), hit.group("span")) if relative else None
        if worded is not None and text[: hit.start()].endswith(" to "):
            worded = worded.removeprefix("on ")
        bare = hit["weekday"] is not None or hit["m4"] is not None
        out.append(Moment(hit.start(), hit.end(), when, grain, worded, bare))
    return out


def end_of_day(when: datetime) -> datetime:
    """The last second of that day, in the same offset."""
    return when.replace(hour=23, minute=59, second=59, microsecond=0)


def end_of(moment: Moment) -> datetime:
    """The last second of the day, week, month, season or year, in the same offset."""
    day = moment.when
    if moment.grain == "week":
        day += timedelta(days=6)
    elif moment.grain == "year":
        day = day.replace(month=12, day=31)
    elif moment.grain in ("month", "season"):
        day = _shifted(day.replace(day=1), 1 if moment.grain == "month" else 3, "month")[0] - timedelta(days=1)
    return end_of_day(day)


def _resolve(hit: re.Match[str], day: datetime, ahead: bool) -> tuple[datetime, Grain, bool] | None:
    part = {name: value.lower() for name, value in hit.groupdict().items() if value}
    try:
        if "iso" in part:
            year, month, date = (int(piece) for piece in part["iso"].split("-"))
            return day.replace(year=year, month=month, day=date), "day", False
        for number in "12":
            if f"d{number}" in part:
                return _calendar_day(day, part, number, ahead)
        if "m3" in part:
            return day.replace(year=int(part["y3"]), month=_month(part["m3"]), day=1), "month", False
        before = part.get("prep", "").strip()
        if "m4" in part:
            if before not in ("in", "by", "since", "until", "before"):
                return None
            return _nearest_month(day, _month(part["m4"]), ahead), "month", True
        if "y5" in part:
            if before not in ("in", "by", "since", "until", "before", "from"):
                return None
            return day.replace(year=int(part["y5"]), month=1, day=1), "year", False
        named = before in ("on", "by", "until", "before", "since", "for")
        if "weekday" in part and not (named or (not before and sets_a_day(hit.string[: hit.start()]))):
            return None
    except ValueError:
        return None
    if "weekday" in part:  # whatever was booked for Friday, or moved to it, lies behind the booking
        ahead = ahead or before == "for" or moves_to_a_day(hit.string[: hit.start("weekday")])
    return _relative(part, day, ahead)


def _calendar_day(day: datetime, part: dict[str, str], number: str, ahead: bool) -> tuple[datetime, Grain, bool]:
    date, month = int(part[f"d{number}"]), _month(part[f"m{number}"])
    if f"y{number}" in part:
        return day.replace(year=int(part[f"y{number}"]), month=month, day=date), "day", False
    found = day.replace(month=month, day=date)
    if ahead and found < day:
        found = found.replace(year=day.year + 1)
    if not ahead and found > day + timedelta(days=183):
        found = found.replace(year=day.year - 1)
    return found, "day", False


def _relative(part: dict[str, str], day: datetime, ahead: bool) -> tuple[datetime, Grain, bool] | None:
    if "near" in part:
        near = " ".join(part["near"].split())
        shift = {
            "yesterday": -1,
            "last night": -1,
            "tomorrow": 1,
            "the day before yesterday": -2,
            "the day after tomorrow": 2,
        }
        return day + timedelta(days=shift.get(near, 0)), "day", True
    if "weekday" in part:
        return _weekday(day, part["weekday"], "next" if ahead else "last"), "day", True
    if "which" in part:
        return _named_period(" ".join(part["which"].split()), part["unit"], day, ahead)
    if "span" in part:
        return _shifted(day, -_number(part["count"]), part["span"])
    if "ahead" in part:
        return _shifted(day, _number(part["ahead"]), part["aspan"]) if ahead else None
    return None


def _named_period(which: str, unit: str, day: datetime, ahead: bool) -> tuple[datetime, Grain, bool] | None:
    which = {"this past": "last", "this coming": "next"}.get(which, which)
    unit = next((name for name in WEEKDAYS if unit in (name[:3], name[:4], name[:5]) and unit != "mont"), unit)
    step = {"last": -1, "this": 0, "next": 1}[which]
    if unit in WEEKDAYS:
        if which == "this":
            which = "next" if ahead else "last"
        elif which == "next":
            which = "next week"
        return _weekday(day, unit, which), "day", True
    if unit == "week":
        return day - timedelta(days=day.weekday()) + timedelta(weeks=step), "week", True
    if unit == "weekend":
        saturday = day - timedelta(days=(day.weekday() - 5) % 7)
        if which == "last" and saturday.date() == day.date():
            saturday -= timedelta(weeks=1)
        return (saturday + timedelta(weeks=max(step, 0) + (step == 0 and ahead and saturday < day))), "day", True
    if unit == "month":
        return _shifted(day.replace(day=1), step, "month")[0], "month", True
    if unit == "year":
        return day.replace(year=day.year + step, month=1, day=1), "year", True
    month = _SEASONS.get(unit) or _month(unit)
    found = day.replace(month=month, day=1)
    length = 92 if unit in _SEASONS else 31
    if which == "last" and found + timedelta(days=length) > day:
        found = found.replace(year=day.year - 1)
    if which == "next" and found <= day:
        found = found.replace(year=day.year + 1)
    return found, ("season" if unit in _SEASONS else "month"), True


def _weekday(day: datetime, name: str, which: str) -> datetime:
    if which == "next week":
        return day - timedelta(days=day.weekday()) + timedelta(weeks=1, days=WEEKDAYS.index(name))
    distance = (WEEKDAYS.index(name) - day.weekday()) % 7
    if which == "last":
        return day - timedelta(days=(7 - distance) if distance else 7)
    return day + timedelta(days=distance or 7)


def _shifted(day: datetime, count: int, unit: str) -> tuple[datetime, Grain, bool]:
    if unit == "day":
        return day + timedelta(days=count), "day", True
    if unit == "week":
        return day + timedelta(weeks=count), "week", True
    if unit == "year":
        return day.replace(year=day.year + count, month=1, day=1), "year", True
    months = day.year * 12 + day.month - 1 + count
    return day.replace(year=months // 12, month=months % 12 + 1, day=1), "month", True


def _nearest_month(day: datetime, month: int, ahead: bool) -> datetime:
    found = day.replace(month=month, day=1)
    if ahead and found + timedelta(days=31) < day:
        return found.replace(year=day.year + 1)
    if not ahead and found > day:
        return found.replace(year=day.year - 1)
    return found


def _worded(when: datetime, grain: Grain, prep: str | None, counted: str | None) -> str:
    month = MONTHS[when.month - 1].capitalize()
    kept = (prep or "").strip().lower()
    kept = f"{kept} " if kept in ("by", "until", "before", "since", "from", "for") else ""
    if grain == "day":
        return f"{kept or 'on '}{when.day} {month} {when.year}"
    if grain == "week":
        around = "around" if counted else "in the week of"
        return f"{kept or around + ' '}{when.day} {month} {when.year}"
    if grain == "season":
        season = next(name for name, first in _SEASONS.items() if first == when.month)
        return f"{kept or 'in '}{season} {when.year}"
    return f"{kept or 'in '}{month} {when.year}" if grain == "month" else f"{kept or 'in '}{when.year}"


def _month(name: str) -> int:
    return next(index for index, month in enumerate(MONTHS, 1) if month.startswith(name[:3].lower()))


def _number(word: str) -> int:
    word = " ".join(word.split())
    return _NUMBERS[word] if word in _NUMBERS else int(word)
