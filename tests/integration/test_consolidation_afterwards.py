"""What comes after a merge: new turns, deletions, expiry, people, and what was learned in between."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy.engine import Engine

from lethe.ids import parsed
from lethe.keys import Keyring
from lethe.lifecycle import people
from lethe.lifecycle.deletion.requests import Reach
from lethe.lifecycle.forgetting import jobs
from lethe.lifecycle.forgetting.keeping import feedback, pin
from lethe.lifecycle.forgetting.running import Run
from lethe.recall import handouts, reading
from lethe.recall.handouts import Note
from lethe.records import Mark, Ruling
from lethe.rules import Rules
from lethe.store.database import tenant_transaction
from tests.conftest import Database
from tests.integration.merging_line import MODEL, MergingLine
from tests.integration.test_consolidation import CHOIR, FULLEST, HORN
from tests.integration.test_deletion import everything, forget

PLAINEST = "The user plays the horn in a brass band."


@pytest.fixture
def line(engine: Engine, rules: Rules, keys: Keyring) -> MergingLine:
    return MergingLine(engine, rules, keys)


@pytest.fixture
def reach(engine: Engine, rules: Rules, keys: Keyring, database: Database, tmp_path: Path) -> Reach:
    return Reach(engine, rules, keys, tmp_path, database.admin_url)


def job(line: MergingLine, name: str, days: float = 0) -> jobs.Outcome:
    now = line.now + timedelta(days=days)
    return jobs.run_job(name, Run(line.engine, line.rules, now, now, embedder=MODEL), line.tenant)


# --- new turns ----------------------------------------------------------------------------------------------------


def test_what_is_denied_after_the_merge_does_not_live_on_in_it(line: MergingLine) -> None:
    line.says(*HORN)
    line.consolidate()
    line.take(line.turn("end", "I no longer play the horn in a brass band.", 20))
    assert FULLEST not in line.current()
    assert not any(claim == PLAINEST for claim in line.current())


def test_new_evidence_for_an_input_takes_the_merge_apart_until_the_next_run(line: MergingLine) -> None:
    line.says(*HORN)
    line.consolidate()
    line.take(line.turn("again", "You know that I play the horn in a brass band.", 20))
    assert len(line.current()) == 3
    [group] = line.consolidate()["groups"]
    assert group["output"]["claim"] == FULLEST and "again" in group["output"]["evidence"]


def test_another_value_of_the_same_predicate_leaves_the_merge_alone(line: MergingLine) -> None:
    line.says(*HORN)
    line.consolidate()
    line.take(line.turn("more", "I play the harpsichord.", 20))
    assert line.current() == ["The user plays the harpsichord.", FULLEST]


def test_what_refines_a_merged_memory_is_merged_with_it_and_the_chain_reverts_in_order(line: MergingLine) -> None:
    line.says(*HORN)
    before = line.tables()
    first = line.consolidate()
    line.take(line.turn("more", f"{HORN[2].rstrip('.')} and Odalys.", 20))
    second = line.consolidate()
    [claim] = line.current()
    assert "Odalys" in claim
    assert len(line.why(second["groups"][0]["output"]["memory"])["evidence"]) == 4
    answer = line.revert(first["consolidation"])
    assert set(answer["withdrawn"]) == {each["groups"][0]["output"]["memory"] for each in (first, second)}
    assert len(line.current()) == 4
    again = line.revert(second["consolidation"])
    assert again["restored"] == [] and {row["why"] for row in again["not_restored"]} == {"already_reverted"}
    rows = set(line.tables()["memories"])
    assert set(before["memories"]) <= rows


# --- deleting -----------------------------------------------------------------------------------------------------


def test_a_deleted_input_takes_the_merge_along_and_reverting_leaves_it_deleted(line: MergingLine, reach: Reach) -> None:
    line.says(*CHOIR)
    run = line.consolidate()
    forget(reach, turn="t2", session="s2")
    assert "Wilhelmina" not in everything(line)
    assert len(line.current()) == 2
    answer = line.revert(run["consolidation"])
    assert answer["restored"] == [] and answer["withdrawn"] == []
    assert sorted(row["why"] for row in answer["not_restored"]) == ["deleted", "merge_deleted", "merge_deleted"]
    [group] = line.consolidate()["groups"]
    assert "Ottoline" in group["output"]["claim"] and "Wilhelmina" not in group["output"]["claim"]


def test_the_detail_of_a_refusal_goes_with_its_input(line: MergingLine, reach: Reach) -> None:
    line.says(*CHOIR)
    line.execute(
        "insert into consolidations (tenant, id, at, actor, policy, transform) "
        "values ('acme', '00000000-0000-0000-0000-000000000001', now(), 'job', 'p', 't')"
    )
    line.execute(
        "insert into consolidation_groups (tenant, consolidation, place, sort, refused, detail) "
        "values ('acme', '00000000-0000-0000-0000-000000000001', 0, 'near', 'lost_detail', 'Wilhelmina')"
    )
    line.execute(
        "insert into consolidation_inputs (tenant, consolidation, place, memory) "
        "select 'acme', '00000000-0000-0000-0000-000000000001', 0, id from memories where claim like '%Wilhelmina%'"
    )
    forget(reach, turn="t2", session="s2")
    assert "Wilhelmina" not in everything(line)


# --- jobs ---------------------------------------------------------------------------------------------------------


def test_at_the_earliest_expiry_of_an_input_the_rest_is_merged_without_it(line: MergingLine) -> None:
    turns = [line.turn(f"t{n}", text, n) for n, text in enumerate(CHOIR)]
    line.push(*turns)
    line.drain()
    soon = line.now + timedelta(days=10)
    for table in ("proposals", "memories"):
        line.execute(f"update {table} set expires_at = :soon where claim like '%Wilhelmina%'", soon=soon)
    line.consolidate()
    outcome = job(line, "expire", days=11)
    assert outcome.done.changed["expired"] == 1
    line.later(days=11)
    assert len(line.current()) == 2 and not any("Wilhelmina" in claim for claim in line.current())
    [group] = line.consolidate()["groups"]
    assert group["output"]["claim"] == "The user sings in the Millbrook choir alongside Ottoline."


def test_the_night_consolidates_and_leaves_what_somebody_took_apart(line: MergingLine) -> None:
    line.says(*HORN)
    assert job(line, "nightly", days=2).done.changed["merged"] == 1
    [run] = line.consolidations()
    line.revert(run["consolidation"])
    line.take(line.turn("again", "You know that I play the horn in a brass band.", 20))
    assert job(line, "nightly", days=4).done.changed["merged"] == 0
    assert len(line.current()) == 3
    assert len(line.consolidate()["groups"]) == 1, "asked for, it is merged again"


def test_a_night_that_would_retire_much_of_a_set_asks_first(line: MergingLine, rules: Rules) -> None:
    for number in range(8):
        name = f"Rosvall{number}"
        line.take(
            *(
                line.turn(f"{number}{n}", text.replace("Millbrook", name), 3 * number + n)
                for n, text in enumerate(CHOIR)
            )
        )
    outcome = job(line, "consolidate", days=2)
    assert outcome.done.changed["merged"] == 0 and len(outcome.done.asks) == 1
    assert len(line.current()) == 24
    forced = jobs.run_job(
        "consolidate", Run(line.engine, line.rules, line.now, line.now, force=True, embedder=MODEL), line.tenant
    )
    assert forced.done.changed["merged"] == 8


# --- people -------------------------------------------------------------------------------------------------------


def test_correcting_a_merged_memory_replaces_all_of_what_it_said(line: MergingLine, keys: Keyring) -> None:
    line.says(*HORN)
    output = line.consolidate()["groups"][0]["output"]["memory"]
    with tenant_transaction(line.engine, line.tenant) as connection:
        people.correct(connection, line.tenant, output, "The user plays the viola.", line.rules, keys, line.now)
    assert line.current() == ["The user plays the viola."]


def test_superseding_a_merged_memory_supersedes_all_of_it(line: MergingLine) -> None:
    line.says(*HORN)
    output = line.consolidate()["groups"][0]["output"]["memory"]
    turn = line.turn("viola", "I play the viola these days.", 20)
    line.push(turn)
    line.extract()
    taken = line.propose(line.proposal(turn, "plays", "viola", claim="The user plays the viola.", supersedes=output))
    assert (taken.accepted, taken.duplicates) == (1, 0)
    line.drain()
    assert not any("horn" in claim for claim in line.current())
    assert "The user plays the viola." in line.current()


def test_retiring_a_reviewed_merge_retires_what_stands_behind_it(line: MergingLine) -> None:
    line.says(*HORN)
    output = line.consolidate()["groups"][0]["output"]["memory"]
    job(line, "review", days=700)
    [review] = line.execute("select id from reviews where resolved_at is null")
    with tenant_transaction(line.engine, line.tenant) as connection:
        people.resolve(connection, line.tenant, review.id.hex, Ruling.RETIRED, None, line.rules, line.now)
    assert line.current() == [] and output


# --- what was learned in between ----------------------------------------------------------------------------------


def test_uses_pins_and_marks_of_a_merge_go_to_its_inputs(line: MergingLine) -> None:
    line.says(*HORN)
    run = line.consolidate()
    output = run["groups"][0]["output"]["memory"]
    pin(line.engine, line.tenant, output, line.rules, line.now)
    feedback(line.engine, line.tenant, output, Mark.USEFUL, line.rules, line.now)
    feedback(line.engine, line.tenant, output, Mark.WRONG, line.rules, line.now)
    line.revert(run["consolidation"])
    rows = [line.row(name) for name in run["groups"][0]["inputs"]]
    assert {(row.uses, row.unhelpful, row.pinned, row.touched_at) for row in rows} == {(1, 1, True, line.now)}


def test_an_echo_of_a_merge_is_told_after_it_was_taken_apart(line: MergingLine) -> None:
    line.says(*HORN)
    run = line.consolidate()
    output = run["groups"][0]["output"]["memory"]
    note = Note(line.tenant, (parsed("mem", output),), "talk", line.now, False)
    handouts.write(line.engine, line.tenant, [note])
    line.revert(run["consolidation"])
    later = {"session": "talk", "observed_at": line.now + timedelta(minutes=1)}
    line.later(hours=1)
    line.take(
        line.turn("echo", HORN[2], **later),
        line.turn("named", HORN[2], session="other", recalled=[output], observed_at=line.now),
    )
    assert {reason for turn in ("echo", "named") for _, reasons in line.reasons(turn) for reason in reasons} == {"echo"}


def test_an_archived_merge_is_restored_archived(line: MergingLine) -> None:
    line.says(*HORN)
    run = line.consolidate()
    line.execute("update memories set retired_as = 'archived', retired_at = :now where claim = :claim and retired_as is null",
                 now=line.now, claim=FULLEST)  # fmt: skip
    line.execute("update owners set memories = memories - 1")
    line.revert(run["consolidation"])
    assert {row["state"] for row in line.memories()} == {"archived"}
    assert line.execute("select memories from owners")[0].memories == 0


def test_a_new_version_takes_old_merges_apart_and_merges_anew(line: MergingLine) -> None:
    line.says(*HORN)
    old = line.consolidate()
    again = line.consolidate(since_version=old["transform"])
    assert len(again["groups"]) == 1 and again["groups"][0]["output"]["memory"] != old["groups"][0]["output"]["memory"]
    assert line.current() == [FULLEST]
    answer = line.revert(old["consolidation"])
    assert {row["why"] for row in answer["not_restored"]} == {"made_anew"}


# --- patterns -----------------------------------------------------------------------------------------------------


def outcomes(line: MergingLine, *addresses: str) -> None:
    for number, address in enumerate(addresses):
        turn = line.turn(
            f"o{number}", f"The user approved {address} for order {number}.", number, author="tool", verified=True
        )
        line.push(turn)
        line.extract()
        claim = f"The user approved {address} (order {number})."
        line.propose(line.proposal(turn, "approved", address, claim=claim, kind="episodic", basis="observed"))
    line.drain()


def test_repeated_verified_outcomes_are_proposed_as_a_preference_and_held(line: MergingLine) -> None:
    outcomes(line, *["the Harbour Street address"] * 9, "the Mill Lane address")
    run = line.consolidate()
    line.drain()
    held = reading.held(line.engine, line.tenant)["held"]
    assert [row["claim"] for row in held] == [
        "The user usually approved the Harbour Street address: 9 of 10 verified outcomes."
    ]
    assert run["proposed"] == [held[0]["held"]]
    assert not any("usually" in claim for claim in line.current()), "nothing is assumed"
    assert line.consolidate()["proposed"] == [], "asked once"
    with tenant_transaction(line.engine, line.tenant) as connection:
        people.rule_on_held(connection, line.tenant, held[0]["held"], Ruling.CONFIRMED, line.rules, line.now)
    assert any("usually" in claim for claim in line.current())


def test_a_suggestion_goes_with_an_outcome_that_it_counted_and_with_its_run(line: MergingLine, reach: Reach) -> None:
    outcomes(line, *["the Harbour Street address"] * 6)
    run = line.consolidate()
    line.drain()
    assert len(line.revert(run["consolidation"])["withdrawn"]) == 1
    line.drain()
    assert reading.held(line.engine, line.tenant)["held"] == []
    line.take(line.turn("more", "I keep two donkeys.", 30))
    outcomes(line, *["the Harbour Street address"] * 7)
    line.consolidate()
    line.drain()
    assert len(reading.held(line.engine, line.tenant)["held"]) == 1
    forget(reach, turn="o1", session="s1")
    assert reading.held(line.engine, line.tenant)["held"] == []
