"""May a memory be handed out at a time, and if not, why: the same rules for one row and for a whole owner set.

Without `as_of` a memory counts as what it is stored as; with it, as what its intervals and dates say of that time.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

RETRACTED, SUPERSEDED, CONSOLIDATED, ARCHIVED, EXPIRED, CONTESTED, USE = range(1, 8)
ELIGIBLE, NOT_YET = 0, -1
REASONS = {
    RETRACTED: "retracted",
    SUPERSEDED: "superseded",
    CONSOLIDATED: "consolidated",
    ARCHIVED: "archived",
    EXPIRED: "expired",
    CONTESTED: "contested",
    USE: "use",
}
_STANDING = {"current": ELIGIBLE, "superseded": SUPERSEDED, "retracted": RETRACTED}
_RETIRED = {"archived": ARCHIVED, "expired": EXPIRED, "consolidated": CONSOLIDATED}
_NEVER = float("inf")

Codes = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Moment:
    """The time that a read is about. `past`: it was asked for (`as_of`), so that dates decide instead of stored states."""

    at: datetime
    past: bool


def moment(as_of: datetime | None, now: datetime) -> Moment:
    return Moment(as_of or now, as_of is not None)


@dataclass(frozen=True, slots=True)
class Dates:
    """What decides about the rows of an owner set, column by column; times as seconds, infinite where there is none."""

    standing: Codes
    retired: Codes
    retired_at: NDArray[np.float64]
    valid_from: NDArray[np.float64]
    valid_to: NDArray[np.float64]
    expires_at: NDArray[np.float64]
    contested: NDArray[np.bool_]
    uses: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, rows: Any) -> Dates:
        """From rows of `envelopes.VISIBLE` or with the same columns."""
        return cls(
            standing=np.array([_STANDING[row.standing] for row in rows], dtype=np.int8),
            retired=np.array([_RETIRED.get(row.retired_as, ELIGIBLE) for row in rows], dtype=np.int8),
            retired_at=_seconds([row.retired_at for row in rows]),
            valid_from=_seconds([_began(row) for row in rows]),
            valid_to=_seconds([row.valid_to for row in rows]),
            expires_at=_seconds([row.expires_at for row in rows]),
            contested=np.array([row.contested for row in rows], dtype=np.bool_),
            uses=tuple(frozenset(row.allowed_uses) for row in rows),
        )

    def codes(self, when: Moment, use: str | None) -> Codes:
        """One code a row: ELIGIBLE, NOT_YET (it began later) or the reason that withholds it, the strongest first."""
        at = when.at.timestamp()
        out = np.zeros(len(self.uses), dtype=np.int8)
        if use is not None:
            out[[use not in uses for uses in self.uses]] = USE
        out[self.contested] = CONTESTED
        out[self.expires_at <= at] = EXPIRED
        retired = self.retired != ELIGIBLE
        if when.past:
            retired &= ~(self.retired_at > at) | np.isinf(self.retired_at)
        out = np.where(retired, self.retired, out)
        out[self.valid_to <= at] = SUPERSEDED
        if when.past:
            out[self.valid_from > at] = NOT_YET
        else:
            out[self.standing == SUPERSEDED] = SUPERSEDED
        out[self.standing == RETRACTED] = RETRACTED
        return out.astype(np.int8, copy=False)


def code(row: Any, when: Moment, use: str | None) -> int:
    """The code of one row."""
    return int(Dates.of([row]).codes(when, use)[0])


def state_at(row: Any, when: Moment) -> str:
    """The state to show of a memory that is handed out: a passed review date or long disuse makes it stale."""
    doubted = row.stale_since is not None and (not when.past or row.stale_since <= when.at)
    if doubted or (row.review_after is not None and row.review_after <= when.at):
        return "stale"
    return "reinforced" if row.independent > 1 else "admitted"


def _began(row: Any) -> datetime:
    """A merged memory did not exist before the merge, whatever it says of earlier times; its inputs did."""
    began: datetime = max(row.valid_from, row.created_at) if row.inputs else row.valid_from
    return began


def _seconds(times: list[datetime | None]) -> NDArray[np.float64]:
    return np.array([_NEVER if time is None else time.timestamp() for time in times], dtype=np.float64)
