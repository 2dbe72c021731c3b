""" "Forget that I …": what is not to be remembered any more."""

from __future__ import annotations

import re
from dataclasses import replace

from lethe.records import Act, Candidate

_FORGET = re.compile(
    r"^(?:please\s+|kindly\s+|can you\s+|could you\s+|you can\s+|i want you to\s+|i'd like you to\s+)*"
    r"(?:forget|disregard|delete|erase|remove|don't remember|do not remember|stop remembering)"
    r"(?:\s+(?:it|the (?:fact|part|note|memory)|my (?:saying|note)|about the fact|what I said|from your memory))?\s*,?\s+(?:that|about the fact that)\s+(?P<inner>.+)$",
    re.IGNORECASE,
)


def retracted(text: str) -> str | None:
    """The statement that the author takes back, or None."""
    hit = _FORGET.match(text)
    return hit["inner"].rstrip("?!. ") + "." if hit else None


def as_retraction(candidate: Candidate) -> Candidate:
    """The candidate of the inner statement, turned into its retraction."""
    return replace(candidate, act=Act.RETRACT, signals=frozenset(), cue=True)
