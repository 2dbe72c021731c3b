"""What a turn tells in passing: by what it names in a request, in an example, or in a clause that hangs loosely."""

from __future__ import annotations

import pytest

from tests.unit.extraction.saying import candidates, kept, only


def claims(text: str) -> list[str]:
    return [candidate.claim for candidate in kept(text)]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Do you have any recipes for my slow cooker?", "The user has a slow cooker."),
        ("I'm looking for a case for my foldable keyboard.", "The user has a foldable keyboard."),
        ("I need some batteries for my hearing aids.", "The user has hearing aids."),
    ],
)
def test_a_turn_that_tells_nothing_else_tells_what_the_author_has(text: str, claim: str) -> None:
    assert claims(text) == [claim]


@pytest.mark.parametrize(
    "text",
    [
        "How do I improve my writing skills?",
        "Can you check my final draft?",
        "What should I do about my upcoming trip?",
        "Is there a cure for my daily stress?",
    ],
)
def test_what_nobody_owns_as_a_thing_is_not_had(text: str) -> None:
    assert claims(text) == []


def test_a_thing_is_not_told_beside_a_fact() -> None:
    assert claims("I moved to Ulm in 2019. Any tips for my slow cooker?") == ["The user moved to Ulm in 2019."]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("As a Nikon camera user, I'd welcome a bag.", "The user is a Nikon camera user."),
        (
            "Is this good for my growth as a 31-year-old lab technician in Turku?",
            "The user is a 31-year-old lab technician in Turku.",
        ),
    ],
)
def test_what_somebody_is_stands_behind_as(text: str, claim: str) -> None:
    assert claim in claims(text)


@pytest.mark.parametrize("text", ["As a user, I want to log in.", "I need to fix my laptop as a test."])
def test_a_role_in_a_task_is_nobodys(text: str) -> None:
    assert not any(" is a " in claim for claim in claims(text))


def test_an_example_tells_what_was_got() -> None:
    said = "I've had luck at the flea market before, like that leather satchel I got for 90 euros."
    assert claims(said) == ["The user got the leather satchel for 90 euros."]


def test_a_relative_after_a_name_speaks_of_the_name() -> None:
    said = "I'm looking for games similar to Moss Lantern, which took me 7 hours to finish."
    assert "Moss Lantern took the user 7 hours to finish." in claims(said)


def test_a_relative_in_a_question_about_a_thing_speaks_of_the_thing() -> None:
    said = "I've got a question about the permit timeline, which typically takes 6-9 months in Visby."
    assert "The permit timeline typically takes 6-9 months in Visby." in claims(said)


def test_what_was_seen_is_told_with_what_was_thought_of_it() -> None:
    said = (
        "I recently saw a two-room cottage in the Marsh quarter on March 3rd that I really liked, but the roof leaks."
    )
    assert only(said).claim.startswith("The user recently saw a two-room cottage in the Marsh quarter on March 3rd")


def test_what_is_noticed_about_ones_own_things_is_told() -> None:
    assert claims("I noticed some rust on my cargo bike.") == ["The user noticed some rust on the user's cargo bike."]
    assert claims("I noticed some progress.") == []


def test_news_of_ones_own_people_is_told_and_rumours_are_not() -> None:
    said = "I just heard that my friend from school, Tove, had a baby girl two weeks ago."
    assert only(said).claim == "The user's friend from school, Tove, had a baby girl around 1 August 2024."
    assert claims("I heard that my landlord might sell the house in Ulm.") == []
    assert claims("I heard that the museum in Ulm closed.") == []


def test_what_is_remembered_doing_was_done() -> None:
    assert claims("I remember finishing three volumes of the saga.") == [
        "The user remembers finishing three volumes of the saga."
    ]
    assert claims("I remember laughing.") == []


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (
            "Could you tell me about the Sutton Hoo helmet? I saw it in person at the British Museum.",
            "The user saw the Sutton Hoo helmet in person at the British Museum.",
        ),
        (
            "I want to finish this grant proposal. I aim to finish it by April 20, 2025.",
            "The user aims to finish the grant proposal by April 20, 2025.",
        ),
    ],
)
def test_it_takes_up_a_thing_that_was_described(text: str, claim: str) -> None:
    assert claim in claims(text)


def test_it_takes_up_nothing_where_two_things_were_described() -> None:
    said = "Tell me about the Sutton Hoo helmet and the Oseberg cart. I saw it in person at the British Museum."
    assert not any("saw" in claim for claim in claims(said))


def test_a_series_under_an_infinitive_stays_there() -> None:
    said = "I took part in a game jam at the Aarhus Festival, where my team and I had to write, code, and polish a small game."
    assert [candidate.claim for candidate in candidates(said) if "polishes" in candidate.claim] == []
    assert only(said).claim.startswith("The user took part in a game jam at the Aarhus Festival")


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (
            "Can you tell me more about how my rent was raised to 900 euros and what that means for us?",
            "The user's rent was raised to 900 euros.",
        ),
        (
            "I'm worried about the permit process, so can you tell me how it was shortened to 3-4 weeks?",
            "The permit process was shortened to 3-4 weeks.",
        ),
    ],
)
def test_asking_how_an_amount_changed_takes_the_change_for_granted(text: str, claim: str) -> None:
    assert claim in claims(text)


def test_a_change_of_what_it_takes_up_is_one() -> None:
    said = "I'm worried about the permit process, so can you tell me how it was shortened to 3-4 weeks?"
    assert [candidate.cue for candidate in kept(said) if "shortened" in candidate.claim] == [True]


def test_asking_how_a_thing_is_done_takes_nothing_for_granted() -> None:
    assert claims("Can you tell me how it is set to 5 GB?") == []


def test_a_reason_tells_something_of_its_own() -> None:
    said = "I'm trying to keep my seeds in order, now that my seed library has 45 packets."
    assert "The user's seed library has 45 packets." in claims(said)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (
            "Have you tried any good noodle bars? I've tried five different ones so far.",
            "The user has tried five different noodle bars so far.",
        ),
        ("I like red shoes. I have three blue ones.", "The user has three blue shoes."),
    ],
)
def test_ones_takes_up_the_sort_of_thing_that_was_spoken_of(text: str, claim: str) -> None:
    assert claim in claims(text)


def test_ones_takes_up_nothing_where_two_sorts_were_spoken_of() -> None:
    assert claims("Do you like noodle bars or cafes? I've tried five different ones.") == []


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Any gift ideas for my cousin's graduation in Lund?", "The user's cousin has a graduation in Lund."),
        (
            "Can you help me plan a trip for my sister's wedding on 12 June?",
            "The user's sister has a wedding on 12 June.",
        ),
        (
            "My grandpa's 80th birthday party at the farm was really lovely.",
            "The user's grandpa had an 80th birthday party at the farm.",
        ),
    ],
)
def test_an_occasion_of_ones_own_people_is_told_in_a_request(text: str, claim: str) -> None:
    assert claim in claims(text)


def test_an_occasion_without_place_or_date_tells_nothing() -> None:
    assert claims("Can you help me plan my cousin's party?") == []


def test_it_is_carried_from_sentence_to_sentence() -> None:
    said = (
        "My canvas backpack has been great. I carry it to Lund every day. I bought it from Globetrotter on 15 January."
    )
    assert claims(said)[-1] == "The user bought the user's canvas backpack from Globetrotter on 15 January."


def test_it_is_not_carried_past_another_thing() -> None:
    said = (
        "I sold my canvas backpack. I carry a wool bag to Lund every day. I bought it from Globetrotter on 15 January."
    )
    assert "canvas" not in claims(said)[-1]
