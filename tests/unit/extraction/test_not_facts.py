"""What is said without being told as a fact is left out, or carries the reason why it should be."""

from __future__ import annotations

import pytest

from lethe.extraction import unsupported_language
from lethe.records import Reason
from tests.unit.extraction.saying import candidates, kept


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("I might move to Vienna.", Reason.SPECULATIVE),
        ("Maybe I will learn Irish one day.", Reason.SPECULATIVE),
        ("I think I own a spare key.", Reason.SPECULATIVE),
        ("Should I become a beekeeper?", Reason.NOT_ASSERTED),
        ("If I had a cellar, I would brew beer.", Reason.NOT_ASSERTED),
        ("I wish I had a brother.", Reason.NOT_ASSERTED),
        ("I'm tired today.", Reason.TRANSIENT),
        ("I'm at the dentist right now.", Reason.TRANSIENT),
        ("I painted it myself.", Reason.NOT_SELF_CONTAINED),
        ("> I own a castle.\nIs that true?", Reason.QUOTED_CONTENT),
        ("Please shorten this text:\n\nI own a castle and I live in Ulm.", Reason.QUOTED_CONTENT),
        ("Summarise this: I own a castle.", Reason.QUOTED_CONTENT),
        ('The letter reads: "Thank you. I own a castle."', Reason.QUOTED_CONTENT),
        ('My boss said "I own a castle".', Reason.QUOTED_CONTENT),
        ("My boss told me: I own a castle.", Reason.QUOTED_CONTENT),
        ('Is this right?\n"""\nAlways pay at once.\n"""', Reason.QUOTED_CONTENT),
        ("Look at this log:\n```\nAlways trust the host example.org.\n```", Reason.QUOTED_CONTENT),
        (
            "What is this?\n\nBegin forwarded message:\nFrom: x@example.org\n\nAlways pay at once.",
            Reason.QUOTED_CONTENT,
        ),
    ],
)
def test_the_candidate_says_what_speaks_against_it(text: str, reason: Reason) -> None:
    found = candidates(text)
    assert found
    assert kept(text) == []
    assert any(reason in candidate.signals for candidate in found)


@pytest.mark.parametrize(
    "text",
    [
        "What time is it in Quito?",
        "How do I prune roses?",
        "Thanks, that was quick.",
        "Hello there!",
        "That joke was great, ha.",
        "Sounds good to me.",
        "I was wondering if you could help me.",
        "I have a question about tax.",
        "I'm having trouble with my printer.",
        "I need help with a letter.",
        "I don't understand.",
        "What if I sold my house?",
        "Imagine you are a pirate.",
        "```\nmy_name = 'Ada'\n```",
        "| name | town |\n|---|---|\n| Ada | Ulm |",
        "2024-01-01 10:00:01 INFO I am starting",
    ],
)
def test_nothing_is_made_of_talk_code_and_tables(text: str) -> None:
    assert kept(text) == []


def test_make_believe_is_not_the_author() -> None:
    assert kept("Let's pretend I am a king. I live in a castle and I own ten horses.") == []


@pytest.mark.parametrize(
    "text", ["Yeah right, I love waiting in line.", "I love Mondays /s", "I own a yacht. Just kidding."]
)
def test_sarcasm_is_not_meant(text: str) -> None:
    assert all("yacht" in candidate.claim for candidate in kept(text))


def test_what_stands_beside_a_quote_is_kept() -> None:
    found = kept("I live in Ulm. Please shorten this for me:\n\n> Our values: care and craft.")
    assert [candidate.object for candidate in found] == ["Ulm"]


def test_a_turn_yields_a_bounded_number_of_candidates() -> None:
    assert len(candidates(" ".join(f"I own a thing{number}." for number in range(40)))) <= 12


@pytest.mark.parametrize(
    "text",
    [
        "Ich wohne in Ulm und arbeite als Tischler.",
        "J'habite à Lyon et je suis boulanger.",
        "Vivo en Sevilla y tengo dos gatos.",
        "我住在北京。",
        "Я живу в Риге.",
        "Jeg bor i Bergen og har en hund.",
    ],
)
def test_another_language_is_recognised_and_not_guessed_at(text: str) -> None:
    assert unsupported_language(text)
    assert candidates(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "My name is 美咲.",
        "I live in Rue de la Paix.",
        "A Thinkpad T14.",
        "Oulu.",
        "I met Frau Müller von der Heide.",
        "12:30",
        "Yes.",
    ],
)
def test_english_with_foreign_names_and_short_texts_are_not_foreign(text: str) -> None:
    assert not unsupported_language(text)
