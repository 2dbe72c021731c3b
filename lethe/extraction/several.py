"""Several things named at once, each a fact of its own: who speaks German and French and unlearns the one still speaks the other."""

from __future__ import annotations

import re
from dataclasses import replace

from lethe.extraction.values import canonical
from lethe.extraction.words import words
from lethe.records import Act, Candidate

# What holds of several holds of each; where names are never parts of one title ("plays Dungeons and Dragons").
_NAMES_HOLD_OF_EACH = words("speaks learns teaches knows works_with lives_with")
_THINGS_HOLD_OF_EACH = words("plays owns drives")
_NAME = r"[^\W\d_a-zß-ÿ][\w'’-]+(?: [^\W\d_a-zß-ÿ][\w'’-]+)?"
_NAMES = re.compile(rf"{_NAME}(?:, {_NAME})*,? and {_NAME}")
_THING = r"[a-z][\w'’-]+(?: [a-z][\w'’-]+)?"
_THINGS = re.compile(rf"{_THING}(?:, (?:the|an?) {_THING})*,? and (?:the|an?) {_THING}")
_BETWEEN = re.compile(r",? and |, ")
_ARTICLE = re.compile(r"\b(?:the|an?) $")


def each_of(said: Candidate) -> list[Candidate]:
    """One candidate a thing, where the claim ends with a list of complete names or of things with an article each."""
    head = said.claim.removesuffix(f"{said.object}.")
    if said.act is not Act.ASSERT or said.negated or said.replaces or head == said.claim:
        return [said]
    names = said.predicate in _NAMES_HOLD_OF_EACH and _NAMES.fullmatch(said.object)
    things = said.predicate in _THINGS_HOLD_OF_EACH and _THINGS.fullmatch(said.object) and _ARTICLE.search(head)
    if not (names or things):
        return [said]
    first, *others = _BETWEEN.split(said.object)
    bare = _ARTICLE.sub("", head)
    rest = [replace(said, object=canonical(part), claim=f"{bare}{part}.") for part in others]
    return [replace(said, object=first, claim=f"{head}{first}."), *rest]
