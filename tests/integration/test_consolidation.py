"""Consolidation on a real database: what is merged, what it carries, and the way back."""

from __future__ import annotations

import pytest
from sqlalchemy.engine import Engine

from lethe.keys import Keyring
from lethe.rules import Rules
from tests.integration.merging_line import MergingLine

HORN = (
    "I play the horn in a brass band.",
    "I play the horn in the Redmoor brass band.",
    "I play the horn in the Redmoor brass band with Isolde.",
)
CHOIR = (
    "I sing in the Millbrook choir.",
    "I sing in the Millbrook choir alongside Ottoline.",
    "I sing in the Millbrook choir with Wilhelmina.",
)
FULLEST = "The user plays the horn in the Redmoor brass band with Isolde."


@pytest.fixture
def line(engine: Engine, rules: Rules, keys: Keyring) -> MergingLine:
    return MergingLine(engine, rules, keys)


def test_what_says_more_about_one_thing_becomes_one_memory(line: MergingLine) -> None:
    line.says(*HORN)
    found = line.consolidate()
    [group] = found["groups"]
    assert group["output"]["claim"] == FULLEST and group["refused"] is None
    assert line.current() == [FULLEST]
    assert group["output"]["evidence"] == ["t0", "t1", "t2"]
    assert sorted(group["output"]["derived_from"]) == sorted(group["inputs"])


def test_revert_puts_every_row_back(line: MergingLine) -> None:
    line.says(*HORN, "I keep two donkeys.")
    before = line.tables()
    found = line.consolidate()
    assert line.tables() != before
    line.later(days=3)
    answer = line.revert(found["consolidation"])
    assert sorted(answer["restored"]) == sorted(found["groups"][0]["inputs"])
    assert answer["withdrawn"] == [found["groups"][0]["output"]["memory"]] and answer["not_restored"] == []
    assert line.tables() == before


def test_consolidating_again_changes_nothing_more(line: MergingLine) -> None:
    line.says(*HORN, *CHOIR)
    line.consolidate()
    before = line.tables()
    assert line.consolidate()["groups"] == []
    assert line.tables() == before


def test_details_of_several_are_united(line: MergingLine) -> None:
    line.says(*CHOIR)
    line.consolidate()
    [claim] = line.current()
    assert all(word in claim for word in ("Millbrook", "alongside Ottoline", "with Wilhelmina"))


def test_an_output_and_its_inputs_are_never_handed_out_together(line: MergingLine) -> None:
    line.says(*HORN)
    line.consolidate()
    assert [each["claim"] for each in line.recalls("Which instrument does the user play?", k=10)] == [FULLEST]
