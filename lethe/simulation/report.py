"""The figures of a simulation."""

from __future__ import annotations

from collections.abc import Sequence

from lethe.simulation.running import Look

HALF_A_YEAR = 182


def report(looks: Sequence[Look]) -> dict[str, float]:
    """Shares in 0..1 over the last six months' looks, and how much the store grew in them."""
    last = looks[-1]
    late = [look for look in looks if look.day >= last.day - HALF_A_YEAR]
    return {
        "memories": last.size,
        "current_share": _share(sum(look.current for look in late), sum(look.recalled for look in late)),
        "everything": last.everything_size,
        "everything_current_share": _share(
            sum(look.everything_current for look in late), sum(look.everything_recalled for look in late)
        ),
        "growth_last_six_months": round(last.size / max(1, late[0].size) - 1, 4),
        "swing_last_six_months": round(
            max(look.size for look in late) / max(1, min(look.size for look in late)) - 1, 4
        ),
    }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
