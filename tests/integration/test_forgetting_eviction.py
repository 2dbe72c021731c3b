"""The cap of a user: who makes room, and who never has to."""

from __future__ import annotations

import pytest
from sqlalchemy.engine import Engine

from lethe.keys import Keyring
from lethe.rules import Rules
from policies.policy import parse
from tests.integration.forgetting_line import days, history, in_force, keep, keep_many, run, states
from tests.integration.line import Line
from workers import wiring

CAP = 25


@pytest.fixture
def line(engine: Engine, keys: Keyring) -> Line:
    """A line whose policy lets a user have 25 memories."""
    small: Rules = wiring.bind(parse(f"[cap]\nper_user = {CAP}", "small", base=wiring.default_text()))
    return Line(engine, small, keys)


def evicted(line: Line) -> set[str]:
    return {value for value, state in states(line).items() if state == "archived"}


def test_a_user_above_the_cap_comes_down_to_it(line: Line) -> None:
    keep_many(line, 28)
    report = run(line, "evict", days(40))
    assert (report["due"], report["changed"]) == (3, {"evicted": 3})
    assert in_force(line) == CAP


def test_whoever_is_within_the_cap_is_not_looked_at(line: Line) -> None:
    keep_many(line, CAP)
    assert run(line, "evict", days(40))["tenants"] == 0


def test_one_users_volume_costs_another_nothing(line: Line) -> None:
    keep(line, "tea", turn={"user": "u2"}, importance=0.0, confidence=0.8)
    keep_many(line, 28)
    run(line, "evict", days(40))
    assert states(line)["tea"] == "admitted"


def test_the_cap_counts_all_scopes_of_a_user(line: Line) -> None:
    keep_many(line, CAP - 1)
    for number in range(3):
        keep(line, f"plan{number}", turn={"project": "billing"})
    assert run(line, "evict", days(40))["changed"] == {"evicted": 2}


def test_what_was_just_written_and_never_read_is_not_first_to_go(line: Line) -> None:
    keep_many(line, CAP)
    line.now = days(100)
    keep(line, "new", day=100, importance=0.0, confidence=0.8)
    run(line, "evict", days(101))
    assert len(evicted(line)) == 1
    assert "new" not in evicted(line)


def test_instructions_and_pinned_memories_are_the_last_to_go(line: Line) -> None:
    keep(line, "formal", kind="instruction", importance=0.0)
    pinned = keep(line, "anchor", importance=0.0)
    _pin(line, pinned)
    keep_many(line, CAP)
    run(line, "evict", days(500))
    assert len(evicted(line)) == 2
    assert not {"formal", "anchor"} & evicted(line)


def test_an_eviction_is_told_and_can_be_taken_back(line: Line) -> None:
    from lethe.lifecycle.forgetting.keeping import restore

    keep(line, "weak", importance=0.0, confidence=0.8)
    keep_many(line, CAP)
    run(line, "evict", days(40))
    (weak,) = [row["memory"] for row in line.memories() if row["object"] in evicted(line)]
    assert history(line, weak)[-1] == ("archived", "cap")
    assert restore(line.engine, line.tenant, weak, line.rules, days(41))["state"] == "admitted"
    assert in_force(line) == CAP + 1


def test_far_above_the_cap_the_job_asks(line: Line) -> None:
    keep_many(line, 2 * CAP)
    report = run(line, "evict", days(40))
    assert report["changed"] == {}
    assert report["asks"][0]["would_retire"] == CAP
    assert run(line, "evict", days(40), force=True)["changed"] == {"evicted": CAP}


def test_a_dry_run_of_the_night_counts_what_expires_before_it_evicts(line: Line) -> None:
    for number in range(3):
        keep(line, f"trip{number}", kind="episodic")
    keep_many(line, 24)
    dry = run(line, "nightly", days(400), dry_run=True)
    real = run(line, "nightly", days(400))
    assert dry["changed"] == real["changed"]
    assert real["changed"]["expired"] == 3
    assert "evicted" not in real["changed"]


def _pin(line: Line, memory: str) -> None:
    from lethe.lifecycle.forgetting.keeping import pin

    pin(line.engine, line.tenant, memory, line.rules, line.now)
