"""What of a turn its author wrote as their own words, and what they quoted, pasted, forwarded, attributed or played.

Pure text, no parse; imports nothing of ours. The extractor and the gate both read a turn through it, so that what is
foreign to one is foreign to the other. Each class of foreign text is one function that yields spans; where a mark leaves
open how far the foreign text goes, it goes to the end of the turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from lethe.authorship_words import (
    AFTER_A_REQUEST,
    ASKED_ABOUT,
    ATTRIBUTED_AFTER,
    ATTRIBUTED_BEFORE,
    FICTION,
    FORWARDED,
    LABELLED,
    LETTER_END,
    LETTER_START,
    MAKE_BELIEVE,
    MEMORY_NOTE,
    ROLE_LABEL,
    SUPPOSED_SENTENCE,
    THIRD_PERSON,
    TITLE_BEFORE,
    is_topic,
    words,
)

Span = tuple[int, int]
LONG_QUOTE = 7  # words; a shorter run between quotation marks may be a title or a term, unless it speaks

_LINE = re.compile(r"[^\n]*(?:\n|\Z)")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*$", re.MULTILINE)
_BLOCK = re.compile(
    r"^[ \t]*(?:(?P<same>\"\"\"|'''|-{3,}|={3,}|\*{3,}|_{3,}|~{4,}|#{4,})[ \t]*|(?P<open><{3,})[^\n]*|-{2,} ?(?P<begin>begin|start)\b[^\n]*)$",
    re.MULTILINE | re.IGNORECASE,
)
_BLOCK_END = re.compile(r"^[ \t]*(?:>{3,}[^\n]*|-{2,} ?end\b[^\n]*)$", re.MULTILINE | re.IGNORECASE)
_ONE_LINE_BLOCK = re.compile(r'"""(.+?)"""|\'\'\'(.+?)\'\'\'')
_TAG = re.compile(r"<(?P<name>[A-Za-z][\w:-]*)(?:\s[^<>]*)?>|\[(?P<bb>[A-Za-z]\w*)(?:=[^\]]*)?\]", re.IGNORECASE)
_ENVIRONMENT = re.compile(
    r"<!--.*?(?:-->|\Z)|\\begin\{(\w+)\*?\}.*?(?:\\end\{\1\*?\}|\Z)|\{\{.{0,2000}?\}\}", re.DOTALL
)
_FORMATTING = words("b i u s em strong br mark small sub sup")
_QUOTE_LINE = re.compile(r"^[ \t]*(?:>|&gt;|\|[ \t])[^\n]*$", re.MULTILINE)
_INDENTED = re.compile(r"^(?: {4}|\t)[ \t]*+(?!(?:[-*•–]|\d{1,2}[.)])\s)\S[^\n]*", re.MULTILINE)
_QUOTED_RUN = re.compile(
    r"\"([^\"\n]{3,2000})\"|“([^”\n]{3,2000})[”“]|«([^»\n]{3,2000})»|»([^«\n]{3,2000})«|„([^“”\n]{3,2000})[“”]"
    r"|「([^」\n]{3,2000})」|‹([^›\n]{3,2000})›|`([^`\n]{3,2000})`"
    r"|(?<![\w’'])['‘](?=\w)((?:[^'’\n]|['’](?=\w))(?:[^'’‘\n]|['’](?=\w)){2,600}?)['’](?!\w)"
)
_SPEAKS = re.compile(
    r"\b(?:I|I['’]\w+|my|me|we|our|us)\b|\bthe user\b|\b(?:always|never|from now on|please|remember|don['’]t|do not)\b",
    re.IGNORECASE,
)
# What is set apart by marks of its own ends with them, whatever was asked before it.
_BEARS_ITS_END = re.compile(r"[ \t]*(?:[\"“«»„「‹`'‘<>|]|\[\w|-{3}|={3}|~{3})")
_INK = re.compile(r"[^\n]")
_SENTENCE = re.compile(r"[^.!?…\n]*(?:[.!?…](?!\s|$)[^.!?…\n]*)*(?:[.!?…]+[\"'”’)\]]*|\n|\Z)")


@dataclass(frozen=True, slots=True)
class Passage:
    """A run of a turn's text. `own`: its author's own words."""

    text: str
    own: bool


@lru_cache(maxsize=256)
def passages(text: str) -> tuple[Passage, ...]:
    """The turn as runs in order, as an extractor reads it: what stands between quotation marks and what is attributed to
    others is left in. Sentences about "the user" are foreign: nobody speaks so of themselves."""
    return _runs(text, [*blocks(text), *(said.span() for said in THIRD_PERSON.finditer(text))])


@lru_cache(maxsize=256)
def strictly(text: str, *, reports: bool = True) -> tuple[Passage, ...]:
    """The turn as runs in order, as the gate reads it: what is quoted inline is foreign too, and with `reports` what is
    attributed to others."""
    return _runs(text, [*blocks(text), *spoken_quotes(text), *(attributed(text) if reports else ())])


def spoken_quotes(text: str) -> Iterator[Span]:
    """Spans between quotation marks (with the marks) that say something; titles and terms are left out."""
    for run in _QUOTED_RUN.finditer(text):
        said = next(filter(None, run.groups()), "")
        count = len(said.split())
        titled = TITLE_BEFORE.search(text[max(0, run.start() - 40) : run.start()]) or _is_title(said)
        if not titled and (count >= LONG_QUOTE or (count >= 2 and _SPEAKS.search(said))):
            yield run.span()


@lru_cache(maxsize=1024)
def attributed(text: str) -> tuple[Span, ...]:
    """Spans of what others are said to have said of the author ("Ann says that I own a boat", "…, Ann told me")."""
    out: list[Span] = []
    for sentence in _sentences(text):
        said = text[sentence[0] : sentence[1]]
        out += [(sentence[0] + hit.end(), sentence[1]) for hit in ATTRIBUTED_BEFORE.finditer(said)]
        after = ATTRIBUTED_AFTER.finditer(said) if _SPEAKS.search(said) else ()
        out += [(sentence[0], sentence[0] + hit.start()) for hit in after if _SPEAKS.search(said[: hit.start()])]
    return tuple(out)


def _is_title(said: str) -> bool:
    """ "The Last of Us": every longer word has a capital."""
    long = [word for word in re.findall(r"[^\W\d_]+", said) if len(word) > 3]
    return len(long) > 1 and all(word[0].isupper() for word in long)


def _sentences(text: str) -> Iterator[Span]:
    return (found.span() for found in _SENTENCE.finditer(text) if found.end() > found.start())


def _runs(text: str, spans: Iterable[Span]) -> tuple[Passage, ...]:
    out: list[Passage] = []
    end = 0
    for start, stop in _merged(spans):
        if text[end:start].strip():
            out.append(Passage(text[end:start], own=True))
        if text[start:stop].strip():
            out.append(Passage(text[start:stop], own=False))
        end = stop
    if text[end:].strip():
        out.append(Passage(text[end:], own=True))
    return tuple(out)


def _merged(spans: Iterable[Span]) -> list[Span]:
    out: list[Span] = []
    for start, stop in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], stop))
        elif stop > start:
            out.append((start, stop))
    return out


@lru_cache(maxsize=256)
def blocks(text: str) -> tuple[Span, ...]:
    """Spans of all classes of foreign text, in no order; they may overlap."""
    text = text.replace("\r", " ")
    found: list[Span] = []
    for find in _CLASSES:
        spans = list(find(text))
        found += spans
        if find in _WITH_AN_END:  # what is set apart already says nothing about the rest
            for start, end in spans:
                text = f"{text[:start]}{_INK.sub(' ', text[start:end])}{text[end:]}"
    return tuple(found)


# --- classes of foreign text --------------------------------------------------------------------------------------


def _fenced(text: str) -> Iterator[Span]:
    marks = [mark.span() for mark in _FENCE.finditer(text)]
    ends = [mark[1] for mark in marks[1::2]]
    for number, mark in enumerate(marks[::2]):
        yield mark[0], ends[number] if number < len(ends) else len(text)


def _delimited(text: str) -> Iterator[Span]:
    """Blocks between lines of the same mark, "<<<" and ">>>", "--- begin" and "--- end"."""
    yield from (run.span() for run in _ONE_LINE_BLOCK.finditer(text))
    end = 0
    for mark in _BLOCK.finditer(text):
        if mark.start() < end:
            continue
        if mark["same"] is None:
            close = _BLOCK_END.search(text, mark.end())
        else:
            same = re.escape(mark["same"][0])
            close = re.compile(rf"^[ \t]*{same}{{3,}}[ \t]*$", re.MULTILINE).search(text, mark.end())
        if close is None and mark["same"] is not None and mark["same"][0] not in "\"'":
            continue  # a rule between two parts of a text
        end = close.end() if close else len(text)
        yield mark.start(), end


def _tagged(text: str) -> Iterator[Span]:
    yield from (found.span() for found in _ENVIRONMENT.finditer(text))
    end = 0
    unclosed = set(_FORMATTING)
    for tag in _TAG.finditer(text):
        name = (tag["name"] or tag["bb"]).casefold()
        if tag.start() < end or name in unclosed or tag.group().endswith("/>"):
            continue
        close = re.compile(rf"[<\[]/\s*{re.escape(name)}\s*[>\]]", re.IGNORECASE).search(text, tag.end())
        if close is None:
            unclosed.add(name)
        else:
            end = close.end()
            yield tag.start(), end


def _marked_lines(text: str) -> Iterator[Span]:
    return (line.span() for line in _QUOTE_LINE.finditer(text))


def _indented(text: str) -> Iterator[Span]:
    """Lines set in by four spaces, in a text that has others."""
    lines = [line.span() for line in _INDENTED.finditer(text)]
    if any(line.strip() and not line[0].isspace() for line in text.split("\n")):
        yield from lines


def _mails(text: str) -> Iterator[Span]:
    head = FORWARDED.search(text)
    if head is not None:
        yield head.start(), len(text)
    start = LETTER_START.search(text)
    stop = LETTER_END.search(text, start.end()) if start else None
    if start and stop:
        yield start.start(), stop.end()


def _transcripts(text: str) -> Iterator[Span]:
    """Lines that begin with who says them, and inline "User: … Assistant: …"."""
    for label in ROLE_LABEL.finditer(text):
        stop = text.find("\n\n", label.end())
        yield label.start(), len(text) if stop < 0 else stop
    lines = [line for line in LABELLED.finditer(text) if not is_topic(line["who"])]
    speakers = {line["who"].casefold() for line in lines}
    several = len(speakers) > 1
    named = [line for line in lines if line["who"][0].isupper()]
    for line in lines:
        speaks = line["at"] or _SPEAKS.search(line["said"])
        if speaks and (several or line in named):
            yield line.span()
    if several and len(named) > 1:
        yield named[0].start(), named[-1].end()


def _objects_of_requests(text: str) -> Iterator[Span]:
    """What is to be translated, summarised, corrected, explained or answered."""
    for given in AFTER_A_REQUEST.finditer(text):
        if not _BEARS_ITS_END.match(text, given.end()):
            yield given.end(), len(text)
            break
    for asked in ASKED_ABOUT.finditer(text):
        yield asked.span(asked.lastgroup or 0)


def _make_believe(text: str) -> Iterator[Span]:
    """Roles and stories: to the end of the paragraph; what a sentence supposes by itself: that sentence."""
    for opening in MAKE_BELIEVE.finditer(text):
        stop = text.find("\n\n", opening.end())
        yield opening.start(), len(text) if stop < 0 else stop
    for pattern in (SUPPOSED_SENTENCE, FICTION):
        for opening in pattern.finditer(text):
            yield (
                opening.start("play"),
                next((end for start, end in _sentences(text) if end > opening.end()), len(text)),
            )


def _written_for_a_memory(text: str) -> Iterator[Span]:
    """ "Memory: …", "Note to AI: …" with the list under it."""
    for note in MEMORY_NOTE.finditer(text):
        stop = text.find("\n\n", note.end())
        yield note.start(), len(text) if stop < 0 else stop


_WITH_AN_END = frozenset((_fenced, _delimited, _tagged, _marked_lines))
_CLASSES: tuple[Callable[[str], Iterator[Span]], ...] = (
    _fenced,
    _delimited,
    _tagged,
    _marked_lines,
    _indented,
    _mails,
    _transcripts,
    _objects_of_requests,
    _make_believe,
    _written_for_a_memory,
)
