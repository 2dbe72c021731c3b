"""Deadlines, appointments and journeys on a day that only the time of the turn can tell; habits have no date."""

from __future__ import annotations

from datetime import datetime

import pytest

from tests.unit.extraction.saying import candidates, kept, only

WEDNESDAY = datetime.fromisoformat("2026-11-25T10:00:00+01:00")


@pytest.mark.parametrize(
    ("text", "predicate", "day"),
    [
        ("My deadline is Monday.", "deadline", "2026-11-30"),
        ("My deadline is on Monday.", "deadline", "2026-11-30"),
        ("My deadline is tonight.", "deadline", "2026-11-25"),
        ("The deadline for the mural is Monday.", "deadline_mural", "2026-11-30"),
        ("The deadline for the mural is next Monday.", "deadline_mural", "2026-11-30"),
        ("The deadline was moved from Thursday to Monday.", "deadline", "2026-11-30"),
        ("The invoice is due tomorrow.", "deadline_invoice", "2026-11-26"),
        ("The invoice is due Monday", "deadline_invoice", "2026-11-30"),
        ("My invoice is due by Monday.", "deadline_invoice", "2026-11-30"),
        ("My invoice is due in three days.", "deadline_invoice", "2026-11-28"),
    ],
)
def test_what_is_due_is_a_deadline_that_ends_with_its_day(text: str, predicate: str, day: str) -> None:
    found = only(text, observed_at=WEDNESDAY)
    assert (found.predicate, found.object) == (predicate, day)
    assert found.expires_at == datetime.fromisoformat(f"{day}T23:59:59+01:00")
    assert f"{int(day[-2:])} November 2026" in found.claim


@pytest.mark.parametrize(
    ("text", "claim", "end"),
    [
        ("My exam is next week.", "The user's exam is in the week of 30 November 2026.", "2026-12-06"),
        ("The mural is due next week.", "The mural is due in the week of 30 November 2026.", "2026-12-06"),
        ("My tax return is due in April.", "The user's tax return is due in April 2027.", "2027-04-30"),
    ],
)
def test_a_week_or_a_month_is_over_when_its_last_day_is(text: str, claim: str, end: str) -> None:
    found = only(text, observed_at=WEDNESDAY)
    assert found.claim == claim
    assert found.expires_at == datetime.fromisoformat(f"{end}T23:59:59+01:00")


@pytest.mark.parametrize(
    ("text", "claim", "day"),
    [
        ("I have a vet appointment on Monday.", "The user has a vet appointment on 30 November 2026.", "2026-11-30"),
        ("I have a vet appointment Monday.", "The user has a vet appointment on 30 November 2026.", "2026-11-30"),
        ("I have a vet appointment tomorrow.", "The user has a vet appointment on 26 November 2026.", "2026-11-26"),
        ("I have a viewing at Tove's tonight.", "The user has a viewing at Tove's on 25 November 2026.", "2026-11-25"),
        ("My vet appointment is Monday at 3pm.", "The user's vet appointment is on 30 November 2026 at 3pm.", "2026-11-30"),
        ("My interview is on 4 December 2026.", "The user's interview is on 4 December 2026.", "2026-12-04"),
        ("My ferry leaves on Monday at 7:45.", "The user's ferry leaves on 30 November 2026 at 7:45.", "2026-11-30"),
        ("My flight leaves on 12 December 2026 at 7:45", "The user's flight leaves on 12 December 2026 at 7:45.", "2026-12-12"),
        ("My train departs tomorrow.", "The user's train departs on 26 November 2026.", "2026-11-26"),
    ],
)  # fmt: skip
def test_an_occasion_is_told_with_its_date_and_ends_with_its_day(text: str, claim: str, day: str) -> None:
    found = only(text, observed_at=WEDNESDAY)
    assert found.claim == claim
    assert found.event_at is not None
    assert found.event_at.date().isoformat() == day
    assert found.expires_at == datetime.fromisoformat(f"{day}T23:59:59+01:00")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("My deadline was Monday.", "23 November 2026"),
        ("The mural was due on Monday.", "23 November 2026"),
        ("I missed my deadline on Monday.", "23 November 2026"),
        ("I had a vet appointment on Monday.", "23 November 2026"),
        ("I framed the mural that was due on Monday.", "23 November 2026"),
    ],
)
def test_of_what_was_due_the_last_such_day_is_meant(text: str, said: str) -> None:
    assert said in only(text, observed_at=WEDNESDAY).claim


@pytest.mark.parametrize(
    "text",
    [
        "I have choir on Mondays.",
        "I have choir every Monday.",
        "I have choir on Monday mornings.",
        "I have a meeting every Monday.",
        "I have meetings on Monday.",
        "My weekly meeting is on Monday.",
        "My weekly column is due on Monday.",
        "My rent is due every Monday.",
        "I bake on Monday.",
        "My day off is Monday.",
    ],
)
def test_a_habit_has_no_date_and_does_not_end(text: str) -> None:
    for found in candidates(text, observed_at=WEDNESDAY):
        assert (found.event_at, found.expires_at) == (None, None)
        assert "2026" not in found.claim


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("I have a meeting with Tove on Monday.", "The user has a meeting with Tove on 30 November 2026."),
        ("I booked a consultation for Monday.", "The user booked a consultation for 30 November 2026."),
        ("My meeting was moved to Monday.", "The user's meeting was moved to 30 November 2026."),
        ("I've got a vet appointment on Monday.", "The user has got a vet appointment on 30 November 2026."),
    ],
)
def test_what_stays_a_part_of_history_has_its_date_and_no_end(text: str, claim: str) -> None:
    found = only(text, observed_at=WEDNESDAY)
    assert (found.claim, found.expires_at) == (claim, None)
    assert found.event_at == datetime.fromisoformat("2026-11-30T00:00:00+01:00")


def test_each_of_two_days_is_resolved() -> None:
    found = only("I have an exam on Friday and a party on Saturday.", observed_at=WEDNESDAY)
    assert found.claim == "The user has an exam on 27 November 2026 and a party on 28 November 2026."


def test_the_latest_day_of_a_deadline_ends_it() -> None:
    found = only(
        "I am skipping the fair on 2 December to meet my 10 December printing deadline.", observed_at=WEDNESDAY
    )
    assert found.expires_at == datetime.fromisoformat("2026-12-10T23:59:59+01:00")


@pytest.mark.parametrize("text", ["My mural is due.", "I'm due for a haircut.", "I have a vet appointment."])
def test_without_a_date_nothing_ends(text: str) -> None:
    assert [each.expires_at for each in kept(text, observed_at=WEDNESDAY)] == [None]


def test_due_to_gives_a_reason_and_no_deadline() -> None:
    found = only("Due to rain I stayed home on Monday.", observed_at=WEDNESDAY)
    assert found.claim == "Due to rain the user stayed home on 23 November 2026."
    assert found.expires_at is None


def test_leaves_of_tea_are_no_journey() -> None:
    assert only("My tea leaves on the shelf are old.").claim == "The user's tea leaves on the shelf are old."
