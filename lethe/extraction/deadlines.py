"""Deadlines: a semantic fact whose object is the date, and which expires with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lethe.extraction.claims import Token, Voices
from lethe.extraction.clauses import Clause
from lethe.extraction.dates import Moment
from lethe.extraction.predicates import SINGLE
from lethe.extraction.things import in_relative
from lethe.extraction.values import Meaning, slug, value
from lethe.extraction.words import words
from lethe.records import Kind

_NO_TOPIC = words("reason now sure example instance once good")


def deadline(clause: Clause, voices: Voices, put: Mapping[int, str], dates: Sequence[Moment]) -> Meaning | None:
    """The deadline that the clause states with a date, or None."""
    if not dates or clause.ended:
        return None
    noun = next((t for t in clause.tokens if t.lemma_.lower() in ("deadline", "cutoff") and t.dep_ != "compound"), None)
    due = next((t for t in clause.tokens if t.lower_ == "due" and t.dep_ in ("acomp", "attr", "amod", "advmod")), None)
    if noun is None and due is None:
        return None
    date = dates[-1]
    if due is not None and noun is None:
        topic: Sequence[Token] = [t for t in clause.subject.subtree if t.i < clause.verb.i]
        if clause.subject.pos_ == "PRON":
            return None
    else:
        topic = _topic(noun, clause) if noun is not None else []
    about = value(topic, voices, put)
    return Meaning(Kind.SEMANTIC, "user", slug("deadline", *about.split()[:6]), date.iso, SINGLE, 0.8, clause.negated)


def _topic(noun: Token, clause: Clause) -> list[Token]:
    """What the deadline is for: "deadline for my grant application", "the grant application deadline"."""
    before = [
        t
        for t in noun.children
        if t.dep_ in ("compound", "amod", "nmod")
        and t.i < noun.i
        and t.lower_ not in ("new", "final", "old", "next", "strict")
    ]
    prep = next((t for t in clause.tokens if t.i > noun.i and t.dep_ == "prep" and t.lower_ == "for"), None)
    if prep is not None and any(t.pos_ in ("VERB", "AUX") for t in clause.tokens if noun.i < t.i < prep.i):
        prep = None
    if prep is not None and any(t.lemma_.lower() in _NO_TOPIC for t in prep.children):
        prep = None
    if prep is not None:
        target = next((t for t in prep.children if t.dep_ in ("pobj", "pcomp")), None)
        if target is not None:
            return [
                t
                for t in target.subtree
                if t.pos_ in ("NOUN", "PROPN", "ADJ", "NUM")
                and t.dep_ in ("compound", "amod", "pobj", "nummod", "nmod", "pcomp")
                and not in_relative(t, target)
            ]
    return before
