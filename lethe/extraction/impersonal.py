"""Facts under an empty subject: "it took me 5 hours to …", "there are 12 pots in my kiln"."""

from __future__ import annotations

from collections.abc import Mapping

from lethe.extraction.anchors import counted, owned
from lethe.extraction.claims import Voices
from lethe.extraction.clauses import Clause, Tense
from lethe.extraction.possessions import is_copula
from lethe.extraction.predicates import MANY, lemma_of
from lethe.extraction.standing import Standing
from lethe.extraction.values import Meaning, slug, value
from lethe.records import Kind


def impersonal(clause: Clause, voices: Voices, put: Mapping[int, str]) -> Meaning | None:
    """The meaning of an impersonal clause with a number of the author's in it, or None."""
    after = clause.complement
    if clause.standing is not Standing.ASSERTED or clause.tense is Tense.MODAL or not counted(after):
        return None
    past = clause.tense in (Tense.PAST, Tense.PERFECT)
    if clause.subject.lower_ == "there" and is_copula(clause.verb) and owned(after):
        noun = next((c for c in clause.verb.children if c.dep_ == "attr"), None)
        name = slug("there_is", noun.lemma_) if noun is not None else ""
        return (
            Meaning(Kind.SEMANTIC, "user", name, value(after, voices, put), MANY, 0.4, clause.negated) if name else None
        )
    done = any(c.dep_ == "xcomp" and any(t.tag_ == "TO" for t in c.children) for c in clause.verb.children)
    mine = any(token.lower_ in ("me", "us") and token.head.i == clause.verb.i for token in after)
    if clause.subject.lower_ == "it" and lemma_of(clause.verb) == "take" and done and mine:
        kind = Kind.EPISODIC if past else Kind.SEMANTIC
        return Meaning(kind, "user", slug(clause.verb.lower_, "user"), value(after, voices, put), MANY, 0.4, event=past)
    return None
