"""Strength as a function of time: the same however the clock is stepped, and never weaker for use, evidence or importance."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from freezegun import freeze_time
from hypothesis import given
from hypothesis import strategies as st

from lethe import clock
from lethe.records import Basis, Kind
from policies.policy import parse
from policies.strength import fades_at, half_life, strength
from workers.wiring import default_text

POLICY = parse(default_text(), "default")
SAID = datetime(2026, 1, 1, tzinfo=UTC)
DAYS = st.floats(0, 3000, allow_nan=False)


@given(st.lists(DAYS, min_size=1, max_size=20), st.floats(1, 1000))
def test_strength_does_not_depend_on_how_the_clock_is_stepped(steps: list[float], half: float) -> None:
    """Decay over the whole time is the product of the decays of its parts, and stepping leaves nothing behind."""
    now, product = SAID, 1.0
    for step in steps:
        product *= strength(now, now + timedelta(days=step), half)
        now += timedelta(days=step)
    assert strength(SAID, now, half) == pytest.approx(product, rel=1e-6, abs=1e-12)


@given(DAYS, DAYS, st.floats(1, 1000))
def test_strength_never_grows_by_waiting(one: float, other: float, half: float) -> None:
    sooner, later = sorted((one, other))
    assert strength(SAID, SAID + timedelta(days=later), half) <= strength(SAID, SAID + timedelta(days=sooner), half)


@given(
    st.sampled_from([Kind.SEMANTIC, Kind.EPISODIC]), st.floats(0, 1), st.floats(0, 1), st.integers(1, 20), st.integers(1, 20),
    st.integers(0, 200), st.integers(0, 200), DAYS, DAYS,
)  # fmt: skip
def test_nothing_fades_sooner_for_use_evidence_importance_or_a_later_touch(
    kind: Kind, low: float, high: float, few: int, many: int, seldom: int, often: int, early: float, late: float
) -> None:
    low, high = sorted((low, high))
    few, many = sorted((few, many))
    seldom, often = sorted((seldom, often))
    early, late = sorted((early, late))
    weak = fades_at(kind, Basis.STATED, SAID + timedelta(days=early), low, few, seldom, False, POLICY)
    strong = fades_at(kind, Basis.STATED, SAID + timedelta(days=late), high, many, often, False, POLICY)
    assert weak is not None
    assert strong is not None
    assert weak <= strong


@given(st.sampled_from([Kind.SEMANTIC, Kind.EPISODIC]), st.floats(0, 1), st.integers(0, 50))
def test_at_the_moment_it_fades_strength_is_at_the_line_or_below(kind: Kind, importance: float, uses: int) -> None:
    at = fades_at(kind, Basis.STATED, SAID, importance, 1, uses, False, POLICY)
    assert at is not None
    days = half_life(kind, importance, 1, uses, POLICY)
    assert strength(SAID, at, days) <= POLICY.fading.archive_below + 1e-9


def test_the_one_clock_can_be_frozen() -> None:
    with freeze_time("2027-07-01T00:00:00Z") as frozen:
        assert strength(SAID, clock.now(), 546.0) == pytest.approx(0.5)
        frozen.tick(timedelta(days=546))
        assert strength(SAID, clock.now(), 546.0) == pytest.approx(0.25)
