"""Occasions that were moved or called off, told without the day that they have now: "the rehearsal has been postponed",
"what time was my appointment moved to?". Whatever day they had, they have no longer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from lethe.extraction.claims import Token, Voices, phrase
from lethe.extraction.predicates import MANY, lemma_of
from lethe.extraction.values import Meaning, canonical, named
from lethe.extraction.words import words
from lethe.records import Kind

MOVED = re.compile(
    r"\b(?:rescheduled|postponed|cancell?ed|delayed|(?:called|put) off|(?:pushed|moved|put|set|brought) (?:back|forward|up)"
    r"|(?:moved|pushed|shifted|changed) to\s*(?:[,?.!]|$))",
    re.IGNORECASE,
)
_ALONE = words("reschedule postpone cancel delay")
_PARTICLES = {
    "call": words("off"),
    "put": words("off back"),
    "push": words("back"),
    "move": words("back forward up"),
    "set": words("back"),
    "bring": words("forward"),
}
_DANGLING = words("move push shift change")
_DAY = words("date day time hour week month")
_OCCASIONS = words(
    "meeting appointment session rehearsal webinar call interview lesson class course exam test wedding party concert flight train "
    "trip visit launch release event conference workshop lecture match game race tournament ceremony hearing consultation dinner "
    "lunch breakfast brunch reservation booking delivery screening premiere performance recital reunion seminar training talk "
    "presentation demo review exhibition fair festival surgery operation viewing shoot recording audition deadline"
)
_UNCERTAIN = words("wish want hope imagine suppose think guess doubt fear worry expect need ask")
_UNDER = words("if whether unless")


def moved(document: Any, before: Any | None, voices: Voices) -> Iterator[tuple[Meaning, str]]:
    """(meaning, claim) of each occasion that the document, or a question in it, has moved. `before`: the piece before it, to
    which its "it" may point."""
    for verb in document:
        how = _how(verb)
        if how is None or _in_doubt(verb) or _has_its_new_day(verb):
            continue
        subject = next((c for c in verb.children if c.dep_ == "nsubjpass"), None)
        occasion = _meant(subject, document, before)
        if occasion is None or (how == "moved" and occasion.lemma_.lower() not in _OCCASIONS):
            continue
        name = phrase(_named(occasion), voices)
        own = any(c.lower_ in ("my", "our") for c in occasion.children)
        if len(name.split()) < 2 and not own:
            continue
        said = Meaning(Kind.SEMANTIC, canonical(name), "is", how, MANY, 0.5)
        owner = f"{voices.me}'s" if own else "the"
        claim = f"{owner} {name} has been {how}."
        yield said, f"{claim[:1].upper()}{claim[1:]}"


def _how(verb: Token) -> str | None:
    """The verb with its particle ("pushed back"), if it says in the passive that an occasion was moved."""
    if verb.tag_ != "VBN" or not any(c.dep_ == "auxpass" for c in verb.children):
        return None
    lemma = lemma_of(verb)
    if lemma in _ALONE:
        return str(verb.lower_)
    after = next((c.lower_ for c in verb.children if c.i > verb.i and c.lower_ in _PARTICLES.get(lemma, ())), None)
    if after is not None:
        return f"{verb.lower_} {after}"
    asked = any(t.tag_ in ("WRB", "WDT", "WP") and (t.lower_ == "when" or t.head.lower_ in _DAY) for t in verb.sent)
    return "moved" if lemma in _DANGLING and asked else None


def _in_doubt(verb: Token) -> bool:
    """Denied, supposed, only possible, wished, or asked for."""
    own = [c for c in verb.children if c.i < verb.i]
    if any(c.dep_ == "neg" or c.tag_ == "MD" or c.lower_ in _UNDER for c in own):
        return True
    if any(t.lower_ in _UNDER for above in verb.ancestors for t in above.children if t.i < verb.i):
        return True
    if any(lemma_of(above) in _UNCERTAIN for above in verb.ancestors):
        return True
    subject = next((c for c in own if c.dep_ == "nsubjpass"), verb)
    inverted = any(c.dep_ in ("aux", "auxpass") and c.i < subject.i for c in own)
    return inverted and not any(t.tag_ in ("WRB", "WDT", "WP") for t in verb.sent if t.i < subject.i)


def _has_its_new_day(verb: Token) -> bool:
    links = (c for c in verb.children if c.i > verb.i and c.lower_ in ("to", "until", "till", "for", "on", "by"))
    return any(
        c.dep_ in ("pobj", "pcomp") and c.i > link.i and c.lower_ != "notice" for link in links for c in link.children
    )


def _meant(subject: Token | None, document: Any, before: Any | None) -> Token | None:
    """The occasion that the subject names, or that its "it" takes up: the only one named just before."""
    if subject is None:
        return None
    if subject.pos_ in ("NOUN", "PROPN"):
        definite = any(c.dep_ == "poss" or c.lower_ == "the" for c in subject.children)
        return subject if definite or named(subject) else None
    if subject.lower_ != "it":
        return None
    for heard in ([t for t in document if t.i < subject.i], before or []):
        occasions = [
            t for t in heard if t.lemma_.lower() in _OCCASIONS and t.pos_ in ("NOUN", "PROPN") and not _modifies(t)
        ]
        if occasions:
            return occasions[0] if len({t.lemma_.lower() for t in occasions}) == 1 else None
    return None


def _modifies(token: Token) -> bool:
    return token.dep_ in ("compound", "nmod", "amod")


def _named(occasion: Token) -> Sequence[Token]:
    """Its words without article, owner, and what is said of it besides."""
    aside = {
        t.i
        for c in occasion.children
        if c.dep_ in ("relcl", "acl", "appos", "advcl", "punct", "cc", "conj")
        for t in c.subtree
    }
    first = {c.i for c in occasion.children if c.dep_ == "det" or c.lower_ in ("my", "our")}
    run: list[Token] = []
    for token in occasion.subtree:
        if token.i in aside and token.i > occasion.i:
            break
        if token.i not in aside | first:
            run.append(token)
    return run
