"""What a model is shown and what it may answer."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from lethe.extraction.llm.conversation import CUT, labelled, prompt, shown
from lethe.extraction.llm.failures import InvalidOutput
from lethe.extraction.llm.schema import Answer, json_schema, read
from tests.unit.extraction.test_llm_grounding import OBSERVED, proposed, turn


def at(minute: int, name: str, text: str, author: str = "user") -> Any:
    return turn(text, author, turn=name, observed_at=OBSERVED + timedelta(minutes=minute))


def test_the_prompt_carries_its_version_and_names_the_table_of_predicates() -> None:
    made = prompt()
    number, digest = made.version.split(".")
    assert number.isdigit() and len(digest) == 6
    assert "lives_in" in made.text and "{predicates}" not in made.text and "version:" not in made.text
    assert "What not to propose" in made.text


def test_turns_are_shown_in_order_under_labels_and_those_before_without() -> None:
    first, answer, second = at(0, "a", "I live in Oulu."), at(1, "b", "Nice.", "assistant"), at(2, "c", "And you?")
    asked = labelled([(second, [first, answer]), (first, [])])
    entries = json.loads(shown(asked, 1000))["conversation"]
    assert [(each.get("turn"), each["author"]) for each in entries] == [
        ("t1", "user"),
        (None, "assistant"),
        ("t2", "user"),
    ]
    assert entries[0]["time"] == "Thursday 2024-08-15 23:30 -0400"


def test_no_name_of_tenant_user_or_turn_is_shown() -> None:
    told = shown(
        labelled([(turn("Hello", tenant="acme-secret", user="u-secret", session="s-secret", turn="t-secret"), [])]),
        1000,
    )
    assert "secret" not in told


def test_a_long_turn_is_shown_by_its_beginning_and_its_end() -> None:
    told = json.loads(shown(labelled([(turn("a" * 5000 + "z" * 5000), [])]), 1000))["conversation"][0]["text"]
    assert told == "a" * 500 + CUT + "z" * 500


def test_the_schema_that_is_sent_is_the_one_that_checks_the_answer() -> None:
    schema = json_schema()["schema"]
    properties = schema["$defs"]["Proposed"]["properties"]
    assert set(properties) == set(schema["$defs"]["Proposed"]["required"])
    assert schema["additionalProperties"] is False
    answer = Answer(memories=[proposed("The user lives in Oulu.", "Oulu", "I live in Oulu")])
    assert set(json.loads(answer.model_dump_json())["memories"][0]) == set(properties)
    assert read(answer.model_dump_json(), ["t1"]) == answer


def test_an_answer_in_a_fence_is_read() -> None:
    assert read('```json\n{"memories": []}\n```', ["t1"]) == Answer(memories=[])


def one(**changed: Any) -> str:
    found = proposed("The user lives in Oulu.", "Oulu", "I live in Oulu").model_dump()
    return json.dumps({"memories": [found | changed]})


@pytest.mark.parametrize(
    "content",
    [
        "",
        "I cannot help with that.",
        '{"memories": [',
        '{"facts": []}',
        "[]",
        one(turn="t2"),
        one(kind="procedural"),
        one(kind="working"),
        one(basis="confirmed"),
        one(basis="observed"),
        one(confidence=1.5),
        one(confidence="NaN"),
        one(event_date="yesterday"),
        one(claim=""),
        one(claim="x" * 1001),
        one(claim="a\x00b"),
        one(extra=1),
        json.dumps({"memories": json.loads(one())["memories"] * 41}),
    ],
)
def test_anything_else_is_invalid_output_and_quotes_nothing(content: str) -> None:
    with pytest.raises(InvalidOutput) as caught:
        read(content, ["t1"])
    assert caught.value.__context__ is None and caught.value.__cause__ is None
    assert "Oulu" not in str(caught.value)
