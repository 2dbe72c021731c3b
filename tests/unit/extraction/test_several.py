"""Several things named at once are facts of their own where what holds of all of them holds of each."""

from __future__ import annotations

import pytest

from lethe.records import Act
from tests.unit.extraction.saying import kept, only


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I speak German and French.", ["The user speaks German.", "The user speaks French."]),
        (
            "I speak German, French, and Old Norse.",
            ["The user speaks German.", "The user speaks French.", "The user speaks Old Norse."],
        ),
        ("My sister speaks Welsh and Danish.", ["The user's sister speaks Welsh.", "The user's sister speaks Danish."]),
        ("I work with Ana and Ilse.", ["The user works with Ana.", "The user works with Ilse."]),
        ("I play the piano and the violin.", ["The user plays the piano.", "The user plays the violin."]),
        ("I own a boat and a bike.", ["The user owns a boat.", "The user owns a bike."]),
    ],
)
def test_each_of_several_is_a_fact_of_its_own(text: str, expected: list[str]) -> None:
    assert [candidate.claim for candidate in kept(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("I play Dungeons and Dragons.", id="one title"),
        pytest.param("I like fish and chips.", id="one dish"),
        pytest.param("I own a bike and trailer.", id="one thing of two parts"),
        pytest.param("I speak German and French at home.", id="what stands behind may be of all of it"),
        pytest.param("I don't speak German and French.", id="both, or either"),
    ],
)
def test_what_belongs_together_stays_together(text: str) -> None:
    assert " and " in only(text).claim


def test_an_end_of_one_or_of_all_is_said_as_it_was() -> None:
    assert (only("I no longer speak French.").act, only("I no longer speak French.").object) == (Act.END, "French")
    assert only("I no longer speak German and French.").object == "German and French"
