"""Statements of one person that cannot both hold though they go by different predicates."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from itertools import permutations
from typing import Any
from uuid import UUID, uuid5

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lethe.records import Act, Cardinality, KeyState, Kind, Outcome, Proposal, State
from policies.across import oppositions, reconcile
from policies.amounts import Amount, amounts
from policies.fold import fold
from tests.unit.policies.fold_cases import POLICY, START, proposal

SPACE = UUID(int=7)


def did(predicate: str, value: str, day: float, claim: str | None = None, **fields: Any) -> Proposal:
    """Something that the user says of themselves, under its own predicate."""
    fields = {"kind": Kind.EPISODIC, "cardinality": Cardinality.MANY, **fields}
    words = claim or f"The user {predicate.replace('_', ' ')} {value}."
    return proposal(value, day, predicate=predicate, subject=fields.pop("subject", "user"), claim=words, **fields)


def never(predicate: str, value: str, day: float, **fields: Any) -> Proposal:
    claim = f"The user has never {predicate.replace('_', ' ')} any {value}."
    return did(predicate, value, day, claim, negated=True, **fields)


def became(predicate: str, value: str, day: float, claim: str, **fields: Any) -> Proposal:
    fields = {"kind": Kind.SEMANTIC, "cardinality": Cardinality.SINGLE, **fields}
    return did(predicate, value, day, claim, cue=True, **fields)


def states(*proposals: Proposal) -> dict[UUID, KeyState]:
    by_key: dict[UUID, list[Proposal]] = defaultdict(list)
    for each in proposals:
        by_key[uuid5(SPACE, f"{each.subject}/{each.predicate}")].append(each)
    return reconcile({key: fold(some, POLICY) for key, some in by_key.items()}, POLICY)


def current(*proposals: Proposal) -> set[str]:
    """The claims that stand."""
    return {
        standing.lead.claim
        for state in states(*proposals).values()
        for standing in state.standings
        if standing.closed_as is None
    }


def replaced(older: Proposal, newer: Proposal) -> bool:
    return current(older, newer) == {newer.claim}


# --- denials ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deed", "denial"),
    [
        pytest.param(("downloaded", "Krita in May"), ("used", "Krita"), id="who downloads a program has used it"),
        pytest.param(("met", "Ilse at the harbour fair on 3 May"), ("met", "Ilse"), id="less is said of the same deed"),
        pytest.param(
            ("has", "session with Ilse on Friday"), ("met", "Ilse"), id="a session with somebody is a meeting"
        ),
        pytest.param(("enrolled_in", "welding course at Omnia"), ("taken", "welding courses"), id="enrolled is taken"),
        pytest.param(("visited", "baking class in Lund"), ("attended", "baking classes"), id="a thing named by a deed"),
        pytest.param(("solved", "12 knot puzzles"), ("completed", "knot puzzles"), id="a number in between"),
        pytest.param(("built", "kite for the fair"), ("made", "kite"), id="another verb of making"),
        pytest.param(
            ("missed", "choir rehearsal on 2 June"),
            ("missed", "scheduled choir rehearsals or recitals"),
            id="one of several",
        ),
        pytest.param(("used", "Krita for a poster"), ("used", "drawing programs like Krita"), id="named as an example"),
        pytest.param(
            ("completed", "8 knot problems"),
            ("completed", "rope or knot problems"),
            id="what stands before the last noun",
        ),
    ],
)
def test_a_newer_denial_replaces_the_deed_that_it_denies(deed: tuple[str, str], denial: tuple[str, str]) -> None:
    assert replaced(did(*deed, 1), never(*denial, 2))


@pytest.mark.parametrize(
    ("deed", "denial"),
    [
        pytest.param(("bought", "book about Krita"), ("used", "Krita"), id="a book about it"),
        pytest.param(("met", "Ana at the stand of Ilse"), ("met", "Ilse"), id="somebody at her stand"),
        pytest.param(("watched", "marathon on TV"), ("completed", "marathon"), id="watched is not run"),
        pytest.param(("wants", "to use Krita"), ("used", "Krita"), id="a wish"),
        pytest.param(("will_use", "Krita for the poster"), ("used", "Krita"), id="a plan"),
        pytest.param(("is", "worried about missing the rehearsal"), ("missed", "rehearsals"), id="a fear"),
        pytest.param(("attended", "fair with Ana"), ("attended", "fair or market with Ilse"), id="with somebody else"),
        pytest.param(("uses", "Krita at home"), ("used", "Krita in the office"), id="somewhere else"),
        pytest.param(("declined", "invitation"), ("accepted", "invitation"), id="another deed to the same thing"),
        pytest.param(("attended", "knot class"), ("attended", "welding class"), id="another sort of the thing"),
    ],
)
def test_a_denial_leaves_what_it_does_not_deny(deed: tuple[str, str], denial: tuple[str, str]) -> None:
    older, newer = did(*deed, 1), never(*denial, 2)
    assert current(older, newer) == {older.claim, newer.claim}


def test_a_newer_deed_ends_the_denial() -> None:
    denial, deed = never("used", "Krita", 1), did("installed", "Krita on the laptop", 2)
    assert replaced(denial, deed)


def test_who_sets_out_to_do_it_has_not_done_it_before() -> None:
    denial, attempt = never("used", "Krita", 1), did("tries", "to set up Krita", 2, kind=Kind.SEMANTIC)
    assert current(denial, attempt) == {denial.claim, attempt.claim}


def test_what_is_only_arranged_is_not_denied() -> None:
    ahead = did("has", "a call with Ilse on 9 January", 1, event_at=START + timedelta(days=9))
    denial = never("met", "Ilse", 4)
    assert current(ahead, denial) == {ahead.claim, denial.claim}


def test_what_another_person_did_is_not_denied() -> None:
    of_another = did("used", "Krita", 1, subject="Ilse", third_party=True)
    assert current(of_another, never("used", "Krita", 2)) >= {of_another.claim}


def test_one_turn_does_not_contradict_itself() -> None:
    deed, denial = did("installed", "Krita", 1), never("used", "Krita", 1)
    same_turn = proposal("x", 1)
    together = [
        Proposal(**{name: getattr(each, name) for name in Proposal.__slots__} | {"turn_id": same_turn.turn_id})
        for each in (deed, denial)
    ]
    assert len(current(*together)) == 2


# --- amounts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        pytest.param(
            did("allocated", "$700 for office chairs", 1),
            became("budget", "$900", 2, "The increased budget for office chairs is $900."),
            id="money set aside, and its budget",
        ),
        pytest.param(
            did("joined", "winter rowing challenge aiming for 10 races", 1),
            became(
                "challenge_goal", "12 races", 2, "The user has extended the user's rowing challenge goal to 12 races."
            ),
            id="so many of a thing",
        ),
        pytest.param(
            did("has", "dentist appointment with Dr. Okafor on March 22 at 3 PM", 1, kind=Kind.SEMANTIC),
            became("was", "x", 2, "The dentist appointment with Dr. Okafor got moved to March 22 at 4:30 PM."),
            id="another hour of the same day",
        ),
        pytest.param(
            did("booked", "pottery kiln with Ilse for July 12-15", 1),
            became("is_extended_to", "July 16", 2, "The pottery kiln booking with Ilse got extended to July 16."),
            id="a longer booking",
        ),
        pytest.param(
            became(
                "deadline_first_sprint", "2026-04-01", 1, "The user has a deadline of April 1 for the first sprint."
            ),
            became(
                "deadline_sprint",
                "2026-04-05",
                2,
                "The user wants help to update the plan and reflect the new sprint deadline of April 5.",
            ),
            id="the name of the quantity is enough",
        ),
        pytest.param(
            did("leads", "choir of 4 tenors at the mill", 1, kind=Kind.SEMANTIC),
            did("enjoys", "x", 2, "The user enjoys that the user now leads a choir of five tenors.", cue=True),
            id="a number in words, within a liking",
        ),
        pytest.param(
            did("has", "long list of 20 operas to hear", 1, kind=Kind.SEMANTIC),
            did("got", "x", 2, "The user has got a lot of operas on the list to hear, currently 25.", cue=True),
            id="what is counted stands elsewhere",
        ),
        pytest.param(
            did("plays", "darts", 1, "The user's highest score in darts so far is 124 points.", kind=Kind.SEMANTIC),
            did("got", "x", 2, "The user got the highest score in darts yet, 132 points.", cue=True),
            id="a record",
        ),
        pytest.param(
            became("coverage", "60%", 1, "The test coverage of the parser is 60%."),
            became("parser_coverage", "75%", 2, "The parser test coverage has improved to 75%."),
            id="a share",
        ),
    ],
)
def test_an_amount_that_changed_replaces_the_earlier_one(older: Proposal, newer: Proposal) -> None:
    assert replaced(older, newer)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        pytest.param(
            did("spent", "$700 on office chairs", 1),
            became("budget", "$900", 2, "The increased budget for office chairs is $900."),
            id="what was spent stays spent",
        ),
        pytest.param(
            became("travel_budget", "$700", 1, "The travel budget for the fair is $700."),
            became("office_budget", "$900", 2, "The user has raised the office budget to $900."),
            id="the budget of something else",
        ),
        pytest.param(
            became("subscription_fee", "$70", 1, "The monthly fee for drawing software is $70."),
            became("software_budget", "$900", 2, "The user has raised the budget for drawing software to $900."),
            id="another measure of the same thing",
        ),
        pytest.param(
            did("has", "meeting with Ana about the kiln on March 4", 1, kind=Kind.SEMANTIC),
            became("hears", "x", 2, "The meeting with Ilse about the kiln was moved to March 9."),
            id="with somebody else",
        ),
        pytest.param(
            became("deadline_kiln", "2026-03-04", 1, "The deadline for the kiln application is March 4."),
            became("got", "x", 2, "The user has a new kiln, bought on March 9 for the application."),
            id="a new thing and some date",
        ),
        pytest.param(
            did("has", "a kiln meeting with Ilse on March 4", 1, kind=Kind.SEMANTIC),
            became("hears", "x", 2, "The user's kiln meeting with Ilse was moved from March 20 to April 1."),
            id="of what was on another day",
        ),
        pytest.param(
            did("owns", "4 rowing boats", 1, kind=Kind.SEMANTIC),
            became("keeps", "x", 2, "The user now keeps 12 races of pigeons."),
            id="other things counted",
        ),
    ],
)
def test_an_amount_of_something_else_replaces_nothing(older: Proposal, newer: Proposal) -> None:
    assert current(older, newer) == {older.claim, newer.claim}


@pytest.mark.parametrize(
    ("stated", "changed"),
    [("The permit timeline typically takes 6-9 months in Ulm.", "The permit process was shortened to 5-7 months.")],
)
def test_a_length_that_changed_replaces_the_one_that_was_stated(stated: str, changed: str) -> None:
    older = did("takes", "6-9 months in Ulm", 1, stated, kind=Kind.SEMANTIC, subject="permit timeline")
    newer = did("shortened", "to 5-7 months", 2, changed, cue=True, subject="permit process")
    assert replaced(older, newer)


def test_a_length_of_something_else_stays() -> None:
    older = did("takes", "6-9 months", 1, "The visa process takes 6-9 months.", kind=Kind.SEMANTIC)
    newer = did("shortened", "to 5-7 months", 2, "The permit process was shortened to 5-7 months.", cue=True)
    assert not replaced(older, newer)


def test_without_a_word_of_change_both_amounts_stand() -> None:
    older = did("allocated", "$700 for office chairs", 1)
    newer = did("allocates", "$900 for office chairs", 2, kind=Kind.SEMANTIC)
    assert current(older, newer) == {older.claim, newer.claim}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12 left-handed garden gnomes in a row", {Amount("gnome", "12")}),
        ("on July 12-15 at 3 PM", {Amount("date", "07-15"), Amount("clock", "15:00")}),
        ("$1,200 per month, up 5%", {Amount("money", "1200"), Amount("share", "5")}),
        ("900 euros and 250ms", {Amount("money", "900"), Amount("ms", "250")}),
        ("due 2026-03-04 or 5 May", {Amount("date", "03-04"), Amount("date", "05-05")}),
    ],
)
def test_amounts_and_their_units(text: str, expected: set[Amount]) -> None:
    assert amounts(text) == expected


# --- the rules of conflict hold across keys, too ------------------------------------------------------------------


def test_the_older_one_is_closed_when_the_newer_was_said_and_points_to_it() -> None:
    older, newer = did("downloaded", "Krita", 1), never("used", "Krita", 2)
    standing = next(s for state in states(older, newer).values() for s in state.standings if s.lead == older)
    assert (standing.closed_as, standing.valid_to) == (State.SUPERSEDED, newer.observed_at)
    assert standing.successor_lead == newer.id


def test_what_replaced_another_is_decided_as_such() -> None:
    older, newer = did("downloaded", "Krita", 1), never("used", "Krita", 2)
    outcomes = {d.proposal: d.outcome for state in states(older, newer).values() for d in state.decisions}
    assert outcomes == {older.id: Outcome.ADMIT, newer.id: Outcome.SUPERSEDE}


def test_a_retracted_denial_denies_nothing() -> None:
    deed, denial = did("downloaded", "Krita", 1), never("used", "Krita", 2)
    retraction = never("used", "Krita", 3, act=Act.RETRACT)
    assert current(deed, denial, retraction) == {deed.claim}


def test_a_denial_that_was_itself_replaced_still_replaced_what_came_before_it() -> None:
    deed, denial, again = did("downloaded", "Krita", 1), never("used", "Krita", 2), did("used", "Krita", 3)
    assert current(deed, denial, again) == {again.claim}


def test_an_explicit_proposal_reaches_no_other_key() -> None:
    deed, denial = did("downloaded", "Krita", 1, explicit=True), never("used", "Krita", 2)
    assert current(deed, denial) == {deed.claim, denial.claim}


def test_predicates_of_high_consequence_are_left_to_their_own_key() -> None:
    deed = did("salary", "$700 a month at the mill", 1, kind=Kind.SEMANTIC)
    newer = became("pay", "$900", 2, "The salary a month at the mill went up to $900.")
    assert current(deed, newer) == {deed.claim, newer.claim}


_STORY = [
    did("downloaded", "Krita", 1),
    never("used", "Krita", 2),
    did("installed", "Krita on the laptop", 3),
    never("used", "drawing programs like Krita", 4),
    did("allocated", "$700 for office chairs", 1.5),
    became("budget", "$900", 2.5, "The increased budget for office chairs is $900."),
    became("budget_chairs", "$950", 3.5, "The budget for office chairs went up to $950."),
]


@given(st.permutations(_STORY))
@settings(max_examples=60)
def test_the_order_of_arrival_does_not_matter(story: list[Proposal]) -> None:
    assert current(*story) == current(*_STORY)


def test_companions_are_found_from_either_side() -> None:
    for told in permutations(_STORY[:2]):
        assert oppositions(told) == [(_STORY[0].id, _STORY[1].id)]
