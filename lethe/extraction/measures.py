"""A quantity that a thing has: said again with another value later, it replaces the earlier one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lethe.extraction.claims import Token, Voices, phrase, subject_of
from lethe.extraction.clauses import Clause, Tense
from lethe.extraction.dates import MONTHS
from lethe.extraction.possessions import is_copula, owner_of, purpose_of
from lethe.extraction.predicates import PEOPLE, SINGLE, lemma_of
from lethe.extraction.values import Meaning, named, slug, value
from lethe.extraction.words import words
from lethe.records import Kind

# Verbs that bring a quantity to a value: "improved to 180 ms", "extended my goal to 12 books".
_BRINGS_TO = words(
    "improve increase decrease reduce raise lower grow rise drop fall climb shrink expand extend shorten cut move shift change "
    "update bring push go jump reschedule postpone adjust bump upgrade double revise set delay slip"
)
_ARRIVES_AT = words("reach hit total average exceed attain")
# Nouns that are quantities by themselves: "a budget of 50 euros", "my 600 euro budget".
QUANTITIES = words(
    "budget rate goal target fee cost salary rent limit average weight height pace capacity balance threshold wage income latency "
    "quota allowance mileage tax fare tuition fund"
)
_TAKEN_FOR_GRANTED = QUANTITIES | words("accuracy score")
_CHANGED = words("new increased reduced updated revised lowered raised improved extended")
_CHANGING = _CHANGED | words("current original initial latest total recent own")
_MONTH = re.compile(r"(?:" + "|".join(MONTHS) + r")$", re.IGNORECASE)
_PAST_ONES = words("previous old former earlier last")
_BOUNDS = words("above below over under beyond within")
# Frames whose own verb says less than the quantity in them.
_FRAMES = words("try consider work plan look want need hope be get feel aim understand")


@dataclass(frozen=True, slots=True)
class Measure:
    """A quantity with its value, and the value that it had before where that is named."""

    predicate: str
    amount: str
    was: str | None = None
    changed: bool = False


def measure(clause: Clause, voices: Voices, put: Mapping[int, str]) -> tuple[Meaning, bool] | None:
    """(the quantity that the clause gives a value, whether it changed), or None. Only what is the author's or a plain thing's."""
    if clause.negated or clause.tense in (Tense.MODAL, Tense.FUTURE) or clause.ended:
        return None
    found = _brought(clause, voices, put) or _arrived(clause, voices, put)
    frame = lemma_of(clause.verb) in _FRAMES and clause.person == "i" and clause.tense is not Tense.PAST
    if found is None and frame:
        inside = list(_inside(clause.complement, voices, put))
        found = inside[0] if len({each.predicate for each in inside}) == 1 else None
    if found is None or not found.amount:
        return None
    said = Meaning(
        Kind.SEMANTIC, "user", found.predicate, found.amount, SINGLE, 0.6, replaces=found.was, event=found.changed
    )
    return said, found.changed


def is_quantity(said: Meaning) -> bool:
    """ "My budget is 900 euros": the fact gives a quantity its value."""
    counted = any(letter.isdigit() for letter in said.object)
    return said.cardinality is SINGLE and counted and said.predicate.rpartition("_")[2] in QUANTITIES


def presupposed(sent: Iterable[Token], voices: Voices, told: set[int]) -> Iterator[tuple[Meaning, str]]:
    """(meaning, claim) of a quantity that a question or a wish takes for granted: "the revised budget of 900 euros"."""
    tokens = list(sent)
    for noun in tokens:
        if (
            noun.i in told
            or noun.lemma_.lower() not in _TAKEN_FOR_GRANTED
            or noun.pos_ != "NOUN"
            or not _measurable(noun)
        ):
            continue
        whose = next((c for c in noun.children if c.dep_ == "poss"), None)
        definite = whose is not None or any(c.lower_ == "the" for c in noun.children)
        found = next(_with_its_amount(noun, tokens, voices, {}), None)
        if found is None or not definite or not found.amount:
            continue
        before = [c for c in noun.children if c.i < noun.i and (_names_it(c) or c.lower_ in _CHANGED)]
        owner = f"{phrase(list(whose.subtree), voices)} " if whose is not None else "the "
        about = _about(noun, tokens)
        if not (any(map(_names_it, before)) or about or (whose is not None and whose.lower_ not in ("my", "our"))):
            continue
        name = phrase([*before, noun, *about], voices)
        claim = f"{owner}{name} is {found.amount}."
        said = Meaning(Kind.SEMANTIC, "user", found.predicate, found.amount, SINGLE, 0.5)
        yield said, f"{claim[:1].upper()}{claim[1:]}"


def _about(noun: Token, tokens: Sequence[Token]) -> list[Token]:
    """What the quantity is for, behind it or behind its amount, wherever the parser hangs it: "for office chairs"."""
    link = next(
        (t for t in tokens if noun.i < t.i <= noun.i + 5 and t.lower_ in ("for", "on") and t.dep_ == "prep"), None
    )
    goal = next((c for c in link.children if c.dep_ == "pobj"), None) if link is not None else None
    if link is None or goal is None or any(t.pos_ in ("VERB", "PUNCT") for t in tokens if noun.i < t.i < link.i):
        return []
    return [link, *(t for t in goal.subtree if t.i <= goal.i and not t.is_punct), *_bound(goal, tokens)]


def _bound(goal: Token, tokens: Sequence[Token]) -> list[Token]:
    """From where on it holds: "on loans above 200 euros"."""
    link = next((t for t in tokens if t.i == goal.i + 1 and t.lower_ in _BOUNDS), None)
    limit = next((c for c in link.children if c.dep_ == "pobj"), None) if link is not None else None
    if link is None or limit is None or not _numeric(limit):
        return []
    return [link, *(t for t in limit.subtree if t.i <= limit.i)]


def _brought(clause: Clause, voices: Voices, put: Mapping[int, str]) -> Measure | None:
    verb = clause.verb
    thing = next((c for c in verb.children if c.dep_ == "dobj" and c.i > verb.i), None)
    if thing is None and clause.person == "third":
        thing = clause.antecedent or clause.subject
    if lemma_of(verb) not in _BRINGS_TO or thing is None or not _measurable(thing):
        return None
    new, old = _after(verb, thing, "to"), _after(verb, thing, "from")
    if new is None and old is not None and _numeric(old):
        before, to, now = value(list(old.subtree), voices, put).partition(" to ")
        return Measure(_name(thing), now, before, True) if to else None
    if new is None or not _numeric(new):
        return None
    was = value(list(old.subtree), voices, put).split(" to ")[0] if old is not None and _numeric(old) else None
    return Measure(_name(thing), _amount(new, clause.tokens, voices, put), was, True)


def _arrived(clause: Clause, voices: Voices, put: Mapping[int, str]) -> Measure | None:
    verb = clause.verb
    if lemma_of(verb) not in _ARRIVES_AT or clause.person != "third" or not _measurable(clause.subject):
        return None
    reached = next((c for c in verb.children if c.dep_ in ("dobj", "attr", "npadvmod") and c.i > verb.i), None)
    if reached is None or not _numeric(reached):
        return None
    unit = reached.text if reached.tag_ in ("NNS", "NNPS") else ""
    return Measure(slug(_name(clause.subject), unit), _amount(reached, clause.tokens, voices, put), None, True)


def _inside(tokens: Sequence[Token], voices: Voices, put: Mapping[int, str]) -> Iterator[Measure]:
    """Quantities named within a frame: "…, which is 15%", "a budget of 50 euros", "my 600 euro budget"."""
    for noun in tokens:
        if noun.pos_ not in ("NOUN", "PROPN") or not _measurable(noun):
            continue
        for relative in (c for c in noun.children if c.dep_ == "relcl"):
            subject = subject_of(relative)
            if subject is None or subject.tag_ != "WDT":
                continue
            amount = next((c for c in relative.children if c.dep_ in ("attr", "acomp") and c.i > relative.i), None)
            standing = is_copula(relative) and noun.lemma_.lower() in QUANTITIES
            if standing and amount is not None and _numeric(amount):
                yield Measure(_name(noun), _amount(amount, tokens, voices, put))
            new = _after(relative, noun, "to") if lemma_of(relative) in _BRINGS_TO else None
            if new is not None and _numeric(new):
                yield Measure(_name(noun), _amount(new, tokens, voices, put), None, True)
        if noun.lemma_.lower() in QUANTITIES and _owned_or_said(noun):
            yield from _with_its_amount(noun, tokens, voices, put)


def _with_its_amount(noun: Token, tokens: Sequence[Token], voices: Voices, put: Mapping[int, str]) -> Iterator[Measure]:
    changed = any(c.lower_ in _CHANGED for c in noun.children)
    of = next((c for c in noun.children if c.lower_ == "of" and c.i > noun.i), None)
    amount = next((c for c in of.children if c.dep_ == "pobj"), None) if of is not None else None
    if amount is not None and _numeric(amount):
        yield Measure(_name(noun), _amount(amount, tokens, voices, put), None, changed)
        return
    before = [t for t in noun.subtree if t.i < noun.i and (t.like_num or t.text in ("$", "€", "£", "%"))]
    if before and noun.i - before[0].i <= 4:
        yield Measure(_name(noun), "".join(t.text_with_ws for t in before).strip(), None, changed)


def _after(verb: Token, thing: Token, preposition: str) -> Token | None:
    """What stands behind "to" or "from", whether the parser hangs it on the verb or on the thing."""
    for head in (verb, thing):
        for link in head.children:
            if link.lower_ == preposition and link.i > head.i and link.dep_ == "prep":
                target = next((c for c in link.children if c.dep_ == "pobj"), None)
                if target is not None:
                    return target
    return None


def _numeric(token: Token) -> bool:
    if _MONTH.match(token.text):
        return False
    near = [token, *(c for c in token.children if c.dep_ in ("nummod", "quantmod", "compound", "amod", "nmod"))]
    return any(t.like_num or any(letter.isdigit() for letter in t.text) for t in near)


def _amount(token: Token, tokens: Sequence[Token], voices: Voices, put: Mapping[int, str]) -> str:
    allowed = {t.i for t in tokens}
    own = [
        t
        for t in token.subtree
        if t.i in allowed
        and (t.i <= token.i or t.text == "%")
        and t.dep_ not in ("relcl", "advcl", "punct", "cc", "conj")
    ]
    return value(own, voices, put)


def _measurable(noun: Token) -> bool:
    if noun.pos_ not in ("NOUN", "PROPN") or noun.lemma_.lower() in PEOPLE:
        return False
    past = any(c.lower_ in _PAST_ONES for c in noun.children)
    return not past and not (named(noun) and not any(c.dep_ in ("poss", "det") for c in noun.children))


def _owned_or_said(noun: Token) -> bool:
    return owner_of(noun) is not None or any(c.dep_ == "det" and c.lower_ in ("a", "an", "the") for c in noun.children)


def _names_it(child: Token) -> bool:
    """A word before the noun that says which quantity it is, not how much or since when."""
    amount = any(letter.isdigit() for letter in child.text) or child.text in ("$", "€", "£", "%")
    return child.dep_ in ("amod", "compound", "nmod") and child.lower_ not in _CHANGING and not amount


def _name(noun: Token) -> str:
    """What tells the quantity from others: whose it is, if not the author's, its own words, and what it is for."""
    whose = [c.text for c in noun.children if c.dep_ == "poss" and c.pos_ in ("NOUN", "PROPN")]
    own = [c.text for c in noun.children if c.i < noun.i and _names_it(c)]
    return slug(*whose, purpose_of(noun), *own, noun.text if noun.tag_ in ("NNS", "NNPS") else noun.lemma_)
