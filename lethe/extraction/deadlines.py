"""Deadlines: a semantic fact whose object is the date, and which expires with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lethe.extraction.claims import Token, Voices
from lethe.extraction.clauses import Clause
from lethe.extraction.dates import Moment
from lethe.extraction.occasions import is_due, recurs
from lethe.extraction.predicates import SINGLE
from lethe.extraction.things import in_relative
from lethe.extraction.values import Meaning, slug, value
from lethe.extraction.words import words
from lethe.records import Kind

_NO_TOPIC = words("reason now sure example instance once good")
_REFERS_TO = words("before after until till ahead of past")


def deadline(clause: Clause, voices: Voices, put: Mapping[int, str], dates: Sequence[Moment]) -> Meaning | None:
    """The deadline that the clause states with a date, or None.

    Several of them with their dates are a list, and a day "before the deadline" is none.
    """
    if not dates or clause.ended or recurs(clause.tokens):
        return None
    nouns = [t for t in clause.tokens if t.lower_ in ("deadline", "cutoff") and t.dep_ != "compound"]
    dues = [t for t in clause.tokens if is_due(t)]
    noun, due = next(iter(nouns), None), next(iter(dues), None)
    if (noun is None and due is None) or (len(nouns) + len(dues) > 1 and len(dates) > 1):
        return None
    if noun is not None and due is None and noun.head.lower_ in _REFERS_TO and _dated_before(noun, clause, dates):
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


def _dated_before(noun: Token, clause: Clause, dates: Sequence[Moment]) -> bool:
    """All of the dates stand before the noun: "by April 25, five days before the deadline"."""
    return bool(max(moment.end for moment in dates) + clause.verb.sent.start_char <= noun.idx)


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
