"""What makes two statements of one amount or one date speak of the same thing."""

from __future__ import annotations

import pytest

from lethe.extraction.changes import says_that_something_changed
from tests.unit.extraction.saying import kept, only


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        (
            "I have a deadline of May 4, 2026, for the first rehearsal, which covers act one.",
            "deadline_first_rehearsal",
        ),
        ("The deadline for the grant application is March 10.", "deadline_grant_application"),
    ],
)
def test_what_a_deadline_is_for_is_found_behind_its_date(text: str, slot: str) -> None:
    assert only(text).predicate == slot


@pytest.mark.parametrize(
    "text",
    [
        "I want to meet both deadlines, like the fellowship deadline on May 15, 2026, and the visa deadline on June 1, 2026.",
        "I plan to hand in my grant application by April 25, five days before the deadline.",
    ],
)
def test_a_list_of_deadlines_or_a_day_before_one_is_no_deadline(text: str) -> None:
    assert all(not each.predicate.startswith("deadline") for each in kept(text))


@pytest.mark.parametrize(
    "claim",
    [
        "The user's rent went up to 900 euros.",
        "The rehearsal was rescheduled to May 5.",
        "The new deadline is May 5.",
        "The user has a total of 12 hens.",
        "The fair got pushed back to June 3.",
    ],
)
def test_a_wording_of_change_is_heard(claim: str) -> None:
    assert says_that_something_changed(claim)


@pytest.mark.parametrize("claim", ["The user's rent is 900 euros.", "The user met Ilse at the fair on May 5."])
def test_a_plain_statement_speaks_of_no_change(claim: str) -> None:
    assert not says_that_something_changed(claim)


def test_a_remark_that_joins_a_statement_brings_its_change_along() -> None:
    (found,) = kept(
        "I'm nervous about the rehearsal with Ilse, so can you remind me that it's rescheduled to May 9 at 4 PM?"
    )
    assert found.cue
