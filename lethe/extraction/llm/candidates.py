"""A model's proposal becomes a candidate: names brought in line, what it may not decide taken from it, doubts noted."""

from __future__ import annotations

import re
from datetime import date, datetime, time

from lethe.extraction.dates import end_of_day
from lethe.extraction.llm.failures import InvalidOutput
from lethe.extraction.llm.grounding import doubts
from lethe.extraction.llm.naming import canonical, predicate_name, subject_name
from lethe.extraction.llm.said import Said
from lethe.extraction.llm.schema import Proposed
from lethe.extraction.predicates import is_named_for_a_life
from lethe.records import Act, Author, Basis, Candidate, Cardinality, Kind, Reason, Turn

MOST_CONFIDENCE = 0.95
_REPORTED = (Kind.SEMANTIC, Kind.EPISODIC)  # all that a tool can tell
_DENIAL = re.compile(r"\b(?:not|never|no longer|n't)\b|n't\b", re.IGNORECASE)


def candidate(proposed: Proposed, turn: Turn, said: Said) -> Candidate:
    """The candidate for the gate. Raises InvalidOutput for a predicate without a letter."""
    name = predicate_name(proposed.predicate)
    if not name:
        raise InvalidOutput("The answer holds a predicate without a letter.")
    subject = subject_name(proposed.subject, turn.speaker)
    row = canonical(name, subject)
    kind = _kind(Kind(proposed.kind), row.name if row else name, subject, turn)
    negated = proposed.negated
    if row and row.negative:  # "hates X" is "likes X", denied
        negated = not _DENIAL.search(proposed.claim)
    return Candidate(
        kind=row.kind if row and row.kind is Kind.PREFERENCE and subject == "user" and kind in _REPORTED else kind,
        subject=subject,
        predicate=row.name if row else name,
        object=proposed.object,
        claim=proposed.claim,
        negated=negated,
        act=Act(proposed.act),
        basis=Basis.OBSERVED if turn.author is Author.TOOL else Basis(proposed.basis),
        confidence=min(proposed.confidence, MOST_CONFIDENCE),
        importance=proposed.importance,
        cardinality=row.cardinality if row else Cardinality(proposed.cardinality),
        event_at=_event(proposed.event_date, turn.observed_at),
        expires_at=_expiry(proposed.expires_date, turn.observed_at),
        replaces=proposed.replaces,
        cue=proposed.changed or proposed.act == "end" or proposed.replaces is not None,
        shared=proposed.for_project,
        signals=doubts(proposed.model_copy(update={"subject": subject}), said) | _overreach(proposed, turn),
        said=proposed.quote,
    )


def _kind(kind: Kind, predicate: str, subject: str, turn: Turn) -> Kind:
    """What somebody else likes or wants is a fact about them, never the user's preference or order; a birth is no passing event."""
    if kind is Kind.EPISODIC and turn.author is not Author.TOOL and is_named_for_a_life(predicate):
        return Kind.SEMANTIC
    if kind in (Kind.PREFERENCE, Kind.INSTRUCTION) and (subject != "user" or turn.author is Author.TOOL):
        return Kind.SEMANTIC
    return kind


def _overreach(proposed: Proposed, turn: Turn) -> frozenset[Reason]:
    """A tool reports; it neither wants nor takes back anything."""
    if turn.author is Author.TOOL and (Kind(proposed.kind) not in _REPORTED or proposed.act != "assert"):
        return frozenset({Reason.UNTRUSTED_SOURCE})
    return frozenset()


def _event(day: str | None, observed_at: datetime) -> datetime | None:
    """Midnight of that day in the turn's offset; of the day it was said on, the moment it was said."""
    if day is None:
        return None
    found = date.fromisoformat(day)
    return observed_at if found == observed_at.date() else datetime.combine(found, time(), observed_at.tzinfo)


def _expiry(day: str | None, observed_at: datetime) -> datetime | None:
    return None if day is None else end_of_day(datetime.combine(date.fromisoformat(day), time(), observed_at.tzinfo))
