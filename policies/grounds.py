"""On which words of a turn a claim rests: its own sentences, clauses, and what of the turn is somebody else's text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from lethe.authorship import strictly
from lethe.records import Author

_WORD = re.compile(r"[^\W_]+(?:[:.'’@/-][^\W_]+)*")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]?\s+|\n+")
_CLAUSE_END = re.compile(r"[;:]\s|,\s|\s(?:and|but|so|though|although|because|while|or)\s", re.IGNORECASE)
LEAST_SHARE = 1 / 4  # of a claim's words that must stand in what it rests on
SHORT_ANSWER = 12  # words; a longer turn is understood without the question before it
QUESTION_CHARS = 300
BEGINNING = 5  # letters that two forms of one word share
_OTHER_SCRIPT = re.compile(r"[\u0370-\u1cff\u2e80-\ud7ff\uf900-\ufaff]")


def word_set(text: str) -> frozenset[str]:
    """The words of a list that is written as one string."""
    return frozenset(text.split())


ROLE_WORDS = word_set(
    "i i'm i've i'd i'll me my mine myself we us our ours you your yours yourself user users user's assistant assistant's "
    "he she they it his her their its"
)
_FUNCTION_WORDS = ROLE_WORDS | word_set(
    "a an the this that these those and or but so if then than as of in on at to for from by with without about into over "
    "is am are was were be been being do does did has have had having will would shall should can could may might must "
    "not no s t please also just very really too there here who which what when where how why all any some each every "
    "remember note keep mind store save"
)


@dataclass(frozen=True, slots=True)
class Parts:
    """A turn's text apart: what its author wrote, and what was quoted, pasted, fenced or forwarded into it."""

    own: str
    quoted: str


def words(text: str) -> list[str]:
    """Words in order, case, Unicode form and endings of plural and tense taken off."""
    plain = unicodedata.normalize("NFKC", text).replace("’", "'").casefold()
    return [_stem(word.removesuffix("'s")) for word in _WORD.findall(plain) if word not in _FUNCTION_WORDS]


def content(text: str) -> frozenset[str]:
    """The words that carry what a text says."""
    return frozenset(words(text))


def _stem(word: str) -> str:
    if len(word) > 3 and word.isalpha():
        for ending in ("ingly", "ing", "edly", "ies", "ed", "es", "s", "ly"):
            if word.endswith(ending) and len(word) - len(ending) >= 3 and not (ending == "s" and word.endswith("ss")):
                return (word[: -len(ending)] + ("y" if ending == "ies" else "")).rstrip("e")
    return word.rstrip("e") if len(word) > 3 else word


def parts(text: str, *, reports: bool = True) -> Parts:
    """Tell what the author wrote from what the author quotes, pastes or (with `reports`) tells of others' words."""
    runs = strictly(text, reports=reports)
    return Parts("\n".join(run.text for run in runs if run.own), "\n".join(run.text for run in runs if not run.own))


def only_quoted(claim: str, value: str, text: str, *, reports: bool = True) -> bool:
    """Does the claim, or its value, rest on what the turn quotes and not on its author's own words?"""
    apart = parts(text, reports=reports)
    if not apart.quoted.strip():
        return False
    own, quoted = content(apart.own), content(apart.quoted)
    said, told = content(claim), content(value)
    elsewhere = (said - own) & quoted
    return len(elsewhere) * 2 > len(said) or bool(told & quoted and not told & own and elsewhere)


@dataclass(frozen=True, slots=True)
class Earlier:
    """A turn before the one that a claim rests on. `text` is None where it is purged."""

    author: Author
    text: str | None


def rests_on(claim: str, value: str, text: str, window: Sequence[Earlier], *, reports: bool = True) -> bool:
    """Do words of the claim stand in its turn, in what its author said just before, or in the question that it answers?

    True too where that cannot be told: the window is purged, or written in another script.
    """
    said = content(claim) | content(value)
    if not said or _OTHER_SCRIPT.search(text) or any(each.text is None for each in window):
        return True
    own = parts(text, reports=reports).own
    heard = [own, *(parts(each.text).own for each in window if each.author is Author.USER and each.text)]
    if window and window[-1].author is not Author.USER and len(own.split()) <= SHORT_ANSWER:
        last = (window[-1].text or "").strip()[-QUESTION_CHARS:]
        heard += [last] if "?" in last else []
    known = frozenset().union(*map(content, heard))
    begun = {word[:BEGINNING] for word in known if len(word) >= BEGINNING}
    found = sum(word in known or (len(word) >= BEGINNING and word[:BEGINNING] in begun) for word in said)
    return found > 0 and found >= LEAST_SHARE * len(said)


def sentences_behind(claim: str, text: str) -> list[str]:
    """The sentences of the author's own text that the claim rests on, best first; none where nothing fits."""
    return _behind(claim, [each for each in _SENTENCE_END.split(parts(text).own) if each.strip()])


def clauses_behind(claim: str, text: str) -> list[str]:
    """The clauses within them."""
    return _behind(claim, [each for sentence in sentences_behind(claim, text) for each in _CLAUSE_END.split(sentence)])


def _behind(claim: str, pieces: list[str]) -> list[str]:
    said = content(claim)
    if not said:
        return []
    shares = [(len(said & content(piece)) / len(said), piece) for piece in pieces]
    best = max((share for share, _ in shares), default=0.0)
    return [piece for share, piece in shares if share == best] if best >= 0.4 else []
