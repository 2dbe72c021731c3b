"""What an output must satisfy before it is written, whoever worded it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from lethe.ids import folded
from lethe.merging import Group, Mergeable, Refusal, Refused, Sort, Wording
from policies.grounds import content
from policies.merge_words import details, holds, negations, tokens

LONGEST_OVER = 1.1  # of all inputs together: a merged claim is no longer than what it was made from
KEPT = 0.7  # share of an input's words that must stand in the output
OWN = 0.25  # share of an output's words that no input has
_ENDS = re.compile(r"[.!?…。！？][\"'”’)\]]*$")
_SOME_SLACK = 40


def check(group: Group, wording: Wording, most_chars: int) -> Refusal | None:
    """The first refusal that applies; None: it may be written."""
    members = group.members
    if len({(each.scope, each.kind) for each in members}) > 1:
        return Refusal(Refused.SCOPE_MIXED)
    if group.sort is Sort.OPPOSED or len({each.negated for each in members}) > 1:
        return Refusal(Refused.INPUTS_CONFLICT)
    if _is_bad(wording, members, most_chars):
        return Refusal(Refused.BAD_OUTPUT)
    lost = _lost(wording.claim, members)
    if lost is not None:
        return Refusal(Refused.LOST_DETAIL, lost)
    return Refusal(Refused.BAD_OUTPUT) if _invents(wording.claim, members) else None


def _is_bad(wording: Wording, members: Sequence[Mergeable], most_chars: int) -> bool:
    claim = wording.claim
    together = sum(len(each.claim) for each in members)
    if not claim.strip() or not wording.object.strip() or "\x00" in claim:
        return True
    if len(claim) > min(most_chars, int(LONGEST_OVER * together) + _SOME_SLACK) or len(wording.object) > most_chars:
        return True
    if any(_ENDS.search(each.claim) for each in members) and not _ENDS.search(claim.strip()):
        return True
    return "\n" in claim.strip() or _repeats_itself(claim)


def _repeats_itself(claim: str) -> bool:
    """Three words in a row that come again and again, or one sentence twice."""
    words = [token.plain for token in tokens(claim)]
    runs = Counter(zip(words, words[1:], words[2:], strict=False))
    if any(count > 2 for count in runs.values()):
        return True
    said = [folded(part) for part in re.split(r"(?<=[.!?])\s+", claim) if part.strip()]
    return len(said) != len(set(said))


def _lost(claim: str, members: Sequence[Mergeable]) -> str | None:
    """The first detail of an input that is not in the output."""
    for each in members:
        for detail in details(each.claim):
            if not holds(claim, detail):
                return detail
        if negations(claim) < negations(each.claim):
            return "not"
        said = content(each.claim)
        missing = said - content(claim)
        if said and len(missing) > (1 - KEPT) * len(said):
            return max(missing, key=lambda each: (len(each), each))
    return None


def _invents(claim: str, members: Sequence[Mergeable]) -> bool:
    """A name, number or denial that no input has, or too many other words."""
    together = "\n".join(each.claim for each in members)
    if any(not holds(together, part) for detail in details(claim) for part in detail.split()[:1]):
        return True
    said = content(claim)
    return (bool(said) and len(said - content(together)) > OWN * len(said)) or negations(claim) > negations(together)
