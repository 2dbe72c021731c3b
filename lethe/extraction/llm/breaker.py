"""The circuit breaker of an endpoint: one row in PostgreSQL, so that all workers leave a broken endpoint alone together.

Closed: calls go out. After `breaker_failures` outages in a row it opens, and nobody calls. When its time is over it is
half open: one worker makes one call (the probe); an answer closes it, a failure opens it for twice as long.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.extraction.llm.failures import ModelFailure, RateLimited, TimedOut, Unreachable
from lethe.store.database import transaction

PROBE_LOOK = 5.0  # seconds after which to look again while another worker probes

_FAILURES: Mapping[str, type[ModelFailure]] = {each.code: each for each in (Unreachable, TimedOut, RateLimited)}


@dataclass(frozen=True, slots=True)
class Breaker:
    """`failures` outages in a row open it for `seconds`, then twice as long each time, up to `longest`. A probe that says
    nothing within `probe` seconds is given up, and another worker may try."""

    endpoint: str
    failures: int
    seconds: float
    longest: float
    probe: float

    def ask(self, engine: Engine, now: datetime) -> None:
        """May a call go out? Raises the failure that opened the breaker, with the seconds that are left of it."""
        with transaction(engine) as connection:
            row = connection.execute(_STATE, {"endpoint": self.endpoint}).first()
            if row is None or row.open_until is None:
                return
            taken = connection.execute(
                _PROBE, {"endpoint": self.endpoint, "now": now, "until": now + timedelta(seconds=self.probe)}
            )
            if taken.rowcount:
                return
            row = connection.execute(_STATE, {"endpoint": self.endpoint}).one()
        if row.open_until is not None:
            raise _left_alone(row, now)

    def answered(self, engine: Engine, now: datetime) -> None:
        """The endpoint works."""
        with transaction(engine) as connection:
            connection.execute(_CLOSE, {"endpoint": self.endpoint, "now": now})

    def failed(self, engine: Engine, fault: ModelFailure, now: datetime) -> bool:
        """Count an outage; returns whether the breaker is open. An endpoint that asks for a pause gets it at once."""
        named = {"endpoint": self.endpoint, "now": now, "failure": fault.code, "most": self.failures,
                 "seconds": self.seconds, "longest": self.longest, "after": fault.after}  # fmt: skip
        with transaction(engine) as connection:
            return bool(connection.execute(_FAIL, named).scalar_one())

    def state(self, engine: Engine, now: datetime) -> dict[str, Any]:
        """{"state": "closed" | "open" | "half_open", "failures", "failure", "open_until"} for people to read."""
        with transaction(engine) as connection:
            row = connection.execute(_STATE, {"endpoint": self.endpoint}).first()
        if row is None:
            return {"state": "closed", "failures": 0, "failure": None, "open_until": None}
        if row.open_until is None:
            return {"state": "closed", "failures": row.failures, "failure": row.failure, "open_until": None}
        state = "open" if row.open_until > now else "half_open"
        until = row.open_until.isoformat()
        return {"state": state, "failures": row.failures, "failure": row.failure, "open_until": until}


def _left_alone(row: Any, now: datetime) -> ModelFailure:
    left = (row.open_until - now).total_seconds() if row.open_until > now else PROBE_LOOK
    failure = _FAILURES.get(row.failure, Unreachable)
    fault = failure("The endpoint failed again and again; it is left alone for a while.")
    fault.waits, fault.after = True, left
    return fault


_STATE = sa.text("select failures, open_until, probe_until, failure from llm_breaker where endpoint = :endpoint")
_PROBE = sa.text("""
update llm_breaker set probe_until = :until
where endpoint = :endpoint and open_until <= :now and (probe_until is null or probe_until <= :now)
""")
_CLOSE = sa.text("""
update llm_breaker set failures = 0, opened = 0, open_until = null, probe_until = null, failure = null, changed_at = :now
where endpoint = :endpoint and (failures > 0 or open_until is not null)
""")
# A failure while it is open is the probe's, or comes from a call that was under way when it opened; only the first counts.
_FAIL = sa.text("""
insert into llm_breaker as b (endpoint, failures, opened, open_until, failure, changed_at)
values (:endpoint, 1, case when :most <= 1 then 1 else 0 end,
        case when cast(:after as float) is not null then cast(:now as timestamptz) + cast(:after as float) * interval '1 second'
             when :most <= 1 then cast(:now as timestamptz) + cast(:seconds as float) * interval '1 second' end,
        :failure, :now)
on conflict (endpoint) do update set
  failures = b.failures + 1, failure = excluded.failure, changed_at = excluded.changed_at, probe_until = null,
  opened = case when b.open_until > excluded.changed_at then b.opened
                when b.open_until is not null or b.failures + 1 >= :most then b.opened + 1 else b.opened end,
  open_until = case
    when cast(:after as float) is not null
      then greatest(b.open_until, excluded.changed_at + cast(:after as float) * interval '1 second')
    when b.open_until > excluded.changed_at then b.open_until
    when b.open_until is not null or b.failures + 1 >= :most
      then excluded.changed_at + least(:longest, :seconds * power(2, least(b.opened, 20))) * interval '1 second'
    else b.open_until end
returning open_until is not null as is_open
""")
