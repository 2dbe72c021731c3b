"""Staying deleted: ledger, restored backups, late writers; and receipts that cannot be forged."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
import redis
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.cli import deletion as cli
from lethe.errors import InvalidInput
from lethe.keys import Keyring
from lethe.lifecycle.deletion import ledger, receipts, rights, signing, working
from lethe.lifecycle.deletion.requests import Reach
from lethe.rules import Rules
from lethe.store import work
from lethe.store.database import tenant_transaction
from tests.conftest import Database
from tests.integration.line import NOW, Line
from tests.integration.test_deletion import everything, forget, receipt, work_off

LATER = NOW + timedelta(days=1)


@pytest.fixture
def line(engine: Engine, rules: Rules, keys: Keyring) -> Line:
    return Line(engine, rules, keys)


@pytest.fixture
def reach(engine: Engine, rules: Rules, keys: Keyring, database: Database, tmp_path: Path) -> Reach:
    return Reach(engine, rules, keys, tmp_path, database.admin_url)


def talk(line: Line) -> None:
    line.take(
        line.turn("a1", "I live in Varde. I play the zither.", 0),
        line.turn("a2", "I keep two donkeys.", 1),
        line.turn("a3", "I sail a boat named Zorvelk.", 2),
        line.turn("b1", "I collect barometers.", 3, user="u2"),
        line.turn("b2", "I brew cider.", 4, user="u2"),
    )


def empty(line: Line) -> None:
    """The database as a backup from before: the same turns, no deletion."""
    with tenant_transaction(line.engine, line.tenant) as connection:
        for table in (
            "turns",
            "decisions",
            "memories",
            "events",
            "owners",
            "tombstones",
            "deletions",
            "deletion_marks",
            "ledger",
            "work",
        ):
            connection.execute(sa.text(f"delete from {table}"))


def lines(reach: Reach) -> list[str]:
    return [json.dumps(line) for line in ledger.export(reach, NOW)]


def test_a_ledger_replayed_on_a_restored_database_deletes_the_same_again(line: Line, reach: Reach) -> None:
    talk(line)
    name = next(row["memory"] for row in line.memories(user="u1") if "Varde" in row["claim"])
    made = [
        forget(reach, memory=name),
        forget(reach, turn="a2", session="s1"),
        forget(reach, session="s2"),
        forget(reach, user="u2"),
    ]
    work_off(reach)
    kept, left = lines(reach), line.current()
    empty(line)
    talk(line)
    assert len(line.current()) == 6
    found = ledger.replay(reach, kept, LATER)
    assert (found["replayed"], found["found_again"], found["refused"]) == (4, 4, [])
    assert line.current() == left == ["The user plays the zither."]
    work_off(reach, lambda: LATER)
    assert [receipt(reach, each, LATER)["state"] for each in made] == ["verified"] * 4
    for word in ("Varde", "donkeys", "Zorvelk", "barometers", "cider"):
        assert word not in everything(line)
    talk(line)
    assert line.current() == left


def test_a_replay_on_the_same_database_changes_nothing(line: Line, reach: Reach) -> None:
    talk(line)
    made = forget(reach, user="u2")
    work_off(reach)
    before = line.shape()
    assert ledger.replay(reach, lines(reach), LATER)["found_again"] == 0
    work_off(reach, lambda: LATER)
    assert (line.shape(), receipt(reach, made, LATER)["state"]) == (before, "verified")


def test_a_replay_on_the_same_database_leaves_what_the_gate_admitted_of_a_forgotten_claims_turn(
    line: Line, reach: Reach
) -> None:
    line.take(line.turn("a1", "I live in Quxville.", 0))
    forget(reach, memory=line.memories()[0]["memory"])
    work_off(reach)
    line.now = NOW + timedelta(hours=1)
    line.take(line.turn("a2", "I moved to Quxville for a job at the mill.", 1))
    assert line.current() == ["The user moved to Quxville for a job at the mill."]
    assert ("reject", ["forgotten"]) in line.reasons("a2")
    before = line.shape()
    assert ledger.replay(reach, lines(reach), LATER)["found_again"] == 0
    work_off(reach, lambda: LATER)
    assert line.shape() == before


def test_a_replay_refuses_what_was_retracted_and_erases_only_the_retraction(line: Line, reach: Reach) -> None:
    first = line.turn("a1", "I subscribe to the Meadow Courier. I keep two donkeys.", 0)
    line.take(first, line.turn("a2", "Please forget that I subscribe to the Meadow Courier.", 3))
    forget(reach, turn="a2", session="s3")
    work_off(reach)
    kept, before = lines(reach), line.shape()
    assert ledger.replay(reach, kept, LATER)["found_again"] == 0
    assert line.shape() == before
    empty(line)
    line.take(first)
    assert len(line.current()) == 2
    ledger.replay(reach, kept, LATER)
    assert line.current() == ["The user keeps two donkeys."]


def test_the_ledger_holds_no_names_and_no_text(line: Line, reach: Reach) -> None:
    line.take(line.turn("turn-of-vorgalk", "I live in Varde.", session="talk-of-vorgalk", user="vorgalk"))
    forget(reach, turn="turn-of-vorgalk", session="talk-of-vorgalk")
    line.take(line.turn("next", "I keep bees.", session="talk-of-vorgalk", user="vorgalk"))
    forget(reach, user="vorgalk")
    text = "\n".join(lines(reach))
    assert not any(word in text for word in ("vorgalk", "Varde", "bees"))


def test_a_changed_line_of_a_ledger_is_refused(line: Line, reach: Reach) -> None:
    talk(line)
    forget(reach, turn="a2", session="s1")
    first, second = lines(reach)
    forged = json.dumps({**json.loads(second), "memories": [row["memory"] for row in line.memories()]})
    found = ledger.replay(reach, [first, forged, "no json"], LATER)
    assert (found["replayed"], [row["line"] for row in found["refused"]]) == (0, [2, 3])
    assert len(line.current()) == 5


def test_a_user_who_came_back_after_the_request_is_not_hit_by_a_replay(line: Line, reach: Reach) -> None:
    talk(line)
    forget(reach, user="u2")
    line.now = LATER
    line.take(line.turn("c1", "I keep geese.", 28.5, user="u2"))
    ledger.replay(reach, lines(reach), LATER)
    assert "The user keeps geese." in line.current()


# --- receipts -----------------------------------------------------------------------------------------------------


def signed(line: Line, reach: Reach) -> dict[str, Any]:
    talk(line)
    made = forget(reach, user="u2")
    work_off(reach)
    return receipt(reach, made)


def test_a_receipt_checks_offline_and_a_changed_one_does_not(line: Line, reach: Reach) -> None:
    good = signed(line, reach)
    assert signing.check(good, reach.home) == signing.Checked(True, True, "0001")
    for name, value in (
        ("verified_at", LATER.isoformat()),
        ("what", {"tenant": "acme", "user": "u9"}),
        ("stores", []),
        ("not_covered", []),
    ):
        assert not signing.check({**good, name: value}, reach.home).valid
    assert not signing.check({**good, "signature": None}, reach.home).valid


def test_a_receipt_signed_by_somebody_else_is_not_known(line: Line, reach: Reach, tmp_path: Path) -> None:
    good = signed(line, reach)
    forged = signing.sign({**good, "state": "verified"}, tmp_path / "elsewhere")
    found = signing.check(forged, reach.home)
    assert (found.valid, found.known) == (True, False)


def test_the_key_that_a_receipt_names_must_be_the_one_that_signed(line: Line, reach: Reach) -> None:
    good = signed(line, reach)
    signing.rotate(reach.home)
    for forged in ({"key": "9999"}, {"key": "0002"}, {"algorithm": "none"}):
        other = {**good, "signature": {**good["signature"], **forged}}
        assert signing.check(other, reach.home) == signing.Checked(False, False, None)


def test_a_receipt_that_gives_a_name_twice_is_refused(tmp_path: Path) -> None:
    good = json.dumps(signing.sign({"deletion": "del_1", "state": "verified"}, tmp_path))
    file = tmp_path / "receipt.json"
    services = SimpleNamespace(settings=SimpleNamespace(home=tmp_path))
    for text, code in ((good, None), (good.replace("{", '{"state": "overdue", ', 1), "name_twice")):
        file.write_text(text)
        if code is None:
            assert cli.receipt.main(["--check", str(file)], obj=services, standalone_mode=False) == 0
            continue
        with pytest.raises(InvalidInput) as refused:
            cli.receipt.main(["--check", str(file)], obj=services, standalone_mode=False)
        assert refused.value.code == code


def test_old_receipts_check_after_the_key_was_rotated(line: Line, reach: Reach) -> None:
    good = signed(line, reach)
    assert signing.rotate(reach.home) == "0002"
    assert signing.check(good, reach.home).known
    newer = signing.sign(good, reach.home)
    assert (newer["signature"]["key"], signing.check(newer, reach.home).known) == ("0002", True)


# --- the verifier -------------------------------------------------------------------------------------------------


def put_back(line: Line, statement: str, **named: Any) -> None:
    with tenant_transaction(line.engine, line.tenant) as connection:
        connection.execute(sa.text(statement), {"tenant": line.tenant, **named})


def test_the_verifier_finds_what_the_eraser_missed_and_it_is_tried_again(line: Line, reach: Reach) -> None:
    talk(line)
    with tenant_transaction(line.engine, line.tenant) as connection:
        memory = connection.execute(sa.text("select id from memories where user_id = 'u2' limit 1")).scalar_one()
    made = forget(reach, user="u2")
    due = {"acme": [made]}
    working.erase(reach, due, lambda: NOW)
    put_back(line, "insert into handouts (tenant, memory, at) values (:tenant, :memory, now())", memory=memory)
    assert working.verify(reach, due, lambda: NOW) == {made}
    found = receipt(reach, made)
    assert (found["state"], found["attempts"][0]["failure"], found["signature"]) == ("erased", "handouts 1", None)
    work_off(reach)
    assert receipt(reach, made)["state"] == "verified"


def test_the_verifier_looks_for_content_in_the_logs(line: Line, reach: Reach) -> None:
    talk(line)
    made = forget(reach, session="s2")
    logs = reach.home / "logs"
    logs.mkdir()
    (logs / "worker.log").write_text('{"event": "oops", "text": "I sail a boat named Zorvelk."}\n')
    working.erase(reach, {"acme": [made]}, lambda: NOW)
    assert working.verify(reach, {"acme": [made]}, lambda: NOW) == {made}
    assert "logs" in receipt(reach, made)["attempts"][0]["failure"]
    (logs / "worker.log").write_text("")
    work_off(reach)
    assert receipt(reach, made)["state"] == "verified"


def test_what_is_not_verified_in_time_is_overdue(line: Line, reach: Reach) -> None:
    talk(line)
    made = forget(reach, session="s2")
    late = NOW + timedelta(days=4)
    assert receipt(reach, made, late)["state"] == "overdue"
    assert receipts.overview(reach.engine, late) == {"open": 1, "overdue": 1, "verified": 0}
    work_off(reach)
    assert receipts.overview(reach.engine, late) == {"open": 0, "overdue": 0, "verified": 1}


def test_a_step_that_breaks_off_is_an_attempt_and_comes_again_later_and_later(line: Line, reach: Reach) -> None:
    talk(line)
    away = replace(reach, servers=("redis://127.0.0.1:1/0",))
    made = forget(away, session="s2")
    now = NOW
    for attempt in range(1, 3):
        claimed = work.claim(away.engine, work.ERASE, now, 100)
        assert claimed
        with pytest.raises(redis.ConnectionError):
            working.work_off(claimed, away, lambda: NOW)
        work.fail(away.engine, claimed, "ConnectionError", now)
        assert work.claim(away.engine, work.ERASE, now + timedelta(seconds=attempt**2 - 0.5), 100) is None
        now += timedelta(seconds=attempt**2)
    told = [(each["step"], each["failure"]) for each in receipt(away, made)["attempts"]]
    assert told == [("erase", "ConnectionError")] * 2
    work_off(reach, lambda: now)
    assert receipt(reach, made)["state"] == "verified"


def test_without_an_administrator_the_receipt_names_the_raw_bytes(line: Line, reach: Reach, keys: Keyring) -> None:
    talk(line)
    bare = Reach(reach.engine, reach.rules, keys, reach.home)
    made = forget(bare, session="s2")
    work_off(bare)
    found = receipt(bare, made)
    assert found["state"] == "verified"
    assert [item["store"] for item in found["not_covered"]] == ["heap", "wal", "backups"]


def test_needles_go_with_the_verification(line: Line, reach: Reach) -> None:
    made = UUID(signed(line, reach)["deletion"].removeprefix("del_"))
    with tenant_transaction(line.engine, line.tenant) as connection:
        row = receipts.row_of(connection, "acme", made)
        left = connection.execute(sa.text("select distinct sort from deletion_marks")).scalars().all()
    assert row is not None
    assert (row.words, row.phrases, left) == (None, None, ["memory"])


# --- said in a turn -----------------------------------------------------------------------------------------------


def test_forget_that_deletes_where_the_policy_says_so(line: Line, reach: Reach) -> None:
    body = {**line.rules.body, "deletion": {**line.rules.body["deletion"], "said_in_a_turn": "delete"}}
    strict = type(line.rules)(**{**{name: getattr(line.rules, name) for name in line.rules.__slots__}, "body": body})
    line.rules = strict
    reach = Reach(reach.engine, strict, reach.keys, reach.home, reach.admin_url)
    line.take(
        line.turn("a1", "I subscribe to the Meadow Courier.", 0),
        line.turn("a2", "I subscribe to a knitting magazine.", 0),
        line.turn("a3", "Please forget that I subscribe to the Meadow Courier.", 3),
    )
    work_off(reach)
    assert "Meadow Courier" not in everything(line)
    (row,) = receipts.receipts(reach.engine, "acme", NOW)["receipts"]
    assert (row["state"], row["reason"]) == ("verified", "retracted_by_user")
    assert len(line.current()) == 1


# --- people's rights ----------------------------------------------------------------------------------------------


def test_a_person_gets_all_that_is_kept_and_nothing_that_was_deleted(line: Line, reach: Reach) -> None:
    talk(line)
    forget(reach, turn="a2", session="s1")
    found = rights.about(line.engine, "acme", "u1", NOW)
    text = json.dumps(found, ensure_ascii=False)
    assert "Varde" in text
    assert "I live in Varde. I play the zither." in [row["text"] for row in found["turns"]]
    assert found["memories"][0]["evidence"][0]["excerpt"]
    assert found["memories"][0]["history"][0]["reason"]
    assert "donkeys" not in text
    assert "barometers" not in text
