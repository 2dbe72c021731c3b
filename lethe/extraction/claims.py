"""Word a clause as a claim: the author in the third person, names and numbers verbatim, relative dates resolved."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lethe.extraction.predicates import is_base_form, third_person
from lethe.extraction.sentences import quotation_marks
from lethe.extraction.words import words

Token = Any  # spacy.tokens.Token; spaCy ships without usable types

_PRONOUNS = words("i me my mine myself we us our ours ourselves you your yours yourself yourselves")
# What may stand around a sentence or a value; not the sign of a number ("-5") or of a short value ("AB-").
_EDGES = re.compile(r"^(?:[ ,;:—!?…]|[-–](?!\.?\d)|\.(?!\d))+|(?:[ ,;:–—.!?…]|(?<!\b[A-Z])(?<!\b[A-Z][A-Z0-9])-)+$")
_BASE_TAGS = frozenset({"VB", "VBP", "NN", "NNP", "NNS", "JJ"})
_BASE_IN_S = words("focus bias bus canvas nonplus")
_CONTRACTED = {
    "ca": "can",
    "wo": "will",
    "sha": "shall",
    "n't": "not",
    "'ll": "will",
    "'ve": "has",
    "'m": "is",
    "'re": "is",
}


@dataclass(frozen=True, slots=True)
class Voices:
    """Who the pronouns of a turn stand for."""

    me: str = "the user"
    you: str = "the assistant"
    us: str = "the user and others"
    ours: str = "the user's"
    yours: str = ""
    these: Mapping[str, str] = field(default_factory=dict)  # "this project" -> "project heron"


def bare(text: str) -> str:
    """A text without the punctuation around it."""
    return _EDGES.sub("", text)


def sentence(tokens: Sequence[Token], voices: Voices, put: Mapping[int, str] | None = None) -> str:
    """The tokens as one sentence with a capital and a full stop. `put`: token index -> text to stand there instead."""
    text = bare(phrase(tokens, voices, put))
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def phrase(tokens: Sequence[Token], voices: Voices, put: Mapping[int, str] | None = None) -> str:
    """The tokens as running text, with pronouns and the verbs that agree with them rewritten."""
    out: list[str] = []
    for place, token in enumerate(tokens):
        word = put[token.i] if put and token.i in put else _word(token, voices)
        if not word:
            continue
        glued = (
            word[0] in ",.;:!?)%"
            or word in ("'s", "’s", "-")
            or (out and out[-1].endswith(("(", "-", "/", "$", "€", "£", "#")))
        )
        previous = tokens[place - 1] if place else None
        apart = previous is not None and (previous.i + 1 != token.i or previous.whitespace_ or _stretched(token))
        if out and apart and not (glued and previous is not None and not previous.whitespace_):
            out.append(" ")
        out.append(word)
    text = " ".join("".join(out).split())
    for said, meant in voices.these.items():
        text = text.replace(said, meant)
    return text.replace(" ,", ",").replace(",,", ",").replace("can not ", "cannot ")


def _stretched(token: Token) -> bool:
    """True where a contraction is written out, so that it needs a space of its own."""
    lower = token.lower_.replace("’", "'")
    return lower in ("n't", "'ll", "'ve", "'m", "'re", "'d") or (lower == "'s" and token.pos_ in ("AUX", "VERB"))


def _word(token: Token, voices: Voices) -> str:
    lower = token.lower_.replace("’", "'")
    if (lower in _PRONOUNS and _in_a_title(token)) or _inside_quotation_marks(token):
        return str(token.text)
    if lower in ("i", "me"):
        return voices.me
    if lower in ("my", "mine"):
        return f"{voices.me}'s"
    if lower == "myself":
        return "themselves"
    if lower in ("we", "us"):
        return voices.us
    if lower in ("our", "ours"):
        return voices.ours
    if lower == "ourselves":
        return "themselves"
    if lower == "you":
        return voices.you
    if lower in ("your", "yours"):
        return voices.yours or f"{voices.you}'s"
    if lower in ("yourself", "yourselves"):
        return "itself" if voices.you == "the assistant" else "themselves"
    return _verb(token, lower, voices)


def _inside_quotation_marks(token: Token) -> bool:
    return quotation_marks(token.doc.text[: token.idx]) % 2 == 1


def _in_a_title(token: Token) -> bool:
    """ "World War I" and "The Last of Us" are no first person."""
    if token.i == 0 or token.nbor(-1).is_punct or token.is_sent_start:
        return False
    if token.text != "I":
        return bool(token.text[:1].isupper()) and len(token.text) > 1
    if token.nbor(-1).tag_ not in ("NNP", "NNPS"):
        return False
    last = token.i + 1 == len(token.doc)
    return token.dep_ not in ("nsubj", "nsubjpass") or last or token.nbor().pos_ in ("NOUN", "PROPN", "ADP", "PUNCT")


def _verb(token: Token, lower: str, voices: Voices) -> str:
    plural = agreement(token, voices)
    if lower == "'d":
        follower = next((right for right in token.head.children if right.i > token.i and right.tag_ == "VBN"), None)
        return "had" if token.head.tag_ == "VBN" or follower is not None else "would"
    if lower == "n't":
        return "not"
    if lower in ("ca", "wo", "sha") and token.i + 1 < len(token.doc) and token.nbor().lower_.replace("’", "'") == "n't":
        return _CONTRACTED[lower]
    if lower == "'ll":
        return "will"
    if plural is None:
        return (
            {"'ve": "have", "'re": "are", "'m": "is"}.get(lower, str(token.text))
            if lower.startswith("'")
            else str(token.text)
        )
    if lower in ("am", "are", "'m", "'re"):
        return "are" if plural else "is"
    if lower == "were" and not plural:
        return "was"
    if lower == "'ve":
        return "have" if plural else "has"
    titled = token.text[:1].isupper() and not token.is_sent_start
    noun = lower.endswith("s") and not lower.endswith("ss") and lower not in _BASE_IN_S  # taken for a verb
    if plural or titled or noun or token.tag_ == "MD" or not (token.tag_ in _BASE_TAGS or is_base_form(token)):
        return str(token.text)
    return third_person(str(token.text))


def agreement(token: Token, voices: Voices) -> bool | None:
    """None: the verb agrees with no rewritten pronoun. Else whether its rewritten subject is plural ("we")."""
    if token.pos_ not in ("VERB", "AUX") and token.dep_ not in ("ROOT", "conj", "relcl", "advcl", "ccomp"):
        return None
    verb = token
    if token.dep_ in ("aux", "auxpass"):
        verb = token.head
        auxiliaries = [child for child in verb.children if child.dep_ in ("aux", "auxpass") and child.tag_ != "TO"]
        if not auxiliaries or auxiliaries[0].i != token.i or token.tag_ == "MD":
            return None
    elif (
        any(child.dep_ in ("aux", "auxpass") for child in verb.children)
        or _is_past(token)
        or _after_a_modal(verb)
        or of_an_infinitive(verb)
    ):
        return None
    subject = subject_of(verb)
    if subject is None or subject.lower_ not in ("i", "we", "you"):
        return None
    joined = any(child.dep_ == "conj" for child in subject.children) or subject.dep_ == "conj"
    return (subject.lower_ == "we" and " and " in voices.us) or joined


def _after_a_modal(verb: Token) -> bool:
    """ "I will wash and dry it": the second verb shares the auxiliary of the first and keeps its form."""
    while verb.dep_ == "conj" and verb.tag_ in ("VB", "VBP") and verb.head.pos_ in ("VERB", "AUX"):
        if any(child.dep_ in ("nsubj", "nsubjpass") for child in verb.children):
            return False
        verb = verb.head
        if any(
            child.dep_ == "aux" and (child.tag_ == "MD" or child.lower_ in ("do", "did")) for child in verb.children
        ):
            return True
    return False


def of_an_infinitive(verb: Token) -> bool:
    """ "took part …, where we had to write, and edit a film": a bare form is no fellow of a past one, wherever it hangs."""
    if verb.dep_ != "conj" or verb.tag_ != "VB" or not is_base_form(verb):
        return False
    if any(c.dep_ in ("nsubj", "nsubjpass", "aux") for c in verb.children):
        return False
    above = verb.head
    return above.tag_ == "VBD" and not is_base_form(above) and not any(c.dep_ == "aux" for c in above.children)


def _is_past(token: Token) -> bool:
    if token.lower_ == "were" or token.tag_ not in ("VBD", "VBN", "VBG", "MD", "VBZ"):
        return False
    return not (token.tag_ == "VBD" and is_base_form(token))


def subject_of(verb: Token) -> Token | None:
    """The verb's subject, its own or the one it shares as a further member of a series."""
    for _ in range(6):
        own = next((child for child in verb.children if child.dep_ in ("nsubj", "nsubjpass", "expl", "csubj")), None)
        if own is not None:
            return own
        if verb.dep_ != "conj" or verb.head.pos_ not in ("VERB", "AUX"):
            return None
        if any(child.dep_ == "aux" and child.tag_ == "TO" for child in verb.children):
            return None
        verb = verb.head
    return None
