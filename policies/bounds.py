"""What narrows a statement: a time, a frequency, an amount, a condition, a matter. "Eats meat on Sundays" is no fuller
"eats meat": the one holds on Sundays alone.
"""

from __future__ import annotations

import re

from policies.grounds import word_set
from policies.likeness_forms import base
from policies.likeness_text import words_of

TIMES = frozenset(
    map(
        base,
        word_set(
            "monday tuesday wednesday thursday friday saturday sunday weekday weekend workday holiday january february march "
            "april june july august september october november december spring summer autumn winter morning noon afternoon evening "
            "night midnight today tonight tomorrow yesterday hourly daily weekly fortnightly monthly quarterly yearly annually "
            "once twice thrice christmas easter ramadan lent"
        ),
    )
)
AMOUNTS = frozenset(map(base, word_set("amount moderation portion quantity dose maximum minimum limited half partly")))
# Words that no paraphrase may lack.
BOUNDING = (
    TIMES
    | AMOUNTS
    | word_set(
        "when whenever if unless except until while during only sometimes occasionally rarely mostly mainly especially regarding "
        "concerning provided otherwise"
    )
)
_OPENS = word_set(
    "on at for about during while when whenever if unless except until before after within outside regarding concerning "
    "provided every each"
)
_LITTLE = word_set("me you us him her them it the a an my your our his their all any user assistant please time")


def narrows(word: str) -> bool:
    """Does this word alone tell that a statement is narrowed?"""
    return base(word) in BOUNDING


_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun|week|work|holi)day|weekend|morning|afternoon|evening|night"
_RECURS = re.compile(rf"\b(?:(?:every|each) (?:{_DAY})|(?:{_DAY})s)\b", re.IGNORECASE)


def recurs(claim: str) -> frozenset[str]:
    """The days or times of day, again and again, at which alone a claim holds: "on Fridays", "every morning"."""
    return frozenset(base(found[0].lower().split()[-1]) for found in _RECURS.finditer(claim))


def bounds(claim: str, value: str) -> frozenset[str]:
    """What a claim says beside its value that narrows it: "on Fridays", "about fires", "twice"."""
    within = {base(word) for word in words_of(value)}
    found: set[str] = set()
    opened = False
    for word in words_of(claim):
        stem = base(word)
        if stem in within or word in _LITTLE:
            continue
        opened = opened or word in _OPENS
        if stem in BOUNDING or (opened and word not in _OPENS):
            found.add(stem)
    return frozenset(found)
