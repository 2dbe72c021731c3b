"""What a model proposes is held against the turn, word by word; no model is asked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import pytest

from lethe.extraction.llm.grounding import doubts
from lethe.extraction.llm.said import said
from lethe.extraction.llm.schema import Proposed
from lethe.records import Author, Reason, Turn

OBSERVED = datetime.fromisoformat("2024-08-15T23:30:00-04:00")  # a Thursday, Friday already in UTC


def turn(text: str, author: str = "user", **more: Any) -> Turn:
    given = {"tenant": "t", "user": "u", "session": "s", "turn": "x", "observed_at": OBSERVED}
    return Turn(**{**given, "author": Author(author), "text": text, **more})


def proposed(claim: str, value: str, quote: str, **more: Any) -> Proposed:
    given = {
        "turn": "t1", "quote": quote, "kind": "semantic", "subject": "user", "predicate": "says", "object": value,
        "claim": claim, "negated": False, "act": "assert", "basis": "stated", "confidence": 0.9, "importance": 0.5,
        "cardinality": "many", "event_date": None, "expires_date": None, "replaces": None, "changed": False,
        "for_project": False,
    }  # fmt: skip
    return Proposed(**{**given, **more})


def grounded(text: str, claim: str, value: str, window: Sequence[Turn] = (), **more: Any) -> bool:
    quote = more.pop("quote", text)
    given = {key: more.pop(key) for key in ("speaker", "project", "author") if key in more}
    return not doubts(proposed(claim, value, quote, **more), said(turn(text, **given), window))


@pytest.mark.parametrize(
    ("text", "claim", "value"),
    [
        ("I live in Oulu.", "The user lives in Oulu.", "Oulu"),
        ("i live in oulu now", "The user lives in Oulu.", "Oulu"),
        ("I'm a nurse at St. Mary's.", "The user works as a nurse at St. Mary's.", "nurse"),
        ("Please keep all invoices as PDF.", "The user wants the assistant to keep all invoices as PDF.", "PDF"),
        ("I prefer tea over coffee because it keeps me calm", "The user prefers tea over coffee.", "tea"),
        ("Minä kerron: my name in Japanese is 田中さくら.", "The user's name in Japanese is 田中さくら.", "田中さくら"),
        ("My dog Rex is three.", "The user's dog Rex is 3 years old.", "Rex"),
        ("We have twenty-five servers.", "The user's team has 25 servers.", "25 servers"),
        ("My rent is 1,200 euros.", "The user's rent is 1200 euros.", "1200 euros"),
        ("Stand-up is at 3 pm every day.", "The user's stand-up is at 15:00 every day.", "15:00"),
        ("I run 5 km each morning.", "The user runs 5km each morning.", "5km"),
        ("I bought a bike yesterday.", "The user bought a bike on 14 August 2024.", "bike"),
        ("The release is next Friday.", "The user's release is on 23 August 2024.", "2024-08-23"),
        ("My exam is on the 20th.", "The user's exam is on 20 August 2024.", "2024-08-20"),
        ("The contract runs until the end of the month.", "The user's contract runs until 31 August 2024.", "2024-08-31"),
        ("We moved here three years ago.", "The user moved here in 2021.", "2021"),
        ("My birthday is on May 5th.", "The user's birthday is on 5 May.", "5 May"),
        ("I use VS Code and Node.js", "The user uses VS Code and Node.js.", "VS Code"),
        ("Maria's my sister, she works for Nokia", "The user's sister Maria works for Nokia.", "Nokia"),
    ],
)  # fmt: skip
def test_what_the_turn_says_is_grounded(text: str, claim: str, value: str) -> None:
    assert grounded(text, claim, value)


@pytest.mark.parametrize(
    ("text", "claim", "value"),
    [
        ("I live in Oulu.", "The user lives in Lahti.", "Lahti"),
        ("I live in Oulu.", "The user lives in Oulu.", "Lahti"),
        ("I live in Oulu.", "The user lives in Oulu, Finland.", "Oulu"),
        ("I live in Oulu.", "The user lives in Oulu with 2 cats.", "Oulu"),
        ("I live in Oulu.", "The user has lived in Oulu since 2019.", "Oulu"),
        ("I live in Oulu.", "The user lives at 12 Oulu Street.", "12 Oulu Street"),
        ("I live in Oulu.", "The user lives in オウル.", "オウル"),
        ("I have two dogs.", "The user has three dogs.", "three dogs"),
        ("My rent is 1,200 euros.", "The user's rent is 12,000 euros.", "12,000 euros"),
        ("I bought a bike yesterday.", "The user bought a bike on 12 August 2024.", "bike"),
        ("I bought a bike in May 2024.", "The user bought a bike on 7 May 2024.", "bike"),
        ("What is the weather like tomorrow?", "The user likes hiking.", "hiking"),
        ("What is the weather like tomorrow?", "The user prefers concise answers.", "concise answers"),
        ("My order is ORD-1234.", "The user's order is ORD-1235.", "ORD-1235"),
        ("Thanks a lot!", "The user works for Nokia.", "Nokia"),
        ("I live in Oulu.", "Der Nutzer wohnt in Oulu.", "Oulu"),
        ("I live in Oulu.", "L'utilisateur habite à Oulu.", "Oulu"),
        ("I live in Oulu.", "用户住在 Oulu。", "Oulu"),
    ],
)  # fmt: skip
def test_what_the_turn_does_not_say_is_not_grounded(text: str, claim: str, value: str) -> None:
    assert not grounded(text, claim, value)


def test_the_quote_must_stand_in_the_turn() -> None:
    assert grounded("Well, “I  live in Oulu”, as you know.", "The user lives in Oulu.", "Oulu", quote="i live in oulu")
    assert not grounded("I used to live in Oulu.", "The user lives in Oulu.", "Oulu", quote="I live in Oulu")


def test_an_invented_day_of_an_event_is_not_grounded() -> None:
    bought = ("I bought a bike yesterday.", "The user bought a bike.", "bike")
    assert grounded(*bought, event_date="2024-08-14")
    assert not grounded(*bought, event_date="2024-08-11")
    assert not grounded(*bought, expires_date="2025-01-01")


def test_an_invented_earlier_value_is_not_grounded() -> None:
    moved = ("I moved from Lahti to Oulu.", "The user lives in Oulu.", "Oulu")
    assert grounded(*moved, replaces="Lahti")
    assert not grounded(*moved, replaces="Turku")
    assert not grounded("I prefer tea.", "The user prefers tea.", "tea", replaces="coffee")


def test_an_invented_subject_is_not_grounded() -> None:
    assert grounded(
        "My sister works for Nokia.", "The user's sister works for Nokia.", "Nokia", subject="user's sister"
    )
    assert not grounded("I work for Nokia.", "The user's brother works for Nokia.", "Nokia", subject="user's brother")


def test_a_claim_that_does_not_name_its_subject_is_not_self_contained() -> None:
    found = doubts(proposed("She works for Nokia.", "Nokia", "I work for Nokia"), said(turn("I work for Nokia"), ()))
    assert Reason.NOT_SELF_CONTAINED in found


def test_nothing_is_taken_back_ended_or_denied_that_the_turn_does_not() -> None:
    lives = ("I live in Oulu.", "The user lives in Oulu.", "Oulu")
    assert not grounded(*lives, act="retract")
    assert not grounded(*lives, act="end")
    assert not grounded("I live in Oulu.", "The user does not live in Oulu.", "Oulu", negated=True)
    assert grounded("Forget that I live in Oulu.", "The user lives in Oulu.", "Oulu", act="retract")
    assert grounded("I no longer drink coffee.", "The user drinks coffee.", "coffee", act="end")
    assert grounded("I don't eat meat.", "The user does not eat meat.", "meat", negated=True)
    assert not grounded("I don't eat meat.", "The user eats meat.", "meat"), "a denial is not turned round"


# --- what the turns before lend -----------------------------------------------------------------------------------


def test_the_authors_own_earlier_turn_lends_a_name() -> None:
    before = [turn("My sister is called Maria.", turn="w")]
    assert grounded(
        "She works for Nokia.",
        "The user's sister Maria works for Nokia.",
        "Nokia",
        before,
        subject="user's sister Maria",
    )


def test_what_the_assistant_said_is_no_ground() -> None:
    before = [turn("You should visit Rovaniemi, 4711 people do each day.", "assistant", turn="w")]
    claim = ("The user wants to visit Rovaniemi.", "Rovaniemi")
    assert not grounded("That's a good idea, thanks.", *claim, before)
    assert not grounded("I will visit it then.", *claim, before)


def test_a_document_in_the_window_is_no_ground() -> None:
    before = [turn("Payments go to account 99-4711 of Acme.", "document", turn="w")]
    assert not grounded("Please pay them.", "The user wants payments to go to account 99-4711.", "99-4711", before)


def test_a_short_answer_is_read_with_its_question() -> None:
    before = [turn("Which laptop do you use for work?", "assistant", turn="w")]
    assert grounded("A Framework 13.", "The user uses a Framework 13 laptop for work.", "Framework 13", before)
    assert not grounded("A Framework 13.", "The user uses a ThinkPad 13 laptop for work.", "ThinkPad 13", before)


def test_a_plain_yes_affirms_what_was_asked() -> None:
    before = [turn("Do you live in Oulu?", "assistant", turn="w")]
    claim = ("The user lives in Oulu.", "Oulu")
    assert grounded("Yes, exactly.", *claim, before)
    assert not grounded("Why do you ask?", *claim, before)
    assert not grounded("Yes.", *claim, [turn("You live in Oulu.", "assistant", turn="w")]), "nothing was asked"


def test_the_other_person_of_a_talk_is_no_ground() -> None:
    before = [turn("I adopted a dog called Rex.", turn="w", speaker="Rosa")]
    assert not grounded("How lovely!", "The user adopted a dog called Rex.", "Rex", before, speaker="Tom")


def test_the_project_of_a_turn_may_be_named() -> None:
    assert grounded("Our deadline is 5 May.", "The deadline of project billing is 5 May.", "5 May", project="billing", subject="project billing")  # fmt: skip


def test_in_another_language_names_numbers_and_dates_count_and_words_cannot() -> None:
    text = "Ich wohne seit 2019 in Oulu und habe zwei Katzen, das ist alles."
    assert grounded(text, "The user has lived in Oulu since 2019.", "Oulu")
    assert not grounded(text, "The user has lived in Lahti since 2019.", "Lahti")
    assert not grounded(text, "The user has lived in Oulu since 2018.", "Oulu")
