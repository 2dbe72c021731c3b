"""Made-up conversations for measuring: statements, questions, thanks and long assistant answers, mixed as people mix them."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

from lethe import clock

PLACES = ["Ghent", "Oulu", "Ribe", "Lund", "Bari", "Cork", "Graz", "Turku", "Varde", "Trier", "Delft", "Pilsen"]
THINGS = ["kayak", "cello", "greenhouse", "tandem", "loom", "telescope", "beehive", "typewriter", "sidecar", "kiln"]
WORK = ["baker", "surveyor", "nurse", "joiner", "pilot", "gardener", "printer", "teacher", "welder", "archivist"]
SAID = [
    "I live in {place}.",
    "I work as a {work} and I own a {thing}.",
    "By the way, my {thing} is stored in a shed near {place}.",
    "I prefer trains to planes when I travel to {place}.",
    "Please always answer in short sentences when I ask about the {thing}.",
    "Last Saturday I sold my {thing} to a {work} from {place}.",
]
EMPTY = [
    "Thanks, that helps a lot!",
    "Can you write a short poem about a {thing} for me?",
    "What would be a good way to get from {place} to the coast?",
    "Hmm, let me think about it and come back to you.",
    "Could you check this again: the numbers in row four do not add up to the total, I think.",
    "How long does it take to learn the {thing}?",
]
ANSWER = "Here is one way to go about it. First look at the {thing}, then ask a {work} in {place} for advice. " * 6


def turns(count: int, *, seed: int = 1, tenant: str = "bench") -> list[dict[str, Any]]:
    """`count` turns: half the user's (one in five says something to keep), half the assistant's; 40 a session."""
    chance = random.Random(seed)
    start = clock.now() - timedelta(minutes=count + 10)
    made = []
    for number in range(count):
        author = "assistant" if number % 2 else "user"
        form = ANSWER if number % 2 else chance.choice(SAID if chance.random() < 0.2 else EMPTY)
        text = form.format(place=chance.choice(PLACES), thing=chance.choice(THINGS), work=chance.choice(WORK))
        made.append(
            {
                "tenant": tenant, "user": f"u{number // 400}", "session": f"s{number // 40}", "turn": f"t{number}",
                "author": author, "text": text, "observed_at": (start + timedelta(minutes=number)).isoformat(),
            }
        )  # fmt: skip
    return made
