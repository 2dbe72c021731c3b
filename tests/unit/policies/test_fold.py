"""The fold of a key: what stands, what was decided, and that the order of arrival does not matter."""

from __future__ import annotations

import random
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from lethe.records import Act, Author, Basis, Cardinality, KeyState, Kind, Proposal, Reason, Ruling, State
from policies.fold import fold
from tests.unit.policies.fold_cases import POLICY, START, current, folded, outcomes, proposal


def test_a_first_statement_is_admitted() -> None:
    state = folded(proposal("Oulu"))
    assert current(state) == ["Oulu"]
    assert outcomes(state) == [("admit", "passed_every_check")]


def test_a_later_value_of_a_single_valued_predicate_closes_the_earlier_one() -> None:
    state = folded(proposal("Oulu", 0), proposal("Turku", 5))
    old, new = state.standings
    assert (old.closed_as, old.valid_to, old.successor) == (State.SUPERSEDED, START + timedelta(days=5), 1)
    assert (new.closed_as, new.valid_to) == (None, None)
    assert outcomes(state)[1] == ("supersede", "superseded_by_newer")


def test_an_older_statement_that_arrives_late_is_filed_as_history() -> None:
    late, early = proposal("Turku", 5), proposal("Oulu", 0)
    state = folded(late, early)
    assert current(state) == ["Turku"]
    assert [each.lead.object for each in state.standings] == ["Oulu", "Turku"]


def test_going_back_to_an_earlier_value_opens_a_new_interval() -> None:
    state = folded(proposal("Oulu", 0), proposal("Turku", 5), proposal("Oulu", 9))
    assert [(each.lead.object, each.closed_as is None) for each in state.standings] == [
        ("Oulu", False),
        ("Turku", False),
        ("Oulu", True),
    ]


def test_many_valued_objects_stand_side_by_side() -> None:
    state = folded(proposal("Danish", 0, predicate="speaks"), proposal("Welsh", 1, predicate="speaks"))
    assert current(state) == ["Danish", "Welsh"]


def test_an_explicit_cardinality_stands_above_the_policys() -> None:
    many = [
        proposal(value, day, explicit=True, cardinality=Cardinality.MANY) for day, value in enumerate(["Oulu", "Turku"])
    ]
    assert current(folded(*many)) == ["Oulu", "Turku"]


def test_a_changed_polarity_replaces_even_where_many_values_stand() -> None:
    state = folded(
        proposal("liquorice", 0, predicate="likes"), proposal("liquorice", 9, predicate="likes", negated=True)
    )
    assert current(state) == ["not liquorice"]


def test_what_ends_is_replaced_by_its_denial() -> None:
    state = folded(
        proposal("two goats", 0, predicate="keeps"),
        proposal("two goats", 3, predicate="keeps", act=Act.END, session="s"),
    )
    assert current(state) == ["not two goats"]
    state = folded(
        proposal("raisins in bread", 0, predicate="likes", negated=True),
        proposal("raisins", 3, predicate="likes", negated=True, act=Act.END),
    )
    assert current(state) == ["raisins"], "no longer hating is the denial of hating"


def test_an_end_closes_its_own_value_alone() -> None:
    state = folded(
        proposal("the shipyard", 0, predicate="works_for", cardinality=Cardinality.SINGLE),
        proposal("a bakery", 3, predicate="works_for", act=Act.END),
    )
    assert current(state) == ["the shipyard", "not a bakery"]


def test_an_end_closes_what_says_more_of_the_same_and_the_same_begun_again_closes_the_end() -> None:
    plain, full = (
        proposal("horn in a brass band", 0, predicate="plays"),
        proposal("horn in the Redmoor brass band", 1, predicate="plays"),
    )
    end = proposal("horn in the brass band", 5, predicate="plays", act=Act.END)
    again = proposal("horn in the Redmoor brass band with Odalys", 9, predicate="plays")
    assert current(folded(plain, full, end)) == ["not horn in the brass band"]
    assert current(folded(plain, full, end, again)) == ["horn in the Redmoor brass band with Odalys"]


def test_a_new_single_value_takes_the_place_of_an_ended_one() -> None:
    state = folded(
        proposal("a bakery", 0, predicate="works_for", cardinality=Cardinality.SINGLE),
        proposal("a bakery", 3, predicate="works_for", act=Act.END),
        proposal("a museum", 4, predicate="works_for", cardinality=Cardinality.SINGLE),
    )
    assert current(state) == ["a museum"]


def test_a_correction_retires_the_value_that_it_names() -> None:
    state = folded(
        proposal("Danish", 0, predicate="speaks"), proposal("Faroese", 1, predicate="speaks", replaces="danish")
    )
    assert current(state) == ["Faroese"]


def test_independent_evidence_reinforces_and_raises_confidence() -> None:
    state = folded(proposal("Oulu", 0), proposal("oulu.", 3))
    (only,) = state.standings
    assert only.independent == 2
    assert only.confidence > 0.9
    assert outcomes(state)[1] == ("reinforce", "independent_evidence")


def test_the_same_session_or_the_same_words_are_no_independent_evidence() -> None:
    first = proposal("Oulu", 0, session="s", words="I live in Oulu.")
    for repeat, reason in (
        (proposal("Oulu", 1, session="s", words="Oulu is where I live."), Reason.NOT_INDEPENDENT),
        (proposal("Oulu", 1, session="other", words="I live in Oulu."), Reason.NOT_INDEPENDENT),
        (proposal("Oulu", 1, session="s", words="I live in Oulu."), Reason.DUPLICATE),
    ):
        state = folded(first, repeat)
        (only,) = state.standings
        assert only.independent == 1
        assert [support.proposal for support in only.support] == [first.id, repeat.id], (
            "kept: it carries the memory if the first goes"
        )
        assert outcomes(state)[1] == ("reject", reason.value)


def test_a_dependent_repeat_carries_the_memory_when_the_first_is_gone() -> None:
    repeat = proposal("Oulu", 1, session="s", words="I live in Oulu.")
    assert current(folded(repeat)) == ["Oulu"]


def test_a_guess_waits_for_a_second_session_in_other_words() -> None:
    guess = proposal("rye bread", 0, kind=Kind.PREFERENCE, basis=Basis.INFERRED, predicate="prefers_bread")
    assert outcomes(folded(guess)) == [("hold", "awaiting_second_session")]
    second = proposal("rye bread", 7, kind=Kind.PREFERENCE, basis=Basis.INFERRED, predicate="prefers_bread")
    state = folded(guess, second)
    assert current(state) == ["rye bread"]
    assert outcomes(state) == [("admit", "second_session"), ("reinforce", "independent_evidence")]


def test_a_guess_with_something_against_it_in_between_keeps_waiting() -> None:
    def guess(value: str, day: int) -> Proposal:
        return proposal(
            value,
            day,
            kind=Kind.PREFERENCE,
            basis=Basis.INFERRED,
            predicate="prefers_bread",
            cardinality=Cardinality.SINGLE,
        )

    said = proposal("soy milk", 3, kind=Kind.PREFERENCE, predicate="prefers_bread", cardinality=Cardinality.SINGLE)
    state = folded(guess("rye bread", 0), said, guess("rye bread", 7))
    assert current(state) == ["soy milk"]
    assert [outcome for outcome, _ in outcomes(state)] == ["reject", "admit", "hold"]


def test_a_guess_expires_by_the_distance_between_observations() -> None:
    first = proposal("rye bread", 0, kind=Kind.PREFERENCE, basis=Basis.INFERRED)
    state = folded(first, proposal("rye bread", 120, kind=Kind.PREFERENCE, basis=Basis.INFERRED))
    assert current(state) == []
    assert outcomes(state) == [("reject", "hold_expired"), ("hold", "awaiting_second_session")]


def test_a_guess_never_beats_a_persons_word() -> None:
    state = folded(proposal("Oulu", 0), proposal("Turku", 9, basis=Basis.INFERRED))
    assert current(state) == ["Oulu"]
    assert outcomes(state)[1] == ("reject", "outranked")


def test_two_guesses_against_a_persons_word_are_both_outranked() -> None:
    state = folded(
        proposal("Oulu", 0, predicate="speaks"),
        *(
            proposal("Oulu", day, predicate="speaks", negated=True, basis=Basis.INFERRED, kind=Kind.PREFERENCE)
            for day in (1, 2)
        ),
    )
    assert current(state) == ["Oulu"]
    assert outcomes(state)[1:] == [("reject", "outranked")] * 2


def test_a_persons_word_against_a_verified_outcome_on_an_authoritative_predicate_goes_to_review() -> None:
    tool = proposal("shipped", 0, predicate="order_state", author=Author.TOOL, verified=True, basis=Basis.OBSERVED)
    state = folded(tool, proposal("cancelled", 1, predicate="order_state"))
    assert state.reviews == ((0, 1),)
    assert all(each.contested for each in state.standings)
    assert outcomes(state)[1] == ("review", "conflict_needs_review")


def test_a_conflict_of_high_consequence_goes_to_review() -> None:
    state = folded(proposal("4000", 0, predicate="salary"), proposal("5000", 1, predicate="salary"))
    assert state.reviews == ((0, 1),)
    assert len(current(state)) == 2


def test_what_a_person_decides_about_a_review_is_applied() -> None:
    def salary(value: str, day: int, ruling: Ruling | None = None) -> Proposal:
        return proposal(
            value, day, predicate="salary", ruling=ruling, ruled_at=START + timedelta(days=20) if ruling else None
        )

    newer = folded(salary("4000", 0), salary("5000", 1, Ruling.PREFERRED))
    assert (current(newer), newer.reviews) == (["5000"], ())
    assert newer.standings[0].successor == 1
    older = folded(salary("4000", 0, Ruling.PREFERRED), salary("5000", 1))
    assert (current(older), older.reviews) == (["4000"], ())
    both = folded(salary("4000", 0, Ruling.KEPT), salary("5000", 1, Ruling.KEPT))
    assert (current(both), both.reviews) == (["4000", "5000"], ())
    assert not any(each.contested for each in both.standings)
    neither = folded(salary("4000", 0, Ruling.RETIRED), salary("5000", 1, Ruling.RETIRED))
    assert (current(neither), neither.reviews) == ([], ())
    again = folded(salary("4000", 0, Ruling.PREFERRED), salary("5000", 1), salary("6000", 30))
    assert again.reviews == ((0, 2),), "said after the decision, it is a new conflict"


def test_what_the_user_wants_forgotten_is_retracted_and_old_turns_do_not_bring_it_back() -> None:
    wish = proposal("Oulu", 5, act=Act.RETRACT)
    state = folded(wish, proposal("Oulu", 0), proposal("Oulu", 2))
    assert [each.closed_as for each in state.standings] == [State.RETRACTED]
    assert current(folded(wish, proposal("Oulu", 0), proposal("Oulu", 9))) == ["Oulu"], "told anew, it is heard"


def test_refused_and_declined_proposals_have_no_effect_but_a_decision() -> None:
    state = folded(
        proposal("Oulu", 0),
        proposal("Turku", 1, refusals=(Reason.QUOTED_CONTENT,)),
        proposal("Turku", 2, ruling=Ruling.DECLINED),
        proposal("Turku", 3, shadowed=True),
    )
    assert current(state) == ["Oulu"]
    assert [reason for _, reason in outcomes(state)[1:]] == ["quoted_content", "declined", "duplicate"]


def test_what_needs_consent_is_held_until_it_is_confirmed() -> None:
    held = proposal("asthma", 0, predicate="has_condition", holds=(Reason.NEEDS_CONSENT,))
    assert outcomes(folded(held)) == [("hold", "needs_consent")]
    confirmed = proposal("asthma", 0, predicate="has_condition", holds=(Reason.NEEDS_CONSENT,), ruling=Ruling.CONFIRMED)
    assert current(folded(confirmed)) == ["asthma"]


# --- invariant 5 --------------------------------------------------------------------------------------------------

VALUES = st.sampled_from(["Oulu", "Turku", "Bergen"])
ACTS = st.sampled_from([Act.ASSERT] * 5 + [Act.END, Act.RETRACT])
STEPS = st.lists(
    st.tuples(VALUES, st.integers(0, 12), ACTS, st.booleans(), st.sampled_from(list(Basis)), st.sampled_from("abc")),
    min_size=1,
    max_size=9,
)


def shape(state: KeyState) -> tuple[object, ...]:
    """Everything that the fold says, without positions in memory."""
    return (
        [
            (e.lead.id, e.support, e.valid_from, e.valid_to, e.successor, e.closed_as, e.contested, e.independent)
            for e in state.standings
        ],
        sorted((d.proposal, d.outcome, d.reasons) for d in state.decisions),
        state.reviews,
    )


@given(STEPS, st.sampled_from(["lives_in", "speaks", "salary"]), st.randoms(use_true_random=False))
def test_any_order_of_arrival_ends_in_the_same_state(
    steps: list[tuple[object, ...]], predicate: str, chance: random.Random
) -> None:
    made = [
        proposal(value, day, act=act, negated=act is Act.END or negated, basis=basis, session=session, words=f"{value}{session}",
                 predicate=predicate, kind=Kind.PREFERENCE)
        for value, day, act, negated, basis, session in steps
    ]  # fmt: skip
    mixed = list(made)
    chance.shuffle(mixed)
    assert shape(fold(made, POLICY)) == shape(fold(mixed, POLICY))


@given(STEPS)
def test_every_proposal_gets_exactly_one_decision(steps: list[tuple[object, ...]]) -> None:
    made = [proposal(value, day, act=act, basis=basis, session=session) for value, day, act, _, basis, session in steps]
    decided = [decision.proposal for decision in fold(made, POLICY).decisions]
    assert sorted(decided) == sorted(each.id for each in made)


@given(STEPS)
def test_a_single_valued_key_has_at_most_one_uncontested_positive_value(steps: list[tuple[object, ...]]) -> None:
    made = [proposal(value, day, act=act, basis=basis, session=session) for value, day, act, _, basis, session in steps]
    state = fold(made, POLICY)
    assert sum(each.closed_as is None and not each.contested and not each.lead.negated for each in state.standings) <= 1
