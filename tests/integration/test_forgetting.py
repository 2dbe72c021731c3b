"""Jobs on a real database: what is due is done, nothing else is touched, and nothing leaves silently."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.ids import parsed
from lethe.keys import Keyring
from lethe.lifecycle.deletion.requests import Reach
from lethe.lifecycle.forgetting.keeping import pin, restore
from lethe.recall import reading
from lethe.rules import Rules
from lethe.store import due, job_runs, work
from lethe.store.database import tenant_transaction, transaction
from tests.integration.forgetting_line import days, history, in_force, keep, keep_many, run, states
from tests.integration.line import Line
from workers.jobs import JOBS, Order, final_deletion


@pytest.fixture
def line(engine: Engine, rules: Rules, keys: Keyring) -> Line:
    return Line(engine, rules, keys)


def test_what_has_passed_its_stated_deadline_expires_and_says_so(line: Line) -> None:
    memory = keep(line, "grant", expires_at=days(3))
    keep(line, "tea")
    assert run(line, "expire", days(2))["changed"] == {}
    assert run(line, "expire", days(4))["changed"] == {"expired": 1}
    assert states(line) == {"grant": "expired", "tea": "admitted"}
    assert history(line, memory)[-1] == ("expired", "deadline_passed")
    assert in_force(line) == 1


def test_an_event_lives_a_year_from_its_receipt(line: Line) -> None:
    memory = keep(line, "trip", kind="episodic")
    run(line, "expire", days(364))
    assert states(line)["trip"] == "admitted"
    run(line, "expire", days(366))
    assert states(line)["trip"] == "expired"
    assert history(line, memory)[-1] == ("expired", "time_to_live")


def test_a_faded_fact_is_archived_and_a_preference_is_not(line: Line) -> None:
    keep(line, "kayak", importance=0.0)
    keep(line, "tea", kind="preference")
    run(line, "decay", days(1500))
    assert states(line) == {"kayak": "archived", "tea": "admitted"}


def test_a_passed_review_date_makes_a_memory_stale_and_opens_a_review(line: Line) -> None:
    memory = keep(line, "tea", kind="preference")
    assert run(line, "review", days(600))["changed"] == {"stale": 1}
    assert states(line)["tea"] == "stale"
    (review,) = reading.reviews(line.engine, line.tenant)["reviews"]
    assert (review["reason"], review["memories"]) == ("review_due", [memory])
    assert in_force(line) == 1


def test_a_job_done_once_has_nothing_left_to_do(line: Line) -> None:
    keep(line, "trip", kind="episodic")
    run(line, "nightly", days(400))
    with transaction(line.engine) as connection:
        left = connection.execute(sa.text("select count(*) from due where sort = 'expire'")).scalar_one()
    assert left == 0
    assert run(line, "expire", days(401))["tenants"] == 0


def test_a_job_looks_at_no_tenant_without_something_due(line: Line) -> None:
    keep(line, "trip", kind="episodic")
    assert run(line, "expire", days(30))["tenants"] == 0
    assert list(due.tenants(line.engine, {due.EXPIRE: days(400)})) == ["acme"]


def test_a_dry_run_lists_exactly_what_the_real_run_changes(line: Line) -> None:
    for number in range(5):
        keep(line, f"trip{number}", kind="episodic", day=number / 10)
    keep(line, "tea", kind="preference")
    keep(line, "kayak", importance=0.0)
    before = line.memories()
    dry = run(line, "nightly", days(1500), dry_run=True)
    assert line.memories() == before
    real = run(line, "nightly", days(1500))
    assert dry["due"] == real["due"]
    assert dry["changed"] == real["changed"]
    with tenant_transaction(line.engine, line.tenant) as connection:
        events = connection.execute(sa.text("select subject, reason from events where at = :at"), {"at": days(1500)})
        happened = {(row.subject, row.reason) for row in events}
    listed = {(_id(row), row["reason"]) for row in dry["would"] if row["change"] != "refused"}
    assert listed == happened


def _id(row: dict[str, Any]) -> UUID:
    name = row.get("memory") or row["item"]
    return parsed(name.split("_")[0], name)


def test_the_text_of_an_old_turn_goes_and_the_memory_stays(line: Line) -> None:
    memory = keep(line, "tea")
    run(line, "purge", days(29))
    assert reading.why(line.engine, line.tenant, memory)["evidence"][0]["excerpt"] is not None
    assert run(line, "purge", days(31))["changed"]["turns"] == 1
    why = reading.why(line.engine, line.tenant, memory)
    assert why["evidence"][0]["excerpt"] is None
    assert why["memory"]["claim"] == "The user's likes_tea is tea."


def test_a_turn_that_a_stage_still_needs_keeps_its_text(line: Line) -> None:
    line.push(line.turn("t1", "I live in Oulu."))
    assert run(line, "purge", days(31), tenant="acme")["changed"] == {}
    line.drain()
    assert run(line, "purge", days(31), tenant="acme")["changed"]["turns"] == 1


def test_the_text_of_what_was_refused_goes_with_its_turn_and_the_decision_stays(line: Line) -> None:
    turn = line.turn("t1", "Oulu.")
    line.push(turn)
    line.propose(line.proposal(turn, "lives_in", "Oulu", confidence=0.3))
    line.drain()
    run(line, "purge", days(31))
    with tenant_transaction(line.engine, line.tenant) as connection:
        texts = connection.execute(sa.text("select claim || object || subject from proposals")).scalars().all()
    assert set(texts) == {""}
    assert ("reject", ["low_confidence"]) in line.reasons("t1")


def test_a_held_proposal_that_nobody_confirms_expires(line: Line) -> None:
    turn = line.turn("t1", "Oolong again.")
    line.push(turn)
    line.propose(line.proposal(turn, "prefers_tea", "oolong", kind="preference", basis="inferred"))
    line.drain()
    assert line.reasons("t1") == [("hold", ["awaiting_second_session"])]
    run(line, "purge", days(59))
    assert line.reasons("t1") == [("hold", ["awaiting_second_session"])]
    assert run(line, "purge", days(61))["changed"]["unconfirmed"] == 1
    assert line.reasons("t1") == [("reject", ["hold_expired"])]


def test_new_evidence_calls_back_what_faded_and_what_expired(line: Line) -> None:
    keep(line, "kayak", importance=0.0)
    keep(line, "trip", kind="episodic")
    run(line, "nightly", days(1500))
    assert states(line) == {"kayak": "archived", "trip": "expired"}
    line.now = days(1600)
    keep(line, "kayak", day=1600, importance=0.0)
    keep(line, "trip", day=1600, kind="episodic", claim="The user went on the trip again.")
    run(line, "nightly", days(1601))
    assert set(states(line).values()) <= {"admitted", "reinforced"}
    assert in_force(line) == 2


def test_old_evidence_that_comes_late_leaves_an_expired_memory_expired(line: Line) -> None:
    keep(line, "grant", expires_at=days(3))
    run(line, "expire", days(4))
    line.now = days(5)
    keep(line, "grant", day=1, expires_at=days(3))
    assert states(line)["grant"] == "expired"
    assert in_force(line) == 0


def test_a_job_asks_before_it_retires_a_large_part_of_an_owners_set(line: Line) -> None:
    keep_many(line, 30, kind="episodic")
    report = run(line, "expire", days(500))
    assert report["changed"] == {"expired": 0}
    (asked,) = report["asks"]
    assert (asked["user"], asked["would_retire"], asked["of"]) == ("u1", 30, 30)
    assert set(states(line).values()) == {"admitted"}
    assert run(line, "expire", days(500), force=True)["changed"] == {"expired": 30}


def test_a_small_part_of_a_large_set_and_all_of_a_small_one_are_retired_without_asking(line: Line) -> None:
    keep_many(line, 25)
    for number in range(5):
        keep(line, f"trip{number}", kind="episodic")
    assert run(line, "expire", days(500))["changed"] == {"expired": 5}


def test_the_count_of_an_owner_is_that_of_its_memories_in_force(line: Line) -> None:
    keep_many(line, 5)
    keep(line, "Oulu", predicate="lives_in")
    keep(line, "Ghent", day=2, predicate="lives_in")
    assert in_force(line) == 6


def test_a_backfilled_event_is_due_from_its_receipt(line: Line) -> None:
    memory = keep(line, "trip", day=-2000, kind="episodic")
    assert run(line, "expire", days(1))["changed"] == {}
    assert run(line, "expire", days(366))["changed"] == {"expired": 1}
    assert history(line, memory)[-1] == ("expired", "time_to_live")


# --- for good -----------------------------------------------------------------------------------------------------


def reach(line: Line, tmp_path: Path) -> Reach:
    return Reach(line.engine, line.rules, line.keys, tmp_path)


def test_what_ended_long_ago_is_deleted_as_on_request(line: Line, tmp_path: Path) -> None:
    memory = keep(line, "grant", expires_at=days(3))
    keep(line, "tea", kind="preference")
    delete = final_deletion(reach(line, tmp_path))
    run(line, "nightly", days(4), delete=delete)
    assert run(line, "purge", days(368), delete=delete)["changed"].get("deleted", 0) == 0
    assert run(line, "purge", days(370), delete=delete)["changed"]["deleted"] == 1
    assert [row["object"] for row in line.memories()] == ["tea"]
    with tenant_transaction(line.engine, line.tenant) as connection:
        found = connection.execute(sa.text("select reason, what->>'memory' as memory from deletions")).all()
    assert [tuple(row) for row in found] == [("retention", memory)]


def test_what_faded_where_nothing_is_said_any_more_is_deleted_for_good_too(line: Line, tmp_path: Path) -> None:
    keep(line, "kite")
    delete = final_deletion(reach(line, tmp_path))
    run(line, "purge", days(100), delete=delete)  # the last turn's text: no other job has anything to do here
    assert run(line, "decay", days(900), delete=delete)["changed"]["archived"] == 1
    run(line, "nightly", days(1260), delete=delete)
    assert [row["object"] for row in line.memories()] == ["kite"]
    run(line, "nightly", days(1267), delete=delete)
    assert line.memories() == []


def test_what_a_run_as_of_a_time_to_come_deletes_is_deleted_now(line: Line, tmp_path: Path) -> None:
    memory = keep(line, "grant", expires_at=days(3))
    delete = final_deletion(reach(line, tmp_path))
    for as_of in (days(4), days(400)):
        JOBS["nightly"](Order(line.engine, line.rules, as_of, days(2), delete=delete))
    with tenant_transaction(line.engine, line.tenant) as connection:
        found = connection.execute(sa.text("select what->>'memory' as memory, requested_at from deletions")).all()
    assert [tuple(row) for row in found] == [(memory, days(2))]
    assert all(row["oldest_seconds"] in (None, 0.0) for row in work.overview(line.engine, days(2))["queues"])


def test_what_a_run_as_of_a_time_to_come_asks_is_asked_of_whoever_ran_it_alone(line: Line) -> None:
    keep_many(line, 30, expires_at=days(3))
    told = JOBS["expire"](Order(line.engine, line.rules, days(4), days(2)))
    assert told["asks"][0]["would_retire"] == 30
    assert job_runs.overview(line.engine) == []


def test_a_dry_run_lists_the_history_that_would_go(line: Line, tmp_path: Path) -> None:
    keep(line, "tea", kind="preference")
    delete = final_deletion(reach(line, tmp_path))
    run(line, "nightly", days(100), delete=delete)
    dry = run(line, "nightly", days(832), delete=delete, dry_run=True)
    real = run(line, "nightly", days(832), delete=delete)
    assert dry["changed"] == real["changed"] and real["changed"]["events"] > 0
    assert dry["due"] == real["due"]
    assert sum(row["change"] == "events" for row in dry["would"]) == real["changed"]["events"]


def test_what_came_back_and_ended_again_is_kept_so_long_from_its_last_end(line: Line, tmp_path: Path) -> None:
    memory = keep(line, "kite")
    delete = final_deletion(reach(line, tmp_path))
    run(line, "decay", days(900), delete=delete)
    restore(line.engine, line.tenant, memory, line.rules, days(1000))
    run(line, "purge", days(1270), delete=delete)
    assert states(line) == {"kite": "admitted"}
    assert run(line, "decay", days(1900), delete=delete)["changed"]["archived"] == 1
    run(line, "nightly", days(2200), delete=delete)
    assert states(line) == {"kite": "archived"}
    run(line, "nightly", days(2267), delete=delete)
    assert line.memories() == []


def test_the_history_of_what_is_gone_goes_after_its_time_and_that_of_what_stands_stays(
    line: Line, tmp_path: Path
) -> None:
    def subjects() -> set[UUID]:
        with tenant_transaction(line.engine, line.tenant) as connection:
            return set(connection.execute(sa.text("select subject from events")).scalars())

    lasting = keep(line, "tea", kind="preference")
    pin(line.engine, line.tenant, lasting, line.rules, days(1), pinned=True)
    delete = final_deletion(reach(line, tmp_path))
    run(line, "nightly", days(100), delete=delete)  # the turn's text goes
    told = subjects()
    assert parsed("mem", lasting) in told and len(told) > 1
    run(line, "nightly", days(825), delete=delete)
    assert subjects() >= told
    run(line, "nightly", days(832), delete=delete)
    assert subjects() & told == {parsed("mem", lasting)}


def test_what_ends_a_memory_writes_to_no_index_of_memories(line: Line) -> None:
    with tenant_transaction(line.engine, line.tenant) as connection:
        indexed = connection.execute(
            sa.text(
                "select string_agg(pg_get_indexdef(indexrelid), ' ') from pg_index where indrelid = 'memories'::regclass"
            )
        ).scalar_one()
    written = ("retired_as", "retired_at", "stale_since", "changed_at", "version", "state", "uses", "touched_at")
    assert not re.findall(rf"\b({'|'.join(written)})\b", indexed)


def test_a_value_that_holds_again_is_not_deleted_with_its_past(line: Line, tmp_path: Path) -> None:
    for day, place in ((0, "Oulu"), (1, "Ghent"), (2, "Oulu")):
        said = line.turn(f"t{day}", f"I live in {place}.", day)
        line.push(said)
        line.propose(line.proposal(said, "lives_in", place))
        line.drain()
    delete = final_deletion(reach(line, tmp_path))
    run(line, "purge", days(400), delete=delete)
    run(line, "purge", days(800), delete=delete)
    assert line.current() == ["The user's lives_in is Oulu."]
    assert "Ghent" not in states(line)


def test_a_dry_run_lists_what_it_would_delete_for_good(line: Line, tmp_path: Path) -> None:
    memory = keep(line, "grant", expires_at=days(3))
    delete = final_deletion(reach(line, tmp_path))
    run(line, "nightly", days(4), delete=delete)
    dry = run(line, "purge", days(400), dry_run=True, delete=delete)
    assert [row["memory"] for row in dry["would"] if row["change"] == "deleted"] == [memory]
    assert len(line.memories()) == 1
