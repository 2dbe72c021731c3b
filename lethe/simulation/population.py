"""A population that talks: what each person says on which day, and until when it is true.

Most of what people say is small talk, questions and requests. Of the rest, events stay true (they happened), facts and
preferences hold until the person says something else, and deadlines until their day.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

START = datetime(2026, 1, 1, 8, tzinfo=UTC)
FOREVER = datetime(9999, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def _words(text: str) -> list[str]:
    return text.split()


PLACES = _words("""Ghent Oulu Ribe Lund Bari Cork Graz Turku Varde Trier Delft Pilsen Bergen Tartu Nantes Porto Split
Krakow Basel Leuven Umea Vilnius Gdansk Trento""")
TRADES = _words("""surveyor joiner baker nurse printer welder gardener pilot archivist potter glazier brewer tailor
cooper mason librarian optician plumber""")
FIRMS = _words("Halden Corvid Ostler Brightwater Tamarack Juniper Wexford Larkspur Pellworth Sandgate Merrow Quillon")
COLOURS = _words("teal ochre crimson indigo olive amber violet maroon turquoise ivory scarlet lilac")
PHONES = ["Fairlight", "Nordtone", "Kestrel", "Pebblecom", "Vantage", "Solaris", "Wavecrest", "Truetone"]
THINGS = _words("""kayak telescope loom cello tandem beehive typewriter sidecar kiln ladder anvil trowel greenhouse
accordion canoe sextant lathe easel wheelbarrow harpsichord hammock barometer toboggan unicycle""")
SIGHTS = _words("""lighthouse windmill cathedral harbour museum observatory aqueduct orchard market castle library
arboretum""")
CHORES = ["gate", "bicycle", "roof", "fence", "boiler", "pump", "clock", "chair", "lamp", "window", "stove", "kettle"]
REPORTS = ["harbour", "roof", "budget", "safety", "travel", "garden", "survey", "archive"]
NOISE = [
    "Thanks, that helps a lot!",
    "Can you write a short poem about a {thing} for me?",
    "What would be a good way to get from {place} to the coast?",
    "Hmm, let me think about it and come back to you.",
    "Could you check this again? The numbers in row {number} do not add up.",
    "How long does it take to learn the {thing}?",
    "Good morning! How are you today?",
    "What is the weather usually like in {place} in spring?",
]


@dataclass(frozen=True, slots=True)
class Said:
    """One turn of a user. `slot`: what a question could ask for; empty for what is nothing to remember."""

    user: str
    turn: str
    session: str
    at: datetime
    text: str
    slot: str
    until: datetime

    def holds(self, at: datetime) -> bool:
        """Is it something, and still so at this time?"""
        return bool(self.slot) and self.at <= at < self.until


SLOTS: dict[str, tuple[list[str], list[str], str]] = {
    "home": (PLACES, ["I live in {}.", "I moved to {}."], "Where does the user live?"),
    "trade": (TRADES, ["I work as a {}.", "I work as a {} now."], "What does the user work as?"),
    "firm": (FIRMS, ["I work for {}.", "I now work for {}."], "Who does the user work for?"),
    "colour": (COLOURS, ["My favourite colour is {}."], "What is the user's favourite colour?"),
    "phone": (PHONES, ["My phone is a {}."], "Which phone does the user have?"),
}
QUESTIONS = {slot: question for slot, (_, _, question) in SLOTS.items()} | {
    "deadline": "When is the deadline for the user's report?",
    "event": "What did the user visit or repair lately?",
    "thing": "What does the user own?",
}


@dataclass(slots=True)
class _Person:
    """One user in the making."""

    user: str
    chance: random.Random
    said: list[Said] = field(default_factory=list)
    holds: dict[str, int] = field(default_factory=dict)
    used: dict[str, set[str]] = field(default_factory=dict)

    def say(self, at: datetime, text: str, slot: str = "", until: datetime = FOREVER) -> None:
        number = len(self.said)
        session = f"{self.user}-{at:%Y%m%d}"
        moment = at + timedelta(minutes=3 * number % 600)
        self.said.append(Said(self.user, f"{self.user}-t{number}", session, moment, text, slot, until))

    def tell(self, at: datetime, slot: str) -> None:
        """Say what a slot is from now on; what was said of it before no longer holds."""
        values, forms, _ = SLOTS[slot]
        known = self.used.setdefault(slot, set())
        value = self.chance.choice([each for each in values if each not in known] or values)
        known.add(value)
        form = forms[0] if slot not in self.holds else forms[-1]
        self.ends(slot, at)
        self.say(at, form.format(value), slot)
        self.holds[slot] = len(self.said) - 1

    def ends(self, slot: str, at: datetime) -> None:
        if slot in self.holds:
            old = self.said[self.holds[slot]]
            self.said[self.holds[slot]] = Said(old.user, old.turn, old.session, old.at, old.text, old.slot, at)


def population(users: int, days: int, seed: int) -> list[Said]:
    """Everything that so many users say in so many days, in order of time. The same seed gives the same words."""
    everything: list[Said] = []
    for number in range(users):
        person = _Person(f"u{number}", random.Random(f"{seed}-{number}"))
        for day in range(days):
            _live(person, START + day * DAY, day)
        everything += person.said
    return sorted(everything, key=lambda said: (said.at, said.turn))


def _live(person: _Person, at: datetime, day: int) -> None:
    chance = person.chance
    if day == 0:
        person.say(at, "Please always answer in short sentences.", "style")
        for slot in SLOTS:
            person.tell(at, slot)
    for slot in SLOTS:
        if day and chance.random() < 1 / 120:
            person.tell(at, slot)
    for text, slot, until in _week(chance, at):
        person.say(at, text, slot, until)


def _week(chance: random.Random, at: datetime) -> Iterator[tuple[str, str, datetime]]:
    """What comes up some days of a week: events, things, deadlines, and much that is nothing to remember."""
    place, thing = chance.choice(PLACES), chance.choice(THINGS)
    if chance.random() < 0.3:
        yield f"Yesterday I visited the {chance.choice(SIGHTS)} in {place}.", "event", FOREVER
    if chance.random() < 0.15:
        yield f"Last Saturday I repaired the {chance.choice(CHORES)} of my neighbour in {place}.", "event", FOREVER
    if chance.random() < 0.07:
        yield f"I own a {thing} from {place}.", "thing", FOREVER
    if chance.random() < 0.03:
        due = (at + timedelta(days=chance.randint(5, 40))).replace(hour=0)
        yield f"The deadline for my {chance.choice(REPORTS)} report is {due:%Y-%m-%d}.", "deadline", due + DAY
    for _ in range(chance.choice((0, 1, 1, 2))):
        yield chance.choice(NOISE).format(place=place, thing=thing, number=chance.randint(2, 90)), "", FOREVER
