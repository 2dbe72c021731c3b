"""Windows of the clock. A night is named by its local date, so that an hour that is skipped or repeated changes nothing."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo


def night(now: datetime, zone: str, at: time) -> str:
    """The night whose jobs are to be done by `now`: today's date once the clock has passed `at` there, else yesterday's."""
    local = now.astimezone(UTC if zone == "UTC" else ZoneInfo(zone))
    day = local.date() if local.time() >= at else local.date() - timedelta(days=1)
    return day.isoformat()


def window(now: datetime, every: timedelta) -> str:
    """The window of `every` that `now` lies in, by the time at which it began."""
    seconds = int(every.total_seconds())
    return datetime.fromtimestamp(int(now.timestamp()) // seconds * seconds, UTC).isoformat()
