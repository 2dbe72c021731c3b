"""The words of a claim as merging compares them: what carries a detail, what may be left out, what turns a meaning."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from policies.grounds import word_set
from policies.signs import ENDING, NAMED, SIGNED, SYMBOL, WORDS, even

_TOKEN = re.compile(rf"{NAMED}|{SIGNED}[$€£]?\d+(?:[.,:/-]\d+)*%?|{WORDS}(?:['’.\-/&+#]{WORDS})*{ENDING}?|[%]|{SYMBOL}")
FILLERS = word_set(
    "a an the also just really still very so too already even actually currently now quite pretty recently"
)
NEGATIONS = word_set(
    "not no never none nobody nothing neither nor without cannot can't won't don't doesn't didn't isn't aren't wasn't "
    "weren't hasn't haven't hadn't shouldn't wouldn't couldn't mustn't unable refuses avoids n't"
)
# Words that change what the rest says: nothing that holds one of them is a mere addition.
TURNING = NEGATIONS | word_set(
    "if unless until except but or only hardly barely almost nearly less more than instead former formerly ex used would "
    "could should might may maybe perhaps want wants wanted plan plans planned hope hopes hoped try tries tried consider "
    "considers considering think thinks stopped stops quit longer anymore rather though although however"
)
# A statement with one of these permits or orders: what is added to it says when it holds.
RULING = word_set("can may must should shall always never every all any allowed ok okay wants")
COMPANY = word_set("with alongside")
DETERMINERS = word_set("a an the his her their its my our")
CONNECTORS = word_set(
    "in on at with for by from to every each since during near because when after before about via through among under "
    "over along across twice once daily weekly monthly and"
)
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_DATE = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? )?"
    r"(?:\d{4}-\d{2}-\d{2}|\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:january|february|march|april|may|june|july|august|september|october|"
    r"november|december)(?:,? \d{4})?|(?:january|february|march|april|may|june|july|august|september|october|november|december)"
    r"(?: \d{1,2}(?:st|nd|rd|th)?\b)?(?:,? \d{4})?)"
)
DATED = re.compile(
    rf"\b(?:in the week of|in the month of|on the|on|in|since) {_DATE}\b|\b(?:in|during) \d{{4}}\b", re.IGNORECASE
)
COUNTS = {
    number: f"{word} times" if number > 2 else "twice"
    for number, word in enumerate(
        ["zero", "once", "twice", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )
    if number > 1
}
_COUNTED = re.compile(rf"\s(?:{'|'.join(COUNTS.values())}): .*$")
_SAID = re.compile(r"[\"“]([^\"”]{2,80})[\"”]")


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a claim: as it is compared, as it is written, and where it stands."""

    plain: str
    text: str
    start: int
    end: int

    @property
    def is_number(self) -> bool:
        return any(letter.isdigit() for letter in self.text)


@lru_cache(maxsize=20_000)
def tokens(text: str) -> tuple[Token, ...]:
    """The words of a text, in order."""
    return tuple(
        Token(_plain(found[0]), found[0], found.start(), found.end())
        for found in _TOKEN.finditer(unicodedata.normalize("NFC", text))
    )


def _plain(word: str) -> str:
    return even(unicodedata.normalize("NFKC", word)).replace("’", "'").replace("–", "-").casefold()


@lru_cache(maxsize=20_000)
def spine(text: str) -> tuple[Token, ...]:
    """The words without fillers."""
    return tuple(token for token in tokens(text) if token.plain not in FILLERS or (token.text == "A" and token.start))


@lru_cache(maxsize=20_000)
def _names_and_words(text: str) -> tuple[frozenset[str], frozenset[str]]:
    names = frozenset(token.plain for token in tokens(text) if _is_name(text, token))
    return names, frozenset(token.plain for token in tokens(text) if token.text.islower()) - names


def names_differ(one: str, other: str) -> bool:
    """Is a word a name in one text and a plain word in the other: "Polish", "polish"?"""
    (names, words), (other_names, other_words) = _names_and_words(one), _names_and_words(other)
    return bool(names & other_words or other_names & words)


def negations(text: str) -> int:
    """How many words of a text deny something."""
    return sum(token.plain in NEGATIONS or token.plain.endswith("n't") for token in tokens(text))


@lru_cache(maxsize=20_000)
def details(text: str) -> tuple[str, ...]:
    """What must not get lost of a claim: numbers with their units, names, dates, quotations, words in other scripts."""
    found: list[str] = []
    words = tokens(text)
    for place, token in enumerate(words):
        if token.is_number:
            after = words[place + 1] if place + 1 < len(words) else None
            unit = (
                after is not None
                and after.start - token.end <= 1
                and after.plain.isalpha()
                and after.plain not in _NO_UNIT
            )
            found.append(f"{token.text} {after.text}" if unit and after is not None else token.text)
        elif (
            token.plain in NEGATIONS
            or _is_name(text, token)
            or not token.text.isascii()
            or not any(map(str.isalnum, token.text))
            or (token.plain in MONTHS and token.text[0].isupper())
        ):
            found.append(token.text)
    return tuple(dict.fromkeys((*found, *_SAID.findall(text))))


_NO_UNIT = FILLERS | CONNECTORS | word_set("of is are was were has have had which that who and or as but")


def _is_name(text: str, token: Token) -> bool:
    if not token.text[:1].isupper():
        return any(letter.isupper() for letter in token.text[1:])
    before = text[: token.start].rstrip(" \t\n\"'“‘(")
    opens = not before or before[-1] in ".?!:;\n"
    return not opens or (
        len(token.text) > 1 and (token.text.isupper() or any(each.isupper() for each in token.text[1:]))
    )


def holds(text: str, detail: str) -> bool:
    """Does a text hold this detail, word for word and side by side, in whatever case?"""
    wanted = [token.plain for token in tokens(detail)]
    there = [token.plain for token in tokens(text)]
    if not wanted:
        return _plain(detail) in _plain(text)
    return any(there[at : at + len(wanted)] == wanted for at in range(len(there) - len(wanted) + 1))


def without_dates(claim: str) -> tuple[str, tuple[str, ...]]:
    """A claim without the times that it names, and these; what was merged from several says how often before them."""
    dates = tuple(found[0] for found in DATED.finditer(claim))
    rest = " ".join(DATED.sub(" ", _COUNTED.sub("", claim)).split())
    return re.sub(r"\s+([.,;!?])", r"\1", rest).strip(" ,"), dates
