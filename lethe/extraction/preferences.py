"""What a clause says of the author's taste: preferring, wanting a thing in a form, liking it best."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lethe.extraction.claims import Token, Voices
from lethe.extraction.clauses import Clause, Tense
from lethe.extraction.predicates import MANY, SINGLE, lemma_of
from lethe.extraction.values import Meaning, canonical, slug, value
from lethe.records import Kind

_CONTRAST = re.compile(r"[\s,]+(?:over|rather than|instead of|than|not|to|more than)\s+(?P<other>.+)$", re.IGNORECASE)
_REASON = re.compile(
    r"[\s,]+(?:because|since|due to|so that|so as to|as it|as they|for (?:its|their)|to (?=\w+ ))\b.*$", re.IGNORECASE
)
_CHANGE = re.compile(r"[\s,]+not\s+(?P<old>[^,.;]+?)(?:[\s,]+(?:any ?more|anymore))?$", re.IGNORECASE)


def preference(clause: Clause, voices: Voices, put: Mapping[int, str]) -> Meaning | None:
    """The preference that the clause states, or None."""
    verb, lemma = clause.verb, lemma_of(clause.verb)
    if lemma == "prefer" and clause.tense in (Tense.PRESENT, Tense.MODAL):
        return _preferring(clause, voices, put)
    if clause.modal == "would" and any(t.lower_ == "rather" for t in verb.children):
        return _rather(clause, voices, put)
    if lemma in ("like", "love", "enjoy") and clause.complement and clause.complement[-1].lower_ in ("best", "most"):
        nouns = [t for t in clause.complement[:-1] if t.pos_ in ("NOUN", "PROPN") and t.dep_ != "pobj"]
        head = nouns[-1] if nouns else _head(verb)
        if head is not None:
            return Meaning(
                Kind.PREFERENCE,
                "user",
                slug("prefers", head.lemma_),
                value(clause.complement[:-1], voices, put),
                SINGLE,
                0.7,
                clause.negated,
            )
    if lemma == "want" and clause.tense is Tense.PRESENT:
        return _wanting_in_a_form(clause, voices, put) or _wanting_always(clause, voices, put)
    fan = next((c for c in verb.children if c.dep_ == "attr" and c.lemma_ == "fan"), None)
    return _fan(fan, clause, voices, put) if fan is not None else None


def _preferring(clause: Clause, voices: Voices, put: Mapping[int, str]) -> Meaning | None:
    full = value(clause.complement, voices, put)
    changed = _CHANGE.search(full)
    text = _REASON.sub("", _CHANGE.sub("", full)) if changed else _REASON.sub("", full)
    contrast = None if re.match(r"to\s", full) else _CONTRAST.search(text)
    chosen = canonical(text[: contrast.start()] if contrast else text)
    head = _head(clause.verb)
    if head is None or not chosen:
        return None
    about = _about(head)
    if contrast:
        other = _other_head(clause, contrast["other"])
        if other and other != about:
            about = "_or_".join(sorted((about, other)))
    return Meaning(
        Kind.PREFERENCE,
        "user",
        f"prefers_{about}",
        chosen,
        SINGLE,
        0.7,
        clause.negated,
        replaces=canonical(changed["old"]) if changed else None,
    )


def _head(verb: Token) -> Token | None:
    """What a preference is about: the object's noun, the verb of a gerund, the subject of a that-clause."""
    found = next(
        (c for c in verb.children if c.dep_ in ("dobj", "xcomp", "ccomp", "attr", "pcomp", "oprd") and c.i > verb.i),
        None,
    )
    if found is None:
        found = next((c for c in verb.children if c.i > verb.i and c.pos_ in ("NOUN", "PROPN", "VERB")), None)
    if found is not None and found.dep_ == "ccomp":
        subject = next((c for c in found.children if c.dep_ in ("nsubj", "nsubjpass")), None)
        if subject is not None and subject.pos_ in ("NOUN", "PROPN"):
            return subject
    return found


def _about(head: Token) -> str:
    return slug(head.text if head.tag_ == "VBG" else head.lemma_)


def _other_head(clause: Clause, words: str) -> str | None:
    """The noun that the contrast names, as it stands in the clause."""
    first = words.split()[0].lower()
    tokens = clause.complement
    start = next((place for place, token in enumerate(tokens) if token.lower_ == first and place > 0), None)
    if start is None:
        return None
    nouns = [t for t in tokens[start:] if t.pos_ in ("NOUN", "PROPN", "VERB")]
    stop = next((n for n in nouns if n.dep_ in ("pobj", "conj", "pcomp", "dobj")), nouns[0] if nouns else None)
    return _about(stop) if stop is not None else None


def _rather(clause: Clause, voices: Voices, put: Mapping[int, str]) -> Meaning | None:
    rest: Sequence[Token] = [t for t in clause.complement if t.lower_ != "rather"]
    text = value([clause.verb, *rest], voices, put)
    chosen = canonical(re.split(r"\s+(?:rather )?than\s+", text)[0])
    return (
        Meaning(Kind.PREFERENCE, "user", slug("would_rather", clause.verb.lemma_), chosen, SINGLE, 0.7, clause.negated)
        if chosen
        else None
    )


def _wanting_in_a_form(clause: Clause, voices: Voices, put: Mapping[int, str]) -> Meaning | None:
    thing = next(
        (
            c
            for c in clause.verb.children
            if c.dep_ in ("dobj", "ccomp", "nsubj") and c.i > clause.verb.i and c.pos_ == "NOUN"
        ),
        None,
    )
    form = next(
        (t for t in clause.complement if t.lower_ in ("as", "in") and thing is not None and t.i > thing.i), None
    )
    if thing is None or form is None or thing.lower_ in ("help", "advice", "tips"):
        return None
    text = value([t for t in clause.complement if t.i > form.i], voices, put)
    if not text:
        return None
    return Meaning(Kind.PREFERENCE, "user", slug("wants", thing.text, form.text), text, SINGLE, 0.7, clause.negated)


def _wanting_always(clause: Clause, voices: Voices, put: Mapping[int, str]) -> Meaning | None:
    """ "I always want short bullet points": a sort of thing, whatever is asked for."""
    thing = wanted_always(clause.verb)
    if thing is None:
        return None
    text = value(clause.complement, voices, put)
    return Meaning(Kind.PREFERENCE, "user", slug("wants", thing.lemma_), text, SINGLE, 0.7, clause.negated)


def wanted_always(verb: Token) -> Token | None:
    """What "I always want …" or "I never want …" names without article: a wish of its own, and no request of the moment."""
    always = any(child.lower_ in ("always", "never") and child.i < verb.i for child in verb.children)
    if not always or lemma_of(verb) != "want":
        return None
    thing = next((c for c in verb.children if c.i > verb.i and c.pos_ in ("NOUN", "PROPN")), None)
    said = thing is not None and not any(child.dep_ in ("det", "poss") for child in thing.children)
    return thing if said else None


def _fan(fan: Token, clause: Clause, voices: Voices, put: Mapping[int, str]) -> Meaning | None:
    of = next((c for c in fan.children if c.lower_ == "of"), None)
    text = value([t for t in clause.complement if of is not None and t.i > of.i], voices, put)
    return Meaning(Kind.PREFERENCE, "user", "likes", text, MANY, 0.6, clause.negated) if text else None
