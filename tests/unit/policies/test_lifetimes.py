"""Retention, review, fading and freshness."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lethe.records import Basis, Kind
from policies.retention import expires_at, raw_turn_expires_at, review_after
from policies.strength import fades_at, freshness, half_life, strength
from tests.unit.policies.gate_cases import DEFAULT, NOW, changed

DAY = timedelta(days=1)
kinds = st.sampled_from([Kind.PREFERENCE, Kind.INSTRUCTION, Kind.SEMANTIC, Kind.EPISODIC])
shares = st.floats(0, 1)
counts = st.integers(0, 60)


def test_events_last_a_year_and_outcomes_of_tools_half_of_it() -> None:
    assert expires_at(Kind.EPISODIC, Basis.STATED, False, None, NOW, NOW, DEFAULT) == NOW + 365 * DAY
    assert expires_at(Kind.EPISODIC, Basis.OBSERVED, True, None, NOW, NOW, DEFAULT) == NOW + 180 * DAY
    assert expires_at(Kind.EPISODIC, Basis.CONFIRMED, True, None, NOW, NOW, DEFAULT) == NOW + 365 * DAY


@pytest.mark.parametrize("kind", [Kind.PREFERENCE, Kind.INSTRUCTION, Kind.SEMANTIC])
def test_what_holds_until_it_is_changed_is_reviewed_and_does_not_expire(kind: Kind) -> None:
    assert expires_at(kind, Basis.STATED, False, None, NOW, NOW, DEFAULT) is None
    reviewed = review_after(kind, Basis.STATED, False, NOW, NOW, DEFAULT)
    assert reviewed is not None
    assert reviewed >= NOW + 365 * DAY


def test_a_stated_deadline_stands_in_place_of_the_kinds_time_to_live() -> None:
    assert expires_at(Kind.EPISODIC, Basis.STATED, False, NOW + DAY, NOW, NOW, DEFAULT) == NOW + DAY
    assert expires_at(Kind.SEMANTIC, Basis.STATED, False, NOW + DAY, NOW, NOW, DEFAULT) == NOW + DAY


def test_a_backfilled_event_gets_its_time_from_when_it_was_received() -> None:
    said = NOW - 700 * DAY
    assert expires_at(Kind.EPISODIC, Basis.STATED, False, None, said, NOW, DEFAULT) == NOW + 365 * DAY
    as_observed = changed('[retention]\nstarts_at = "observed"')
    assert expires_at(Kind.EPISODIC, Basis.STATED, False, None, said, NOW, as_observed) == said + 365 * DAY
    assert review_after(Kind.SEMANTIC, Basis.STATED, False, said, NOW, DEFAULT) == said + 365 * DAY


def test_the_text_of_a_turn_goes_by_its_receipt() -> None:
    assert raw_turn_expires_at(NOW, DEFAULT) == NOW + 30 * DAY


@given(kinds, st.sampled_from(list(Basis)), st.booleans())
def test_every_memory_has_an_expiry_or_a_review_date(kind: Kind, basis: Basis, verified: bool) -> None:
    dates = (
        expires_at(kind, basis, verified, None, NOW, NOW, DEFAULT),
        review_after(kind, basis, verified, NOW, NOW, DEFAULT),
    )
    assert any(dates)


def test_strength_halves_with_each_half_life() -> None:
    assert strength(NOW, NOW, 10) == 1
    assert strength(NOW, NOW + 10 * DAY, 10) == pytest.approx(0.5)
    assert strength(NOW, NOW + 30 * DAY, 10) == pytest.approx(0.125)
    assert strength(NOW, NOW - DAY, 10) == 1


@given(kinds, shares, counts, counts)
def test_a_half_life_grows_with_importance_evidence_and_use_up_to_the_cap(
    kind: Kind, importance: float, independent: int, uses: int
) -> None:
    plain = half_life(kind, 0, 1, 0, DEFAULT)
    days = half_life(kind, importance, independent, uses, DEFAULT)
    assert plain == DEFAULT.fading.half_life_days.of(kind)
    assert plain <= days <= DEFAULT.fading.max_half_life_days
    assert half_life(kind, importance, independent + 1, uses, DEFAULT) >= days
    assert half_life(kind, importance, independent, uses + 1, DEFAULT) >= days


@given(st.sampled_from([Kind.SEMANTIC, Kind.EPISODIC]), shares, counts, counts)
def test_a_memory_fades_when_its_strength_meets_the_archive_line(
    kind: Kind, importance: float, independent: int, uses: int
) -> None:
    policy = changed("[fading]\nuntouched_days = 30")
    moment = fades_at(kind, Basis.STATED, NOW, importance, independent, uses, False, policy)
    assert moment is not None
    days = half_life(kind, importance, independent, uses, policy)
    assert strength(NOW, moment, days) == pytest.approx(policy.fading.archive_below, rel=1e-6)


@given(kinds, shares, counts, counts)
def test_nothing_untouched_fades_before_eighteen_months(
    kind: Kind, importance: float, independent: int, uses: int
) -> None:
    moment = fades_at(kind, Basis.STATED, NOW, importance, independent, uses, False, DEFAULT)
    assert moment is None or moment >= NOW + 548 * DAY


@pytest.mark.parametrize(
    ("kind", "basis", "pinned"),
    [
        (Kind.PREFERENCE, Basis.STATED, False),
        (Kind.INSTRUCTION, Basis.STATED, False),
        (Kind.SEMANTIC, Basis.CONFIRMED, False),
        (Kind.EPISODIC, Basis.STATED, True),
    ],
)
def test_instructions_preferences_confirmed_and_pinned_memories_never_fade(
    kind: Kind, basis: Basis, pinned: bool
) -> None:
    assert fades_at(kind, basis, NOW, 0, 1, 0, pinned, DEFAULT) is None


@given(kinds, st.floats(0, 1e5), st.floats(0, 1e5))
def test_freshness_never_grows_with_age_and_stays_above_its_floor(kind: Kind, one: float, other: float) -> None:
    young, old = sorted((one, other))
    assert 1 >= freshness(young, kind, DEFAULT) >= freshness(old, kind, DEFAULT) >= DEFAULT.recall.freshness_floor
    assert freshness(0, kind, DEFAULT) == 1


def test_freshness_without_a_floor_stays_above_nought() -> None:
    policy = changed("[recall]\nfreshness_floor = 0.0")
    assert freshness(540, Kind.SEMANTIC, policy) == pytest.approx(0.5)
    assert freshness(1e9, Kind.SEMANTIC, policy) > 0
