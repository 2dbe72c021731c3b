"""Statements of one person that cannot both hold though they go by different predicates."""

from __future__ import annotations

from datetime import timedelta
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lethe.records import Act, Kind, Outcome, Proposal, State
from policies.across import oppositions
from tests.unit.policies.across_cases import became, current, did, never, replaced, states
from tests.unit.policies.fold_cases import START, proposal

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
        pytest.param(
            ("practises", "knots to see how the score of the last quiz rose after 15 problems"),
            ("completed", "knot problems"),
            id="words of it that do not belong together",
        ),
        pytest.param(("chose", "to use Krita"), ("used", "Krita"), id="a choice"),
        pytest.param(("met", "Ilse in May"), ("met", "anyone as kind as Ilse"), id="praise"),
        pytest.param(("used", "Krita"), ("used", "anything better than Krita"), id="a comparison"),
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


def test_what_was_arranged_for_a_day_that_is_past_is_denied() -> None:
    ahead = did("has", "a call with Ilse on 3 January", 1, event_at=START + timedelta(days=2))
    assert replaced(ahead, never("met", "Ilse", 9))


def test_who_never_was_there_did_not_go_when_it_was_prepared_for() -> None:
    claim = "The user is nervy about coordinating with Ana, a potter, for the harbour fair on January 4."
    value = "coordinating with Ana, a potter, for the harbour fair on January 4"
    planned = did("nervy_about", value, 1, claim, kind=Kind.SEMANTIC)
    denial = never("attended", "harbour fairs with Ana", 9)
    assert replaced(planned, denial)
    early = never("attended", "harbour fairs with Ana", 2)
    assert current(planned, early) == {planned.claim, early.claim}


def test_a_session_that_is_only_scheduled_ends_no_denial() -> None:
    denial = never("met", "Ilse", 1)
    dated = did("has", "a session scheduled with Ilse on January 20", 2, kind=Kind.SEMANTIC)
    undated = did("has", "a session scheduled with Ilse", 2, kind=Kind.SEMANTIC)
    assert current(denial, dated, undated) == {denial.claim, dated.claim, undated.claim}


def test_with_whom_a_deed_was_done_is_read_from_all_of_the_statement() -> None:
    claim = "The user has been working with Ilse, a potter, at Omnia since the spring, when the user met Ana."
    works = did("works_for", "Omnia", 1, claim, kind=Kind.SEMANTIC)
    assert replaced(works, never("met", "Ilse", 2))
    other = never("met", "Ana", 2)
    assert current(works, other) == {works.claim, other.claim}


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


def test_a_denial_that_was_itself_refuted_refutes_nothing() -> None:
    deed, denial, again = did("downloaded", "Krita", 1), never("used", "Krita", 2), did("used", "Krita at work", 3)
    assert current(deed, denial, again) == {deed.claim, again.claim}


def test_a_deed_that_was_itself_denied_ends_no_denial() -> None:
    denial, deed = never("used", "Krita", 1), did("installed", "Krita", 2)
    again = never("used", "drawing programs like Krita", 3)
    assert current(denial, deed, again) == {denial.claim, again.claim}


def test_an_attempt_is_over_when_it_was_denied_and_done_since() -> None:
    attempt = did("tries", "to set up Krita", 1, kind=Kind.SEMANTIC)
    denial, done = never("used", "Krita", 2), did("installed", "Krita", 3)
    assert current(attempt, denial, done) == {done.claim}


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
