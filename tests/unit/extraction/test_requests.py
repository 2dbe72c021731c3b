"""A request that joins a statement in one sentence is a standing instruction or nothing, and no doing of the author's."""

from __future__ import annotations

import pytest

from lethe.records import Kind
from tests.unit.extraction.saying import candidates, kept, only

CALLS_THEMSELVES = "The user calls the user"


def _instructions(text: str) -> list[str]:
    return [each.claim for each in kept(text) if each.kind is Kind.INSTRUCTION]


@pytest.mark.parametrize(
    ("text", "fact", "wish"),
    [
        ("I sail, and please always give distances in knots.", "sails", "to always give distances in knots"),
        ("I keep bees and please never use slang.", "keeps bees", "never to use slang"),
        ("My aunt lives in Bergen and please always use Celsius.", "lives in Bergen", "to always use Celsius"),
        ("I teach Latin, so please answer me in short sentences.", "teaches Latin", "to answer the user in short sentences"),
        ("I gave up sugar; please don't mention cake again.", "gave up sugar", "not to mention cake again"),
        ("I mend nets, please reply in Norwegian.", "mends nets", "to reply in Norwegian"),
        ("I'm a notary and from now on please cite the paragraph.", "is a notary", "to cite the paragraph"),
    ],
)  # fmt: skip
def test_please_and_a_verb_behind_a_statement_is_a_standing_instruction(text: str, fact: str, wish: str) -> None:
    (told,) = (each.claim for each in kept(text) if each.kind is not Kind.INSTRUCTION)
    assert told.endswith(f" {fact}.")
    assert _instructions(text) == [f"The user wants the assistant {wish}."]


@pytest.mark.parametrize(
    "text",
    [
        "I live in Bruges and please call me Wim.",
        "I live in Bruges; please call me Wim.",
        "I live in Bruges and call me Wim.",
        "I'm Willem, but call me Wim.",
        "My name is Willem, just call me Wim.",
    ],
)
def test_the_name_to_be_called_by_is_heard_behind_a_statement(text: str) -> None:
    (found,) = (each for each in kept(text) if each.kind is Kind.INSTRUCTION)
    assert (found.predicate, found.object) == ("call_user", "Wim")
    assert not any(CALLS_THEMSELVES in each.claim for each in candidates(text))


@pytest.mark.parametrize(
    "text",
    [
        "I play the lute and please send me the notes.",
        "I'm writing a grant, and please check the second paragraph.",
        "I restore clocks, please tell me about this one.",
    ],
)
def test_a_request_of_the_moment_behind_a_statement_is_no_claim(text: str) -> None:
    found = kept(text)
    assert len(found) == 1
    assert "please" not in found[0].claim


@pytest.mark.parametrize(
    "text",
    [
        "I please never use emoji.",
        "When it rains I stay home and please always check the radar.",
        "I like ska and please no emoji.",
    ],
)
def test_nobody_pleases_to_do_something(text: str) -> None:
    assert not any("please" in each.claim for each in candidates(text))


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("I please my customers with tarts.", "The user pleases the user's customers with tarts."),
        ("I paint icons and always please my bishop.", "The user always pleases the user's bishop."),
        ("I entertain and please crowds.", "The user entertains and pleases crowds."),
    ],
)
def test_to_please_somebody_stays_a_verb(text: str, claim: str) -> None:
    assert claim in [each.claim for each in kept(text)]
    assert not _instructions(text)


@pytest.mark.parametrize("text", ["It pleases me.", "I want to please my boss."])
def test_that_somebody_is_pleased_is_no_instruction(text: str) -> None:
    assert kept(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "My boss wrote, please call me Wim.",
        'She wrote "I live in Bruges and please always call me Wim".',
        "My friends visit me and call me Wim.",
        "I have friends who visit and call me Wim.",
        "Please call me back.",
        "Please don't do that again.",
        "I have a brother; please never mention him.",
    ],
)
def test_what_others_say_or_what_only_points_instructs_nobody(text: str) -> None:
    assert _instructions(text) == []


def test_a_request_with_its_occasion_before_it_stays_whole() -> None:
    assert only("For every recipe I post, please add the calories.").claim == (
        "The user wants the assistant to add the calories for every recipe the user posts."
    )


@pytest.mark.parametrize(
    ("text", "predicate", "negated"),
    [("I always want short bullet points.", "wants_point", False), ("I never want emoji.", "wants_emoji", True)],
)
def test_what_the_author_always_or_never_wants_is_a_preference(text: str, predicate: str, negated: bool) -> None:
    found = only(text)
    assert (found.kind, found.predicate, found.negated) == (Kind.PREFERENCE, predicate, negated)


@pytest.mark.parametrize("text", ["I want short bullet points.", "I always want the best.", "I always want to travel."])
def test_a_wish_of_the_moment_is_no_preference(text: str) -> None:
    assert kept(text) == []
