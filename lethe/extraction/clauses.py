"""Third step: the clauses of a parsed piece, subordinate ones included, each with tense, polarity and standing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from lethe.extraction.claims import Token, subject_of
from lethe.extraction.predicates import FACTIVE_VERBS

Doc = Any


class Tense(Enum):
    """When a clause places what it tells."""

    PRESENT = "present"
    PROGRESSIVE = "progressive"
    PAST = "past"
    PERFECT = "perfect"
    PERFECT_PROGRESSIVE = "perfect progressive"
    FUTURE = "future"
    MODAL = "modal"


class Standing(Enum):
    """Whether the author vouches for a clause."""

    ASSERTED = "asserted"
    SPECULATIVE = "speculative"
    SUPPOSED = "supposed"


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
        return word if word in ("i", "we", "you") else "third"

    @property
    def complement(self) -> list[Token]:
        """What follows the verb, without fillers."""
        return [token for token in self.tokens if token.i > self.verb.i and token.i not in self.fillers]


_FILLERS = frozenset(
    ["now", "currently", "also", "still", "really", "actually", "just", "always", "usually", "often", "mostly", "mainly", "definitely", "too", "either", "already", "please", "recently", "lately", "generally", "typically", "normally", "personally", "honestly", "basically", "simply", "finally", "ever", "even", "anymore", "again", "yet"]
)
_HEDGES = frozenset(["maybe", "perhaps", "possibly", "probably", "hopefully", "presumably", "supposedly", "apparently", "likely"])
_CONDITIONS = frozenset(["if", "unless", "whether", "until", "till", "once", "in", "case", "provided"])
_OPINION = frozenset(
    ["think", "believe", "guess", "suppose", "hope", "wish", "doubt", "assume", "imagine", "expect", "figure", "feel", "bet", "suspect", "wonder", "say"]
)
_CLAUSAL = frozenset({"conj", "advcl", "ccomp", "parataxis", "relcl"})


def clauses(sent: Any) -> Iterator[Clause]:
    """Every clause of a parsed sentence that has a subject, outermost first."""
    for token in sent:
        if token.pos_ not in ("VERB", "AUX") or token.dep_ in ("aux", "auxpass"):
            continue
        if token.dep_ != "ROOT" and token.dep_ not in _CLAUSAL:
            continue
        clause = _clause(token)
        if clause is not None:
            yield clause


def _clause(verb: Token) -> Clause | None:
    subject = subject_of(verb)
    if subject is None or subject.dep_ == "csubj":
        return None
    own = subject.head.i == verb.i
    antecedent = verb.head if verb.dep_ == "relcl" and subject.tag_ in ("WP", "WDT") else None
    if subject.tag_ in ("WP", "WDT") and antecedent is None:
        return None
    tokens = _tokens(verb, subject, own)
    auxiliaries = _auxiliaries(verb)
    lowered = [token.lower_.replace("’", "'") for token in tokens]
    negations = [t for t in verb.children if t.dep_ == "neg" or t.lower_ in ("never", "not", "n't", "n’t")]
    never = any(token.lower_ == "never" for token in negations)
    ended = _ended(lowered, bool(negations))
    negated = bool(negations) or any(
        t.lower_ == "no" and t.dep_ == "det" and t.head.head.i == verb.i and t.head.dep_ == "dobj" for t in tokens
    )
    tense, modal = _tense(verb, auxiliaries)
    fillers = {
        token.i
        for token in tokens
        if (token.lower_ in _FILLERS and token.dep_ in ("advmod", "intj", "npadvmod") and token.head.i == verb.i)
        or (
            ended
            and token.lower_ in ("any", "more", "anymore", "longer", "no")
            and token.dep_ in ("advmod", "neg", "det", "npadvmod")
        )
    }
    cue = any(word in ("now", "actually", "nowadays", "anymore") for word in lowered if word) or ended
    return Clause(
        verb,
        subject,
        tokens,
        tense,
        _standing(verb, lowered, modal, subject),
        negated,
        never,
        ended,
        cue,
        not own,
        antecedent,
        modal,
        fillers,
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
    if "had" in words or "did" in words or "was" in words or "were" in words:
        return Tense.PAST, None
    if verb.tag_ == "VBG" and words:
        return Tense.PROGRESSIVE, None
    if verb.tag_ == "VBD" or (verb.tag_ == "VBN" and not words):
        return Tense.PAST, None
    return Tense.PRESENT, None


def _ended(lowered: list[str], negated: bool) -> bool:
    text = f" {' '.join(lowered)} "
    return " no longer " in text or (
        negated and (" any more " in text or " anymore " in text or " any longer " in text)
    )


def _standing(verb: Token, lowered: list[str], modal: str | None, subject: Token) -> Standing:
    if any(word in _HEDGES for word in lowered) or modal in ("might", "may", "could"):
        return Standing.SPECULATIVE
    if modal in ("would", "should", "must", "ought"):
        return Standing.SUPPOSED
    above: Token = verb
    for _ in range(8):
        if _is_conditional(above):
            return Standing.SUPPOSED
        if above.dep_ == "ROOT":
            break
        if above.dep_ in ("ccomp", "xcomp") and above.i > above.head.i and above.head.pos_ == "VERB":
            lemma = above.head.lemma_.lower()
            if lemma in _OPINION:
                return Standing.SPECULATIVE
            if lemma not in FACTIVE_VERBS or any(child.dep_ == "neg" for child in above.head.children):
                return Standing.SUPPOSED
        if above.dep_ == "advcl" and any(
            child.dep_ == "aux" and child.lower_ in ("would", "might", "could") for child in above.head.children
        ):
            return Standing.SUPPOSED
        above = above.head
    return Standing.ASSERTED


def _is_conditional(verb: Token) -> bool:
    marks = [child.lower_ for child in verb.children if child.dep_ in ("mark", "advmod") and child.i < verb.i]
    return any(
        mark in _CONDITIONS or (mark in ("when", "whenever", "where", "how", "why") and verb.dep_ in ("advcl", "ccomp"))
        for mark in marks
    )


def _tokens(verb: Token, subject: Token, own: bool) -> list[Token]:
    dropped = {token.i for child in _apart(verb) for token in child.subtree}
    kept = [token for token in verb.subtree if token.i not in dropped]
    if not own:
        kept = list(subject.subtree) + _shared_auxiliaries(verb) + kept
        kept = [
            token
            for token in kept
            if not (token.dep_ == "conj" and token.head.i == verb.head.i and token.i < verb.i and token.i != subject.i)
        ]
    kept.sort(key=lambda token: token.i)
    return _trimmed(kept, verb)


def _shared_auxiliaries(verb: Token) -> list[Token]:
    """The auxiliaries that a further member of a series takes from the first ("I have packed and left")."""
    return _auxiliaries(verb) if not any(child.dep_ in ("aux", "auxpass") for child in verb.children) else []


def _apart(verb: Token) -> Iterator[Token]:
    """Children that are read as clauses of their own, and what only joins them on."""
    for child in verb.children:
        finite = child.pos_ in ("VERB", "AUX") and subject_of(child) is not None
        if child.dep_ in ("cc", "preconj") and child.i > verb.i:
            joined = next((right for right in verb.children if right.dep_ == "conj" and right.i > child.i), None)
            if joined is not None and joined.pos_ in ("VERB", "AUX"):
                yield child
        elif (child.dep_ in ("conj", "parataxis") and child.pos_ in ("VERB", "AUX")) or (child.dep_ in ("mark", "cc", "intj") and child.i < verb.i) or (child.dep_ == "ccomp" and finite and child.i < verb.i) or (child.dep_ == "advcl" and finite and (child.i < verb.i or _stands_alone(child))):
            yield child


def _stands_alone(adverbial: Token) -> bool:
    """An adverbial clause in the first person that tells something of its own ("because I keep bees")."""
    marks = {child.lower_ for child in adverbial.children if child.dep_ in ("mark", "advmod") and child.i < adverbial.i}
    return bool(marks & {"so", "while", "although", "though", "whereas", "and", "but", "which"}) or not marks


def _trimmed(tokens: list[Token], verb: Token) -> list[Token]:
    while tokens and (tokens[-1].is_punct or tokens[-1].dep_ == "cc" or tokens[-1].is_space) and tokens[-1].i != verb.i:
        if tokens[-1].text in (")", '"', "”", "%"):
            break
        tokens.pop()
    while (
        tokens
        and (tokens[0].is_punct or tokens[0].dep_ in ("cc", "mark") or tokens[0].is_space)
        and tokens[0].i != verb.i
    ):
        if tokens[0].text in ("(", '"', "“"):
            break
        tokens.pop(0)
    return [token for token in tokens if not token.is_space]
