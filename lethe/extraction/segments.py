"""First step: tell what the author wrote from what the author pasted, quoted or forwarded."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lethe.authorship import passages, spoken_quotes

LONGEST_PIECE = 4000  # characters; a longer paragraph without a line break is pasted material

_QUOTE_MARK = re.compile(r"^\s*(?:(?:>|&gt;)\s*)+|^\s*\|\s")
_REDACTED = re.compile(r"\[redacted: [a-z0-9 -]{2,40}\]")  # its colon would cut the sentence in two
_TAG = re.compile(r"</?[A-Za-z][^<>\n]*>")
_LOG_LINE = re.compile(
    r"^\s*(\[?\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d|(INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL)\b|Traceback \(|File \"|at [\w.$]+\()"
)
_TABLE_LINE = re.compile(r"^\s*\|.*\|\s*$|^[^\t\n]+\t[^\t\n]+\t|^\s*[-+|=]{5,}\s*$")
_CODE_LINE = re.compile(
    r"[{};]\s*$|^\s*(def|class|import|from \w+ import|function|const|let|var|public|private|return|#include|SELECT|INSERT|"
    r"UPDATE|CREATE|<\/?[a-z]+[ >]|@\w+|\$ |sudo |npm |pip |git )|=>|\w+\(.*\)\s*[:;{]?\s*$|^\s*[\w.]+\s*[:=]\s*[\"'\[{\d]"
    r"|^\s*[\"'{\[].*[:,\]}]\s*,?\s*$|^\s*</?\w"
)
_PHOTO = re.compile(r"\[(?:shares|shared|sends|sent|attached|attaches|image|photo|picture)\b[^\]]*\]", re.IGNORECASE)
_CAPTION = re.compile(
    r"\[(?:shares|shared|sends|sent|attached|attaches|image|photo|picture)\b[^\]:]*:\s*"
    r"(?:an? )?(?:photo(?:graph(?:y)?)?|picture|image|screenshot)? ?(?:of )?(?P<what>[^\]]{3,160})\]",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^\s*(?:\*\*|__)[^*_]{2,60}?:?(?:\*\*|__):?\s*")
_MARKUP = re.compile(r"\*\*|__|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)|`|^#{1,6}\s+")
_BULLET = re.compile(r"^\s*(?:[-*•–]|\d{1,2}[.)])\s+")


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of lines. `quoted`: not the author's own words. `item`: one item of a list."""

    text: str
    quoted: bool = False
    item: bool = False


def segments(text: str) -> list[Segment]:
    """The turn as segments in order. Code, logs and tables are left out, quotes and pasted prose are marked."""
    out: list[Segment] = []
    for passage in passages(_REDACTED.sub("[redacted]", text).replace("\r\n", "\n")):
        written = _with_plain_quotes(passage.text) if passage.own else _TAG.sub(" ", passage.text)
        for number, line in enumerate(written.split("\n")):
            if not line.strip() and number == 0:
                continue
            out.append(_segment(line, quoted=not passage.own))
    return _joined(out)


def _segment(line: str, quoted: bool) -> Segment:
    line = _QUOTE_MARK.sub("", line) if quoted else line
    if not line.strip() or _is_machine_text(line):
        return Segment("")
    bullet = _BULLET.match(line)
    written = line[bullet.end() :] if bullet else line
    return Segment(_MARKUP.sub("", _LABEL.sub("", written)).strip(), quoted=quoted, item=bool(bullet))


def _with_plain_quotes(text: str) -> str:
    """Whatever marks stand around what is quoted, the next steps know one pair."""
    for start, end in spoken_quotes(text):
        text = f"{text[:start]}“{text[start + 1 : end - 1]}”{text[end:]}"
    return text


def without_attachments(text: str) -> str:
    """The text without the note that a chat client leaves where a photo was."""
    return _PHOTO.sub("", text)


def shown(text: str) -> str:
    """What a photo in the turn shows, by the note that the chat client left ("a dog on a beach"); empty without one."""
    hit = _CAPTION.search(text)
    return hit["what"].strip(" .") if hit else ""


def _is_machine_text(line: str) -> bool:
    if _LOG_LINE.match(line) or _TABLE_LINE.match(line) or len(line) > LONGEST_PIECE:
        return True
    words = re.findall(r"[^\W\d_]{2,}", line)
    if _CODE_LINE.search(line) and not re.search(r"\b(?:I|I'm|my|we|please|always|never)\b", line):
        return True
    symbols = sum(not (letter.isalnum() or letter.isspace()) for letter in line)
    return len(words) == 0 or symbols > 0.35 * len(line)


def _joined(lines: list[Segment]) -> list[Segment]:
    """Lines of one paragraph become one segment; an item of a list stays alone."""
    out: list[Segment] = []
    open_paragraph = False
    for line in lines:
        if not line.text:
            open_paragraph = False
        elif open_paragraph and not line.item and out and out[-1].quoted == line.quoted:
            out[-1] = Segment(f"{out[-1].text} {line.text}", line.quoted, out[-1].item)
        else:
            out.append(line)
            open_paragraph = True
    return out
