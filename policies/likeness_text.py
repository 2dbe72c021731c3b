"""A statement taken apart into what telling it from another needs: its words in base form, small words as marks upon
them, and negation and tense aside.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum
from operator import eq
from typing import NamedTuple

from policies.grounds import word_set
from policies.likeness_classes import CLASSES, VERBS
from policies.likeness_forms import base, is_participle, is_past, is_plural
from policies.likeness_words import PHRASES, meanings
from policies.signs import ENDING, LETTERS, NAMED, SIGNED, SYMBOL, even


class Sort(Enum):
    """Of what sort a word is."""

    PLAIN = 0
    NAME = 1
    NUMBER = 2
    RANK = 3
    GUARD = 4  # a quantifier, modal or pronoun: with another one the statement says something else


class Word(NamedTuple):
    """One word that carries meaning. `mark`: the small preposition before it. `joined`: "and" or "or" stands before it;
    `denied`: "not" does."""

    base: str
    meanings: frozenset[str]
    sort: Sort = Sort.PLAIN
    mark: str = ""
    joined: bool = False
    past: bool = False
    plural: bool = False
    denied: bool = False


def beginning(word: str) -> str:
    """Of a base form, what most of its forms begin with."""
    return word[:5].rstrip("eiy")


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as `read` sees it. `tense`, `gender`: which of them its small words have. `passive`: "… by …".
    `whole`: it has a verb with something before it."""

    words: tuple[Word, ...]
    negations: int
    tense: frozenset[str]
    gender: frozenset[str]
    passive: bool
    whole: bool


_TOKEN = re.compile(
    rf"{NAMED}|\d+(?:st|nd|rd|th)\b|{SIGNED}\d+(?:[.,:/-]\d+)*|\d+(?:[.,:/-]\d+)*|{LETTERS}{ENDING}?|[%$€£]|{SYMBOL}|(?<=\w), "
)
_SIGN = re.compile(SYMBOL)
_CONTRACTED = re.compile(r"\b(ca|wo|sha|\w+?)n't\b|\bcan not\b|\b(no one)\b", re.IGNORECASE)
_ENDING = re.compile(r"'(?:s|re|ve|ll|d|m)\b|(?<=s)'(?=\s|$)", re.IGNORECASE)
_AMOUNT = re.compile(r"([$€£]) ?(\d+(?:[.,]\d+)*)")
_NO_LONGER = re.compile(r"\bno longer\b|\b(?:any ?more|any longer|these days|from now on|since then)\b", re.IGNORECASE)
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen"
)
_TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety"
_NUMBERS = {word: str(n) for n, word in enumerate(_ONES.split())} | {
    word: str(10 * n) for n, word in enumerate(_TENS.split())
}
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
    "herself themselves now nowadays currently actually instead anymore"
)
_GENDER = {"his": "m", "her": "f", "himself": "m", "herself": "f", "he": "m", "she": "f", "him": "m"}
_SMALL = word_set("of to for by with from at as in on")
_MARKS = (
    {word: word for word in _SMALL}
    | {"into": "in", "onto": "on", "upon": "on"}
    | dict.fromkeys(("who", "whom", "which", "that"), "which")
)
_JOINTS = word_set("and or , but")
_NEGATIONS = word_set("not no never none neither nor without nobody nothing nowhere cannot")
_SAID_AS = {
    "%": "percent",
    "$": "dollar",
    "€": "euro",
    "£": "pound",
    "nobody": "person",
    "cannot": "can",
    "nothing": "something",
}
_SILENT = (
    _DROPPED
    | (_NEGATIONS - _SAID_AS.keys())
    | _SMALL
    | {"into", "onto", "upon", "who", "whom", "which", "that"}
    | _JOINTS
)
_GUARDS = word_set(
    "all every each both any many most few several much more less least only half always sometimes usually often "
    "rarely seldom little lots numerous enough almost nearly about approximately around roughly than except until since "
    "before after if unless maybe perhaps possibly allegedly i me my you your we our us he she him they them will would "
    "shall should can could may might must "
    "former ex fake false alleged hardly barely scarcely unlikely possible potential proposed planned likely "
    "nicht kein keine nie niemals ohne pas jamais sans non sin nunca jamas niet geen nooit ikke inte aldrig ei nem nie não não "
    "не нет никогда"
)
_SMALL_WORDS = _SILENT | _NEGATIONS | _MARKS.keys() | _JOINTS | _GENDER.keys()
_BY_FIRST: dict[str, list[tuple[str, ...]]] = {}
for _each in {*PHRASES, *(word for word in CLASSES if "_" in word)}:
    _parts = tuple(_each.split("_"))
    _BY_FIRST.setdefault(_parts[0], []).append(_parts)


def read(text: str) -> Reading:
    """Take a sentence or a value apart."""
    reader = _Reader(_tokens(text))
    while reader.place < len(reader.tokens):
        reader.take()
    return Reading(
        tuple(reader.words),
        reader.negations,
        frozenset(reader.tense),
        frozenset(reader.gender),
        reader.passive,
        reader.whole or len(reader.words) > 5,
    )


def words_of(text: str) -> list[str]:
    """All words of a text in order, in small letters."""
    return [token.lower() for token in _tokens(text)]


class _Reader:
    """Goes over the tokens of a text once."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.words: list[Word] = []
        self.tense: set[str] = set()
        self.gender: set[str] = set()
        self.place = self.negations = 0
        self.auxiliary = -9  # place of the last form of "be", "have", "do", "get"
        self.participle = self.passive = self.whole = self.joined = self.denied = False
        self.mark = ""

    def take(self) -> None:
        token = self.tokens[self.place]
        low = token.lower()
        stem = base(low)
        parts = _phrase_at(self.tokens, self.place, stem) if stem in _BY_FIRST else ()
        self.place += len(parts) or 1
        if parts:
            self._add(token, low, "_".join(parts))
        elif low not in _SMALL_WORDS or (token == "A" and self.words) or not self._take_small(low):
            self._add(token, low, stem)

    def _take_small(self, low: str) -> bool:
        """Keep what a small word says; False where it is to be kept as a word too."""
        if low in _AUXILIARY:
            self.auxiliary = self.place
            self.whole = self.whole or bool(self.words)
            if low in _TENSES:
                self.tense.add(_TENSES[low])
        elif low in _MARKS:
            self.mark = _MARKS[low]
            self.passive = self.passive or (low == "by" and self.participle)
        elif low in _JOINTS:
            self.joined = True
        elif low in _NEGATIONS:
            self.negations += 1
            self.denied = True
            self.mark = "with" if low == "without" else self.mark
        if low in _GENDER:
            self.gender.add(_GENDER[low])
        return low in _SILENT

    def _add(self, token: str, low: str, stem: str) -> None:
        near = self.place - self.auxiliary <= 2
        word = _word(token, low, stem, not self.words)
        if word.sort is Sort.PLAIN:
            self.whole = self.whole or (bool(self.words) and _is_verb(low, stem))
            self.participle = self.participle or (near and is_participle(low))
        words = self.words
        if words and words[-1].sort is word.sort is Sort.NUMBER and _is_tens(words[-1].base, word.base):
            tens = words.pop()
            number = str(int(tens.base) + int(word.base))
            word = word._replace(base=number, meanings=frozenset((number,)))
            self.mark, self.joined, self.denied = tens.mark, tens.joined, tens.denied
        if word.plural and words and words[-1].sort is Sort.NUMBER:
            word = word._replace(plural=False)  # the number says how many
        if self.mark or self.joined or self.denied or word.past:
            past = word.past and not near
            word = word._replace(mark=self.mark, joined=self.joined, denied=self.denied, past=past)
        words.append(word)
        self.mark, self.joined, self.denied = "", False, False


def _tokens(text: str) -> list[str]:
    plain = even(unicodedata.normalize("NFKC", text)).replace("’", "'")
    plain = _CONTRACTED.sub(_spelt_out, _AMOUNT.sub(r"\2 \1", plain))
    plain = _NO_LONGER.sub(lambda found: "not" if found[0][0] in "nN" else "", plain)
    if "'" in plain:
        plain = _ENDING.sub("", plain)
    return [token.strip() for token in _TOKEN.findall(plain)]


def _spelt_out(found: re.Match[str]) -> str:
    if found[2]:
        return "nobody"
    verb = (found[1] or "ca").lower()
    return "cannot" if verb == "ca" else {"wo": "will", "sha": "shall"}.get(verb, verb) + " not"


def _phrase_at(tokens: list[str], place: int, stem: str) -> tuple[str, ...]:
    longest: tuple[str, ...] = ()
    for parts in _BY_FIRST[stem]:
        if len(parts) > len(longest) and place + len(parts) <= len(tokens):
            following = (base(token.lower()) for token in tokens[place + 1 : place + len(parts)])
            if all(map(eq, parts[1:], following)):
                longest = parts
    return longest


def _word(token: str, low: str, stem: str, first: bool) -> Word:
    if "_" in token:
        return Word(low, frozenset((low,)), Sort.NAME)
    if _SIGN.fullmatch(token):
        return Word(token, frozenset((token,)), Sort.GUARD)
    if token[0].isdigit() or (token[0] in "-–+±." and len(token) > 1):
        token = token.replace("–", "-")
        if low.endswith(_ENDINGS_OF_RANKS):
            return _exact(low[:-2] + "th", Sort.RANK)
        return _exact(token.replace(",", "") if _GROUPED.fullmatch(token) else token, Sort.NUMBER)
    if low in _NUMBERS:
        return _exact(_NUMBERS[low], Sort.NUMBER)
    if low in _RANKS:
        return _exact(_RANKS[low] + "th", Sort.RANK)
    stem = _SAID_AS.get(stem, stem)
    if low in _GUARDS:
        return Word(stem, meanings(stem), Sort.GUARD)
    if token[0].isupper() and (not first or not token[1:].islower()) and stem not in CLASSES:
        return Word(stem, meanings(stem), Sort.NAME)
    return Word(stem, meanings(stem), past=is_past(low), plural=is_plural(low) and stem not in VERBS)


def _exact(digits: str, sort: Sort) -> Word:
    return Word(digits, frozenset((digits,)), sort)


def _is_tens(one: str, other: str) -> bool:
    return len(one) == 2 and one[0] in "23456789" and one[1] == "0" and len(other) == 1 and other != "0"


def _is_verb(low: str, stem: str) -> bool:
    return (low.endswith("ing") and len(low) > 5) or (stem in VERBS and low != stem)
