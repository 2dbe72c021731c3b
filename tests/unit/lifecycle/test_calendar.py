"""Nights and windows of the clock."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

import pytest

from lethe.lifecycle.forgetting.calendar import every, night, window
from policies.policy import parse
from workers import wiring

AT = time(2, 30)


def nights(begin: datetime, zone: str, hours: int) -> list[str]:
    """The nights that a look every ten minutes finds, each once."""
    found = [night(begin + timedelta(minutes=10 * step), zone, AT) for step in range(6 * hours)]
    return list(dict.fromkeys(found))


@pytest.mark.parametrize("day", [datetime(2026, 3, 28, 12, tzinfo=UTC), datetime(2026, 10, 24, 12, tzinfo=UTC)])
def test_a_day_on_which_the_clock_jumps_has_one_night(day: datetime) -> None:
    assert nights(day, "Europe/Brussels", 48) == [(day + timedelta(days=more)).date().isoformat() for more in range(3)]


def test_a_night_begins_at_the_hour_of_its_zone() -> None:
    half_past_two_in_tokyo = datetime(2026, 5, 1, 17, 30, tzinfo=UTC)
    assert night(half_past_two_in_tokyo, "Asia/Tokyo", AT) == "2026-05-02"
    assert night(half_past_two_in_tokyo - timedelta(minutes=1), "Asia/Tokyo", AT) == "2026-05-01"


def test_a_missed_night_is_still_to_be_done_the_next_afternoon() -> None:
    assert night(datetime(2026, 5, 1, 15, tzinfo=UTC), "UTC", AT) == "2026-05-01"


def test_tenants_with_an_hour_or_zone_of_their_own_have_nights_of_their_own() -> None:
    sections = """
    [tenants.tokyo.jobs]
    zone = "Asia/Tokyo"
    [tenants.osaka.jobs]
    zone = "Asia/Tokyo"
    [tenants.early.jobs]
    nightly_at = "00:10"
    [tenants.other.recall]
    k = 5
    """
    rules = wiring.bind(parse(sections, "mine", base=wiring.default_text()))
    half_past_two_in_tokyo = datetime(2026, 5, 1, 17, 30, tzinfo=UTC)
    names = ("tokyo", "osaka", "early", "other", "anybody")
    found = {
        each.window(half_past_two_in_tokyo, rules): [name for name in names if each.are_of(rules, name)]
        for each in every(rules)
    }
    assert found == {
        "2026-05-01": ["other", "anybody"],
        "2026-05-02 02:30 Asia/Tokyo": ["tokyo", "osaka"],
        "2026-05-01 00:10 UTC": ["early"],
    }


def test_all_of_a_window_has_one_name() -> None:
    five = timedelta(minutes=5)
    assert window(datetime(2026, 5, 1, 9, 4, 59, tzinfo=UTC), five) == window(datetime(2026, 5, 1, 9, tzinfo=UTC), five)
    assert window(datetime(2026, 5, 1, 9, 5, tzinfo=UTC), five) != window(datetime(2026, 5, 1, 9, 4, tzinfo=UTC), five)
