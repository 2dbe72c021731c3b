"""The line with a model: what it proposes is checked, what fails is told apart, and no failure ever becomes a memory."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy.engine import Engine

from lethe.keys import Keyring
from lethe.store import work
from tests.integration import llm_server as server
from tests.integration.llm_line import ModelLine
from tests.integration.llm_server import Behaviour, Scripted

OULU, TEA = "I live in Oulu.", "I prefer tea over coffee."


@pytest.fixture
def endpoint() -> Iterator[Scripted]:
    with server.serving() as scripted:
        yield scripted


@pytest.fixture
def line(endpoint: Scripted, engine: Engine, keys: Keyring) -> ModelLine:
    return ModelLine.to(endpoint, engine, keys)


def test_a_turn_becomes_memories_through_a_model(line: ModelLine) -> None:
    line.take(line.turn("t1", f"{OULU} {TEA}"))
    assert line.current() == ["The user lives in Oulu.", "The user prefers tea over coffee."]
    assert {row.extractor for row in line.proposals()} == {line.extractor.name}
    [call] = line.calls()
    assert (call["outcome"], call["turns"], call["tries"], call["status"]) == ("answered", 1, 1, 200)
    assert (call["tokens_in"], call["tokens_out"], call["estimated"]) == (1200, 80, False)
    assert line.spent() == 1280


def test_turns_of_a_session_share_a_call_and_sessions_do_not(line: ModelLine, endpoint: Scripted) -> None:
    line.take(
        line.turn("a", OULU, session="s1"),
        line.turn("b", TEA, day=1, session="s1"),
        line.turn("c", "I live in Lahti.", day=2, user="u2", session="s2"),
    )
    assert [list(asked.turns.values()) for asked in endpoint.asked] == [[OULU, TEA], ["I live in Lahti."]]
    assert [row["source"]["turn"] for row in line.memories(user="u1")] == ["a", "b"]
    assert [row["claim"] for row in line.memories(user="u2")] == ["The user lives in Lahti."]


def test_a_call_carries_no_more_turns_than_the_policy_says(endpoint: Scripted, engine: Engine, keys: Keyring) -> None:
    line = ModelLine.to(endpoint, engine, keys, turns_per_call=2)
    line.take(*[line.turn(f"t{n}", OULU, day=n / 24, session="s") for n in range(5)])
    assert [len(asked.turns) for asked in endpoint.asked] == [2, 2, 1]


def test_what_nobody_may_learn_from_is_not_sent(line: ModelLine, endpoint: Scripted) -> None:
    endpoint.plays(then=server.reset)
    line.take(
        line.turn("a", "You live in Oulu, I think.", author="assistant"),
        line.turn("b", "The user lives in Oulu.", author="document"),
        line.turn("c", "Ich wohne mit meiner Frau und den Kindern in Oulu.", day=1),
    )
    assert endpoint.asked == []
    assert [line.reasons(name)[0][1] for name in "abc"] == [
        ["assistant_authored"],
        ["untrusted_source"],
        ["unsupported_language"],
    ]
    assert line.waiting() == [], "what needs no model does not wait for one"


def test_other_languages_are_read_where_the_policy_says_so(endpoint: Scripted, engine: Engine, keys: Keyring) -> None:
    german = "Ich wohne mit meiner Frau und den Kindern in Oulu."
    line = ModelLine.to(endpoint, engine, keys, other_languages="read")
    endpoint.plays(lambda asked: server.memories([server.claim("t1", "wohne")]))
    line.take(line.turn("a", german))
    assert line.current() == ["The user lives in Oulu."]


# --- what is not in the turn --------------------------------------------------------------------------------------


@pytest.mark.parametrize("behaviour", [server.invented_numbers, server.invented_names, server.wrong_language])
def test_what_a_model_invents_is_refused_with_the_reason(
    line: ModelLine, endpoint: Scripted, behaviour: Behaviour
) -> None:
    endpoint.plays(then=behaviour)
    line.take(line.turn("t1", OULU))
    assert line.current() == []
    [(outcome, reasons)] = line.reasons("t1")
    assert outcome == "reject" and "not_grounded" in reasons


# --- failures that count ------------------------------------------------------------------------------------------

COUNTED = [
    (server.broken_content, "invalid_output"), (server.broken_body, "invalid_output"), (server.other_schema, "invalid_output"),
    (server.empty, "invalid_output"), (server.oversize, "invalid_output"), (server.far_too_many, "invalid_output"),
    (server.invented_turn, "invalid_output"), (server.refusal, "refused"), (server.filtered, "refused"),
    (server.bad_request, "refused"), (server.truncated, "truncated"), (server.too_long, "truncated"),
]  # fmt: skip


@pytest.mark.parametrize(("behaviour", "code"), COUNTED)
def test_what_a_turn_brings_upon_itself_is_set_aside_with_its_class(
    line: ModelLine, endpoint: Scripted, behaviour: Behaviour, code: str
) -> None:
    endpoint.plays(then=behaviour)
    line.push(line.turn("t1", OULU))
    line.settle()
    assert line.set_aside() == [(code, work.MOST_ATTEMPTS)]
    assert line.outcomes() == [code] * work.MOST_ATTEMPTS
    assert line.memories() == [] and line.proposals() == []
    endpoint.plays(then=server.good)
    work.release_quarantined(line.engine, line.now)
    line.settle()
    assert line.current() == ["The user lives in Oulu."], "`lethe retry` works it off once the fault is gone"


def test_one_bad_turn_costs_the_others_of_its_call_only_a_second_call(line: ModelLine, endpoint: Scripted) -> None:
    def poisoned(asked: server.Asked) -> server.Answered:
        return server.refusal(asked) if "poison" in str(asked.turns) else server.good(asked)

    endpoint.plays(then=poisoned)
    line.push(
        line.turn("a", OULU, session="s"),
        line.turn("b", "poison", day=0.1, session="s"),
        line.turn("c", TEA, day=0.2, session="s"),
    )
    line.settle()
    assert line.current() == ["The user lives in Oulu.", "The user prefers tea over coffee."]
    assert line.set_aside() == [("refused", work.MOST_ATTEMPTS)]


def test_a_call_that_is_cut_off_is_tried_turn_by_turn(line: ModelLine, endpoint: Scripted) -> None:
    endpoint.plays(then=server.truncated_when_many)
    line.push(line.turn("a", OULU, session="s"), line.turn("b", TEA, day=0.1, session="s"))
    line.settle()
    assert line.current() == ["The user lives in Oulu.", "The user prefers tea over coffee."]
    assert line.outcomes() == ["truncated", "answered", "answered"]


def test_a_turn_that_always_takes_too_long_is_set_aside(endpoint: Scripted, engine: Engine, keys: Keyring) -> None:
    def only_others(asked: server.Asked) -> server.Answered:
        return server.slow(asked) if "Oulu" in str(asked.turns) else server.good(asked)

    line = ModelLine.to(endpoint, engine, keys, timeout_seconds=0.7)
    endpoint.plays(then=only_others)
    line.push(line.turn("a", OULU))
    for number in range(work.MOST_ATTEMPTS):
        line.push(line.turn(f"b{number}", TEA, day=1 + number))
        line.settle(rounds=2)
    assert ("timeout", work.MOST_ATTEMPTS) in line.set_aside()


# --- failures that wait -------------------------------------------------------------------------------------------

WAITING = [
    (server.reset, "unreachable"), (server.server_fault, "unreachable"), (server.wrong_key, "unreachable"),
    (server.overloaded, "rate_limited"), (server.rate_limited(40), "rate_limited"),
]  # fmt: skip


@pytest.mark.parametrize(("behaviour", "code"), WAITING)
def test_while_the_endpoint_is_down_turns_wait_and_are_worked_off_when_it_is_back(
    line: ModelLine, endpoint: Scripted, behaviour: Behaviour, code: str
) -> None:
    endpoint.plays(then=behaviour)
    line.push(line.turn("a", OULU), line.turn("b", TEA, day=1))
    for _ in range(30):
        line.drain()
        line.later(seconds=61)
    assert line.waiting() == [(code, 0), (code, 0)], "half an hour later nothing has been counted"
    assert set(line.outcomes()) == {code} and line.memories() == []
    assert len(line.calls()) <= 33, "one call a time, once the breaker is open"
    endpoint.plays(then=server.good)
    line.settle()
    assert line.current() == ["The user lives in Oulu.", "The user prefers tea over coffee."]
    assert line.waiting() == [] and line.set_aside() == []


def test_nobody_listens(engine: Engine, keys: Keyring) -> None:
    line = ModelLine.to(Scripted(""), engine, keys, url="http://127.0.0.1:9/v1")
    line.take(line.turn("a", OULU))
    assert line.waiting() == [("unreachable", 0)]
    assert line.spent() == 0, "nothing was sent"
    [call] = line.calls()
    assert (call["tries"], call["tokens_in"]) == (3, 0)
    assert len(line.slept) == 2 and 0 < line.slept[0] <= 0.5 and line.slept[1] <= 1.0, "growing pauses with jitter"


def test_a_passing_fault_is_over_within_the_call(line: ModelLine, endpoint: Scripted) -> None:
    endpoint.plays(server.server_fault, server.rate_limited(2))
    line.take(line.turn("a", OULU))
    assert line.current() == ["The user lives in Oulu."]
    [call] = line.calls()
    assert (call["outcome"], call["tries"]) == ("answered", 3)
    assert line.slept[1] == 2.0, "as long as the endpoint asked"


def test_an_endpoint_that_asks_for_a_pause_gets_it(line: ModelLine, endpoint: Scripted) -> None:
    endpoint.plays(server.rate_limited(90))
    line.take(line.turn("a", OULU))
    assert (len(endpoint.asked), line.slept) == (1, [])
    line.later(seconds=89)
    line.take(line.turn("b", TEA, day=1))
    assert len(endpoint.asked) == 1, "nobody else calls meanwhile either"
    line.later(seconds=2)
    line.settle()
    assert line.current() == ["The user lives in Oulu.", "The user prefers tea over coffee."]


def test_a_slow_endpoint_counts_until_the_breaker_says_that_it_is_the_endpoint(
    endpoint: Scripted, engine: Engine, keys: Keyring
) -> None:
    line = ModelLine.to(endpoint, engine, keys, timeout_seconds=0.7, breaker_failures=2)
    endpoint.plays(then=server.slow)
    line.push(line.turn("a", OULU), line.turn("b", TEA, day=1))
    for _ in range(5):
        line.drain()
        line.later(minutes=20)
    assert sorted(attempts for _, attempts in line.waiting()) == [0, 1]
    assert set(line.outcomes()) == {"timeout"} and line.calls()[0]["estimated"]
    assert line.spent() > 0, "what a slow model read is spent"


def test_an_endpoint_that_takes_no_temperature_is_asked_without(line: ModelLine, endpoint: Scripted) -> None:
    endpoint.plays(then=server.without_temperature)
    line.take(line.turn("a", OULU))
    line.take(line.turn("b", TEA, day=1))
    assert line.current() == ["The user lives in Oulu.", "The user prefers tea over coffee."]
    assert [sorted({"temperature", "max_tokens", "max_completion_tokens"} & set(asked.body)) for asked in endpoint.asked] == [
        ["max_tokens", "temperature"], ["max_tokens"], ["max_completion_tokens"], ["max_completion_tokens"],
    ]  # fmt: skip


def test_no_text_of_a_turn_or_an_answer_is_logged_or_raised(
    line: ModelLine, endpoint: Scripted, capfd: pytest.CaptureFixture[str]
) -> None:
    for behaviour, _ in [*COUNTED, *WAITING]:
        endpoint.plays(then=behaviour)
        line.take(line.turn(f"t{id(behaviour)}", OULU, session=f"s{id(behaviour)}"))
        line.later(hours=1)
    told = "".join(capfd.readouterr())
    assert "turns.not_extracted" in told and "Oulu" not in told and "Atlantis" not in told and server.KEY not in told
