"""Names of predicates and subjects as the rest of Lethe knows them: the table of lethe/extraction/predicates.py decides."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from lethe.extraction.predicates import PREDICATES, Predicate, predicate_for

_BY_NAME = {row.name: row for row in reversed(PREDICATES) if not row.negative}
_SELF = frozenset({"user", "the user", "i", "me", "myself", "author", "the author", "speaker"})
_ALSO = {"residence": "lives_in", "home_city": "lives_in", "location": "lives_in", "employer": "works_for", "job": "occupation",
         "profession": "occupation", "full_name": "name", "timezone": "time_zone"}  # fmt: skip


def subject_name(given: str, speaker: str | None) -> str:
    """ "user" for every way of naming the turn's author; else the name as given."""
    plain = given.strip()
    if plain.casefold() in _SELF or (speaker and plain.casefold() == speaker.casefold()):
        return "user"
    return re.sub(r"^(?:the|The) (?=user's |project |team)", "", plain)


def predicate_name(given: str) -> str:
    """In snake_case, letters of any script kept; empty where there is no letter."""
    plain = unicodedata.normalize("NFKC", given).casefold()
    name = re.sub(r"[\W_]+", "_", plain).strip("_")[:100]
    return _ALSO.get(name, name)


def canonical(name: str, subject: str) -> Predicate | None:
    """The row of the table that a predicate's name means ("resides_in", "lives_in" -> lives_in), or None. Verbs are looked up
    for the user alone: a meeting that "moved to Friday" does not live there."""
    known = _BY_NAME.get(name)
    if known or subject != "user":
        return known
    verb, _, preposition = name.partition("_")
    for base in _bases(verb):
        row = predicate_for(base, preposition or None)
        if row is not None:
            return row
    return None


def _bases(verb: str) -> Iterator[str]:
    """The forms of which a verb may be an inflection, the verb itself first."""
    yield verb
    for ending, base in (
        ("ies", "y"),
        ("es", ""),
        ("s", ""),
        ("ed", ""),
        ("d", ""),
        ("ied", "y"),
        ("ing", ""),
        ("ing", "e"),
    ):
        if verb.endswith(ending) and len(verb) > len(ending) + 1:
            yield verb.removesuffix(ending) + base
