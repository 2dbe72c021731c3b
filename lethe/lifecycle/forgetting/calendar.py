"""Windows of the clock. A night is named by its local date, so that an hour that is skipped or repeated changes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from lethe.rules import Rules


def night(now: datetime, zone: str, at: time) -> str:
    """The night whose jobs are to be done by `now`: today's date once the clock has passed `at` there, else yesterday's."""
    local = now.astimezone(UTC if zone == "UTC" else ZoneInfo(zone))
    day = local.date() if local.time() >= at else local.date() - timedelta(days=1)
    return day.isoformat()


@dataclass(frozen=True, slots=True)
class Nights:
    """The nights of those tenants for whom they begin at this hour of this zone."""

    zone: str
    at: time

    @classmethod
    def under(cls, rules: Rules) -> Nights:
        return cls(rules.forgetting.zone, rules.forgetting.nightly_at)

    def window(self, now: datetime, rules: Rules) -> str:
        """The night whose jobs are to be done by `now`; what begins at an hour of some tenants' own is named by it, too."""
        date = night(now, self.zone, self.at)
        return date if self == Nights.under(rules) else f"{date} {self.at:%H:%M} {self.zone}"

    def are_of(self, rules: Rules, tenant: str) -> bool:
        return Nights.under(rules.of(tenant)) == self


def every(rules: Rules) -> list[Nights]:
    """The nights of most tenants, then those of tenants with an hour or zone of their own."""
    return list(dict.fromkeys([Nights.under(rules), *(Nights.under(rules.of(tenant)) for tenant in rules.own)]))


def window(now: datetime, every: timedelta) -> str:
    """The window of `every` that `now` lies in, by the time at which it began."""
    seconds = int(every.total_seconds())
    return datetime.fromtimestamp(int(now.timestamp()) // seconds * seconds, UTC).isoformat()
