"""Lethe: a memory for LLM agents that stays small, true and forgettable.

from lethe import Lethe

lethe = Lethe()
lethe.push({"tenant": "acme", "user": "u_17", "session": "s_4", "turn": "t_91", "author": "user",
            "text": "Please always send my invoices as PDF.", "observed_at": "2026-02-01T09:42:00+01:00"})
lethe.recall(tenant="acme", user="u_17", query="How are invoices sent?")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lethe.client.client import AsyncLethe, Lethe

__all__ = ["AsyncLethe", "Lethe"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """The clients are imported when they are asked for: `lethe --help` does not pay for them."""
    if name in __all__:
        from lethe.client import client

        return getattr(client, name)
    raise AttributeError(f"module 'lethe' has no attribute {name!r}")
