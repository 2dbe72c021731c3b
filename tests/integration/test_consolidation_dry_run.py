"""A dry run shows what the run then does, and changes nothing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.engine import Engine

from lethe.keys import Keyring
from lethe.lifecycle.consolidation import finding
from lethe.rules import Rules
from policies.policy import parse
from tests.integration.merging_line import MergingLine
from tests.integration.test_consolidation import CHOIR, HORN
from tests.integration.test_consolidation_afterwards import outcomes
from tests.integration.test_consolidation_property import TALK, fresh, one_database, quick, said  # noqa: F401
from workers import wiring

ODALYS = "I play the horn in the Redmoor brass band with Isolde and Odalys."


@pytest.fixture
def line(engine: Engine, rules: Rules, keys: Keyring) -> MergingLine:
    return MergingLine(engine, rules, keys)


def told(found: dict[str, Any]) -> dict[str, Any]:
    """What a run says that it does, without the names of what only the real one makes."""
    groups = [
        (each["sort"], each["claims"], each["claim"], each["refused"], each["detail"]) for each in found["groups"]
    ]
    kept = ("looked_at", "merged", "refused", "proposed", "patterns", "taken_apart", "transform")
    return {"groups": groups, **{name: found[name] for name in kept}}


def agree(line: MergingLine, **fields: Any) -> dict[str, Any]:
    before = line.tables()
    marked = line.execute("select * from unconsolidated order by memory")
    would = line.consolidate(dry_run=True, **fields)
    assert line.tables() == before and line.execute("select * from unconsolidated order by memory") == marked
    assert would["consolidation"] is None and all(each["output"] is None for each in would["groups"])
    found = line.consolidate(**fields)
    assert told(would) == told(found)
    return found


def test_groups_and_refusals_are_shown_before(line: MergingLine) -> None:
    line.says(*HORN, *CHOIR)
    assert agree(line)["merged"] == 2
    assert agree(line)["merged"] == 0


def test_suggestions_are_shown_before(line: MergingLine) -> None:
    outcomes(line, *["the Harbour Street address"] * 9, "the Mill Lane address")
    [pattern] = agree(line)["patterns"]
    assert (pattern["times"], pattern["of"]) == (9, 10)
    assert agree(line)["patterns"] == []


@pytest.mark.parametrize("page", [1, 2, 500])
def test_what_another_version_would_redo_is_shown_before(
    line: MergingLine, page: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    line.says(*HORN, *CHOIR)
    first = line.consolidate()
    line.take(line.turn("more", ODALYS, 20))
    line.consolidate()
    monkeypatch.setattr(finding, "PAGE", page)
    found = agree(line, since_version=first["transform"])
    assert len(found["taken_apart"]) == 3 and found["merged"] >= 2


def test_what_the_rules_of_now_have_merged_is_not_done_again(line: MergingLine, engine: Engine, keys: Keyring) -> None:
    line.says(*HORN, *CHOIR)
    old = line.consolidate(user="u1")
    policy = old["groups"][0]["output"] and line.consolidations()[0]["policy"]
    other = wiring.bind(parse("[consolidation]\nneighbours = 19", "other", base=wiring.default_text()))
    changed = MergingLine(engine, other, keys)
    changed.now = line.now
    assert len(agree(changed, since_version=policy)["taken_apart"]) == 2
    again = agree(changed, since_version=policy)
    assert again["taken_apart"] == [] and again["merged"] == 0, "an interrupted one goes on"


@quick
@given(some=st.lists(st.sampled_from(range(len(TALK))), min_size=3, max_size=12, unique=True), page=st.integers(1, 4))
def test_of_random_stores_a_dry_run_and_a_run_say_the_same(
    one_database: Engine,  # noqa: F811
    rules: Rules,
    some: list[int],
    page: int,
) -> None:
    line = fresh(one_database, rules)
    line.take(*(said(line, number) for number in some))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(finding, "PAGE", page)
        first = agree(line)
        agree(line, since_version=first["transform"])
