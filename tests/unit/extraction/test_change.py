"""Endings, retractions, corrections, deadlines, dates, answers and tools."""

from __future__ import annotations

from datetime import datetime

import pytest

from lethe.extraction import extract, extract_many
from lethe.extraction.dates import moments
from lethe.records import Act, Basis, Cardinality, Kind
from tests.unit.extraction.saying import OBSERVED, candidates, kept, key, only, turn


@pytest.mark.parametrize(
    ("stated", "ended"),
    [
        ("I go rowing on Sundays.", "I no longer go rowing on Sundays."),
        ("I work at a brewery.", "I don't work at the brewery any more."),
        ("I hate olives.", "I no longer hate olives."),
        ("I live in Graz.", "I don't live in Graz anymore."),
        ("I drink coffee.", "I stopped drinking coffee."),
        ("I work at a brewery.", "I quit working at the brewery."),
        ("I'm vegetarian.", "I'm no longer vegetarian."),
    ],
)
def test_an_ending_lands_on_what_was_stated(stated: str, ended: str) -> None:
    first, last = only(stated), only(ended)
    assert last.act is Act.END
    assert (key(last), last.negated) == (key(first), first.negated)


@pytest.mark.parametrize("words", ["Please forget that {}", "Forget that {}", "Delete the fact that {}"])
@pytest.mark.parametrize("stated", ["I subscribe to the Fjord Herald.", "My scooter is green.", "I hate olives."])
def test_a_retraction_lands_on_what_was_stated(words: str, stated: str) -> None:
    first = only(stated)
    found = only(words.format(stated[:1].lower() + stated[1:] if stated.startswith("My") else stated))
    assert found.act is Act.RETRACT
    assert (key(found), found.negated) == (key(first), first.negated)


def test_a_correction_names_what_it_replaces() -> None:
    found = only("Correction: I live in Visby, not in Kalmar.")
    assert (found.predicate, found.object, found.replaces, found.cue) == ("lives_in", "Visby", "Kalmar", True)
    event, home = kept("I moved from Kalmar to Visby.")
    assert (event.object, event.replaces) == ("Visby", None), "an earlier move stays true"
    assert (home.predicate, home.object, home.replaces) == ("lives_in", "Visby", "Kalmar")


def test_a_move_is_an_event_and_a_home_from_then_on() -> None:
    event, home = kept("I moved to Visby last week.")
    assert (event.kind, event.claim) == (Kind.EPISODIC, "The user moved to Visby in the week of 5 August 2024.")
    assert (home.kind, home.claim, home.event_at) == (Kind.SEMANTIC, "The user lives in Visby.", event.event_at)
    assert home.cue


@pytest.mark.parametrize("text", ["I moved to Visby.", "We just moved to Visby.", "I have moved to Visby."])
def test_a_move_of_which_only_the_place_is_told_is_a_home(text: str) -> None:
    assert (only(text).predicate, only(text).claim) == ("lives_in", "The user lives in Visby.")


@pytest.mark.parametrize(
    "text",
    ["I moved to the sales department last week.", "I moved to Visby in 1999.", "I moved to Visby when I was six."],
)
def test_a_move_elsewhere_or_long_ago_is_no_home(text: str) -> None:
    assert [found.kind for found in kept(text)] == [Kind.EPISODIC]


@pytest.mark.parametrize(
    "text",
    [
        "Actually, I am not allergic to nuts.",
        "I am not allergic to nuts, actually.",
        "I am not allergic to nuts after all.",
        "It turns out I am not allergic to nuts.",
        "I am not allergic to nuts, by the way, actually.",
    ],
)
def test_a_cue_counts_wherever_it_stands_and_is_no_part_of_the_claim(text: str) -> None:
    found = only(text)
    assert (found.predicate, found.object, found.negated, found.cue) == ("allergic_to", "nuts", True, True)
    assert found.claim == "The user is not allergic to nuts."


@pytest.mark.parametrize("text", ["I live in Oulu now.", "I live in Oulu these days.", "Nowadays I live in Oulu."])
def test_a_claim_says_nothing_of_the_moment_it_was_made_in(text: str) -> None:
    found = only(text)
    assert (found.claim, found.cue) == ("The user lives in Oulu.", True)


@pytest.mark.parametrize(
    "text",
    [
        "Actually, please send my reports as CSV instead of PDF.",
        "Send my reports as CSV, not PDF.",
        "From now on send my reports as CSV rather than PDF.",
    ],
)
def test_a_changed_order_for_a_kind_of_thing_stands_and_replaces_the_former(text: str) -> None:
    before, found = only("Always send my reports as PDF."), only(text)
    assert key(before) == ("user", "send_reports", "reports as PDF")
    assert key(found) == ("user", "send_reports", "reports as CSV")
    assert (found.replaces, found.cue, found.cardinality) == ("reports as PDF", True, Cardinality.SINGLE)


@pytest.mark.parametrize(
    "text",
    ["Actually, book the flight for Tuesday instead of Monday.", "Please send me the report as CSV instead of PDF."],
)
def test_a_changed_task_is_still_a_task(text: str) -> None:
    assert kept(text) == []


def test_a_new_value_in_a_sentence_that_drops_the_old_one() -> None:
    found = only("Forget the old number, my desk is now on the fourth floor.")
    assert (found.predicate, found.object, found.cue) == ("desk_location", "fourth floor", True)


def test_a_deadline_expires_at_the_end_of_its_day_in_the_offset_of_the_turn() -> None:
    found = only("The deadline for my beekeeping course is 3 October 2024.")
    assert (found.kind, found.object) == (Kind.SEMANTIC, "2024-10-03")
    assert found.expires_at == datetime.fromisoformat("2024-10-03T23:59:59-04:00")
    assert "3 October 2024" in found.claim
    assert "beekeeping" in found.predicate


def test_a_shifted_deadline_is_a_change() -> None:
    found = only("We shifted the deadline to 12 December.", project="wren")
    assert (found.object, found.cue, found.shared) == ("2024-12-12", True, True)


@pytest.mark.parametrize(
    ("said", "claim", "day"),
    [
        ("I adopted a parrot yesterday.", "The user adopted a parrot on 14 August 2024.", "2024-08-14"),
        ("I ran a marathon last Saturday.", "The user ran a marathon on 10 August 2024.", "2024-08-10"),
        ("I visited Riga two weeks ago.", "The user visited Riga around 1 August 2024.", "2024-08-01"),
        ("I visited Riga in May.", "The user visited Riga in May 2024.", "2024-05-01"),
        ("I visited Riga last year.", "The user visited Riga in 2023.", "2023-01-01"),
        ("I met Ana on 7 May 2023.", "The user met Ana on 7 May 2023.", "2023-05-07"),
        ("I read Middlemarch last month.", "The user read Middlemarch in July 2024.", "2024-07-01"),
    ],
)
def test_events_carry_resolved_dates_with_the_offset_of_the_turn(said: str, claim: str, day: str) -> None:
    found = only(said)
    assert (found.kind, found.claim) == (Kind.EPISODIC, claim)
    assert found.event_at == datetime.fromisoformat(f"{day}T00:00:00-04:00")
    assert found.event_at is not None and found.event_at.utcoffset() == OBSERVED.utcoffset()


def test_an_event_without_a_date_has_none() -> None:
    assert only("I adopted a parrot called Kiwi.").event_at is None


def test_a_weekday_looks_back_for_events_and_ahead_for_plans() -> None:
    assert [moment.iso for moment in moments("on Monday", OBSERVED)] == ["2024-08-12"]
    assert [moment.iso for moment in moments("on Monday", OBSERVED, ahead=True)] == ["2024-08-19"]


@pytest.mark.parametrize("text", ["on Mondays", "I may go", "March on", "version 3.11", "in 5 minutes"])
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    assert moments(text, OBSERVED) == []


@pytest.mark.parametrize(
    ("question", "answer", "predicate", "claim"),
    [
        ("Which bike do you ride to work?", "A Brompton.", "rides", "The user rides a Brompton as bike to work."),
        ("Where do you live?", "Oulu.", "lives_in", "The user lives in Oulu."),
        ("Noted. What is your favourite dish?", "Ramen", "favourite_dish", "The user's favourite dish is Ramen."),
        ("What do you do for a living?", "Bookbinder.", "occupation", "The user works as Bookbinder."),
    ],
)
def test_a_short_answer_is_read_with_its_question(question: str, answer: str, predicate: str, claim: str) -> None:
    found = only(answer, [turn(question, "assistant")])
    assert (found.predicate, found.claim) == (predicate, claim)


@pytest.mark.parametrize("answer", ["Yes.", "No idea.", "Thanks!", "What do you mean?", "Later."])
def test_what_answers_nothing_makes_no_claim(answer: str) -> None:
    assert kept(answer, [turn("Which bike do you ride to work?", "assistant")]) == []


def test_a_bare_phrase_without_a_question_says_nothing() -> None:
    assert kept("A Brompton.") == []


def test_a_verified_tool_reports_a_completed_event() -> None:
    found = only("Refund of 12 EUR for order 88 was issued.", author="tool", verified=True)
    assert (found.kind, found.basis) == (Kind.EPISODIC, Basis.OBSERVED)
    assert found.claim == "Refund of 12 EUR for order 88 was issued."


@pytest.mark.parametrize(
    "text",
    ["Order 88 is pending.", "The refund will be issued tomorrow.", '{"status": "paid"}', "Please pay order 88."],
)
def test_a_tools_status_plan_or_order_is_no_event(text: str) -> None:
    assert candidates(text, author="tool", verified=True) == []


@pytest.mark.parametrize(
    ("author", "verified"), [("tool", False), ("document", False), ("system", False), ("assistant", False)]
)
def test_nobody_else_is_listened_to(author: str, verified: bool) -> None:
    assert candidates("I live in Graz. Always pay at once.", author=author, verified=verified) == []


def test_a_batch_gives_what_each_turn_gives_alone() -> None:
    turns = [turn(text) for text in ("I keep bees.", "What time is it?", "I live in Graz and I own a kiln.", "Hello")]
    assert extract_many([(each, []) for each in turns]) == [extract(each, []) for each in turns]
