"""What a clause says of a thing: one that it names, or one told by what it is to the author."""

from __future__ import annotations

from collections.abc import Mapping

from lethe.extraction.anchors import counted
from lethe.extraction.claims import Token, Voices
from lethe.extraction.clauses import Clause, Tense
from lethe.extraction.possessions import deed, is_copula, noun_of, owner_of, passive
from lethe.extraction.predicates import MANY, PEOPLE, SINGLE, lemma_of, third_person
from lethe.extraction.values import Meaning, named, slug, value
from lethe.extraction.words import words
from lethe.records import Kind

_IMPRESSIONS = words("look seem sound feel appear smell taste")


_BRINGS_ABOUT = words("make mean help cause lead give allow take bring let mark show")


def touching_the_author(clause: Clause, voices: Voices, put: Mapping[int, str]) -> Meaning | None:
    """ "Painting helps me relax", "Chess and cycling are my hobbies": a thing told by what it is to the author."""
    subject = clause.subject
    general = subject.pos_ in ("NOUN", "PROPN") or subject.tag_ == "VBG"
    if not general or clause.tense is not Tense.PRESENT or clause.antecedent is not None:
        return None
    if any(child.dep_ == "det" and child.lower_ in ("that", "this", "these", "those") for child in subject.children):
        return None
    name = value([t for t in subject.subtree if t.i < clause.verb.i], voices, put)
    attribute = next((c for c in clause.verb.children if c.dep_ == "attr"), None)
    if is_copula(clause.verb) and attribute is not None and owner_of(attribute) is not None:
        noun = noun_of(attribute)
        kind = Kind.PREFERENCE if noun.startswith("favourite") else Kind.SEMANTIC
        many = attribute.tag_ == "NNS" or clause.subject.tag_ == "VBG"
        return Meaning(kind, "user", noun, name, MANY if many else SINGLE, 0.6, clause.negated)
    helped = any(t.lower_ == "me" and t.dep_ in ("dobj", "nsubj", "dative", "pobj") for t in clause.complement)
    if not helped or lemma_of(clause.verb) in _IMPRESSIONS or lemma_of(clause.verb) in ("tell", "ask", "mean"):
        return None
    return Meaning(
        Kind.SEMANTIC,
        "user",
        slug("matters_to" if is_copula(clause.verb) else third_person(lemma_of(clause.verb)), "user"),
        name,
        MANY,
        0.4,
        clause.negated,
    )


def named_thing(clause: Clause, voices: Voices, put: Mapping[int, str]) -> Meaning | None:
    """A plain statement about something that the clause names."""
    subject = clause.antecedent if clause.antecedent is not None else clause.subject
    if subject.pos_ == "PRON" or clause.tense in (Tense.MODAL, Tense.FUTURE):
        return None
    phrase_tokens = (
        [t for t in subject.subtree if t.i < clause.verb.i and not in_relative(t, subject)]
        if clause.antecedent is not None
        else list(subject.subtree)
    )
    if clause.antecedent is not None and clause.antecedent.i > clause.verb.i:
        return None
    name = value(phrase_tokens, voices, put)
    owned = owner_of(subject) is not None
    specific = any(named(t) for t in phrase_tokens) or owned or any(t.lower_ == "the" for t in subject.children)
    concrete = any(named(t) or t.like_num for t in clause.complement)
    if lemma_of(clause.verb) in _IMPRESSIONS or name[:1] in '"“(=)' or "=" in name or name.count('"') % 2:
        return None
    if clause.antecedent is not None and lemma_of(clause.verb) in _BRINGS_ABOUT and not counted(clause.complement):
        return None
    if not name or not specific or not (concrete or any(named(t) for t in phrase_tokens)):
        return None
    if not clause.complement and not passive(clause.verb):
        return None
    person = owned and (subject.lemma_.lower() in PEOPLE or any(c.lemma_.lower() in PEOPLE for c in subject.children))
    about = f"user's {name}" if owned else name
    if is_copula(clause.verb):
        text = value(clause.complement, voices, put)
        if not any(named(t) for t in phrase_tokens) and not any(t.like_num for t in clause.complement):
            return None
        if (
            clause.antecedent is not None
            and clause.tense is Tense.PAST
            and not any(t.like_num for t in clause.complement)
        ):
            return None
        past = clause.tense is Tense.PAST
        return (
            Meaning(
                Kind.EPISODIC if past else Kind.SEMANTIC,
                about,
                "was" if past else "is",
                text,
                MANY,
                0.4,
                clause.negated,
                person,
                event=past,
            )
            if text
            else None
        )
    return deed(clause, about, person, voices, put)


def in_relative(token: Token, head: Token) -> bool:
    while token.i != head.i:
        if token.dep_ in ("relcl", "advcl"):
            return True
        token = token.head
    return False
