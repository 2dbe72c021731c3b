"""The quota of a turn goes by what was proposed of it, whatever was proposed or judged first."""

from __future__ import annotations

import random

import pytest
from sqlalchemy.engine import Engine

from lethe.keys import Keyring
from lethe.rules import Rules
from tests.integration.line import Line

TOWNS = [f"Kelvoo{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]


@pytest.fixture
def line(engine: Engine, rules: Rules, keys: Keyring) -> Line:
    return Line(engine, rules, keys)


def test_any_order_of_proposals_leaves_the_same_ones_within_the_quota(line: Line, rules: Rules) -> None:
    ends = []
    for seed in range(4):
        source = line.turn(f"t{seed}", f"I have visited {', '.join(TOWNS)}.", session=f"s{seed}", user=f"u{seed}")
        items = [line.proposal(source, "visited", town, cardinality="many") for town in TOWNS]
        random.Random(seed).shuffle(items)
        line.push(source)
        if seed % 2:
            line.drain()
        for start in range(0, len(items), 1 + 3 * seed):
            line.propose(*items[start : start + 1 + 3 * seed])
            line.judge()
        line.drain()
        refused = [reasons for _, reasons in line.reasons(f"t{seed}") if "turn_quota" in reasons]
        kept = [row for row in line.memories(user=f"u{seed}") if row["predicate"] == "visited"]
        ends.append((len(kept), len(refused)))
    assert len(set(ends)) == 1, ends
    assert 0 < ends[0][0] <= rules.turn_quota
