"""Softer patterns: what verified outcomes say again and again suggests a preference, to be asked about, never to be assumed."""

from __future__ import annotations

from collections.abc import Sequence

from lethe.merging import Outcome, Pattern


def pattern(outcomes: Sequence[Outcome], least: int, share: float) -> Pattern | None:
    """What the outcomes of one subject and predicate suggest: one value at least so often, and in such a share of them."""
    among = sum(each.times for each in outcomes)
    best = max(outcomes, key=lambda each: (each.times, each.object))
    if best.times < least or best.times < share * among:
        return None
    who = "The user" if best.subject == "user" else best.subject
    done = best.predicate.replace("_", " ")
    claim = f"{who} usually {done} {best.object}: {best.times} of {among} verified outcomes."
    return Pattern(best, among, f"usually_{best.predicate}"[:100], claim)
