"""Occasions that were moved or called off without a word of the new day, and quantities that a request takes for granted."""

from __future__ import annotations

import pytest

from tests.unit.extraction.saying import kept, turn


def claims(text: str, **more: object) -> list[str]:
    return [candidate.claim for candidate in kept(text, **more)]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("The choir rehearsal has been postponed.", "The choir rehearsal has been postponed."),
        ("My dentist appointment was cancelled.", "The user's dentist appointment has been cancelled."),
        (
            "The concert in the park was called off because of rain.",
            "The concert in the park has been called off.",
        ),
        ("I heard that the parent evening was brought forward.", "The parent evening has been brought forward."),
        ("Do you know when the choir rehearsal has been moved to?", "The choir rehearsal has been moved."),
        (
            "I can't remember what time my dentist appointment was moved to.",
            "The user's dentist appointment has been moved.",
        ),
        (
            "I'm afraid of missing the seminar on kiln glazes, so can you remind me what date it's been rescheduled to?",
            "The seminar on kiln glazes has been rescheduled.",
        ),
    ],
)
def test_what_was_moved_is_known_without_its_new_day(text: str, claim: str) -> None:
    found = next(candidate for candidate in kept(text) if candidate.claim == claim)
    assert (found.predicate, found.cue) == ("is", True)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Has the choir rehearsal been postponed?", id="asked"),
        pytest.param("If the chemistry exam is postponed, I will travel.", id="supposed"),
        pytest.param("My chemistry exam might be postponed.", id="possible"),
        pytest.param("The choir rehearsal has not been postponed.", id="denied"),
        pytest.param("I hope the chemistry exam gets cancelled.", id="hoped"),
        pytest.param("I wonder whether the chemistry exam has been cancelled.", id="wondered"),
        pytest.param("The brown couch was moved to the attic.", id="a thing carried somewhere"),
        pytest.param("It's been postponed.", id="nobody knows what"),
        pytest.param("The meeting has been postponed.", id="nobody knows which"),
    ],
)
def test_what_is_not_said_to_have_moved_has_not(text: str) -> None:
    assert not [claim for claim in claims(text) if "has been" in claim]


def test_what_has_its_new_day_is_told_once() -> None:
    assert len(claims("My dentist appointment was postponed to May 5 at 3 PM.")) == 1


def test_from_where_on_a_rate_holds_is_part_of_it() -> None:
    (found,) = kept("How will the 12% rate on loans above $2,000 affect my plans?")
    assert (found.claim, found.cue) == ("The rate on loans above $2,000 is 12%.", True)


def test_a_quantity_that_is_given_its_value_may_replace_another() -> None:
    assert all(candidate.cue for candidate in kept("My budget for office chairs is 900 euros."))
    assert not any(candidate.cue for candidate in kept("My name is Ilse."))


def test_quantities_for_different_things_go_by_different_names() -> None:
    food, clothes = kept("My budget for groceries is 400 euros.")[0], kept("My budget for clothes is 300 euros.")[0]
    assert (food.predicate, clothes.predicate) == ("groceries_budget", "clothes_budget")
    assert kept("My clothes budget is 300 euros.")[0].predicate == clothes.predicate


def test_a_quantity_of_somebody_else_goes_by_their_name() -> None:
    mine, hers = kept("My salary went up to 3000 euros."), kept("My wife's salary went up to 3500 euros.")
    assert hers[0].predicate == "wife_salary"
    assert all(candidate.predicate != "wife_salary" for candidate in mine)


def test_a_window_before_the_turn_is_not_read_for_it() -> None:
    assert not claims("It's been postponed.", window=[turn("I have a choir rehearsal on Friday.")])
