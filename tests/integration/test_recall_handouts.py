"""Every hand-out is noted by id, behind the answer, and a failure there never reaches who asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.recall import handouts, search
from lethe.recall.eligibility import Moment
from lethe.recall.handouts import HandOutLog
from lethe.recall.profile import profile
from lethe.recall.search import recall
from lethe.records import Query
from lethe.store.database import connect, tenant_transaction
from policies.ranking import PolicyRanking
from tests.integration.recall_rows import NOW, TENANT, Rows, WordModel, days
from tests.ranking_policy import POLICY


@pytest.fixture
def rows(engine: Engine) -> Rows:
    search.SETS.forget()
    return Rows(engine)


@pytest.fixture
def log(engine: Engine) -> Iterator[HandOutLog]:
    made = HandOutLog(engine)
    yield made
    made.close()


def noted(engine: Engine) -> list[Any]:
    with tenant_transaction(engine, TENANT) as connection:
        return list(connection.execute(sa.text("select memory, session, at, past from handouts order by id")).all())


def ask(rows: Rows, log: HandOutLog, **fields: Any) -> None:
    query = Query(tenant=TENANT, user="ann", query="Where does the user live?", threshold=0.1, **fields)
    recall(rows.engine, query, WordModel(), PolicyRanking(POLICY), NOW, log)
    log.flush()


def test_a_hand_out_is_noted_with_session_and_time(rows: Rows, log: HandOutLog) -> None:
    memory = rows.memory("The user lives in Oulu.")
    ask(rows, log, session="s9")
    assert [tuple(row) for row in noted(rows.engine)] == [(memory, "s9", NOW, False)]


def test_an_answer_about_another_time_is_noted_as_such(rows: Rows, log: HandOutLog) -> None:
    rows.memory("The user lives in Oulu.")
    ask(rows, log, as_of=days(-2))
    assert [(row.at, row.past) for row in noted(rows.engine)] == [(days(-2), True)]


def test_an_empty_answer_notes_nothing(rows: Rows, log: HandOutLog) -> None:
    rows.memory("The user plays chess.")
    ask(rows, log)
    assert noted(rows.engine) == []


def test_the_profile_notes_what_it_loads(rows: Rows, log: HandOutLog) -> None:
    memory = rows.memory("The user prefers tea.", kind="preference")
    profile(rows.engine, TENANT, "ann", now=NOW, session="s3", log=log)
    log.flush()
    assert [(row.memory, row.session) for row in noted(rows.engine)] == [(memory, "s3")]


def test_what_was_deleted_before_the_note_was_written_leaves_no_trace(rows: Rows, log: HandOutLog) -> None:
    memory = rows.memory("The user lives in Oulu.", invisible_at=NOW)
    log.note(TENANT, [memory], None, Moment(NOW, False))
    log.flush()
    assert noted(rows.engine) == []


def test_closing_writes_what_still_waits(rows: Rows) -> None:
    memory = rows.memory("The user lives in Oulu.")
    log = HandOutLog(rows.engine)
    for number in range(1200):
        log.note(TENANT, [memory], f"s{number}", Moment(NOW, False))
    log.close()
    assert len(noted(rows.engine)) == 1200


def test_a_server_that_is_away_does_not_disturb_who_asks(rows: Rows, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handouts, "RETRY_S", 0.0)
    away = connect("postgresql://nobody@/nowhere?host=/nonexistent")
    log = HandOutLog(away, most_waiting=2)
    memory = rows.memory("The user lives in Oulu.")
    for _ in range(50):
        log.note(TENANT, [memory], None, Moment(NOW, False))
    log.flush()
    log.close()
    assert noted(rows.engine) == []
