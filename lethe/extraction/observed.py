"""Events that a vouched-for tool reports as completed."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from lethe.extraction.claims import subject_of
from lethe.extraction.dates import moments
from lethe.extraction.predicates import MANY
from lethe.extraction.values import canonical, slug
from lethe.records import Basis, Candidate, Kind

_STATUS_WORDS = re.compile(
    r"\b(?:currently|right now|at the moment|as of now|pending|in progress|queued)\b", re.IGNORECASE
)


def observed(sent: Any, observed_at: datetime) -> Candidate | None:
    """The completed event in a sentence of a tool, or None for a status, a plan, a question or an order."""
    verb = sent.root
    if verb.pos_ not in ("VERB", "AUX"):
        return None
    subject = subject_of(verb)
    if subject is None or subject.pos_ == "PRON" or subject.tag_ in ("WP", "WDT"):
        return None
    auxiliaries = [child.lower_ for child in verb.children if child.dep_ in ("aux", "auxpass")]
    done = verb.tag_ in ("VBD", "VBN") and not {
        "will",
        "would",
        "may",
        "might",
        "can",
        "could",
        "should",
        "must",
        "is",
        "are",
    } & set(auxiliaries)
    text = sent.text.strip()
    if not done or _STATUS_WORDS.search(text):
        return None
    name = canonical(" ".join(token.text for token in subject.subtree))
    rest = canonical("".join(token.text_with_ws for token in sent if token.i > verb.i)) or verb.text
    dated = moments(text, observed_at)
    return Candidate(
        kind=Kind.EPISODIC,
        subject=name[:200],
        predicate=slug(verb.text),
        object=rest,
        claim=text if text.endswith((".", "!")) else f"{text}.",
        negated=any(child.dep_ == "neg" for child in verb.children),
        basis=Basis.OBSERVED,
        confidence=0.95,
        importance=0.5,
        cardinality=MANY,
        event_at=dated[0].when if dated else observed_at,
        said=text,
    )
