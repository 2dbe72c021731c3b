"""Fourth step: what a clause in the first person, or about a named thing, says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from lethe.extraction.claims import Token, Voices
from lethe.extraction.clauses import Clause, Tense
from lethe.extraction.possessions import is_copula, owner_of, passive, said_of_a_possession
from lethe.extraction.predicates import (
    ABILITIES,
    DENIED_ONLY,
    MANY,
    MOODS,
    SINGLE,
    Predicate,
    in_its_place,
    is_of_a_life,
    is_profession,
    lemma_of,
    predicate_for,
    third_person,
)
from lethe.extraction.preferences import preference
from lethe.extraction.things import in_relative, named_thing, touching_the_author
from lethe.extraction.values import Meaning, canonical, named, slug, value
from lethe.extraction.words import words
from lethe.records import Kind

_NO_EMPLOYER = words("home night nights myself fun hours weekends desk speed peace pace height scale")
_DWELLINGS = words(
    "apartment flat house home studio condo room cottage cabin bungalow loft dorm basement van houseboat tent caravan"
)
_MOVING = words("move relocate")
_STATUS = words("married single divorced widowed engaged separated")
_DURATION = re.compile(
    r"[\s,]*\b(?:since\b.*|for (?:about |around |over |almost |nearly )?(?:\d+|an?|many|several|some|two|three|four|five|six|"
    r"seven|eight|nine|ten|a few|years|months|ages)\b.*)$",
    re.IGNORECASE,
)
_AT_ANY = re.compile(
    r"\s+(?:at|in|on|to|with|from|by|for) any\b.*$|[\s,]+(?:before|ever|in (?:my|the user's) life)$", re.IGNORECASE
)
_ASIDES_OF_DENIALS = re.compile(r",\s+(?:which|who|so|but|even|despite|because|since)\b.*$", re.IGNORECASE)
_OBJECT = frozenset({"dobj", "xcomp", "ccomp", "attr", "oprd", "acomp"})


def meaning(clause: Clause, voices: Voices, put: Mapping[int, str]) -> Meaning | None:
    """What the clause says, or None where it says nothing that can stand alone."""
    if clause.person in ("i", "we"):
        return _first_person(clause, voices, put)
    if owner_of(clause.subject) is not None:
        return said_of_a_possession(clause, voices, put)
    return touching_the_author(clause, voices, put) or named_thing(clause, voices, put)


def _first_person(clause: Clause, voices: Voices, put: Mapping[int, str]) -> Meaning | None:
    if is_copula(clause.verb) and clause.tense is not Tense.MODAL:
        return _being(clause, voices, put)
    liking = preference(clause, voices, put)
    if liking is not None:
        return liking
    habit = _used_to(clause, voices, put)
    if habit is not None:
        return habit
    done = _doing(clause, voices, put)
    if done is None or not (done.negated and clause.never):
        return done
    return replace(done, object=_ever_denied(done.object) or done.object)


def _ever_denied(text: str) -> str:
    """What "never" denies altogether: "Ruth at any fair before" -> "Ruth", so that the same thing affirmed is against it."""
    text = _ASIDES_OF_DENIALS.sub("", text)
    return canonical(_AT_ANY.sub("", re.sub(r"^(?:any|ever)\s+", "", text)))


def _being(clause: Clause, voices: Voices, put: Mapping[int, str]) -> Meaning | None:
    complement = clause.complement
    if not complement or clause.tense is Tense.MODAL:
        return None
    verb = clause.verb
    head = next(
        (
            c
            for c in verb.children
            if c.dep_ in ("attr", "acomp", "oprd", "prep", "advmod") and c.i > verb.i and c.i not in clause.fillers
        ),
        None,
    )
    if head is None:
        return None
    text = value(complement, voices, put)
    past = clause.tense in (Tense.PAST, Tense.PERFECT)
    if past:
        placed = head.dep_ == "prep" and complement[0].i == head.i and len(complement) > 1
        return Meaning(
            Kind.SEMANTIC if head.lower_ in _STATUS else Kind.EPISODIC,
            "user",
            slug("was", head.text if head.dep_ == "prep" else ""),
            value(complement[1:], voices, put) if placed else text,
            MANY,
            0.4,
            clause.negated,
            event=True,
        )
    if clause.negated or clause.ended:  # "am not allergic to nuts": the denial stands apart from what is denied
        complement = [token for token in complement if token.dep_ != "neg"]
        text = value(complement, voices, put)
        if not text:
            return None
    if re.fullmatch(r"\d{1,3}(?: years old)?", text):
        return Meaning(Kind.SEMANTIC, "user", "age", text, SINGLE, 0.7, clause.negated)
    if head.lower_ in _STATUS:
        return Meaning(Kind.SEMANTIC, "user", "marital_status", text, SINGLE, 0.8, clause.negated)
    if head.dep_ == "prep":
        place = value(complement[1:], voices, put) if complement[0].i == head.i else text
        if head.lower_ == "from":
            return Meaning(Kind.SEMANTIC, "user", "comes_from", place, SINGLE, 0.8, clause.negated)
        return Meaning(Kind.SEMANTIC, "user", slug("is", head.text), place, MANY, 0.4, clause.negated)
    if head.dep_ == "attr" and head.pos_ in ("NOUN", "PROPN", "ADJ"):
        if not any(c.dep_ in ("det", "poss", "nummod") for c in head.children) and not named(head):
            return Meaning(Kind.SEMANTIC, "user", "is", text, MANY, 0.5, clause.negated)
        if any(c.lower_ == "no" for c in head.children):
            return None
        if is_profession(head.lemma_) and clause.person == "i":
            return Meaning(Kind.SEMANTIC, "user", "occupation", text, SINGLE, 0.9, clause.negated)
        if named(head) and not any(c.dep_ in ("det", "poss") for c in head.children) and clause.person == "i":
            name = value([t for t in complement if t.i <= head.i], voices, put)
            return Meaning(Kind.SEMANTIC, "user", "name", name, SINGLE, 0.9, clause.negated)
        return Meaning(Kind.SEMANTIC, "user", "is_a", text, MANY, 0.6, clause.negated)
    prep = next((c for c in head.children if c.dep_ == "prep" and c.i > head.i), None)
    degrees = all(
        t.dep_ == "advmod" and t.head.i == head.i for t in complement if t.i < head.i
    )  # "severely allergic to"
    if head.dep_ == "acomp" and prep is not None and degrees:
        rest = value([t for t in complement if t.i > prep.i], voices, put)
        return Meaning(Kind.SEMANTIC, "user", slug(head.text, prep.text), rest or text, MANY, 0.6, clause.negated)
    return Meaning(Kind.SEMANTIC, "user", "is", text, MANY, 0.5, clause.negated)


def is_mood(clause: Clause) -> bool:
    """True where the clause only says how the author feels or is placed at the moment ("I'm tired")."""
    if clause.verb.lower_ in MOODS and any(c.dep_ == "auxpass" for c in clause.verb.children):
        return True
    if not is_copula(clause.verb) and lemma_of(clause.verb) not in ("feel", "get", "do", "stay", "keep"):
        return False
    if lemma_of(clause.verb) == "get" and clause.tense is Tense.PAST and any(t.lower_ == "from" for t in clause.tokens):
        return False  # "I just got back from a trip" tells of the trip
    heads = [
        c for c in clause.verb.children if c.dep_ in ("acomp", "attr", "oprd", "advmod", "prt") and c.i > clause.verb.i
    ]
    complements = [head for head in heads if head.dep_ in ("acomp", "attr", "oprd")]
    return any(head.lower_ in MOODS for head in complements or heads)


def _used_to(clause: Clause, voices: Voices, put: Mapping[int, str]) -> Meaning | None:
    inner = next(
        (
            c
            for c in clause.verb.children
            if c.dep_ == "xcomp" and any(t.lower_ == "to" and t.i < c.i for t in c.children)
        ),
        None,
    )
    if clause.verb.lower_ != "used" or inner is None or clause.verb.nbor().lower_ != "to":
        return None
    text = value([t for t in clause.complement if t.i > inner.i], voices, put) or inner.text
    return Meaning(Kind.SEMANTIC, "user", slug("used_to", inner.lemma_), text, MANY, 0.4)


def _doing(clause: Clause, voices: Voices, put: Mapping[int, str]) -> Meaning | None:
    verb, lemma = clause.verb, lemma_of(clause.verb)
    if lemma == "go" and clause.tense is Tense.PROGRESSIVE:
        inner = next((c for c in verb.children if c.dep_ == "xcomp" and any(t.tag_ == "TO" for t in c.children)), None)
        if inner is not None:
            return _plan(inner, [t for t in clause.complement if t.i > inner.i], clause, voices, put)
    given_up = _given_up(clause, voices, put)
    if given_up is not None:
        return given_up
    particle = next((c for c in verb.children if c.dep_ == "prt"), None)
    after = [t for t in clause.complement if particle is None or t.i != particle.i]
    direct = next((c for c in verb.children if c.dep_ in _OBJECT and c.i > verb.i), None)
    preposition = None if direct is not None else _preposition(verb, lemma)
    if preposition is not None and not any(c.dep_ in ("pobj", "pcomp", "prep", "amod") for c in preposition.children):
        return None
    row = (
        predicate_for(lemma, preposition.lower_ if preposition is not None else None)
        if (particle is not None) == (lemma == "grow")
        else None
    )
    if row is not None and row.name == "likes" and lemma in DENIED_ONLY:
        if not (clause.negated or clause.ended):
            return None
        return Meaning(row.kind, "user", row.name, value(after, voices, put), row.cardinality, row.importance, True)
    if clause.tense is Tense.FUTURE:
        return _plan(verb, after, clause, voices, put)
    lasting = clause.tense in (Tense.PRESENT, Tense.PROGRESSIVE, Tense.PERFECT_PROGRESSIVE) or _goes_on(clause, after)
    if row is not None and (lasting or row.lasting):
        return _by_row(row, clause, after, preposition, voices, put)
    rest = [t for t in after if preposition is None or t.i != preposition.i or after[0].i != preposition.i]
    text = value(rest, voices, put)
    if lasting and clause.tense is not Tense.PRESENT:
        text = _DURATION.sub("", text)
    extra = (
        particle.text if particle is not None else "",
        preposition.text if preposition is not None and after and after[0].i == preposition.i else "",
    )
    if lasting:
        if clause.modal == "can" and not clause.negated and lemma not in ABILITIES:
            return None
        stem = (
            f"can_{lemma}" if clause.modal == "can" else f"is_{verb.lower_}" if passive(verb) else third_person(lemma)
        )
        name = slug(stem, *extra) if text else ("can" if clause.modal == "can" else "does")
        return Meaning(Kind.SEMANTIC, "user", name, text or lemma, MANY, 0.5, clause.negated)
    kind = Kind.SEMANTIC if is_of_a_life(verb, particle, direct, passive=passive(verb)) else Kind.EPISODIC
    return Meaning(kind, "user", slug(verb.lower_, *extra), text or verb.lower_, MANY, 0.5, clause.negated, event=True)


def _given_up(clause: Clause, voices: Voices, put: Mapping[int, str]) -> Meaning | None:
    """ "I stopped drinking coffee" ends "I drink coffee"."""
    inner = next((c for c in clause.verb.children if c.dep_ in ("xcomp", "pcomp") and c.tag_ == "VBG"), None)
    ends = lemma_of(clause.verb) in ("stop", "quit") and clause.tense in (Tense.PAST, Tense.PERFECT)
    if inner is None or not ends or clause.negated or clause.person != "i":
        return None
    clause.ended = clause.cue = True
    after = [t for t in clause.complement if t.i > inner.i]
    direct = any(c.dep_ in _OBJECT for c in inner.children)
    preposition = None if direct or not after or after[0].dep_ != "prep" else after[0]
    row = predicate_for(lemma_of(inner), preposition.lower_ if preposition is not None else None)
    text = value(after[1:] if preposition is not None else after, voices, put)
    if row is not None and text:
        return Meaning(row.kind, "user", row.name, text, row.cardinality, row.importance, row.negative)
    name = slug(third_person(lemma_of(inner)), preposition.text if preposition is not None else "")
    return Meaning(Kind.SEMANTIC, "user", name if text else "does", text or lemma_of(inner), MANY)


def _plan(verb: Token, after: Sequence[Token], clause: Clause, voices: Voices, put: Mapping[int, str]) -> Meaning:
    text = value(after, voices, put)
    return Meaning(
        Kind.SEMANTIC, "user", slug("will", verb.lemma_), text or verb.lemma_, MANY, 0.4, clause.negated, event=True
    )


def _preposition(verb: Token, lemma: str) -> Token | None:
    found = [c for c in verb.children if c.dep_ in ("prep", "agent") and c.i > verb.i]
    return next((c for c in found if predicate_for(lemma, c.lower_) is not None), found[0] if found else None)


def _goes_on(clause: Clause, after: Sequence[Token]) -> bool:
    """ "I have used it since 2019" holds today; "I have visited Rome" is an event."""
    text = " ".join(token.text for token in after)
    return clause.tense is Tense.PERFECT and bool(_DURATION.search(f" {text}"))


def _by_row(
    row: Predicate,
    clause: Clause,
    after: Sequence[Token],
    preposition: Token | None,
    voices: Voices,
    put: Mapping[int, str],
) -> Meaning | None:
    replaces = None
    if preposition is not None:
        target = next((c for c in preposition.children if c.dep_ in ("pobj", "pcomp", "prep")), None)
        rest = [t for t in after if t.i > preposition.i]
        if row.name == "works_for" and target is not None and (target.lower_ in _NO_EMPLOYER or target.dep_ != "pobj"):
            row = replace(row, name=slug("works", preposition.text), cardinality=MANY, importance=0.5)
        elif row.name == "lives_in" and target is not None and target.lemma_.lower() in _DWELLINGS:
            row = replace(row, name="home", importance=0.7)
        if row.cardinality is SINGLE and target is not None and target.dep_ == "pobj":
            rest = [t for t in rest if t in set(target.subtree) and not in_relative(t, target)]
        if row.name in ("lives_in", "switched_to"):
            replaces = _left_behind(clause, voices, put)
    else:
        rest = list(after)
    text = value(rest, voices, put)
    if clause.tense is not Tense.PRESENT:
        text = canonical(_DURATION.sub("", text))
    text = re.sub(r"^no (?=\w)", "", text) if clause.negated else text
    text = text or re.sub(r"^(?:on|in|at) ", "", value(after, voices, put))
    if not text:
        return None
    row = in_its_place(row, text)
    if row.name == "lives_in" and lemma_of(clause.verb) in _MOVING and clause.tense in (Tense.PAST, Tense.PERFECT):
        name = slug(clause.verb.lower_, preposition.text if preposition is not None else "")
        return Meaning(Kind.EPISODIC, "user", name, text, MANY, 0.6, clause.negated, event=True, replaces=replaces)
    return Meaning(
        row.kind,
        "user",
        row.name,
        text,
        row.cardinality,
        row.importance,
        clause.negated != row.negative,
        replaces=replaces,
    )


def _left_behind(clause: Clause, voices: Voices, put: Mapping[int, str]) -> str | None:
    """ "moved from Lahti to Oulu" -> Lahti."""
    away = next((c for c in clause.verb.children if c.lower_ == "from"), None)
    if away is None:
        return None
    place = next((c for c in away.children if c.dep_ == "pobj"), None)
    return value(list(place.subtree), voices, put).split(" to ")[0] if place is not None else None
