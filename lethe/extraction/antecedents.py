"""The noun that a relative or a contact clause is about, put where the clause has its gap."""

from __future__ import annotations

from lethe.extraction.claims import Token
from lethe.extraction.predicates import TROUBLES, lemma_of
from lethe.extraction.words import words

_TAKES_AN_OBJECT = words("get buy find make see try read watch order receive borrow rent sell win build")


def with_antecedent(verb: Token, tokens: list[Token]) -> list[Token]:
    """ "the trip that we took last year" -> we took the trip last year; nothing where the gap is no plain object."""
    noun = verb.head
    if nested(noun):
        return []
    if noun.pos_ not in ("NOUN", "PROPN") or any(
        c.dep_ in ("dobj", "ccomp", "xcomp", "attr", "acomp") and c.tag_ not in ("WDT", "WP") for c in verb.children
    ):
        return []
    if any(
        c.tag_ == "WRB" or (c.dep_ == "prep" and not any(g.dep_ in ("pobj", "pcomp") for g in c.children))
        for c in verb.children
    ):
        return []
    antecedent = [
        t for t in noun.subtree if t.i < verb.i and t not in tokens and not t.is_punct and t.tag_ not in ("WDT", "WP")
    ]
    if not antecedent:
        return []
    before = [t for t in tokens if t.i <= verb.i and t.tag_ not in ("WDT", "WP")]
    return [*before, *antecedent, *(t for t in tokens if t.i > verb.i)]


def named_just_before(verb: Token, subject: Token) -> Token | None:
    """ "that satchel I got for 90 euros": the noun that an objectless "I got" runs on from, wherever the parser hangs it."""
    if verb.dep_ not in ("parataxis", "ccomp", "conj", "advcl") or subject.lower_ != "i" or subject.i == 0:
        return None
    noun = subject.nbor(-1)
    lacks = not any(c.dep_ in ("dobj", "ccomp", "xcomp", "attr", "acomp") for c in verb.children)
    example = noun.pos_ == "NOUN" and noun.head.lower_ in ("like", "including")
    return noun if lacks and example and lemma_of(verb) in _TAKES_AN_OBJECT else None


def around(noun: Token, verb: Token, tokens: list[Token]) -> list[Token]:
    """The clause with the noun and what describes it behind its verb."""
    own = [t for t in noun.subtree if t.i <= noun.i]
    return [*(t for t in tokens if t.i <= verb.i), *own, *(t for t in tokens if t.i > verb.i)]


def nested(noun: Token) -> bool:
    """Deep in another noun's phrase ("the book by Kim that …"): what a relative then speaks of is anyone's guess, unless that
    other noun only asks ("a question about …") or gives an example ("luck there, like that coat I got")."""
    owned = any(child.dep_ == "poss" for child in noun.children)
    outer = noun.head.head
    clear = outer.lemma_.lower() in TROUBLES or noun.head.lower_ in ("like", "including")
    return bool(not owned and not clear and noun.dep_ == "pobj" and outer.pos_ in ("NOUN", "PROPN"))
