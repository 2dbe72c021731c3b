"""Statements that open by naming the thing of the author's they belong to: "In my novel \"Salt\", a diver finds a bell." """

from __future__ import annotations

import re

from lethe.extraction.predicates import MANY
from lethe.extraction.sentences import Mood, Piece
from lethe.extraction.values import canonical
from lethe.records import Candidate, Kind, Reason

_FRAME = re.compile(
    r"^(?P<opening>in|for|on|about|regarding|of) (?P<whose>my|our) (?P<noun>[\w-]+(?: [\w-]+){0,2}?) "
    r"(?P<name>[\"“][^\"”]{1,60}[\"”]|(?-i:[A-Z])[\w-]*(?: (?-i:[A-Z])[\w-]*){0,3})(?P<joint>\s*[,:])\s+(?P<said>[^?]{6,600})$",
    re.IGNORECASE,
)
_NO = re.compile(r"\b(there (?:is|was)) no\b", re.IGNORECASE)
_NOT = re.compile(r"(?:(?<=is)|(?<=are)|(?<=was)|(?<=were)) not ", re.IGNORECASE)
_DENIALS = re.compile(r"\b(?:not|no|never|none|nobody|without)\b|n't\b", re.IGNORECASE)
_OWN_STATEMENT = re.compile(
    r"\b(?:I|I'm|I've|I’m|my|we|our|me|you|your)\b|^(?:always|never|please|use|don't|do not)\b", re.IGNORECASE
)


def framed(piece: Piece) -> Candidate | None:
    """The statement of a framed sentence under the name of its thing, or None where there is no such frame."""
    hit = _FRAME.match(piece.text)
    if hit is None or piece.mood is not Mood.STATEMENT or _OWN_STATEMENT.search(hit["said"]):
        return None
    said = hit["said"].rstrip(" .!")
    affirmed = _NOT.sub(" ", _NO.sub(r"\1 a", said, count=1), count=1) if len(_DENIALS.findall(said)) == 1 else said
    return Candidate(
        kind=Kind.SEMANTIC,
        subject=f"user's {hit['noun']} {canonical(hit['name'])}",
        predicate="notes",
        object=affirmed,
        claim=f"{hit['opening'].capitalize()} the user's {hit['noun']} {hit['name']}{hit['joint'].strip()} {said}.",
        confidence=0.85,
        importance=0.3,
        negated=affirmed != said,
        cardinality=MANY,
        signals=frozenset({Reason.QUOTED_CONTENT}) if piece.quoted else frozenset(),
    )
