"""What must be seen of a few people: each client holds some of them, so that it knows what every answer has to be.

A record is a thing of a person and what it is called. It has a version for each time that it was told or corrected; forgetting
the newest makes the one before it current again.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

THINGS = (
    "boat", "dog", "cat", "horse", "canary", "tortoise", "parrot", "goat", "donkey", "sailing club", "bakery", "allotment",
)  # fmt: skip
_numbers = itertools.count(1)


class Wrong(AssertionError):
    """An answer was not what it must be."""


def must(holds: bool, what: str) -> None:
    """Raises Wrong unless it holds."""
    if not holds:
        raise Wrong(what)


def new_name(rolled: random.Random) -> str:
    """A name that nobody else has."""
    parts = ("BDFGKLMNPRTVZ", "aeiou", ("lb", "rv", "nd", "mp"), "aeiou", "bdgkmprtvz", "aeiou", ("rk", "xt", "lm"))
    return "".join(rolled.choice(part) for part in parts) + str(next(_numbers))


@dataclass(slots=True)
class Record:
    """`versions`: (memory, name), the newest last; `told`: the turn and session that the first rests on."""

    thing: str
    told: tuple[str, str]
    versions: list[tuple[str, str]] = field(default_factory=list)
    pins: list[str] = field(default_factory=list)

    @property
    def memory(self) -> str:
        return self.versions[-1][0]

    @property
    def question(self) -> str:
        return f"What is the {self.thing} called?"


@dataclass(slots=True)
class Person:
    """A user with the records that stand now, and every name that was forgotten."""

    name: str
    records: dict[str, Record] = field(default_factory=dict)
    forgotten: set[str] = field(default_factory=set)

    def current(self) -> set[str]:
        """The memories that must be seen."""
        return {record.memory for record in self.records.values()}

    def free(self) -> list[str]:
        return [thing for thing in THINGS if thing not in self.records]

    def check(self, envelopes: Iterable[dict[str, Any]], *, whole: bool) -> None:
        """Every memory is one that must be seen, under the name that it has now; `whole`: all of them are there."""
        names = {record.memory: record.versions[-1][1] for record in self.records.values()}
        seen = {each["memory"]: each["claim"] for each in envelopes}
        must(seen.keys() <= names.keys(), f"{self.name}: something that must not be seen")
        must(all(names[memory] in claim for memory, claim in seen.items()), f"{self.name}: another name than it has")
        must(not whole or seen.keys() == names.keys(), f"{self.name}: something is missing")

    def drop(self, record: Record) -> None:
        """The newest version was forgotten."""
        self.forgotten.add(record.versions.pop()[1])
        record.pins.clear()
        if not record.versions:
            del self.records[record.thing]
