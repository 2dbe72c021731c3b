"""What "my X …" and "our X …" say: of the author, of a person near them, or of a thing they have."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lethe.extraction.claims import Token, Voices
from lethe.extraction.clauses import Clause, Tense
from lethe.extraction.predicates import (
    MANY,
    PEOPLE,
    PETS,
    PRAISE,
    SINGLE,
    in_its_place,
    is_of_a_life,
    is_profession,
    lemma_of,
    predicate_for,
    third_person,
)
from lethe.extraction.values import Meaning, named, slug, value
from lethe.extraction.words import words
from lethe.records import Kind

# What others say, think or hope is hearsay, whatever stands in it.
_REPORTS = words("say tell ask think know believe reply mean wonder hope feel claim guess write text shout")
_NAMING = frozenset({"call", "name"})
_PLACE = words("in at on near behind under above inside opposite by beside next")
_TIME_WORD = re.compile(
    r"\d|\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|"
    r"september|october|november|december|today|tomorrow|week|month|year|spring|summer|autumn|winter|morning|evening|noon)s?\b",
    re.IGNORECASE,
)
_PLACE_NOUN = re.compile(
    r"\b(?:floor|street|lane|road|avenue|building|room|house|plot|harbour|station|square)\b", re.IGNORECASE
)


def owner_of(subject: Token) -> Token | None:
    """The "my" or "our" in front of a subject, if there is one."""
    return next((child for child in subject.children if child.dep_ == "poss" and child.lower_ in ("my", "our")), None)


def purpose_of(noun: Token) -> str:
    """ "my budget for office chairs" -> "office chairs", as in "my office chairs budget". "" where it is for nothing that is named."""
    link = next((c for c in noun.children if c.i == noun.i + 1 and c.lower_ == "for" and c.dep_ == "prep"), None)
    goal = next((c for c in link.children if c.dep_ == "pobj"), None) if link is not None else None
    if goal is None or goal.pos_ not in ("NOUN", "PROPN"):
        return ""
    words = [c.text for c in goal.children if c.dep_ in ("compound", "nmod") and c.i < goal.i] + [goal.text]
    return "" if any(letter.isdigit() for word in words for letter in word) else " ".join(words)


def said_of_a_possession(clause: Clause, voices: Voices, put: Mapping[int, str]) -> Meaning | None:
    """The meaning of a clause whose subject is "my X" or "our X"."""
    head = clause.subject
    noun = noun_of(head)
    person = head.lemma_.lower() in PEOPLE or head.lower_ in PEOPLE
    pet = head.lemma_.lower() in PETS
    if lemma_of(clause.verb) in _NAMING and clause.verb.tag_ == "VBN":
        return _naming(clause, noun, person or pet, voices, put)
    if is_copula(clause.verb):
        return _being(clause, noun, person, pet, voices, put)
    if person or pet:
        return _doing(clause, f"user's {_plain(head)}", person, voices, put)
    return _working(clause, noun, voices, put)


def is_copula(verb: Token) -> bool:
    return lemma_of(verb) in ("be", "'m", "'re", "'s") or verb.lower_ in (
        "is",
        "are",
        "was",
        "were",
        "'s",
        "'re",
        "'m",
        "am",
        "’s",
        "’m",
        "’re",
    )


def noun_of(head: Token) -> str:
    words = [child.text for child in head.children if child.dep_ in ("amod", "compound", "nmod") and child.i < head.i]
    number = head.text if head.tag_ in ("NNS", "NNPS") else head.lemma_ if not named(head) else head.text
    return slug(*words, number)


def _plain(head: Token) -> str:
    words = [t.text for t in head.subtree if t.i <= head.i and t.dep_ in ("amod", "compound", "nmod")] + [head.text]
    names = [t.text for t in head.children if t.dep_ == "appos" and named(t)]
    return " ".join(words + names)


def _naming(clause: Clause, noun: str, plural: bool, voices: Voices, put: Mapping[int, str]) -> Meaning | None:
    name = value(clause.complement, voices, put)
    if not name:
        return None
    if plural:
        return Meaning(Kind.SEMANTIC, "user", noun, name, MANY, 0.8, clause.negated)
    return Meaning(Kind.SEMANTIC, "user", f"{noun}_name", name, SINGLE, 0.7, clause.negated)


def _being(
    clause: Clause, noun: str, person: bool, pet: bool, voices: Voices, put: Mapping[int, str]
) -> Meaning | None:
    complement = clause.complement
    text = value(complement, voices, put)
    if not text:
        return None
    first = complement[0]
    attribute = next(
        (c for c in clause.verb.children if c.dep_ in ("attr", "oprd", "acomp") and c.i > clause.verb.i), None
    )
    if attribute is not None and attribute.lower_ in PRAISE and len(complement) <= 2:
        return None
    if noun == "home" and first.lower_ in _PLACE:
        return Meaning(
            Kind.SEMANTIC, "user", "lives_in", value(complement[1:], voices, put), SINGLE, 0.9, clause.negated
        )
    if noun in ("job", "profession", "occupation"):
        return Meaning(Kind.SEMANTIC, "user", "occupation", text, SINGLE, 0.9, clause.negated)
    if noun in ("employer", "company") and attribute is not None and named(attribute) and noun == "employer":
        return Meaning(Kind.SEMANTIC, "user", "works_for", text, SINGLE, 0.9, clause.negated)
    if person or pet:
        subject = f"user's {_plain(clause.subject)}"
        if attribute is not None and named(attribute) and not any(c.dep_ == "det" for c in attribute.children):
            return Meaning(Kind.SEMANTIC, "user", noun, text, MANY, 0.8, clause.negated)
        predicate = "occupation" if attribute is not None and is_profession(attribute.lemma_) else "is"
        return Meaning(
            Kind.SEMANTIC,
            subject,
            predicate,
            text,
            SINGLE if predicate == "occupation" else MANY,
            0.5,
            clause.negated,
            person,
        )
    if first.dep_ == "prep" and first.lower_ in _PLACE and (_PLACE_NOUN.search(text) or not _TIME_WORD.search(text)):
        return Meaning(
            Kind.SEMANTIC, "user", f"{noun}_location", value(complement[1:], voices, put), SINGLE, 0.7, clause.negated
        )
    if first.i in put:
        text = text.removeprefix("on ")
    elif first.dep_ == "prep" and first.lower_ in ("on", "in", "at"):
        text = value(complement[1:], voices, put)
    kind = Kind.PREFERENCE if noun.startswith("favourite") else Kind.SEMANTIC
    return Meaning(kind, "user", slug(purpose_of(clause.subject), noun), text, SINGLE, 0.7, clause.negated)


def _working(clause: Clause, noun: str, voices: Voices, put: Mapping[int, str]) -> Meaning | None:
    """A thing of the author's does something: "my laptop runs Debian" -> laptop_runs = Debian."""
    verb = clause.verb
    if clause.tense is Tense.PAST or clause.tense is Tense.PERFECT:
        doing, event = verb.lower_, True
    elif passive(verb):
        doing, event = f"is_{verb.lower_}", False
    elif clause.subject.tag_ in ("NNS", "NNPS"):
        doing, event = lemma_of(verb), False
    else:
        doing, event = third_person(lemma_of(verb)), False
    complement = _after_particle(clause)
    text = value(complement, voices, put) or value([verb], voices, put)
    kind = Kind.EPISODIC if event else Kind.SEMANTIC
    single = MANY if event or clause.subject.tag_ in ("NNS", "NNPS") else SINGLE
    return Meaning(kind, "user", slug(noun, doing), _without_on(text), single, 0.6, clause.negated, event=event)


def _without_on(text: str) -> str:
    return re.sub(r"^(?:on|in|at)\s+(?=\S)", "", text)


def _after_particle(clause: Clause) -> Sequence[Token]:
    complement = clause.complement
    return complement[1:] if complement and complement[0].dep_ == "prt" else complement


def passive(verb: Token) -> bool:
    return any(child.dep_ == "auxpass" for child in verb.children)


def _doing(clause: Clause, subject: str, person: bool, voices: Voices, put: Mapping[int, str]) -> Meaning | None:
    return deed(clause, subject, person, voices, put)


def deed(clause: Clause, subject: str, person: bool, voices: Voices, put: Mapping[int, str]) -> Meaning | None:
    """What somebody else does, under their own name."""
    verb = clause.verb
    lemma = lemma_of(verb)
    if lemma in _REPORTS:
        return None
    complement = _after_particle(clause)
    direct = next((c for c in verb.children if c.dep_ in ("dobj", "xcomp", "ccomp", "attr") and c.i > verb.i), None)
    prep = next((c for c in verb.children if c.dep_ == "prep" and c.i > verb.i), None) if direct is None else None
    row = predicate_for(lemma, prep.lower_ if prep is not None else None)
    past = clause.tense in (Tense.PAST, Tense.PERFECT)
    if prep is not None and (not complement or complement[0].i != prep.i):
        prep = None
    text = value([t for t in complement if prep is None or t.i != prep.i], voices, put)
    text = text or _without_on(value(complement, voices, put))
    if past and (row is None or not row.lasting):
        particle = next((c for c in verb.children if c.dep_ == "prt"), None)
        return Meaning(
            Kind.SEMANTIC if is_of_a_life(verb, particle, direct, passive=passive(verb)) else Kind.EPISODIC,
            subject,
            slug(verb.text, prep.text if prep is not None else ""),
            text or verb.text,
            MANY,
            0.4,
            clause.negated,
            person,
            event=True,
        )
    if row is not None and text:
        row = in_its_place(row, text)
        return Meaning(
            row.kind if not person else Kind.SEMANTIC,
            subject,
            row.name,
            text,
            row.cardinality,
            0.4,
            clause.negated != row.negative,
            person,
        )
    name = slug(f"is_{verb.lower_}" if passive(verb) else third_person(lemma), prep.text if prep is not None else "")
    return Meaning(Kind.SEMANTIC, subject, name, text or verb.text, MANY, 0.4, clause.negated, person)
