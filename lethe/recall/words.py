"""The words that a question and a claim may share: content words, cut to their stems.

Who is spoken of says nothing: a claim says "the user" where a question says "I", "my" or nothing at all.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_COMMON = """
a about above after again against ain all also am an and any anything are aren as at be been before being below between
both but by can cannot could couldn d did didn do does doesn doing don down during each ever few for from further had
hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself just let
ll m may me might mine more most must my myself need no nor not now of off on once one only or other our ours ourselves
out over own please re s said same say shall shan she should shouldn so some something such t tell than that the their
theirs them themselves then there these they thing things this those through to too under until up us use used user users
using ve very was wasn we were weren what when where which while who whom whose why will with won would wouldn yet you
your yours yourself remember know mention mentioned
"""
STOP = frozenset(_COMMON.split())
_WORD = re.compile(r"\d+(?:[.,:]\d+)+|\w+(?:[.\-'’/]\w+)*")
_INSIDE = re.compile(r"['’/_\-]|(?<!\d)\.|\.(?!\d)")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff]")


def terms(text: str) -> list[str]:
    """The stems of a text's content words, in order and with repeats; scripts without spaces give pairs of letters."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    found: list[str] = []
    for word in _WORD.findall(plain):
        if word.isascii() and word.isalnum():
            if word not in STOP:
                found.append(stem(word))
            continue
        if _UNSPACED.search(word):
            found += _pairs(word)
            continue
        parts = _INSIDE.split(word)
        if word[1:2] == "-":
            parts = ["".join(parts)]
        found += [stem(part) for part in parts if part and part not in STOP]
    return found


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A light English stem: plural, -ing, -ed, -ly and a final e are cut, so that "lives", "living" and "lived" meet."""
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    if word.endswith("ies"):
        word = word[:-3] + "y"
    elif word.endswith(("sses", "shes", "ches", "xes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ingly", "edly", "ing", "ed", "ly"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and _has_vowel(word[: -len(ending)]):
            word = word[: -len(ending)]
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    return word[:-1] + "i" if word.endswith("y") and len(word) > 3 else word


def _has_vowel(word: str) -> bool:
    return any(letter in "aeiouy" for letter in word)


def _pairs(word: str) -> list[str]:
    return [word] if len(word) < 3 else [word[at : at + 2] for at in range(len(word) - 1)]
