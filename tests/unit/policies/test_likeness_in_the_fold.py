"""Where values stand side by side: other words are evidence, a contrary replaces, and order still does not matter."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lethe.records import Author, Basis, Cardinality, KeyState, Kind, Proposal, State
from policies.fold import fold
from tests.unit.policies.fold_cases import POLICY, START, current, folded, outcomes, proposal


def said(text: str, day: float = 0, **fields: Any) -> Proposal:
    """A statement about a mural, of which many may stand."""
    given: dict[str, Any] = {"subject": "the mural", "predicate": "states", "claim": f"In the mural, {text}."}
    return proposal(text, day, cardinality=Cardinality.MANY, **{**given, **fields})


def test_the_same_in_other_words_is_evidence_of_one_memory() -> None:
    state = folded(said("a nurse is walking to the shop", 0), said("the nurse walks to the store", 3))
    (only,) = state.standings
    assert only.lead.object == "a nurse is walking to the shop"
    assert only.independent == 2
    assert outcomes(state)[1] == ("reinforce", "independent_evidence")


def test_another_number_in_the_same_words_is_no_evidence() -> None:
    state = folded(said("two nurses are walking to the shop", 0), said("three nurses are walking to the store", 3))
    assert state.standings[0].independent == 1


def test_a_contrary_closes_what_it_is_against_and_nothing_else() -> None:
    state = folded(
        said("the door of the mill is painted red", 0),
        said("a goat is standing in the yard", 1),
        said("the door of the mill is painted green", 5),
    )
    assert current(state) == ["a goat is standing in the yard", "the door of the mill is painted green"]
    old = state.standings[0]
    assert (old.closed_as, old.valid_to, old.successor) == (State.SUPERSEDED, START + timedelta(days=5), 2)


def test_of_several_that_say_the_same_a_repeat_goes_to_the_one_in_its_own_words() -> None:
    first = said("the door is painted red", 0)
    state = folded(first, said("the goat sleeps in the yard", 1), said("the door is painted red.", 4, session="other"))
    assert state.standings[0].independent == 2
    assert len(state.standings) == 2


def test_the_denial_of_a_synonym_replaces() -> None:
    liked = proposal("sofas", 0, predicate="likes")
    assert current(folded(liked, proposal("couches", 4, predicate="likes", negated=True))) == ["not couches"]


def test_claims_against_each_other_replace_though_nobody_marked_a_denial() -> None:
    state = folded(
        proposal("golf", 0, predicate="thinks_of", claim="The user loves golf."),
        proposal("golf", 9, predicate="thinks_of", claim="The user cannot stand golf."),
    )
    assert [each.lead.claim for each in state.standings if each.closed_as is None] == ["The user cannot stand golf."]


def test_plain_values_stand_side_by_side_even_of_one_class() -> None:
    state = folded(*(proposal(value, day, predicate="speaks") for day, value in enumerate(["Danish", "Welsh", "Thai"])))
    assert current(state) == ["Danish", "Welsh", "Thai"]


def test_a_guess_does_not_replace_what_it_is_against() -> None:
    state = folded(said("the door is painted red", 0), said("the door is painted green", 3, basis=Basis.INFERRED))
    assert current(state) == ["the door is painted red"]
    assert outcomes(state)[1] == ("reject", "outranked")


def test_a_weaker_newer_contrary_goes_to_review() -> None:
    weak = said("the door is painted green", 3, author=Author.TOOL, basis=Basis.OBSERVED)
    state = folded(said("the door is painted red", 0), weak)
    assert state.reviews == ((0, 1),)
    assert all(each.contested for each in state.standings)


def test_two_events_are_two_but_a_denied_event_is_contradicted() -> None:
    def event(text: str, day: int, **fields: Any) -> Proposal:
        return said(text, day, kind=Kind.EPISODIC, event_at=START + timedelta(days=day), **fields)

    both = folded(event("the choir was singing in Norway", 0), event("the choir was singing in Iceland", 9))
    assert len(current(both)) == 2
    repeated = folded(event("the choir was singing near Oulu", 0), event("the choir was singing close to Oulu", 9))
    assert len(current(repeated)) == 2, "another day, another event"
    denied = folded(event("the choir was singing in Norway", 0), event("the choir was not singing in Norway", 9))
    assert current(denied) == ["the choir was not singing in Norway"]


def test_single_values_are_compared_by_value_alone() -> None:
    state = folded(proposal("the big mill", 0), proposal("the large mill", 4))
    assert [each.closed_as for each in state.standings] == [State.SUPERSEDED, None]


APART = [
    ("the cellar is kept at -7 degrees", "the cellar is kept at 7 degrees"),
    ("uploads stay < 3 GB", "uploads stay > 3 GB"),
    ("the mark in physics is B-", "the mark in physics is B"),
    ("the vote for sushi is 👍", "the vote for sushi is 👎"),
    ("the login on the forge is mia_k", "the login on the forge is mia k"),
    ("the neighbour is called कमल", "the neighbour is called कमली"),
    ("the painter prefers rye to wheat", "the painter prefers wheat to rye"),
    ("the painter answers to Kaja, not Liv", "the painter answers to Liv, not Kaja"),
    (
        "the painter of the old mill near the harbour eats grapes, plums, cherries and dates from the garden",
        "the painter of the old mill near the harbour eats grapes, plums, cherries and dates from the garden twice",
    ),
]


@pytest.mark.parametrize(("one", "other"), APART)
def test_another_sign_mark_order_or_bound_is_no_evidence(one: str, other: str) -> None:
    assert all(len(each.support) == 1 for each in folded(said(one, 0), said(other, 5, session="other")).standings)


def order(claim: str, day: int, value: str = "Danish", **fields: Any) -> Proposal:
    made: dict[str, Any] = {"claim": f"The user wants the assistant to {claim}.", "kind": Kind.INSTRUCTION, **fields}
    made["cardinality"] = Cardinality.SINGLE
    return proposal(value, day, predicate="answer_language", session=f"s{day}", **made)


def test_an_instruction_for_some_days_stands_beside_the_general_one() -> None:
    state = folded(order("always reply in Danish", 0), order("always reply in Danish on Mondays", 4))
    assert [(each.independent, each.closed_as) for each in state.standings] == [(1, None), (1, None)]
    other = folded(order("always reply in Danish", 0), order("reply in Thai on Mondays", 4, "Thai"))
    assert current(other) == ["Danish", "Thai"]


def test_the_same_instruction_again_is_evidence_and_another_replaces_it() -> None:
    assert folded(order("always reply in Danish", 0), order("answer in Danish", 4)).standings[0].independent == 2
    assert current(folded(order("always reply in Danish", 0), order("reply in Thai", 4, "Thai"))) == ["Thai"]


def test_one_value_with_a_bound_that_only_the_claim_says_is_another_statement() -> None:
    state = folded(
        proposal("cheese", 0, predicate="eats", claim="The user eats cheese.", cardinality=Cardinality.MANY),
        proposal("cheese", 3, predicate="eats", claim="The user eats cheese on Sundays.", cardinality=Cardinality.MANY),
    )
    assert len(state.standings) == 2


TEXTS = st.sampled_from(
    [
        "the door is painted red",
        "the door is painted green",
        "a door is painted red",
        "the door is not painted red",
        "the big door is painted red",
        "the large door is painted red",
        "a goat is standing near the door",
        "a goat is standing close to the door",
        "there is no goat standing near the door",
    ]
)
STEPS = st.lists(
    st.tuples(TEXTS, st.integers(0, 9), st.sampled_from(list(Basis)), st.sampled_from("abc")), min_size=1, max_size=8
)


def shape(state: KeyState) -> tuple[object, ...]:
    """Everything that the fold says, without positions in memory."""
    return (
        [
            (e.lead.id, e.support, e.valid_from, e.valid_to, e.successor, e.closed_as, e.contested)
            for e in state.standings
        ],
        sorted((d.proposal, d.outcome, d.reasons) for d in state.decisions),
        state.reviews,
    )


@given(STEPS, st.sampled_from([Kind.SEMANTIC, Kind.PREFERENCE]), st.randoms(use_true_random=False))
def test_any_order_of_arrival_ends_in_the_same_state(
    steps: list[tuple[str, int, Basis, str]], kind: Kind, chance: random.Random
) -> None:
    made = [said(text, day, basis=basis, session=session, kind=kind) for text, day, basis, session in steps]
    mixed = list(made)
    chance.shuffle(mixed)
    state = fold(made, POLICY)
    assert shape(state) == shape(fold(mixed, POLICY))
    assert sorted(decision.proposal for decision in state.decisions) == sorted(each.id for each in made)
