"""Word lists that stay readable: one string, split at spaces."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())
