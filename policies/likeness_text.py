"""A statement taken apart into what telling it from another needs: its words in base form, small words as marks upon
them, and negation and tense aside.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum

from policies.grounds import word_set
from policies.likeness_classes import CLASSES, VERBS
from policies.likeness_forms import base, is_participle, is_past, is_plural
from policies.likeness_words import PHRASES, meanings


class Sort(Enum):
    """Of what sort a word is."""

    PLAIN = 0
    NAME = 1
    NUMBER = 2
    RANK = 3
    GUARD = 4  # a quantifier, modal or pronoun: with another one the statement says something else


@dataclass(frozen=True, slots=True)
class Word:
    """One word that carries meaning. `mark`: the small preposition before it. `joined`: "and" or "or" stands before it."""

    base: str
    meanings: frozenset[str]
    sort: Sort
    mark: str
    joined: bool
    past: bool
    plural: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as `read` sees it. `whole`: it has a verb with something before it. `tense`: finite forms of "be" and "have"."""

    words: tuple[Word, ...]
    negations: int
    tense: frozenset[str]
    gender: frozenset[str]
    passive: bool
    whole: bool


_TOKEN = re.compile(r"\d+(?:st|nd|rd|th)\b|\d+(?:[.,:/-]\d+)*|[^\W\d_]+|[%$€£]|(?<=\w), ")
_CONTRACTED = re.compile(r"\b(ca|wo|sha|\w+?)n't\b|\bcan not\b", re.IGNORECASE)
_ENDING = re.compile(r"'(?:s|re|ve|ll|d|m)\b|(?<=s)'(?=\s|$)", re.IGNORECASE)
_SIGNS = {"%": "percent", "$": "dollar", "€": "euro", "£": "pound"}
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen"
)
_TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety"
_NUMBERS = {word: n for n, word in enumerate(_ONES.split())} | {word: 10 * n for n, word in enumerate(_TENS.split())}
_RANKED = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
)
_RANKS = {word: str(n) for n, word in enumerate(_RANKED.split())} | {
    "last": "last",
    "thirtieth": "30",
    "hundredth": "100",
}
_ENDINGS_OF_RANKS = ("st", "nd", "rd", "th")
_BE = word_set("is are am be been being was were")
_AUXILIARY = _BE | word_set("has have had do does did get gets got getting")
_TENSES = {
    "was": "past",
    "were": "past",
    "had": "past",
    "did": "past",
    "is": "present",
    "are": "present",
    "am": "present",
}
_DROPPED = _AUXILIARY | word_set(
    "a an the some having there it this these those its his her their own too also s so just itself himself "
    "herself themselves"
)
_GENDER = {"his": "m", "her": "f", "himself": "m", "herself": "f", "he": "m", "she": "f", "him": "m"}
_SMALL = word_set("of to for by with from at as in on")
_MARKS = (
    {word: word for word in _SMALL}
    | {"into": "in", "onto": "on", "upon": "on"}
    | dict.fromkeys(("who", "whom", "which", "that"), "which")
)
_JOINTS = word_set("and or , but")
_NEGATIONS = word_set("not no never none neither nor without nobody nothing nowhere cannot no_one")
_SAID_AS = {"nobody": "person", "no_one": "person", "cannot": "can", "nothing": "something"}
_SILENT = _DROPPED | (_NEGATIONS - _SAID_AS.keys())
_GUARDS = word_set(
    "all every each both any many most few several much more less least only half always sometimes usually often "
    "rarely seldom little lots numerous enough almost nearly about approximately around roughly than except until since "
    "before after if unless maybe perhaps possibly allegedly i me my you your we our us he she him they them will would "
    "shall should can could may might must"
)
_BY_FIRST: dict[str, list[tuple[str, ...]]] = {}
for _each in {*PHRASES, *(word for word in CLASSES if "_" in word)}:
    _parts = tuple(_each.split("_"))
    _BY_FIRST.setdefault(_parts[0], []).append(_parts)


def read(text: str) -> Reading:
    """Take a sentence or a value apart."""
    tokens = _tokens(text)
    words: list[Word] = []
    negations = place = 0
    mark, joined, auxiliary = "", False, -9
    agent = participle = whole = False
    while place < len(tokens):
        token = tokens[place]
        low = token.lower()
        length, phrase = _phrase(tokens, place)
        place += length or 1
        if low in _AUXILIARY:
            auxiliary = place
            whole = whole or bool(words)
        if low in _NEGATIONS and not length:
            negations += 1
            mark = "with" if low == "without" else mark
        if low in _MARKS and not length:
            mark = _MARKS[low]
            agent = agent or (low == "by" and participle)
        elif low in _JOINTS:
            joined = True
        elif length or low not in _SILENT:
            word = _word(token, phrase or _SAID_AS.get(low, low), not words, mark, joined, place - auxiliary > 2)
            participle = participle or (place - auxiliary <= 2 and is_participle(low))
            whole = whole or (bool(words) and _is_verb(low, word))
            _append(words, word)
            mark, joined = "", False
    lows = {token.lower() for token in tokens}
    return Reading(
        tuple(words),
        negations,
        frozenset(_TENSES[low] for low in lows & _TENSES.keys()),
        frozenset(_GENDER[low] for low in lows & _GENDER.keys()),
        agent,
        whole or len(words) > 5,
    )


def _append(words: list[Word], word: Word) -> None:
    if words and words[-1].sort is word.sort is Sort.NUMBER and _is_tens(words[-1].base, word.base):
        tens = words.pop()
        word = _number(str(int(tens.base) + int(word.base)), tens.mark)
    words.append(word)


def _tokens(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKC", text).replace("’", "'")
    plain = _CONTRACTED.sub(_spelt_out, plain)
    if "'" in plain:
        plain = _ENDING.sub("", plain)
    return [token.strip() for token in _TOKEN.findall(plain)]


def _spelt_out(found: re.Match[str]) -> str:
    verb = (found[1] or "ca").lower()
    return "cannot" if verb == "ca" else {"wo": "will", "sha": "shall"}.get(verb, verb) + " not"


def _phrase(tokens: list[str], place: int) -> tuple[int, str]:
    found = _BY_FIRST.get(base(tokens[place].lower()))
    if not found:
        return 0, ""
    longest: tuple[str, ...] = ()
    for parts in found:
        if len(parts) > len(longest) and parts == tuple(
            base(token.lower()) for token in tokens[place : place + len(parts)]
        ):
            longest = parts
    return len(longest), "_".join(longest)


def _word(token: str, low: str, first: bool, mark: str, joined: bool, finite: bool) -> Word:
    if token[0].isdigit():
        if low.endswith(_ENDINGS_OF_RANKS):
            return _rank(low[:-2], mark)
        return _number(token.replace(",", "") if _is_grouped(token) else token, mark)
    if low in _NUMBERS:
        return _number(str(_NUMBERS[low]), mark)
    if low in _RANKS:
        return _rank(_RANKS[low], mark)
    stem = low if "_" in low else base(_SIGNS.get(low, low))
    sort = Sort.PLAIN
    if low in _GUARDS:
        sort = Sort.GUARD
    elif token[0].isupper() and (not first or token[1:].lower() != token[1:]) and stem not in CLASSES:
        sort = Sort.NAME
    return Word(stem, meanings(stem), sort, mark, joined, finite and is_past(low), is_plural(low) and stem not in VERBS)


def _number(digits: str, mark: str) -> Word:
    return Word(digits, frozenset((digits,)), Sort.NUMBER, mark, False, False, False)


def _rank(digits: str, mark: str) -> Word:
    return Word(f"{digits}th", frozenset((f"{digits}th",)), Sort.RANK, mark, False, False, False)


def _is_grouped(token: str) -> bool:
    return re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", token) is not None


def _is_tens(one: str, other: str) -> bool:
    return len(one) == 2 and one[0] in "23456789" and one[1] == "0" and len(other) == 1 and other != "0"


def _is_verb(low: str, word: Word) -> bool:
    return (low.endswith("ing") and len(low) > 5) or (
        word.base in VERBS and low != word.base and word.sort is Sort.PLAIN
    )
