"""Statements under different keys that cannot both hold: judged together, in any order, and put back when one is deleted."""

from __future__ import annotations

from pathlib import Path
from random import Random
from threading import Thread

import pytest
from sqlalchemy.engine import Engine

from lethe.keys import Keyring
from lethe.lifecycle.deletion import named, requests
from lethe.lifecycle.deletion.requests import Reach
from lethe.recall import reading
from lethe.records import Turn
from lethe.rules import Rules
from tests.conftest import Database
from tests.integration.line import NOW, Line


@pytest.fixture
def line(engine: Engine, rules: Rules, keys: Keyring) -> Line:
    return Line(engine, rules, keys)


@pytest.fixture
def reach(engine: Engine, rules: Rules, keys: Keyring, database: Database, tmp_path: Path) -> Reach:
    return Reach(engine, rules, keys, tmp_path, database.admin_url)


def story(line: Line) -> list[Turn]:
    """Downloaded, denied, installed; a budget set aside, raised, and a sum spent; a meeting, and its denial."""
    return [
        line.turn("t1", "I downloaded Krita on 3 May.", 1),
        line.turn("t2", "I have never used Krita.", 2),
        line.turn("t3", "I installed Krita on my laptop yesterday.", 3),
        line.turn("t4", "I allocated $700 for office chairs.", 4),
        line.turn("t5", "My budget for office chairs has increased to $900.", 5),
        line.turn("t6", "I spent $120 on office chairs.", 6),
        line.turn("t7", "I met Ilse at the harbour fair on 3 May.", 7),
        line.turn("t8", "I have never met Ilse.", 8),
    ]


AT_LAST = {"t1", "t3", "t5", "t6", "t8"}


def standing(line: Line) -> set[str]:
    return {row["source"]["turn"] for row in line.memories(every=False)}


def test_what_is_denied_or_changed_is_replaced_whatever_its_predicate(line: Line) -> None:
    line.take(*story(line))
    assert standing(line) == AT_LAST
    by_turn = {row["source"]["turn"]: row for row in line.memories()}
    assert by_turn["t2"]["superseded_by"] == by_turn["t3"]["memory"]
    assert by_turn["t7"]["superseded_by"] == by_turn["t8"]["memory"]
    assert by_turn["t4"]["superseded_by"] == by_turn["t5"]["memory"]
    assert line.reasons("t5") == [("supersede", ["superseded_by_newer"])]


@pytest.mark.parametrize("seed", range(4))
def test_neither_order_nor_batches_matter(line: Line, seed: int) -> None:
    chance, turns = Random(seed), story(line)
    chance.shuffle(turns)
    for turn in turns:
        line.push(turn)
        while line.extract(chance.randint(1, 3)):
            if chance.random() < 0.5:
                line.judge(chance.randint(1, 3))
    line.drain()
    shape = line.shape()
    other = Line(line.engine, line.rules, line.keys, tenant="other")
    other.take(*story(other))
    assert standing(line) == AT_LAST
    assert {row[:3] for row in shape} == {row[:3] for row in other.shape()}


def test_gates_that_run_at_once_lose_nothing(line: Line) -> None:
    line.push(*story(line))
    while line.extract():
        pass
    gates = [Thread(target=lambda: [None for _ in iter(lambda: line.judge(1), False)]) for _ in range(8)]
    for gate in gates:
        gate.start()
    for gate in gates:
        gate.join()
    line.drain()
    assert standing(line) == AT_LAST


@pytest.mark.parametrize(
    ("gone", "stand"),
    [
        ("t8", {"t1", "t3", "t5", "t6", "t7"}),
        ("t5", {"t1", "t3", "t4", "t6", "t8"}),
        ("t3", {"t2", "t5", "t6", "t8"}),  # the denial that it refuted holds again, against the first deed, too
    ],
)
def test_what_was_replaced_only_by_something_deleted_is_current_again(
    line: Line, reach: Reach, gone: str, stand: set[str]
) -> None:
    line.take(*story(line))
    requests.request(reach, named.of("acme", turn=gone, session=f"s{gone[1:]}"), NOW)
    assert standing(line) == stand


def test_a_retracted_denial_gives_back_what_it_denied(line: Line) -> None:
    line.take(*story(line)[:2])
    assert standing(line) == {"t2"}
    line.take(line.turn("t9", "Forget that I have never used Krita.", 9))
    assert standing(line) == {"t1"}


def test_a_denial_loses_its_hold_when_a_later_deed_refutes_it(line: Line) -> None:
    told = story(line)
    line.take(*told[:2])
    assert standing(line) == {"t2"}
    line.take(told[2])
    assert standing(line) == {"t1", "t3"}


def test_what_was_called_off_loses_its_day_in_any_order(line: Line) -> None:
    line.take(
        line.turn("t1", "My dentist appointment was cancelled.", 2),
        line.turn("t2", "I have a dentist appointment on the 20th of March at 3 PM.", 1),
    )
    assert standing(line) == {"t1"}


def test_as_of_a_time_before_the_denial_the_deed_is_current(line: Line) -> None:
    line.take(*story(line))
    rows = {row["source"]["turn"]: row for row in line.memories()}
    assert rows["t7"]["valid_to"] == rows["t8"]["valid_from"]
    assert reading.reviews(line.engine, tenant=line.tenant)["reviews"] == []


def test_who_unlearns_one_of_two_still_has_the_other(line: Line) -> None:
    line.take(line.turn("t1", "I speak German and French.", 1), line.turn("t2", "I no longer speak French.", 2))
    claims = {row["claim"] for row in line.memories(every=False)}
    assert "The user speaks German." in claims
    assert "The user speaks French." not in claims
