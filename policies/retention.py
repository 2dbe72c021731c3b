"""When a memory ends by its kind, and when it comes up for review."""

from __future__ import annotations

from datetime import datetime, timedelta

from lethe.records import Basis, Kind
from policies.policy import Policy


def expires_at(
    kind: Kind,
    basis: Basis,
    verified: bool,
    stated: datetime | None,
    observed_at: datetime,
    received_at: datetime,
    policy: Policy,
    pinned: bool = False,
) -> datetime | None:
    """A stated deadline, else the time to live of the kind; None: it is reviewed instead, as what somebody pinned is.

    A backfilled memory gets its time from when it was received, unless the policy says otherwise.
    """
    if stated is not None:
        return stated
    days = 0 if pinned else time_to_live(kind, basis, verified, policy)
    return starts_at(observed_at, received_at, policy) + timedelta(days=days) if days else None


def review_after(
    kind: Kind,
    basis: Basis,
    verified: bool,
    observed_at: datetime,
    received_at: datetime,
    policy: Policy,
    pinned: bool = False,
) -> datetime | None:
    """Counted from the newest evidence (`observed_at`), backfilled or not: what was said long ago is to be looked at.
    None where the kind has no review, or where its time to live ends it first."""
    days, ttl = policy.retention.review_days.of(kind), time_to_live(kind, basis, verified, policy)
    if pinned:
        days, ttl = days or ttl, 0
    due = observed_at + timedelta(days=days)
    if not days or (ttl and starts_at(observed_at, received_at, policy) + timedelta(days=ttl) <= due):
        return None
    return due


def raw_turn_expires_at(received_at: datetime, policy: Policy) -> datetime:
    """When the text of a turn is due to go, counted from its receipt."""
    return received_at + timedelta(days=policy.retention.raw_turn_days)


def time_to_live(kind: Kind, basis: Basis, verified: bool, policy: Policy) -> int:
    """Days; 0: none. What a verified tool reports has its own table, unless a person confirmed it."""
    if verified and basis is not Basis.CONFIRMED and (days := policy.retention.verified_tool_ttl_days.of(kind)):
        return days
    return policy.retention.ttl_days.of(kind)


def starts_at(observed_at: datetime, received_at: datetime, policy: Policy) -> datetime:
    """From when a time to live counts."""
    return max(observed_at, received_at) if policy.retention.starts_at == "later" else observed_at
