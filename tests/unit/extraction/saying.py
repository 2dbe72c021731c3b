"""Short ways to let somebody say something and to look at what was made of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from lethe.extraction import extract
from lethe.records import Author, Candidate, Turn

# A Thursday, late in the evening in New York: the next day already in UTC.
OBSERVED = datetime.fromisoformat("2024-08-15T23:30:00-04:00")


def turn(text: str, author: str = "user", **more: Any) -> Turn:
    return Turn(
        tenant="t",
        user="u",
        session="s",
        turn="x",
        author=Author(author),
        text=text,
        **{"observed_at": OBSERVED, **more},
    )


def candidates(text: str, window: Sequence[Turn] = (), **more: Any) -> list[Candidate]:
    return extract(turn(text, **more), window)


def kept(text: str, window: Sequence[Turn] = (), **more: Any) -> list[Candidate]:
    """Candidates that nothing speaks against."""
    return [candidate for candidate in candidates(text, window, **more) if not candidate.signals]


def only(text: str, window: Sequence[Turn] = (), **more: Any) -> Candidate:
    """The one candidate that nothing speaks against."""
    found = kept(text, window, **more)
    assert len(found) == 1, [candidate.claim for candidate in candidates(text, window, **more)]
    return found[0]


def key(candidate: Candidate) -> tuple[str, str, str]:
    return candidate.subject, candidate.predicate, candidate.object
