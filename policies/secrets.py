"""Find and take out secrets (what opens something) and identifiers that a state or a bank gave to a person.

`find` gives spans, `redact` a text without their values. One file for each source: shapes that need no words around
them (secret_shapes), what people say (secret_phrases), configuration (secret_assignments), numbers with a checksum or a
name (identifiers).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lethe.records import Reason
from policies.identifiers import KINDS as IDENTIFIER_KINDS
from policies.identifiers import identifiers
from policies.plain import plain
from policies.secret_assignments import assignments
from policies.secret_phrases import phrases
from policies.secret_shapes import shapes

PLACEHOLDER = re.compile(r"\[redacted: ([a-z0-9 -]{2,40})(?:\]|\W*$|\W*\n)")  # an extractor may cut it short
MASK = "\u25a1"  # stands where something is redacted already, so that nothing is found there again
SHORTEST_REPEATED = 4  # characters; a shorter value is redacted only where it was found


@dataclass(frozen=True, slots=True)
class Finding:
    """The characters start..end of a text are a secret or a sensitive identifier of this kind ("password", "iban")."""

    start: int
    end: int
    reason: Reason
    kind: str


def find(text: str) -> list[Finding]:
    """Every secret and sensitive identifier in the text, in order, without overlaps."""
    read = plain(PLACEHOLDER.sub(lambda match: MASK * len(match.group()), text))
    masked = read.text
    spans = [*shapes(masked), *identifiers(masked), *phrases(masked), *assignments(masked)]
    found = _repeats(masked, _apart(Finding(start, end, _reason(kind), kind) for start, end, kind in spans))
    return [Finding(*read.span(each.start, each.end), each.reason, each.kind) for each in found]


def redact(text: str) -> tuple[str, list[Finding]]:
    """The text with each value replaced by what it was ("[redacted: password]"), and the findings in the first text."""
    found = find(text)
    kept, end = [], 0
    for finding in found:
        kept += [text[end : finding.start], f"[redacted: {finding.kind}]"]
        end = finding.end
    return "".join([*kept, text[end:]]), found


def reasons_in(text: str) -> set[Reason]:
    """Why a text cannot be kept: what is found in it, and what was redacted in it before."""
    redacted = {_reason(kind) for kind in PLACEHOLDER.findall(text)}
    if not redacted and "[redacted" in text:  # of what kind, an extractor cut off
        redacted = {Reason.SECRET}
    return redacted | {finding.reason for finding in find(text)}


def _reason(kind: str) -> Reason:
    return Reason.SENSITIVE_IDENTIFIER if kind in IDENTIFIER_KINDS else Reason.SECRET


def _apart(findings: Iterable[Finding]) -> list[Finding]:
    """Overlapping findings become one; the first to begin, then the longest, gives its kind."""
    out: list[Finding] = []
    for each in sorted(findings, key=lambda found: (found.start, -found.end)):
        if out and each.start < out[-1].end:
            last = out[-1]
            out[-1] = Finding(last.start, max(last.end, each.end), last.reason, last.kind)
        elif each.end > each.start:
            out.append(each)
    return out


def _repeats(text: str, found: Sequence[Finding]) -> list[Finding]:
    """The findings, and wherever else the same values stand by themselves."""
    values = {text[each.start : each.end]: each for each in reversed(found)}
    longer = [value for value in values if len(value) >= SHORTEST_REPEATED]
    if not longer:
        return list(found)
    again = re.compile(
        r"(?<![^\W_])(?:" + "|".join(map(re.escape, sorted(longer, key=len, reverse=True))) + r")(?![^\W_])"
    )
    more = [
        Finding(match.start(), match.end(), values[match.group()].reason, values[match.group()].kind)
        for match in again.finditer(text)
    ]
    return _apart([*found, *more])
