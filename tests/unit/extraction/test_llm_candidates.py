"""A model's proposal becomes a candidate: names brought in line, and what a model may not decide taken from it."""

from __future__ import annotations

from typing import Any

import pytest

from lethe.extraction.llm.candidates import candidate
from lethe.extraction.llm.failures import InvalidOutput
from lethe.extraction.llm.said import said
from lethe.records import Act, Basis, Candidate, Cardinality, Kind, Reason, Turn
from tests.unit.extraction.test_llm_grounding import OBSERVED, proposed, turn


def made(text: str, claim: str, value: str, of: Turn | None = None, **more: Any) -> Candidate:
    source = of or turn(text)
    return candidate(proposed(claim, value, text, **more), source, said(source, ()))


@pytest.mark.parametrize(
    ("predicate", "name", "cardinality"),
    [
        ("lives_in", "lives_in", Cardinality.SINGLE),
        ("Lives In", "lives_in", Cardinality.SINGLE),
        ("resides_in", "lives_in", Cardinality.SINGLE),
        ("residence", "lives_in", Cardinality.SINGLE),
        ("works_at", "works_for", Cardinality.SINGLE),
        ("speaks", "speaks", Cardinality.MANY),
        ("brews", "brews", Cardinality.MANY),
        ("has_pet", "has_pet", Cardinality.MANY),
    ],
)
def test_a_predicate_takes_the_name_and_the_cardinality_of_the_table(
    predicate: str, name: str, cardinality: Cardinality
) -> None:
    found = made("I live in Oulu.", "The user lives in Oulu.", "Oulu", predicate=predicate)
    assert (found.predicate, found.cardinality) == (name, cardinality)


def test_verbs_of_the_table_are_the_users_alone() -> None:
    text = "The meeting moved to Friday."
    found = made(text, "The meeting moved to Friday.", "Friday", subject="meeting", predicate="moved_to")
    assert found.predicate == "moved_to"


def test_to_hate_is_not_to_like() -> None:
    hates = made("I hate mushrooms.", "The user hates mushrooms.", "mushrooms", predicate="hates", kind="preference")
    assert (hates.predicate, hates.negated, hates.kind) == ("likes", True, Kind.PREFERENCE)
    also = made("I hate mushrooms.", "The user hates mushrooms.", "mushrooms", predicate="dislikes", negated=True)
    assert (also.predicate, also.negated) == ("likes", True)
    denied = made(
        "I don't hate mushrooms.", "The user does not hate mushrooms.", "mushrooms", predicate="hates", negated=True
    )
    assert (denied.predicate, denied.negated) == ("likes", False)


def test_whatever_the_author_is_called_it_is_the_user() -> None:
    for name in ("The user", "I", "Rosa"):
        source = turn("I live in Oulu.", speaker="Rosa")
        assert made(source.text, "The user lives in Oulu.", "Oulu", source, subject=name).subject == "user"


def test_what_others_like_or_want_is_a_fact_about_them() -> None:
    text = "My sister prefers tea."
    found = made(text, "The user's sister prefers tea.", "tea", subject="user's sister", kind="preference")
    assert (found.kind, found.signals) == (Kind.SEMANTIC, frozenset())


def test_what_holds_of_a_life_is_no_passing_event() -> None:
    born = made("I was born in Oulu.", "The user was born in Oulu.", "Oulu", predicate="born_in", kind="episodic")
    went = made("I went to Oulu.", "The user went to Oulu.", "Oulu", predicate="went_to", kind="episodic")
    assert (born.kind, went.kind) == (Kind.SEMANTIC, Kind.EPISODIC)


def test_a_tool_observes_and_neither_wants_nor_takes_back() -> None:
    source = turn("Booked room 12 in Oulu.", "tool", verified=True)
    told = made(source.text, "The user's room 12 in Oulu was booked.", "room 12", source, kind="episodic")
    assert (told.basis, told.signals) == (Basis.OBSERVED, frozenset())
    wanted = made(source.text, "The user wants room 12 in Oulu booked.", "room 12", source, kind="instruction")
    assert Reason.UNTRUSTED_SOURCE in wanted.signals


def test_no_model_is_surer_than_a_persons_own_word() -> None:
    assert made("I live in Oulu.", "The user lives in Oulu.", "Oulu", confidence=1.0).confidence == 0.95
    assert made("I live in Oulu.", "The user lives in Oulu.", "Oulu", basis="inferred").basis is Basis.INFERRED


def test_days_are_read_in_the_offset_of_the_turn() -> None:
    text = "I bought a bike yesterday, the warranty runs until 20 August 2024."
    found = made(text, "The user bought a bike.", "bike", event_date="2024-08-14", expires_date="2024-08-20")
    assert found.event_at is not None and found.event_at.isoformat() == "2024-08-14T00:00:00-04:00"
    assert found.expires_at is not None and found.expires_at.isoformat() == "2024-08-20T23:59:59-04:00"
    today = made("I bought a bike today.", "The user bought a bike.", "bike", event_date="2024-08-15")
    assert today.event_at == OBSERVED


def test_an_end_is_a_change() -> None:
    found = made("I no longer drink coffee.", "The user drinks coffee.", "coffee", act="end", predicate="drinks")
    assert (found.act, found.cue) == (Act.END, True)


def test_what_is_not_grounded_is_kept_with_the_reason() -> None:
    assert Reason.NOT_GROUNDED in made("I live in Oulu.", "The user lives in Lahti.", "Lahti").signals


def test_a_predicate_without_a_letter_is_no_answer() -> None:
    with pytest.raises(InvalidOutput):
        made("I live in Oulu.", "The user lives in Oulu.", "Oulu", predicate="--")
