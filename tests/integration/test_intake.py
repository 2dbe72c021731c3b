"""Intake: each turn once, bad ones refused one by one, and work handed in with the same commit."""

from __future__ import annotations

import inspect
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe import AsyncLethe, Lethe
from lethe.ids import turn_id
from lethe.keys import Keyring
from lethe.lifecycle.intake import Taken, push
from lethe.records import Turn
from lethe.rules import Rules
from lethe.store import work
from lethe.store.database import tenant_transaction

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)


def turn(name: str = "t1", text: str = "I keep my sledge in the shed.", **fields: Any) -> Turn:
    given = {"tenant": "acme", "user": "u1", "session": "s1", "turn": name, "author": "user", "text": text,
             "observed_at": NOW - timedelta(hours=1)}  # fmt: skip
    return Turn.model_validate({**given, **fields})


@pytest.fixture
def send(engine: Engine, rules: Rules, keys: Keyring) -> Any:
    def send(*turns: Turn) -> Taken:
        return push(engine, turns, rules, keys, NOW)

    return send


def stored_texts(engine: Engine, tenant: str = "acme") -> list[str]:
    with tenant_transaction(engine, tenant) as connection:
        return [row.text for row in connection.execute(sa.text("select text from turns order by turn"))]


def test_a_turn_and_its_work_go_in_together(engine: Engine, send: Any) -> None:
    assert send(turn()).accepted == 1
    claimed = work.claim(engine, work.EXTRACT, NOW, 10)
    assert claimed is not None
    assert claimed.of("acme") == [turn_id("acme", "s1", "t1")]


def test_the_same_turn_again_is_a_duplicate_even_within_one_hand_in(engine: Engine, send: Any) -> None:
    first = send(turn(), turn())
    again = send(turn())
    assert (first.accepted, first.duplicates) == (1, 1)
    assert (again.accepted, again.duplicates, again.refused) == (0, 1, [])
    assert len(stored_texts(engine)) == 1


def test_the_same_name_with_another_text_is_refused(engine: Engine, send: Any) -> None:
    send(turn())
    answer = send(turn(text="I keep my sledge in the loft."), turn("t2"))
    assert [(refused.index, refused.code) for refused in answer.refused] == [(0, "turn_conflict")]
    assert answer.accepted == 1, "the good one goes in"
    assert "attic" not in "".join(stored_texts(engine))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("user", "u2"),
        ("project", "billing"),
        ("task", "k1"),
        ("author", "assistant"),
        ("observed_at", NOW - timedelta(hours=2)),
    ],
)
def test_the_same_name_for_somebody_else_or_another_time_is_refused(send: Any, field: str, value: Any) -> None:
    send(turn())
    answer = send(turn(**{field: value}))
    assert [refused.code for refused in answer.refused] == ["turn_conflict"]
    assert field in answer.refused[0].message


def test_the_same_moment_told_in_another_zone_is_the_same_turn(send: Any) -> None:
    send(turn())
    elsewhere = (NOW - timedelta(hours=1)).astimezone(timezone(timedelta(hours=5)))
    assert send(turn(observed_at=elsewhere)).duplicates == 1


def test_a_name_is_taken_within_its_tenant_alone(send: Any) -> None:
    assert send(turn(), turn(tenant="other", text="Something else altogether.")).accepted == 2


def test_what_cannot_be_taken_is_named_and_the_rest_goes_in(engine: Engine, send: Any, rules: Rules) -> None:
    answer = send(
        turn("ok"),
        turn("late", observed_at=NOW + rules.max_ahead + timedelta(seconds=1)),
        turn("long", text="x" * (rules.max_text_chars + 1)),
        turn("blank", text=" \n "),
    )
    assert answer.accepted == 1
    assert [refused.code for refused in answer.refused] == ["observed_in_future", "text_too_long", "text_empty"]


def test_a_secret_is_taken_out_before_the_turn_is_stored_and_the_refusal_is_recorded(engine: Engine, send: Any) -> None:
    secret = turn(text="My router password is Grebe-41-Sluice, please keep it.")
    send(secret)
    (text,) = stored_texts(engine)
    assert "Grebe-41-Sluice" not in text
    with tenant_transaction(engine, "acme") as connection:
        (decision,) = connection.execute(sa.text("select outcome, reasons, proposal from decisions")).all()
    assert (decision.outcome, decision.reasons, decision.proposal) == ("reject", ["secret"], None)
    assert send(secret).duplicates == 1, "the keyed hash of what was sent still tells it from a conflict"
    assert send(turn(text="My router password is Heron-77-Weir, please keep it.")).refused[0].code == "turn_conflict"


def test_the_offset_of_a_producer_is_kept(engine: Engine, send: Any) -> None:
    send(turn(observed_at=datetime.fromisoformat("2026-02-27T23:30:00-05:00")))
    with tenant_transaction(engine, "acme") as connection:
        row = connection.execute(sa.text("select observed_at, observed_offset from turns")).one()
    assert (row.observed_at, row.observed_offset) == (datetime(2026, 2, 28, 4, 30, tzinfo=UTC), -5 * 3600)


def test_a_tombstoned_turn_is_refused_for_good_and_a_forgotten_user_up_to_the_request(
    engine: Engine, send: Any, keys: Keyring
) -> None:
    stones = [
        ("turn", keys.mac("turn", "acme", "s1", "gone"), None),
        ("user", keys.mac("user", "acme", "u9"), NOW - timedelta(hours=2)),
    ]
    with tenant_transaction(engine, "acme") as connection:
        for sort, mac, before in stones:
            connection.execute(
                sa.text("""insert into tombstones (tenant, sort, mac, mac_key, observed_before, deletion, created_at)
                values ('acme', :sort, :mac, '0001', :before, gen_random_uuid(), :now)"""),
                {"sort": sort, "mac": mac, "before": before, "now": NOW},
            )
    answer = send(turn("gone"), turn("old", user="u9", observed_at=NOW - timedelta(hours=3)), turn("new", user="u9"))
    assert [(refused.index, refused.code) for refused in answer.refused] == [(0, "forgotten"), (1, "forgotten")]
    assert answer.accepted == 1


def test_the_asynchronous_client_has_every_method_of_the_other() -> None:
    methods = {name for name in vars(Lethe) if not name.startswith("_") and callable(getattr(Lethe, name))}
    assert methods
    for name in methods:
        assert inspect.iscoroutinefunction(getattr(AsyncLethe, name)), name
        assert getattr(AsyncLethe, name).__doc__ == getattr(Lethe, name).__doc__


TOKEN = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"


@pytest.mark.parametrize("field", ["user", "project", "task", "session", "turn", "speaker", "recalled"])
def test_a_name_that_holds_a_secret_is_refused_and_not_repeated(send: Any, field: str) -> None:
    answer = send(turn(**{field: [TOKEN] if field == "recalled" else TOKEN}), turn("t2"))
    assert [(refused.index, refused.code) for refused in answer.refused] == [(0, "secret")]
    assert TOKEN not in answer.refused[0].message
    assert answer.accepted == 1


@pytest.mark.parametrize(
    "name",
    ["3f1c0b9e-8d4e-4a57-9a0e-0c8f6f3b2a11", "4111111111111111", "ann@post.example", "auth0|5f7c8ec7c33c6c004bbafe82"],
)
def test_ordinary_names_are_no_secrets(send: Any, name: str) -> None:
    assert send(turn(name, user=name, session=name)).accepted == 1
