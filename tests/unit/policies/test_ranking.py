"""The formulas of recall: each signal in 0..1, and monotone in what it says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from policies.ranking import PolicyRanking
from tests.ranking_policy import POLICY

RANKING = PolicyRanking(POLICY)
KINDS = ["preference", "instruction", "semantic", "episodic"]

cosine = st.floats(-1, 1)
share = st.floats(0, 1)
age = st.floats(0, 20_000)


def similarity(dense: float, lexical: float, missing: float = 0.0, outside: float = 0.0) -> float:
    return float(RANKING.similarity(*(np.array([value]) for value in (dense, lexical, missing, outside)))[0])


def freshness(kind: str, days: float) -> float:
    return float(RANKING.freshness([kind], np.array([days]))[0])


@given(cosine, share, share, st.sampled_from([0.0, 1.0]))
def test_similarity_is_a_share(dense: float, lexical: float, missing: float, outside: float) -> None:
    assert 0 <= similarity(dense, lexical, missing, outside) <= 1


@given(cosine, cosine, share, share)
def test_more_likeness_never_lowers_similarity(one: float, other: float, few: float, many: float) -> None:
    low, high = sorted((one, other))
    less, more = sorted((few, many))
    assert similarity(low, less) <= similarity(high, more) + 1e-9


@given(share)
def test_without_a_vector_the_words_decide(lexical: float) -> None:
    assert 0 <= similarity(float("nan"), lexical) <= 1
    assert similarity(float("nan"), 1.0) >= similarity(float("nan"), lexical)


def test_a_memory_about_another_name_or_time_counts_less_and_still_counts() -> None:
    right = similarity(0.5, 0.5)
    assert 0 < similarity(0.5, 0.5, missing=1) < similarity(0.5, 0.5, missing=0.5) < right
    assert 0 < similarity(0.5, 0.5, outside=1) < right


def test_of_two_claims_that_answer_alike_the_shorter_one_comes_first() -> None:
    shortest, pivot, long = RANKING.brevity(np.array([20.0, 100.0, 400.0]))
    assert shortest > pivot == 1 > long > 0.7


def test_an_unrelated_sentence_is_not_similar_at_all() -> None:
    assert similarity(0.0, 0.0) == 0


@given(st.sampled_from(KINDS), age, age)
def test_freshness_only_ever_falls_and_never_below_the_floor(kind: str, one: float, other: float) -> None:
    newer, older = sorted((one, other))
    assert 1 >= freshness(kind, newer) >= freshness(kind, older) >= POLICY.recall.freshness_floor - 1e-9


def test_freshness_is_half_way_to_the_floor_at_the_half_life() -> None:
    half_life = POLICY.recall.freshness_half_life_days.episodic
    assert freshness("episodic", half_life) == pytest.approx((1 + POLICY.recall.freshness_floor) / 2)


def test_what_was_observed_in_the_future_is_as_fresh_as_can_be() -> None:
    assert freshness("semantic", -3) == 1


def test_a_wider_scope_weighs_a_little_less() -> None:
    weights = [RANKING.scope(steps) for steps in range(4)]
    assert weights[0] == 1
    assert weights == sorted(weights, reverse=True)
    assert weights[3] > 0.85


def test_k_and_threshold_are_the_policys() -> None:
    assert (RANKING.k, RANKING.threshold, RANKING.candidates) == (
        POLICY.recall.k,
        POLICY.recall.threshold,
        POLICY.recall.candidates,
    )
