"""What people and agents say about keeping, the end of tasks, and what use does."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from uuid import uuid4

import pytest
import redis
from sqlalchemy.engine import Engine

from lethe.embedded import valkey
from lethe.embedded.places import Home
from lethe.errors import NotFound
from lethe.ids import parsed
from lethe.keys import Keyring
from lethe.lifecycle.forgetting import access, keeping
from lethe.lifecycle.forgetting.tasks import end_task
from lethe.recall import reading
from lethe.recall.handouts import HandOutLog, Note, write
from lethe.recall.uses import UseBuffer
from lethe.records import Mark
from lethe.rules import Rules
from lethe.store import due
from tests.integration.forgetting_line import column, days, history, in_force, keep, run, states
from tests.integration.line import Line


@pytest.fixture
def line(engine: Engine, rules: Rules, keys: Keyring) -> Line:
    return Line(engine, rules, keys)


@pytest.fixture(scope="module")
def server(home: Home) -> Iterator[str]:
    valkey.start(home)
    yield valkey.cache_url(home)
    valkey.stop(home)


@pytest.fixture
def buffer(server: str) -> Iterator[UseBuffer]:
    with redis.Redis.from_url(server) as cache:
        cache.flushdb()
        yield UseBuffer(cache)


def note(line: Line, memory: str, *, session: str | None = None, past: bool = False, day: float = 10) -> Note:
    return Note(line.tenant, (parsed("mem", memory),), session, days(day), past)


def hand_out(line: Line, buffer: UseBuffer, *notes: Note) -> None:
    buffer.count(notes)
    access.flush(line.engine, buffer, line.rules, days(11))


# --- restoring and pinning ----------------------------------------------------------------------------------------


def test_an_archived_memory_comes_back_as_strong_as_new(line: Line) -> None:
    memory = keep(line, "kayak", importance=0.0)
    run(line, "decay", days(1500))
    assert keeping.restore(line.engine, line.tenant, memory, line.rules, days(1501))["state"] == "admitted"
    assert history(line, memory)[-1] == ("restored", "by_request")
    assert in_force(line) == 1
    assert run(line, "decay", days(1502))["changed"].get("archived", 0) == 0


def test_only_what_is_archived_can_be_restored(line: Line) -> None:
    memory = keep(line, "trip", kind="episodic")
    with pytest.raises(keeping.NotArchived, match="is admitted"):
        keeping.restore(line.engine, line.tenant, memory, line.rules, days(1))
    run(line, "expire", days(400))
    with pytest.raises(keeping.NotArchived, match="is expired"):
        keeping.restore(line.engine, line.tenant, memory, line.rules, days(401))


def test_another_tenants_memory_is_not_there(line: Line) -> None:
    memory = keep(line, "tea")
    with pytest.raises(NotFound):
        keeping.pin(line.engine, "other", memory, line.rules, days(1))


def test_a_pinned_memory_neither_fades_nor_ends_by_its_kind(line: Line) -> None:
    trip, kayak = keep(line, "trip", kind="episodic"), keep(line, "kayak", importance=0.0)
    for memory in (trip, kayak):
        assert keeping.pin(line.engine, line.tenant, memory, line.rules, days(1))["pinned"]
    run(line, "nightly", days(3000))
    assert states(line) == {"trip": "stale", "kayak": "stale"}


def test_a_pin_survives_new_evidence(line: Line) -> None:
    memory = keep(line, "kayak", importance=0.0)
    keeping.pin(line.engine, line.tenant, memory, line.rules, days(1))
    line.now = days(20)
    keep(line, "kayak", day=19, claim="There is a kayak in the shed.")
    assert column(line, memory, "pinned")
    assert column(line, memory, "fades_at") is None


def test_an_unpinned_memory_goes_its_usual_way(line: Line) -> None:
    memory = keep(line, "trip", kind="episodic")
    keeping.pin(line.engine, line.tenant, memory, line.rules, days(1))
    keeping.pin(line.engine, line.tenant, memory, line.rules, days(2), pinned=False)
    assert run(line, "expire", days(400))["changed"] == {"expired": 1}


# --- feedback -----------------------------------------------------------------------------------------------------


def test_wrong_or_outdated_again_and_again_comes_up_for_review(line: Line) -> None:
    memory = keep(line, "tea", kind="preference")
    for day, mark in ((1, Mark.WRONG), (2, Mark.OUTDATED)):
        keeping.feedback(line.engine, line.tenant, memory, mark, line.rules, days(day))
    assert run(line, "review", days(3))["changed"].get("stale", 0) == 0
    keeping.feedback(line.engine, line.tenant, memory, Mark.WRONG, line.rules, days(4))
    assert run(line, "review", days(5))["changed"] == {"stale": 1}
    assert reading.reviews(line.engine, line.tenant)["reviews"][0]["reason"] == "marked_unhelpful"


def test_what_is_wrong_and_matches_ever_better_comes_up_sooner(line: Line) -> None:
    ends = []
    for name, scores in (("tea", (0.3, 0.4, 0.7)), ("soup", (0.7, 0.4, 0.3))):
        memory = keep(line, name, kind="preference")
        for day, score in enumerate(scores):
            handed = Note(line.tenant, (parsed("mem", memory),), f"s{day}", days(day), False, (score,))
            write(line.engine, line.tenant, [handed])
        for day in (3, 4):
            keeping.feedback(line.engine, line.tenant, memory, Mark.WRONG, line.rules, days(day))
        ends.append(run(line, "review", days(5))["changed"].get("stale", 0))
    assert ends == [1, 0]


def test_useful_forgives(line: Line) -> None:
    memory = keep(line, "tea", kind="preference")
    for day, mark in enumerate((Mark.WRONG, Mark.WRONG, Mark.USEFUL, Mark.OUTDATED)):
        keeping.feedback(line.engine, line.tenant, memory, mark, line.rules, days(day))
    assert run(line, "review", days(5))["changed"].get("stale", 0) == 0
    assert column(line, memory, "uses") == 1


# --- tasks --------------------------------------------------------------------------------------------------------


def test_the_checkpoints_of_an_ended_task_expire_and_what_was_promoted_stays(line: Line) -> None:
    checkpoint = keep(line, "step", turn={"task": "move"})
    keep(line, "van", turn={"task": "move"}, task=None)
    assert end_task(line.engine, line.tenant, "move", "u1", None, line.rules, days(1))["expiring"] == 1
    run(line, "expire", days(1.1))
    assert states(line) == {"step": "expired", "van": "admitted"}
    assert history(line, checkpoint)[-1] == ("expired", "task_ended")


def test_what_was_said_in_an_ended_task_and_comes_late_ends_with_it(line: Line) -> None:
    end_task(line.engine, line.tenant, "move", "u1", None, line.rules, days(2))
    line.now = days(3)
    keep(line, "step", day=1, turn={"task": "move"})
    run(line, "expire", days(3))
    assert states(line) == {"step": "expired"}


def test_what_is_worded_for_the_task_of_its_turn_ends_with_it(line: Line) -> None:
    line.push(
        line.turn("t1", "For this task, always answer in short bullet points.", task="move"),
        line.turn("t2", "I own a van.", 0.1, task="move"),
        line.turn("t3", "For this task, always answer in Finnish.", 0.2),
    )
    line.drain()
    tasks = {row["claim"]: row["scope"]["task"] for row in line.memories()}
    assert sorted(map(str, tasks.values())) == ["None", "None", "move"]
    assert tasks["The user owns a van."] is None
    assert end_task(line.engine, line.tenant, "move", "u1", None, line.rules, days(1))["expiring"] == 1


def test_another_users_task_of_the_same_name_goes_on(line: Line) -> None:
    keep(line, "step", turn={"task": "move", "user": "u2"})
    assert end_task(line.engine, line.tenant, "move", "u1", None, line.rules, days(1))["expiring"] == 0


# --- use ----------------------------------------------------------------------------------------------------------


def test_a_use_is_counted_and_lengthens_the_half_life(line: Line, buffer: UseBuffer) -> None:
    memory = keep(line, "kayak", importance=0.0)
    before = column(line, memory, "fades_at")
    hand_out(line, buffer, *[note(line, memory, session=f"s{number}") for number in range(40)])
    assert column(line, memory, "uses") == 40
    assert column(line, memory, "touched_at") == days(10)
    assert column(line, memory, "fades_at") > before + timedelta(days=10)


def test_an_answer_about_another_time_is_no_use(line: Line, buffer: UseBuffer) -> None:
    memory = keep(line, "kayak")
    hand_out(line, buffer, note(line, memory, past=True))
    assert column(line, memory, "uses") == 0


def test_a_session_that_hears_its_own_echo_counts_once(line: Line, buffer: UseBuffer) -> None:
    memory = keep(line, "kayak")
    hand_out(line, buffer, *[note(line, memory, session="s9") for _ in range(3)])
    hand_out(line, buffer, note(line, memory, session="s9", day=10.5))
    assert column(line, memory, "uses") == 1


def test_a_flush_counts_nothing_twice(line: Line, buffer: UseBuffer) -> None:
    memory = keep(line, "kayak")
    hand_out(line, buffer, note(line, memory))
    hand_out(line, buffer)
    assert column(line, memory, "uses") == 1


def test_counts_of_what_is_gone_go_too(line: Line, buffer: UseBuffer) -> None:
    hand_out(line, buffer, note(line, f"mem_{uuid4().hex}"))
    assert buffer.tenants() == []


def test_an_emptied_cache_loses_counts_and_no_memory(line: Line, buffer: UseBuffer, server: str) -> None:
    memory = keep(line, "kayak")
    buffer.count([note(line, memory)])
    with redis.Redis.from_url(server) as cache:
        cache.flushdb()
    hand_out(line, buffer, note(line, memory))
    assert (column(line, memory, "uses"), states(line)["kayak"]) == (1, "admitted")


def test_hand_outs_of_recall_arrive_in_the_buffer(line: Line, buffer: UseBuffer) -> None:
    memory = keep(line, "kayak")
    log = HandOutLog(line.engine, uses=buffer)
    log.note(line.tenant, [parsed("mem", memory)], "s9", _now())
    log.close()
    assert list(due.tenants(line.engine, {due.LOG: days(20)})) == ["acme"]
    hand_out(line, buffer)
    assert column(line, memory, "uses") == 1


def _now():  # type: ignore[no-untyped-def]
    from lethe.recall.eligibility import moment

    return moment(None, days(10))
