"""Requests in the middle of a sentence: "I use Blender, and please never use emoji." asks; nobody pleases anything in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lethe.extraction.words import words

_JOINED = r"(?:\s*[,;–—]\s*(?:and|but|so)\s+|\s*[;–—]\s*|\s+(?:and|but|so)\s+)"
_FROM_NOW_ON = r"(?:(?:from (?:now|today|here) on|in (?:the )?future|going forward|also|just|then)\s*,?\s+)?"
# What follows the verb "to please" is somebody; what follows the word of a request is what to do.
_TO_DO = (
    r"please,?\s+(?!(?:my|your|his|her|our|their|its|the|an?|me|us|him|them|you|it|this|that|these|those|every\w*|any\w*|no(?:body|\sone)|all|both|"
    r"some\w*|many|most|others?|people|\w*sel(?:f|ves)|i|we|he|she|they|(?-i:[A-Z]\w*)|(?!always)\w+[^su\W]s)\b)\w"
)
_ASKED = re.compile(rf"{_JOINED}(?={_FROM_NOW_ON}{_TO_DO})", re.IGNORECASE)
_ASKED_AFTER_A_COMMA = re.compile(rf"\s*,\s*(?={_FROM_NOW_ON}{_TO_DO})", re.IGNORECASE)
_CALLED = re.compile(rf"(?:{_JOINED}|\s*,\s*)(?=(?:just )?call me (?-i:[A-Z]))", re.IGNORECASE)
_OWN = re.compile(r"^(?:I|I['’](?:m|ve|d|ll)|we|we['’](?:re|ve)|my|our)\b", re.IGNORECASE)
_OF_MYSELF = re.compile(
    r"^(?:I|I['’](?:m|ve)|my (?:full |first |real )?name)\b(?!.*\b(?:who|that|which)\b)", re.IGNORECASE
)
_QUOTES = re.compile(
    r"\b(?:sa(?:id|ys?)|t(?:old|ells?)|wr(?:ote|ites?)|ask(?:s|ed)?|text(?:s|ed)|repl(?:ied|ies)|begged|begs|shout(?:s|ed))\b[^,;]*$",
    re.IGNORECASE,
)

_ADVERBS = words("always never also just only kindly then do not don't n't from now on")
_INSISTENT = words("always never don't do no")
_CALLING = words("call name address")


def joints_of_requests(sentence: str) -> Iterator[re.Match[str]]:
    """Where a statement ends and a request joins it: before "please" with something to do, before "call me" with a name."""
    for joint in _ASKED.finditer(sentence):
        if not _QUOTES.search(sentence[: joint.start()]):
            yield joint
    for joint in _ASKED_AFTER_A_COMMA.finditer(sentence):
        before = sentence[: joint.start()]
        if _OWN.match(before) and not _QUOTES.search(before):
            yield joint
    for joint in _CALLED.finditer(sentence):
        if _OF_MYSELF.match(sentence[: joint.start()]):
            yield joint


def is_request(verb: Any, subject: Any, tokens: list[Any]) -> bool:
    """The clause asks for something, whatever subject the parse lends it."""
    if any(_asks(token) for token in tokens) or (verb.i > 0 and any(_asks(t) for t in _just_before(verb))):
        return True
    if subject.lower_ not in ("i", "we") or verb.tag_ not in ("VB", "VBP", "NN"):
        return False
    to_me = any(
        c.lower_ in ("me", "us") and c.dep_ in ("dobj", "dative", "nsubj") and c.i > verb.i for c in verb.children
    )
    lent = subject.head.i != verb.i  # an imperative that took the subject of the clause before it
    return to_me and (lent or verb.lower_ in _CALLING)


def _just_before(verb: Any) -> Iterator[Any]:
    for place in range(verb.i - 1, -1, -1):
        token = verb.doc[place]
        yield token
        if token.lower_.replace("’", "'") not in _ADVERBS:
            return


def _asks(token: Any) -> bool:
    """A "please" before something to do or to leave; "to please" and "I please my guests" are the verb."""
    if token.lower_ != "please" or (token.i > 0 and token.nbor(-1).lower_ == "to"):
        return False
    following = [after for after in token.doc[token.i + 1 : token.i + 7] if after.text != ","]
    for after in following:
        if after.lower_.replace("’", "'") in _INSISTENT:
            return True
        if after.lower_.replace("’", "'") not in _ADVERBS:
            return after.tag_ in ("VB", "VBP")
    return False
