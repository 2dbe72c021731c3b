"""Parts of speech and base forms from the tagger's tags: what the model's attribute ruler and lemmatizer say, remembered.

The two take a third of a parse, and say the same again for the same word under the same tag.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

MOST_REMEMBERED = 10_000  # words, 3 MB; beyond it the memory starts anew

# What the ruler's patterns of two words say, by the two words.
_FIRST_OF_TWO = {("gon", "na"): "go", ("c'm", "on"): "come", ("ai", "n't"): "be", ("ai", "nt"): "be"}
_SECOND_OF_TWO = {("gon", "na"): "to", ("got", "ta"): "to", ("let", "'s"): "us"}
_IS = frozenset({"is", "are", "was", "were", "'s", "'re"})


class Tags:
    """Stands in the place of the attribute ruler and the lemmatizer, and goes by the rules of both."""

    def __init__(self, ruler: Any, lemmatizer: Any) -> None:
        self._rules = [
            (pattern["patterns"][0][0], pattern["attrs"])
            for pattern in ruler.patterns
            if len(pattern["patterns"][0]) == 1
        ]
        self._lemmatizer = lemmatizer
        self._words = _words_of([constraints for constraints, _ in self._rules])
        self._ruled: dict[tuple[str, int, int], dict[str, str]] = {}
        self._known: dict[tuple[int, int, int], tuple[int, int]] = {}

    def __call__(self, document: Any) -> Any:
        """The document, each token with its part of speech and its base form."""
        known = self._known
        if len(known) > MOST_REMEMBERED:
            known.clear()
        previous = None
        for token in document:
            key = (token.orth, token.tag, token.dep)
            found = known.get(key)
            if found is None:
                found = known[key] = self._look_up(token)
            token.pos, token.lemma = found
            if previous is not None:
                _in_a_pair(previous, token)
            previous = token
        return document

    def _look_up(self, token: Any) -> tuple[int, int]:
        lower = " " if token.is_space else token.lower_
        kind = (lower if lower in self._words else "", token.tag, token.dep)
        said = self._ruled.get(kind)
        if said is None:
            said = self._ruled[kind] = self._rule(token)
        token.pos_ = said.get("POS", token.pos_)
        token.set_morph(said.get("MORPH", ""))
        lemma = said.get("LEMMA") or self._lemmatizer.rule_lemmatize(token)[0]
        if lemma == "got":
            lemma = "get"  # the lemmatizer's table knows it as a main verb alone
        return int(token.pos), int(token.vocab.strings.add(lemma))

    def _rule(self, token: Any) -> dict[str, str]:
        said: dict[str, str] = {}
        for constraints, attributes in self._rules:
            if all(_holds(name, wanted, token) for name, wanted in constraints.items()):
                said.update(attributes)
        return said


def _words_of(constraints: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """Every word that a rule names, and a space for the rules about spaces."""
    named = [rule["LOWER"] for rule in constraints if "LOWER" in rule]
    listed = [[word] if isinstance(word, str) else [*word.get("IN", []), *word.get("NOT_IN", [])] for word in named]
    return frozenset([" ", *(word for words in listed for word in words)])


def _in_a_pair(previous: Any, token: Any) -> None:
    """What depends on the word before: "there is", "gonna"."""
    if previous.dep_ == "expl" and token.lower_ in _IS:
        token.pos_ = "VERB"
    elif token.lower_ in ("na", "ta", "'s", "on", "n't", "nt"):
        pair = (previous.lower_, token.lower_)
        previous.lemma_ = _FIRST_OF_TWO.get(pair, previous.lemma_)
        token.lemma_ = _SECOND_OF_TWO.get(pair, token.lemma_)


def _holds(name: str, wanted: Any, token: Any) -> bool:
    actual = {"TAG": token.tag_, "LOWER": token.lower_, "DEP": token.dep_, "IS_SPACE": token.is_space}[name]
    return _fits(wanted, actual) if isinstance(wanted, Mapping) else bool(actual == wanted)


def _fits(wanted: Mapping[str, Any], actual: Any) -> bool:
    within: Sequence[str] | None = wanted.get("IN")
    without: Sequence[str] | None = wanted.get("NOT_IN")
    pattern: str | None = wanted.get("REGEX")
    return not (
        (within is not None and actual not in within)
        or (without is not None and actual in without)
        or (pattern is not None and not re.search(pattern, str(actual)))
    )
