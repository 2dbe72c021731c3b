"""Does the author vouch for a clause? Asked of its verb and of everything above it in the sentence."""

from __future__ import annotations

from enum import Enum

from lethe.extraction.claims import Token, subject_of
from lethe.extraction.predicates import FACTIVE_VERBS, lemma_of
from lethe.extraction.words import words

_CONDITIONS = words("if unless whether until till once in case provided")


_ASKING = words("how why what whether when where who which whenever wherever")


_FACTIVE_FEELINGS = words(
    "glad happy proud sad sorry worried thrilled excited pleased relieved lucky grateful thankful surprised aware"
)


_TEMPORAL = words("after before while as until when whenever once")


_CAUSAL = words("because since as although though while whereas so given considering that now seeing")


_OPINION = words("think believe guess suppose hope wish doubt assume imagine expect figure feel bet suspect wonder say")


class Standing(Enum):
    """Whether the author vouches for a clause."""

    ASSERTED = "asserted"
    SPECULATIVE = "speculative"
    SUPPOSED = "supposed"


def standing_of(verb: Token, hedged: bool, modal: str | None) -> Standing | None:
    """Whether the author vouches for the clause; None where it is only what another verb asks or wishes for."""
    if hedged or modal in ("might", "may", "could"):
        return Standing.SPECULATIVE
    if modal in ("would", "should", "must", "ought"):
        return Standing.SUPPOSED
    above: Token = verb
    for _ in range(8):
        marks = _marks(above)
        if marks & _CONDITIONS:
            return Standing.SUPPOSED
        if _taken_for_granted(above, marks):
            sure = _stands_apart(above) or (above.dep_ == "relcl" and _happened_to_a_known_thing(above))
            lost = not sure and _under_a_condition(above.head)
            return None if lost else Standing.ASSERTED
        if marks & _ASKING and above.dep_ in ("advcl", "ccomp", "pcomp"):
            return Standing.ASSERTED if _asks_only_why(above, marks) else None
        if above.dep_ == "advcl" and marks & _TEMPORAL:
            return None
        if above.dep_ == "ROOT":
            break
        if above.dep_ in ("ccomp", "xcomp", "pcomp") and above.i > above.head.i:
            judged = _embedded(above, verb)
            if judged is not Standing.ASSERTED:
                return judged
        above = above.head
    return Standing.ASSERTED


def _taken_for_granted(verb: Token, marks: set[str]) -> bool:
    """Reasons, contrasts and added relatives hold whatever the clause above them asks or wishes for."""
    if verb.dep_ == "relcl":
        before = next(iter(verb.subtree))
        return bool(before.i > 0 and before.nbor(-1).text == ",") or _happened_to_a_known_thing(verb)
    if verb.dep_ not in ("advcl", "ccomp", "pcomp"):
        return False
    if "now" in marks and "that" in marks:
        return True
    if marks == {"since"}:
        perfect = any(child.lower_ in ("have", "has", "'ve", "’ve") for child in verb.head.children)
        return not (perfect and verb.tag_ == "VBD")
    return verb.dep_ == "advcl" and bool(marks & _CAUSAL) and not marks & _ASKING


def _asks_only_why(verb: Token, marks: set[str]) -> bool:
    """ "I don't know why I have never sailed": the reason is open, the fact is not."""
    subject = subject_of(verb)
    done = verb.tag_ == "VBD" or (verb.tag_ == "VBN" and any(c.lower_ in ("have", "'ve", "’ve") for c in verb.children))
    return bool("why" in marks and done and subject is not None and subject.lower_ == "i")


def _stands_apart(verb: Token) -> bool:
    """ ", especially since I have signed the lease": the reason holds whatever is asked or supposed before it."""
    before = next(iter(verb.subtree))
    subject = subject_of(verb)
    own = subject is not None and (subject.lower_ in ("i", "we") or any(c.lower_ == "my" for c in subject.children))
    comma = any(before.i > back and before.nbor(-1 - back).text == "," for back in (0, 1))
    return own and comma and verb.tag_ in ("VBD", "VBN", "VBG")


def _happened_to_a_known_thing(verb: Token) -> bool:
    """ "the lamp that I bought in May": whatever is asked of the lamp, it was bought."""
    subject = subject_of(verb)
    if subject is None or subject.lower_ not in ("i", "we"):
        return False
    auxiliaries = {child.lower_ for child in verb.children if child.dep_ == "aux"}
    past = verb.tag_ == "VBD" or (verb.tag_ == "VBN" and bool(auxiliaries & {"have", "'ve", "’ve", "had", "'d"}))
    definite = any(
        child.dep_ == "poss" or child.lower_ in ("the", "that", "those", "this", "these")
        for child in verb.head.children
    )
    return past and definite and not any(child.dep_ == "neg" for child in verb.children)


def _under_a_condition(token: Token) -> bool:
    for _ in range(6):
        if _marks(token) & _CONDITIONS:
            return True
        if token.dep_ == "ROOT":
            return False
        token = token.head
    return False


def _embedded(inner: Token, verb: Token) -> Standing | None:
    """What a verb or adjective above makes of the clause that it governs."""
    outer = inner.head
    if outer.pos_ == "ADJ" or outer.lower_ in ("worried", "thrilled", "excited", "pleased", "relieved"):
        told = outer.lower_ in _FACTIVE_FEELINGS and inner.dep_ == "ccomp" and verb.tag_ in ("VBD", "VBN")
        return Standing.ASSERTED if told else None
    if inner.dep_ != "ccomp" or outer.pos_ != "VERB":
        return None
    lemma = lemma_of(outer)
    if lemma in _OPINION:
        return Standing.ASSERTED if _makes_up_their_mind(inner, outer) else Standing.SPECULATIVE
    denied = any(child.dep_ == "neg" for child in outer.children)
    factive = lemma in FACTIVE_VERBS or (lemma == "hear" and _news_of_their_own(inner, outer))
    return Standing.ASSERTED if factive and not denied else None


def _news_of_their_own(inner: Token, outer: Token) -> bool:
    """ "I heard that my sister has moved": what happened to the author's own people is told as a fact."""
    hearer, who = subject_of(outer), subject_of(inner)
    own = who is not None and any(c.dep_ == "poss" and c.lower_ in ("my", "our") for c in who.children)
    return own and inner.tag_ in ("VBD", "VBN") and hearer is not None and hearer.lower_ in ("i", "we")


def _makes_up_their_mind(inner: Token, outer: Token) -> bool:
    """ "I think I'll take the blue one" decides."""
    same = all((subject := subject_of(verb)) is not None and subject.lower_ == "i" for verb in (inner, outer))
    will = any(child.dep_ == "aux" and child.lower_ in ("will", "'ll", "’ll") for child in inner.children)
    return same and will and lemma_of(outer) in ("think", "guess", "decide", "figure")


def _marks(verb: Token) -> set[str]:
    """The words that join a subordinate clause to the one above it."""
    found = {child.lower_ for child in verb.children if child.dep_ in ("mark", "advmod") and child.i < verb.i}
    first = next(iter(verb.subtree))
    return found | ({first.lower_} if first.lower_ in _ASKING and verb.dep_ != "relcl" else set())
