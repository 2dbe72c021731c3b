"""What a reading yields, and the canonical form of its parts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lethe.extraction.claims import Token, Voices, bare, phrase
from lethe.records import Cardinality, Kind

_LEADING = re.compile(
    r"^(?:(?:the user's|the team's|the assistant's|its|an?|the|some|all|both)\s+)+(?=\S)", re.IGNORECASE
)
_TRAILING = re.compile(
    r"[\s,]+(?:now|currently|these days|nowadays|at the moment|any ?more|any longer|as well|too|instead|though|in the end|"
    r"again|already|of course|by the way|right now|for now|so far|please)$",
    re.IGNORECASE,
)
_EVERY_WEEKDAY = re.compile(
    r"\b(?:on\s+)?(?:every|each)\s+(monday|tuesday|wednesday|thursday|friday|saturday|sunday)(?:\s+(morning|afternoon|evening|night))?\b",
    re.IGNORECASE,
)
_SPELLING = {
    "favorite": "favourite",
    "color": "colour",
    "neighbor": "neighbour",
    "mom": "mother",
    "mum": "mother",
    "dad": "father",
}


@dataclass(frozen=True, slots=True)
class Meaning:
    """One fact, before its claim is worded."""

    kind: Kind
    subject: str
    predicate: str
    object: str
    cardinality: Cardinality
    importance: float = 0.5
    negated: bool = False
    third_party: bool = False
    replaces: str | None = None
    event: bool = False


def value(tokens: Sequence[Token], voices: Voices, put: Mapping[int, str] | None = None) -> str:
    """The tokens as the value of a fact: no article or possessive before it, no "now" behind it."""
    return canonical(phrase(tokens, voices, put))


def canonical(text: str) -> str:
    """A value's canonical form; "every Tuesday" and "on Tuesdays" are one."""
    text = bare(text)
    if re.fullmatch(r"[\"“”][^\"“”]*[\"“”]", text):
        text = text[1:-1]
    for _ in range(3):
        text = bare(_TRAILING.sub("", _LEADING.sub("", text)))
    return _EVERY_WEEKDAY.sub(_recurring, text)


def _recurring(hit: re.Match[str]) -> str:
    return f"on {hit[1].capitalize()} {hit[2]}s" if hit[2] else f"on {hit[1].capitalize()}s"


def slug(*words: str) -> str:
    """A predicate name from words: "favorite city" -> favourite_city."""
    out = []
    for word in " ".join(words).replace("’", "'").replace("'s", "").split():
        plain = unicodedata.normalize("NFC", word.lower())
        plain = re.sub(r"[^\w]+", "_", plain).strip("_")
        out.append(_SPELLING.get(plain, plain))
    return "_".join(word for word in out if word)[:80] or "is"


def named(token: Token) -> bool:
    """True where a token is (part of) a proper name."""
    return token.pos_ == "PROPN" or token.tag_ in ("NNP", "NNPS")
