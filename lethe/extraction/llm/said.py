"""What a turn says, taken apart for checking a claim against it: words, numbers, days, and what the turns before it lend."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from dateutil.relativedelta import relativedelta

from lethe.extraction.dates import Moment, moments
from lethe.extraction.language import unsupported_language
from lethe.extraction.words import words as word_set
from lethe.records import Turn

QUESTION_CHARS = 300
SHORT_ANSWER = 12  # words

TOKEN = re.compile(r"[^\W_]+(?:[.'&/+#@-][^\W_]+)*")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_CLOCK = re.compile(r"(\d{1,2})(?::(\d\d))?\s*(?:pm|p\.m)\b")
_ORDINAL = re.compile(r"\b(?:the|on) (\d{1,2})(?:st|nd|rd|th)\b")
_SPAN = re.compile(
    r"\b(\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|couple of|few) (day|week|fortnight|month|year)s?\b"
)
_END_OF = re.compile(r"\bend of (?:the |this |(next ))?(week|month|year)\b")
# fmt: off
_BELOW_TWENTY = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)
# fmt: on
_UNITS = {word: number for number, word in enumerate(_BELOW_TWENTY)}
_TENS = {
    word: 10 * number
    for number, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)
}
_OTHER_NUMBERS = {
    "couple": 2,
    "both": 2,
    "twice": 2,
    "dozen": 12,
    "hundred": 100,
    "thousand": 1000,
    "million": 1_000_000,
}
_YES = re.compile(r"\W*(?:yes|yeah|yep|yup|correct|exactly|right|sure|indeed|absolutely|please do|that's right)\b")

FUNCTION_WORDS = word_set(
    "a an the this that these those and or but so if then than as of in on at to for from by with without about into over "
    "is am are was were be been being do does did done has have had having will would shall should can could may might "
    "must not no nor never always i me my mine you your he she they it his her him their them its we us our who which what "
    "when where how why all any some each every also just very only too there here up out off own get gets got user users "
    "user's assistant want wants wanted prefer prefers preferred like likes liked love loves use uses used using named name "
    "called work works working live lives make makes keep go goes new now one more most team project others other"
)


@dataclass(frozen=True, slots=True)
class Said:
    """A turn and what may help to read it. `own`: its text; `helped`: with its author's turns before it and, for a short
    answer, the question; both folded. `days`: (first, last) of every date that these name or imply."""

    own: str
    helped: str
    own_stems: frozenset[str]
    stems: frozenset[str]
    numbers: frozenset[str]
    days: tuple[tuple[date, date], ...]
    observed_at: datetime
    english: bool
    affirms: bool


def said(turn: Turn, window: Sequence[Turn]) -> Said:
    """Take a turn apart. Of the turns before it only the author's own count, and the question that a short answer answers:
    what an assistant, a tool or a document said is no ground for a claim about the user."""
    question = _question(turn, window)
    before = [other for other in window if (other.author, other.speaker) == (turn.author, turn.speaker)]
    texts = [(turn.text, turn.observed_at), *((other.text, other.observed_at) for other in before)]
    texts += [(question, turn.observed_at)] if question else []
    own, named = folded(turn.text), " ".join(filter(None, (turn.speaker, turn.project)))
    helped = "\n".join([folded(text) for text, _ in texts] + [folded(named)])
    return Said(
        own=own,
        helped=helped,
        own_stems=stems(own),
        stems=stems(helped),
        numbers=frozenset(numbers(helped)) | _clock_hours(helped),
        days=tuple({day for text, at in texts for day in _days(text, at)}),
        observed_at=turn.observed_at,
        english=not unsupported_language(turn.text),
        affirms=bool(question and _YES.match(own)),
    )


def _question(turn: Turn, window: Sequence[Turn]) -> str:
    if not window or len(turn.text.split()) > SHORT_ANSWER:
        return ""
    last = window[-1].text.strip()[-QUESTION_CHARS:]
    return last if last.endswith("?") and (window[-1].author, window[-1].speaker) != (turn.author, turn.speaker) else ""


def folded(text: str) -> str:
    """Without differences of case, of Unicode form, of typographic marks and of white space."""
    plain = unicodedata.normalize("NFKC", text).replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"')
    return " ".join(plain.casefold().split())


def stems(text: str) -> frozenset[str]:
    """The words of a folded text that carry something, without endings of plural and tense."""
    return frozenset(
        _stem(word) for token in TOKEN.findall(text) for word in _pieces(token) if word not in FUNCTION_WORDS
    )


def _pieces(token: str) -> list[str]:
    """A joined word as it stands and part by part, an ending 's left out."""
    plain = token.removesuffix("'s")
    return [plain, *re.split(r"[.'&/+#@-]", plain)] if not plain.isalnum() else [plain]


def _stem(word: str) -> str:
    for ending in ("ing", "ied", "ies", "ed", "es", "ly", "s", "e", "y"):
        if len(word) - len(ending) >= 3 and word.endswith(ending) and not word.endswith("ss"):
            return word[: -len(ending)]
    return word


# --- numbers ------------------------------------------------------------------------------------------------------


def numbers(text: str) -> Iterator[str]:
    """The numbers of a folded text, however written: "1,200" and "1200", "three" and "3", "09:30" as 9 and 30."""
    for hit in _NUMBER.findall(_THOUSANDS.sub("", text)):
        for part in hit.split(":"):
            yield plain_number(part)
    for token in re.findall(r"[a-z]+(?:-[a-z]+)?", text):
        yield from spelled(token)


def plain_number(digits: str) -> str:
    """Without zeros in front, and without decimals that say nothing."""
    whole = re.sub(r"[.,]0+$", "", digits).lstrip("0")
    return whole or "0"


def spelled(token: str) -> Iterator[str]:
    """The number that a word means, if it means one: "twelve", "twenty-five", "dozen"."""
    tens, _, unit = token.partition("-")
    if tens in _TENS:
        yield str(_TENS[tens] + _UNITS.get(unit, 0))
    elif token in _UNITS:
        yield str(_UNITS[token])
    elif token in _OTHER_NUMBERS:
        yield str(_OTHER_NUMBERS[token])


def _clock_hours(text: str) -> frozenset[str]:
    """3 pm may be told as 15:00, and the other way round; a full hour as ":00"."""
    afternoon = {str(int(hit[1]) + 12) for hit in _CLOCK.finditer(text) if int(hit[1]) < 12}
    morning = {str(int(hit[1]) - 12) for hit in re.finditer(r"\b(1[3-9]|2[0-3])(?::\d\d|h)", text)}
    return frozenset(afternoon | morning | {"0"})


# --- days ---------------------------------------------------------------------------------------------------------


def _days(text: str, at: datetime) -> Iterator[tuple[date, date]]:
    """The days that a text names, or implies by when it was said."""
    yield at.date(), at.date()
    for ahead in (False, True):
        yield from (_range(moment) for moment in moments(text, at, ahead=ahead))
    plain = folded(text)
    for hit in _SPAN.finditer(plain):
        yield from _shifted(at, hit[1], hit[2])
    for hit in _END_OF.finditer(plain):
        last = _end_of(at.date(), hit[2], bool(hit[1]))
        yield last, last
    for hit in _ORDINAL.finditer(plain):
        yield from _in_this_month_or_the_next(at.date(), int(hit[1]))


def _range(moment: Moment) -> tuple[date, date]:
    first = moment.when.date()
    length = {"day": relativedelta(), "week": relativedelta(days=6), "month": relativedelta(months=1, days=-1),
              "season": relativedelta(months=3, days=-1), "year": relativedelta(years=1, days=-1)}[moment.grain]  # fmt: skip
    try:
        return first, first + length
    except (ValueError, OverflowError):
        return first, first


def _shifted(at: datetime, count: str, unit: str) -> Iterator[tuple[date, date]]:
    number = int(count) if count.isdigit() else _UNITS.get(count, {"couple of": 2, "few": 3}.get(count, 1))
    by = {"day": relativedelta(days=number), "week": relativedelta(weeks=number), "fortnight": relativedelta(weeks=2 * number),
          "month": relativedelta(months=number), "year": relativedelta(years=number)}[unit]  # fmt: skip
    for moment in (at - by, at + by):
        day = moment.date()
        if unit == "month":
            yield day.replace(day=1), day.replace(day=1) + relativedelta(months=1, days=-1)
        elif unit == "year":
            yield date(day.year, 1, 1), date(day.year, 12, 31)
        yield day, day


def _end_of(day: date, unit: str, following: bool) -> date:
    if unit == "week":
        return day + timedelta(days=6 - day.weekday() + 7 * following)
    if unit == "month":
        return day.replace(day=1) + relativedelta(months=1 + following, days=-1)
    return date(day.year + following, 12, 31)


def _in_this_month_or_the_next(day: date, number: int) -> Iterator[tuple[date, date]]:
    for month in (0, 1):
        first = day.replace(day=1) + relativedelta(months=month)
        if 1 <= number <= 31 and (first + timedelta(days=number - 1)).month == first.month:
            yield first + timedelta(days=number - 1), first + timedelta(days=number - 1)


def implies(ranges: Iterable[tuple[date, date]], day: date) -> bool:
    """Is this day one that the text names? Of a longer time its first and last day are, of a week every day."""
    return any(day in (first, last) or (first <= day <= last and (last - first).days < 7) for first, last in ranges)
