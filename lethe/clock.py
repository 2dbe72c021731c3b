"""The only module that reads the wall clock."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    """The current instant, in UTC."""
    return datetime.now(UTC)
