"""What was recalled into a session counts for what is said after it, whatever arrives first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.engine import Engine

from lethe.ids import parsed
from lethe.keys import Keyring
from lethe.lifecycle import screening
from lethe.recall.handouts import Note, write
from lethe.records import Turn
from lethe.rules import Rules, Verdict
from tests.integration.line import Line, in_pieces


@pytest.fixture
def line(engine: Engine, rules: Rules, keys: Keyring) -> Line:
    return Line(engine, rules, keys)


def known(line: Line, *texts: str) -> list[str]:
    """Ids of memories of these statements, made in sessions of their own."""
    for number, text in enumerate(texts):
        line.take(line.turn(f"seed{number}", text, number))
    return [
        next(row["memory"] for row in line.memories() if row["evidence"] == [f"seed{n}"]) for n in range(len(texts))
    ]


def session(line: Line, ids: Sequence[str]) -> list[Turn]:
    said = [
        ("e1", "Which town was it again?", [ids[0]]),
        ("e2", "I still live in Varde.", []),
        ("e3", "I keep bees behind the chapel.", []),
        ("e4", "And my bees?", [ids[1]]),
        ("e5", "I keep bees behind the chapel, yes.", []),
        ("e6", "I work as a glazier.", []),
    ]
    return [
        line.turn(name, text, 20 + number / 100, session="late", recalled=recalled)
        for number, (name, text, recalled) in enumerate(said)
    ]


SEEDS = ("I live in Varde.", "I keep bees behind the chapel.")


def test_a_recall_that_arrives_after_its_echo_was_judged_still_counts(line: Line) -> None:
    ids = known(line, *SEEDS)
    recall, echo, *_ = session(line, ids)
    line.take(echo)
    assert [row["evidence"] for row in line.memories() if row["object"] == "Varde"] == [["seed0", "e2"]]
    line.take(recall)
    assert [row["evidence"] for row in line.memories() if row["object"] == "Varde"] == [["seed0"]]
    assert line.reasons("e2") == [("reject", ["echo"])]


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.permutations(range(6)), sizes=st.lists(st.integers(1, 3), max_size=4))
def test_any_order_of_a_session_with_recalls_ends_in_the_same_memories(
    line: Line, order: Sequence[int], sizes: list[int]
) -> None:
    ends = []
    for chosen in (list(range(6)), list(order)):
        line.tenant = f"acme-{uuid4()}"
        turns = session(line, known(line, *SEEDS))
        for piece in in_pieces([turns[position] for position in chosen], sizes):
            line.take(*piece)
        ends.append((line.shape(), [line.reasons(f"e{number}") for number in (2, 3, 5, 6)]))
    assert ends[0] == ends[1]


def test_a_hand_out_that_is_written_down_late_still_counts(line: Line) -> None:
    (memory,) = known(line, SEEDS[0])
    said = line.turn("e2", "I live in Varde.", 20, session="late")
    line.take(said)
    handed = Note(line.tenant, (parsed("mem", memory),), "late", said.observed_at - timedelta(minutes=1), False)
    write(line.engine, line.tenant, [handed])
    line.drain()
    assert line.reasons("e2") == [("reject", ["echo"])]


def test_a_verdict_reached_without_the_news_is_not_written(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    """The recall arrives, and is worked off, between the gate's look at the turn and its verdict."""
    recall, echo, *_ = session(line, known(line, *SEEDS))
    line.push(echo)
    while line.extract():
        pass
    plain, arrived = screening.Unscreened.verdict, []

    def verdict(self: screening.Unscreened, rules: Rules) -> Verdict:
        found = plain(self, rules)
        if not arrived:
            arrived.append(recall)
            line.push(recall)
            while line.extract():
                pass
        return found

    monkeypatch.setattr(screening.Unscreened, "verdict", verdict)
    line.drain()
    assert arrived
    assert line.reasons("e2") == [("reject", ["echo"])]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_proposal_is_read_with_the_turns_before_it_whenever_they_arrive(line: Line, order: tuple[int, int]) -> None:
    question = line.turn("q", "Shall I remember that you row for Vesta?", 0, author="assistant")
    answer = line.turn("a", "Yes, please.", 0.01, session="s0")
    for number in order:
        line.take((question, answer)[number])
        if number == 1:
            line.propose(
                line.proposal(answer, "rows_for", "Vesta", claim="The user rows for Vesta.", basis="confirmed")
            )
            line.drain()
    (row,) = line.memories()
    assert (row["object"], row["basis"]) == ("Vesta", "confirmed")
