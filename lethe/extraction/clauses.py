"""Third step: the clauses of a parsed piece, subordinate ones included, each with tense, polarity and standing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from lethe.extraction.antecedents import around, named_just_before, nested, with_antecedent
from lethe.extraction.claims import Token, of_an_infinitive, subject_of
from lethe.extraction.predicates import is_base_form
from lethe.extraction.requests import is_request
from lethe.extraction.standing import Standing, standing_of
from lethe.extraction.words import words


class Tense(Enum):
    """When a clause places what it tells."""

    PRESENT = "present"
    PROGRESSIVE = "progressive"
    PAST = "past"
    PERFECT = "perfect"
    PERFECT_PROGRESSIVE = "perfect progressive"
    FUTURE = "future"
    MODAL = "modal"


@dataclass(slots=True)
class Clause:
    """One finite verb with what belongs to it. `tokens` are in order and leave out clauses that are read on their own."""

    verb: Token
    subject: Token
    tokens: list[Token]
    tense: Tense
    standing: Standing
    negated: bool
    never: bool
    ended: bool  # "no longer", "any more"
    cue: bool  # "now", "actually"
    inherited: bool  # the subject stands in an earlier clause
    antecedent: Token | None = None  # of a relative clause
    modal: str | None = None
    fillers: set[int] = field(default_factory=set)  # token indices that no object needs: "now", "also"

    @property
    def person(self) -> str:
        """ "i", "we", "you" or "third"."""
        word = self.subject.lower_
        if any(child.dep_ == "conj" and child.lower_ == "i" for child in self.subject.children):
            return "i"
        return word if word in ("i", "we", "you") else "third"

    @property
    def complement(self) -> list[Token]:
        """What follows the verb, without fillers."""
        after = self.tokens[self.tokens.index(self.verb) + 1 :] if self.verb in self.tokens else []
        return [token for token in after if token.i not in self.fillers]


_FILLERS = words(
    "now currently also still really actually just always usually often mostly mainly definitely too "
    "either already please recently lately generally typically normally personally honestly basically "
    "simply finally ever even anymore again yet"
)
_HEDGES = words("maybe perhaps possibly probably hopefully presumably supposedly apparently likely")
_OPENERS = words(
    "even that given considering now especially particularly then so also plus yet thus therefore however hence"
)
_TIME = re.compile(
    r"^(?:\d|[ap]m$|a\.m|p\.m|january|february|march|april|may|june|july|august|september|october|november|december|"
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|morning|afternoon|evening|night|week|month|year|today|yesterday)",
    re.IGNORECASE,
)
_CLAUSAL = frozenset({"conj", "advcl", "ccomp", "parataxis", "relcl"})


def clauses(sent: Any) -> Iterator[Clause]:
    """Every clause of a parsed sentence that has a subject, outermost first."""
    for token in sent:
        if token.pos_ not in ("VERB", "AUX") or token.dep_ in ("aux", "auxpass"):
            continue
        if (token.dep_ != "ROOT" and token.dep_ not in _CLAUSAL) or of_an_infinitive(token):
            continue
        clause = _clause(token)
        if clause is not None:
            yield clause


def _clause(verb: Token) -> Clause | None:
    subject = subject_of(verb)
    if subject is None:
        return None
    own = subject.head.i == verb.i
    antecedent = verb.head if verb.dep_ == "relcl" and subject.tag_ in ("WP", "WDT") else None
    if antecedent is not None and (nested(antecedent) or _TIME.search(antecedent.text)):
        return None
    if subject.tag_ in ("WP", "WDT") and antecedent is None:
        return None
    tokens = _tokens(verb, subject, own)
    if is_request(verb, subject, tokens):
        return None
    if tokens and tokens[0].lower_ == "why" and verb.dep_ == "ccomp":
        tokens = tokens[1:]
    if tokens and tokens[0].tag_ == "WRB":
        return None
    if verb.dep_ == "relcl" and antecedent is None:
        tokens = with_antecedent(verb, tokens)
        if not tokens:
            return None
    if (noun := named_just_before(verb, subject)) is not None:
        tokens = around(noun, verb, tokens)
    auxiliaries = _auxiliaries(verb)
    lowered = [token.lower_.replace("’", "'") for token in tokens]
    ended = _ended(lowered, any(t.dep_ == "neg" for t in verb.children))
    negations = _shared_negation(verb) + [
        t for t in verb.children if t.dep_ == "neg" or t.lower_ in ("never", "not", "n't", "n’t")
    ]
    never = any(token.lower_ == "never" for token in negations)
    negated = not ended and (bool(negations) or _without_any(verb))
    tense, modal = _tense(verb, auxiliaries)
    hedged = any(t.lower_ in _HEDGES and t.head.i == verb.i for t in tokens)
    standing = standing_of(verb, hedged, modal)
    if standing is None:
        return None
    fillers = {
        token.i
        for token in tokens
        if (token.lower_ in _FILLERS and token.dep_ in ("advmod", "intj", "npadvmod") and token.head.i == verb.i)
        or (token.lower_ == "right" and token.head.lower_ == "now")
        or (
            ended
            and token.lower_ in ("any", "more", "anymore", "longer", "no")
            and token.dep_ in ("advmod", "neg", "det", "npadvmod")
        )
    }
    cue = any(word in ("now", "actually", "nowadays", "anymore") for word in lowered if word) or ended
    return Clause(
        verb, subject, tokens, tense, standing, negated, never, ended, cue, not own, antecedent, modal, fillers
    )


def _without_any(verb: Token) -> bool:
    """ "I have no siblings"."""
    return any(
        c.dep_ == "dobj" and any(t.lower_ == "no" and t.dep_ == "det" for t in c.children) for c in verb.children
    )


def _auxiliaries(verb: Token) -> list[Token]:
    own = [child for child in verb.children if child.dep_ in ("aux", "auxpass") and child.tag_ != "TO"]
    if own or verb.dep_ != "conj" or subject_of(verb) is None:
        return own
    if any(child.dep_ in ("nsubj", "nsubjpass") for child in verb.children):
        return own
    if verb.tag_ in ("VB", "VBN", "VBG"):
        return _auxiliaries(verb.head)
    return own


def _tense(verb: Token, auxiliaries: list[Token]) -> tuple[Tense, str | None]:
    words = [aux.lower_.replace("’", "'") for aux in auxiliaries]
    modals = [aux for aux in auxiliaries if aux.tag_ == "MD"]
    if modals:
        modal = {"'ll": "will", "wo": "will", "ca": "can", "'d": "would", "sha": "shall"}.get(
            modals[0].lower_.replace("’", "'"), modals[0].lower_
        )
        if modal in ("can", "cannot"):
            return Tense.PRESENT, "can"
        return (Tense.FUTURE if modal in ("will", "shall") else Tense.MODAL), modal
    if "'d" in words:
        return (Tense.PAST, None) if verb.tag_ == "VBN" else (Tense.MODAL, "would")
    has = any(
        word in ("have", "has", "'ve") or (word == "'s" and verb.tag_ == "VBN" and len(words) == 1) for word in words
    )
    if has:
        return (Tense.PERFECT_PROGRESSIVE if verb.tag_ == "VBG" else Tense.PERFECT), None
    if {"had", "did", "was", "were", "got"} & set(words):
        return Tense.PAST, None
    if verb.tag_ == "VBG" and words:
        return Tense.PROGRESSIVE, None
    if verb.lower_ == "quit" and not words:
        return Tense.PAST, None  # nobody says of themselves that they are in the habit of quitting
    if (verb.tag_ == "VBD" or (verb.tag_ == "VBN" and not words)) and not is_base_form(verb):
        return Tense.PAST, None
    return Tense.PRESENT, None


def _ended(lowered: list[str], negated: bool) -> bool:
    text = f" {' '.join(lowered)} "
    return " no longer " in text or (
        negated and (" any more " in text or " anymore " in text or " any longer " in text)
    )


def _tokens(verb: Token, subject: Token, own: bool) -> list[Token]:
    dropped = {token.i for child in _apart(verb) for token in child.subtree}
    kept = [token for token in verb.subtree if token.i not in dropped]
    if not own:
        sharing = {token.i for token in verb.lefts if token.dep_ == "conj"}
        kept = [
            *subject.subtree,
            *_shared_auxiliaries(verb),
            *_shared_negation(verb),
            *(token for token in kept if token.i not in sharing),
        ]
    kept.sort(key=lambda token: token.i)
    return _trimmed(kept, verb)


def _shared_negation(verb: Token) -> list[Token]:
    """ "I have never returned or exchanged a gift" denies both."""
    if verb.dep_ != "conj" or any(c.dep_ in ("nsubj", "nsubjpass", "neg", "aux") for c in verb.children):
        return []
    joined = any(c.dep_ == "cc" and c.lower_ in ("or", "nor") for c in verb.head.children)
    return [c for c in verb.head.children if c.dep_ == "neg"] if joined else []


def _shared_auxiliaries(verb: Token) -> list[Token]:
    """The auxiliaries that a further member of a series takes from the first ("I have packed and left")."""
    return _auxiliaries(verb) if not any(child.dep_ in ("aux", "auxpass") for child in verb.children) else []


def _apart(verb: Token) -> Iterator[Token]:
    """Children that are read as clauses of their own, and what only joins them on."""
    later_verbs = [
        child.i
        for child in verb.children
        if child.dep_ == "conj" and child.pos_ in ("VERB", "AUX") and not of_an_infinitive(child)
    ]
    for child in verb.children:
        before = child.i < verb.i
        verbal = child.pos_ in ("VERB", "AUX")
        finite = verbal and subject_of(child) is not None
        joins_a_verb = child.dep_ in ("cc", "preconj") and not before and any(later > child.i for later in later_verbs)
        further = child.dep_ in ("conj", "parataxis") and verbal and not of_an_infinitive(child)
        opening = before and (child.dep_ in ("mark", "cc", "intj") or (child.dep_ == "ccomp" and finite))
        adverbial = child.dep_ == "advcl" and finite and (before or _stands_alone(child))
        remark = child.dep_ == "advcl" and child.tag_ == "VBG" and not before and not finite and _is_remark(child)
        if joins_a_verb or further or opening or adverbial or remark:
            yield child


def _is_remark(participle: Token) -> bool:
    """ ", marking a great step forward": a trailing participle that names nothing."""
    first = next(iter(participle.subtree))
    apart = first.i > 0 and first.nbor(-1).text == ","
    return apart and not any(t.pos_ == "PROPN" or t.like_num for t in participle.subtree)


def _stands_alone(adverbial: Token) -> bool:
    """An adverbial clause that tells something of its own, beside the main clause rather than about it."""
    marks = {child.lower_ for child in adverbial.children if child.dep_ in ("mark", "advmod") and child.i < adverbial.i}
    return bool(marks & {"so", "while", "although", "though", "whereas", "and", "but", "which"}) or not marks


def _trimmed(tokens: list[Token], verb: Token) -> list[Token]:
    while tokens and (tokens[-1].is_punct or tokens[-1].dep_ == "cc" or tokens[-1].is_space) and tokens[-1].i != verb.i:
        if tokens[-1].text in (")", '"', "”", "%"):
            break
        tokens.pop()
    while tokens and tokens[0].i < verb.i and _only_opens(tokens[0]):
        if tokens[0].text in ("(", '"', "“"):
            break
        tokens.pop(0)
    return [token for token in tokens if not token.is_space]


def _only_opens(token: Token) -> bool:
    return (
        token.is_punct
        or token.is_space
        or token.dep_ in ("cc", "mark")
        or (token.lower_ in _OPENERS and token.dep_ != "nsubj")
    )
