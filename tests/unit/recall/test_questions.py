"""What a question names, and the time that it asks about."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from lethe.recall.lexicon import Calendar
from lethe.recall.periods import told
from lethe.recall.questions import names, read

AT = datetime(2024, 6, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What did Anna buy in Oulu?", {"anna", "oulu"}),
        ("Where does the user live?", set()),
        ("Anna likes tea? What does Bea like?", {"bea"}),
        ("What did I do on Monday in June?", set()),
        ("WHERE DOES THE USER LIVE NOW?", set()),
        ("Wo wohnt Müller?", {"müller"}),
        ("Is I-95 far?", set()),
    ],
)
def test_names_are_capitals_inside_a_sentence(text: str, expected: set[str]) -> None:
    assert names(text) - {"i95"} == expected


def day(month: int, date: int, year: int = 2024) -> datetime:
    return datetime(year, month, date, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "inside", "outside"),
    [
        ("What did I do on 3 May?", day(5, 3), day(5, 20)),
        ("What did I do in March 2023?", day(3, 15, 2023), day(3, 15)),
        ("What did I buy 10 days ago?", day(6, 10), day(5, 10)),
        ("What have I planned since April?", day(6, 1), day(2, 1)),
        ("Where did I work before 2022?", day(5, 1, 2020), day(5, 1, 2024)),
    ],
)
def test_a_time_in_a_question_tells_memories_apart(question: str, inside: datetime, outside: datetime) -> None:
    calendar = Calendar.of([told("The user did something.", inside), told("The user did something.", outside)])
    assert calendar.outside(read(question, AT).periods).tolist() == [0, 1]


def test_a_claim_that_names_a_date_tells_of_that_date_too() -> None:
    calendar = Calendar.of([told("The user moved on 3 May 2023.", day(6, 1)), told("The user moved.", day(6, 1))])
    assert calendar.outside(read("What happened in May 2023?", AT).periods).tolist() == [0, 1]


def test_a_question_without_a_time_and_one_about_today_leave_all_in() -> None:
    calendar = Calendar.of([told("The user moved.", day(1, 1, 2020))])
    for question in ("Where does the user live?", "Where does the user live today?"):
        assert calendar.outside(read(question, AT).periods).tolist() == [0]


def test_the_words_of_a_date_are_no_words_to_look_for() -> None:
    assert read("Which concert did I visit in May 2023?", AT).stems == ("concert", "visit")
