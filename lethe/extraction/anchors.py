"""What makes a clause concrete: a name, a number, a date or a title that a later question could ask for."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lethe.extraction.claims import Token

_CALENDAR = re.compile(
    r"^(?:january|february|march|april|may|june|july|august|september|october|november|december|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?)$",
    re.IGNORECASE,
)
_SMALL_COUNT = re.compile(r"^(?:one|first|second|once)$", re.IGNORECASE)


def is_anchor(token: Token) -> bool:
    """True for a token that names or counts something."""
    if any(letter.isdigit() for letter in token.text):
        return True
    if token.like_num:
        return not _SMALL_COUNT.match(token.text)
    if token.pos_ != "PROPN" and token.tag_ not in ("NNP", "NNPS"):
        return False
    return bool(token.text[:1].isupper()) and token.text != "I" and not token.is_sent_start


def anchored(tokens: Iterable[Token]) -> bool:
    """True where any of the tokens names or counts something."""
    return any(is_anchor(token) for token in tokens)


def counted(tokens: Iterable[Token]) -> bool:
    """True where any of the tokens is a number, an amount or part of a date."""
    return any(
        any(letter.isdigit() for letter in token.text)
        or (token.like_num and not _SMALL_COUNT.match(token.text))
        or _CALENDAR.match(token.text)
        for token in tokens
    )


def owned(tokens: Iterable[Token]) -> bool:
    """True where the author's own things are spoken of."""
    return any(token.lower_ in ("my", "our") for token in tokens)
