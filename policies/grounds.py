"""On which words of a turn a claim rests: its own sentences, clauses, and what of the turn is somebody else's text."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_WORD = re.compile(r"[^\W_]+(?:[:.'’@/-][^\W_]+)*")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]?\s+|\n+")
_CLAUSE_END = re.compile(r"[;:]\s|,\s|\s(?:and|but|so|though|although|because|while|or)\s", re.IGNORECASE)
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_BLOCK_START = re.compile(r'^\s*(?:"""|\'\'\'|<<<+)')
_BLOCK_END = re.compile(r'(?:"""|\'\'\'|>>>+)\s*$')
_QUOTE_MARK = re.compile(r"^\s*(?:>|&gt;)")
_FORWARDED = re.compile(
    r"^\s*(?:-{2,}\s*(?:original|forwarded)\b.*|begin forwarded message\b.*|on .{4,80} wrote:\s*|from: .*)$",
    re.IGNORECASE,
)
_QUOTED_RUN = re.compile(r"\"([^\"\n]{0,2000})\"|“([^”\n]{0,2000})”|«([^»\n]{0,2000})»")
_TITLE_BEFORE = re.compile(
    r"(?:called|named|titled|entitled|motto|song|book|film|novel|poem|quote)\W{0,3}$", re.IGNORECASE
)
LONG_QUOTE = 7  # words; a shorter run between quotation marks may be a title or a term


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


def parts(text: str) -> Parts:
    """Tell what the author wrote from what the author quotes, by marks that need no understanding."""
    own: list[str] = []
    quoted: list[str] = []
    fenced = block = forwarded = False
    for line in text.split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
        elif fenced or forwarded:
            quoted.append(line)
        elif block:
            quoted.append(line)
            block = not _BLOCK_END.search(line)
        elif _BLOCK_START.match(line):
            quoted.append(line)
            block = not (_BLOCK_END.search(line) and len(line.strip()) > 5)
        elif _FORWARDED.match(line):
            forwarded = True
        elif _QUOTE_MARK.match(line):
            quoted.append(line)
        else:
            own.append(_without_long_quotes(line, quoted))
    return Parts("\n".join(own), "\n".join(quoted))


def _without_long_quotes(line: str, quoted: list[str]) -> str:
    kept, end = [], 0
    for run in _QUOTED_RUN.finditer(line):
        said = next(filter(None, run.groups()), "")
        if len(said.split()) >= LONG_QUOTE and not _TITLE_BEFORE.search(line[max(0, run.start() - 30) : run.start()]):
            kept.append(line[end : run.start()])
            quoted.append(said)
            end = run.end()
    return "".join([*kept, line[end:]])


def only_quoted(claim: str, text: str) -> bool:
    """Do most words of the claim stand only in what the turn quotes?"""
    apart = parts(text)
    if not apart.quoted.strip():
        return False
    said = content(claim)
    elsewhere = said - content(apart.own)
    return len(elsewhere & content(apart.quoted)) * 2 > len(said)


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
