"""Rotating the keys: what was hashed or signed before still checks, and what is made later carries the new id."""

from __future__ import annotations

import json
import os
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe import keys
from lethe.lifecycle.deletion import ledger, receipts, signing
from lethe.lifecycle.deletion.requests import Reach
from lethe.rules import Rules
from lethe.store.database import tenant_transaction
from tests.conftest import Database
from tests.integration.line import NOW, Line
from tests.integration.test_deletion import everything, forget, receipt, work_off


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A LETHE_HOME whose first key was made long before the talk."""
    keys.keyring(tmp_path, NOW)
    made_at(tmp_path, "0001", NOW - timedelta(days=90))
    return tmp_path


def made_at(place: Path, key: str, moment: datetime) -> None:
    os.utime(place / "keys" / f"hmac-{key}.key", times=(moment.timestamp(), moment.timestamp()))
    os.utime(place / "keys")


def line_at(engine: Engine, rules: Rules, place: Path, now: datetime = NOW) -> Line:
    return Line(engine, rules, keys.keyring(place, now), now=now)


def reach_at(line: Line, database: Database, place: Path) -> Reach:
    return Reach(line.engine, line.rules, line.keys, place, database.admin_url)


def rotate(place: Path, moment: datetime) -> None:
    made_at(place, keys.rotate(place), moment)
    signing.rotate(place)


def stones(line: Line) -> set[str]:
    with tenant_transaction(line.engine, line.tenant) as connection:
        return set(connection.execute(sa.text("select mac_key from tombstones")).scalars())


def test_what_was_forgotten_under_an_old_key_is_refused_after_a_rotation(
    engine: Engine, rules: Rules, database: Database, place: Path
) -> None:
    line = line_at(engine, rules, place)
    turn, other = line.turn("a1", "I live in Varde.", 0), line.turn("b1", "I keep bees.", 1)
    line.take(turn, other)
    (row,) = (row for row in line.memories() if "bees" in row["claim"])
    forget(reach_at(line, database, place), turn="a1", session="s0")
    forget(reach_at(line, database, place), memory=row["memory"])
    rotate(place, NOW)
    later = line_at(engine, rules, place, NOW + timedelta(hours=1))
    assert later.keys.current == "0002"
    assert [each.code for each in later.push(turn).refused] == ["forgotten"]
    later.take(later.turn("b0", "I keep bees.", 0.5))
    assert later.reasons("b0") == [("reject", ["forgotten"])]
    assert later.memories() == []
    assert stones(later) == {"0001"}


def test_a_repeated_turn_is_told_from_another_one_of_its_name_after_a_rotation(
    engine: Engine, rules: Rules, place: Path
) -> None:
    line = line_at(engine, rules, place)
    line.push(line.turn("a1", "I live in Varde.", 0))
    rotate(place, NOW)
    later = line_at(engine, rules, place, NOW + timedelta(hours=1))
    assert later.push(later.turn("a1", "I live in Varde.", 0)).duplicates == 1
    assert [each.code for each in later.push(later.turn("a1", "I live in Lund.", 0)).refused] == ["turn_conflict"]


def test_a_request_from_before_a_rotation_is_verified_after_it_under_the_new_key(
    engine: Engine, rules: Rules, database: Database, place: Path
) -> None:
    line = line_at(engine, rules, place)
    line.take(line.turn("a1", "I live in Varde.", 0), line.turn("b1", "I keep bees.", 1))
    first = forget(reach_at(line, database, place), turn="a1", session="s0")
    work_off(reach_at(line, database, place))
    old = receipt(reach_at(line, database, place), first)
    between = forget(reach_at(line, database, place), turn="b1", session="s1")
    rotate(place, NOW)
    later = line_at(engine, rules, place, NOW + timedelta(hours=1))
    work_off(reach_at(later, database, place), lambda: later.now)
    new = receipt(reach_at(later, database, place), between)
    assert (new["state"], new["signature"]["key"], old["signature"]["key"]) == ("verified", "0002", "0001")
    assert signing.check(old, place) == signing.Checked(True, True, "0001")
    assert signing.check(new, place) == signing.Checked(True, True, "0002")
    later.take(later.turn("c1", "I play chess.", 2))
    forget(reach_at(later, database, place), user="u1")
    assert stones(later) == {"0001", "0002"}


def test_a_ledger_from_before_a_rotation_is_replayed_after_it(
    engine: Engine, rules: Rules, database: Database, place: Path
) -> None:
    line = line_at(engine, rules, place)
    line.take(line.turn("a1", "I live in Varde.", 0))
    forget(reach_at(line, database, place), user="u1")
    kept = [json.dumps(row) for row in ledger.export(reach_at(line, database, place), NOW)]
    with tenant_transaction(engine, "acme") as connection:
        for table in ("tombstones", "deletions", "deletion_marks", "ledger", "work"):
            connection.execute(sa.text(f"delete from {table}"))
    line.take(line.turn("a1", "I live in Varde.", 0))
    rotate(place, NOW)
    later = line_at(engine, rules, place, NOW + timedelta(hours=1))
    found: dict[str, Any] = ledger.replay(reach_at(later, database, place), kept, later.now)
    assert (found["replayed"], found["found_again"], found["refused"]) == (1, 1, [])
    assert "Varde" not in everything(later)
    assert len(receipts.receipts(engine, "acme", later.now)["receipts"]) == 1


# --- the keyring --------------------------------------------------------------------------------------------------


def test_a_new_key_is_known_at_once_and_used_when_everybody_knows_it(place: Path) -> None:
    rotate(place, NOW)
    at_once, soon = keys.keyring(place, NOW), keys.keyring(place, NOW + keys.SEASONING)
    assert (at_once.current, set(at_once.keys)) == ("0001", {"0001", "0002"})
    assert soon.current == "0002"
    assert [row["state"] for row in keys.described(place, NOW)] == ["current", "next"]
    assert [row["state"] for row in keys.described(place, NOW + keys.SEASONING)] == ["kept", "current"]


def test_the_first_key_is_used_at_once(tmp_path: Path) -> None:
    assert keys.keyring(tmp_path, NOW).current == "0001"


def test_keys_are_never_shown(place: Path) -> None:
    rotate(place, NOW)
    signing.rotate(place)
    shown = json.dumps([*keys.described(place, NOW), *signing.described(place)])
    assert not any(file.read_text().strip() in shown for file in (place / "keys").glob("*.key"))
