"""Tastes, wishes about form, and standing instructions."""

from __future__ import annotations

import pytest

from lethe.records import Cardinality, Kind
from tests.unit.extraction.saying import kept, key, only


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("I love marzipan.", False),
        ("I like marzipan.", False),
        ("I hate marzipan.", True),
        ("I don't like marzipan.", True),
        ("I can't stand marzipan.", True),
        ("I cannot stand marzipan any more.", True),
    ],
)
def test_every_degree_of_liking_is_one_predicate_with_polarity(text: str, negated: bool) -> None:
    found = only(text)
    assert key(found) == ("user", "likes", "marzipan")
    assert found.negated is negated
    assert found.kind is Kind.PREFERENCE


def test_the_users_strength_of_wording_stays_in_the_claim() -> None:
    assert only("I can't stand marzipan.").claim == "The user cannot stand marzipan."


def test_preferences_for_the_same_thing_replace_one_another() -> None:
    first, second = only("I prefer strong cheese."), only("Actually, I prefer mild cheese now, not strong cheese.")
    assert first.predicate == second.predicate == "prefers_cheese"
    assert second.object == "mild cheese"
    assert second.replaces == "strong cheese"
    assert second.cue
    assert only("I prefer still water.").predicate != first.predicate


def test_a_contrast_has_the_same_key_whichever_side_wins() -> None:
    first, second = only("I prefer trains to planes."), only("I prefer planes to trains.")
    assert first.predicate == second.predicate
    assert (first.object, second.object) == ("trains", "planes")
    assert first.cardinality is Cardinality.SINGLE


@pytest.mark.parametrize(
    "text",
    ["I would rather cycle than drive.", "I prefer that mails about taxes are brief.", "I like sourdough bread best."],
)
def test_other_ways_to_prefer(text: str) -> None:
    assert only(text).kind is Kind.PREFERENCE


def test_wanting_a_thing_in_a_form_is_a_preference_that_can_change() -> None:
    first, second = only("I want receipts as plain text."), only("I changed my mind: I want receipts as HTML.")
    assert first.predicate == second.predicate == "wants_receipts_as"
    assert (first.object, second.object) == ("plain text", "HTML")
    assert second.cue


@pytest.mark.parametrize(
    ("text", "predicate", "claim"),
    [
        (
            "Always quote prices in euros.",
            "quote_prices",
            "The user wants the assistant to always quote prices in euros.",
        ),
        ("From now on call me Skipper.", "call_user", "The user wants the assistant to call the user Skipper."),
        (
            "Never book flights before nine.",
            "book_flights",
            "The user wants the assistant never to book flights before nine.",
        ),
        ("Please stop using tables.", "use_tables", "The user wants the assistant to stop using tables."),
        (
            "Don't use slang when you write to me.",
            "use_slang",
            "The user wants the assistant not to use slang when the assistant writes to the user.",
        ),
        (
            "Please keep your replies under ten lines.",
            "keep_replies",
            "The user wants the assistant to keep its replies under ten lines.",
        ),
        (
            "Please answer me in Swedish.",
            "answer_language",
            "The user wants the assistant to answer the user in Swedish.",
        ),
        (
            "Remember to add units to every table.",
            "add_units",
            "The user wants the assistant to add units to every table.",
        ),
        (
            "When I ask about trains, always mention the platform.",
            "mention_platform",
            "The user wants the assistant to always mention the platform when the user asks about trains.",
        ),
    ],
)
def test_standing_instructions(text: str, predicate: str, claim: str) -> None:
    found = only(text)
    assert found.kind is Kind.INSTRUCTION
    assert (found.predicate, found.claim) == (predicate, claim)


@pytest.mark.parametrize(
    "text", ["Never book flights before nine.", "Don't use slang with me.", "Please stop using tables."]
)
def test_a_forbidding_instruction_is_negated(text: str) -> None:
    assert only(text).negated


def test_an_instruction_for_the_project_is_shared_and_names_it() -> None:
    found = only("For this project, always write changelogs in Estonian.", project="wren")
    assert found.shared
    assert found.claim.endswith("for project wren.")


@pytest.mark.parametrize(
    "text",
    [
        "Write a poem about the sea.",
        "Can you help me with a letter?",
        "Could you summarise this for me?",
        "Give me three ideas for a garden.",
        "Translate this into French.",
        "Explain recursion to me.",
        "Please fix the bug in my code.",
        "Don't worry about it.",
        "Never mind.",
        "Let me know what you think.",
        "Tell me a joke.",
        "Use this template for the letter.",
    ],
)
def test_the_task_of_the_moment_is_no_memory(text: str) -> None:
    assert kept(text) == []
