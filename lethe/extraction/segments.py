"""First step: tell what the author wrote from what the author pasted, quoted or forwarded."""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST_PIECE = 4000  # characters; a longer paragraph without a line break is pasted material

_FENCE = re.compile(r"^\s*(```|~~~)")
_PAIRED_BLOCK = re.compile(r'^\s*("""|\'\'\'|<<<+|-{3,} ?(?:begin|start)\b.*)\s*$', re.IGNORECASE)
_BLOCK_END = re.compile(r'^\s*("""|\'\'\'|>>>+|-{3,} ?end\b.*)\s*$', re.IGNORECASE)
_QUOTE_LINE = re.compile(r"^\s*(>|&gt;|\|\s)")
_FORWARD = re.compile(
    r"^\s*(-{2,}\s*(original message|forwarded message|forwarded by).*|begin forwarded message:?.*"
    r"|on .{4,80} wrote:\s*|from: .+|von: .+|subject: .+|sent: .+)$",
    re.IGNORECASE,
)
_PASTE_INTRO = re.compile(
    r"\b(?:this|these|the|following|below)\b[^.!?\n]{0,60}"
    r"\b(?:text|mail|e-?mail|message|letter|page|article|note|notes|post|log|review|paragraph|passage|story|poem|draft|"
    r"transcript|document|essay|speech|report|description|minutes)\b[^.!?\n]{0,40}:\s*$"
    r"|\b(?:translate|summari[sz]e|proofread|shorten|rephrase|rewrite|paraphrase|correct|edit|review|polish|reply to|"
    r"respond to|improve|fix|analy[sz]e)\b[^.!?\n]{0,60}:\s*$"
    r"|\b(?:wrote|says|said|reads|reply|replied|states|here is what|here's what)\b[^.!?\n]{0,40}:\s*$",
    re.IGNORECASE,
)
_PASTED_INLINE = re.compile(
    r"(?:^|[.!?]\s+)(?:please\s+|can you\s+|could you\s+)*(?:translate|summari[sz]e|proofread|shorten|rephrase|rewrite|paraphrase|correct|edit|polish|"
    r"analy[sz]e|repeat|classify|read|review|improve)\b[^.!?:\n]{0,60}:\s+(?=\S)",
    re.IGNORECASE,
)
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
    """The turn as segments in order. Fenced code and logs are left out, quotes and pasted prose are marked."""
    out: list[Segment] = []
    pasted = False
    for line, quoted in _lines(text.replace("\r\n", "\n")):
        if not line.strip():
            out.append(Segment(""))
            continue
        if _is_machine_text(line):
            out.append(Segment(""))
            continue
        given = _PASTED_INLINE.search(line)
        if given is not None and not quoted and not pasted:
            out.append(Segment(line[: given.end()].strip()))
            out.append(Segment(line[given.end() :].strip(), quoted=True))
            pasted = True
            continue
        bullet = _BULLET.match(line)
        written = line[bullet.end() :] if bullet else line
        written = _MARKUP.sub("", _LABEL.sub("", written))
        out.append(Segment(written.strip(), quoted=quoted or pasted, item=bool(bullet)))
        pasted = pasted or bool(_PASTE_INTRO.search(line))
    return _joined(out)


def without_attachments(text: str) -> str:
    """The text without the note that a chat client leaves where a photo was."""
    return _PHOTO.sub("", text)


def shown(text: str) -> str:
    """What a photo in the turn shows, by the note that the chat client left ("a dog on a beach"); empty without one."""
    hit = _CAPTION.search(text)
    return hit["what"].strip(" .") if hit else ""


def _lines(text: str) -> list[tuple[str, bool]]:
    """Lines with a mark for quotation; lines inside a code fence are dropped unless they read as prose."""
    out: list[tuple[str, bool]] = []
    fenced = block = forwarded = False
    for line in text.split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
            continue
        if fenced:
            out.append((line, True))
            continue
        if block and _BLOCK_END.match(line):
            block = False
            continue
        if not block and _PAIRED_BLOCK.match(line):
            block = True
            continue
        forwarded = forwarded or bool(_FORWARD.match(line))
        if _FORWARD.match(line):
            continue
        mark = _QUOTE_LINE.match(line)
        out.append((line[mark.end() :] if mark else line, bool(mark) or block or forwarded))
    return out


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
