"""What the core needs to be told. `workers.wiring` binds these to a policy; the core never imports `policies`.

Producers reach them through the entry point group `lethe.rules`, so that a client redacts as the workers would.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from functools import lru_cache
from importlib.metadata import entry_points
from typing import Any, Protocol, cast
from uuid import UUID

from lethe.merging import Merging
from lethe.records import (
    Author,
    Basis,
    Candidate,
    Cardinality,
    KeyState,
    Kind,
    Proposal,
    Reason,
    Scope,
    Sensitivity,
    Turn,
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the checks that look at no other proposal say of one."""

    refusals: tuple[Reason, ...]
    holds: tuple[Reason, ...]
    sensitivity: Sensitivity
    allowed_uses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dates:
    """When a memory is due: expiry, review and fading; each None where it does not apply."""

    expires_at: datetime | None
    review_after: datetime | None
    fades_at: datetime | None


class Screen(Protocol):
    """The checks that look at one proposal, its turn and what was recalled into its session."""

    def __call__(
        self,
        proposal: Proposal,
        *,
        turn_text: str,
        recalled: tuple[str, ...],
        tombstoned: bool,
        before: int,
        window: tuple[tuple[Author, str | None], ...] = (),
    ) -> Verdict: ...


class Due(Protocol):
    """Due dates of a memory."""

    def __call__(
        self,
        *,
        kind: Kind,
        basis: Basis,
        verified: bool,
        stated: datetime | None,
        observed_at: datetime,
        received_at: datetime,
        touched_at: datetime,
        importance: float,
        independent: int,
        uses: int,
        pinned: bool,
    ) -> Dates: ...


class Evict(Protocol):
    """The ids of so many memories to archive, first to go first. `kept`: rows of numbers, no text."""

    def __call__(self, kept: Sequence[Any], excess: int, now: datetime) -> list[UUID]: ...


@dataclass(frozen=True, slots=True)
class Forgetting:
    """What the jobs ask of a policy; None: never."""

    per_user: int
    evict: Evict
    raw_turns: timedelta
    recall_log: timedelta
    held: timedelta
    ended: timedelta | None
    audit: timedelta | None
    ask_share: float
    ask_above: int
    unhelpful: int
    zone: str
    nightly_at: time


@dataclass(frozen=True, slots=True)
class Across:
    """Statements of one owner that bear on other keys than their own. `fragments`: some of which stand in whatever a statement
    stands against; None: in nothing. `oppositions`: the pairs of a number of statements that stand against each other, under one
    key or two, with one of some ids. `reconcile` closes that in the states of their keys."""

    fragments: Callable[[Proposal], tuple[str, ...] | None]
    oppositions: Callable[[Sequence[Proposal], Collection[UUID]], list[tuple[UUID, UUID]]]
    reconcile: Callable[[Mapping[UUID, KeyState]], dict[UUID, KeyState]]


@dataclass(frozen=True, slots=True)
class Rules:
    """A policy, bound to the functions that the core calls. `extract` is called for one of `batches` at a time, with turns and
    the turns before them, and may raise NotExtracted for it. `across`: how keys bear on each other; None: no key looks beyond itself.

    `own`: the rules of each tenant for which others hold. Whoever works for one tenant takes `of(tenant)`, and hands that on.
    """

    version: str
    body: Mapping[str, Any]
    max_text_chars: int
    max_ahead: timedelta
    turn_quota: int
    redact: Callable[[str], tuple[str, tuple[Reason, ...]]]
    turn_refusal: Callable[[Turn], Reason | None]
    unsupported_language: Callable[[str], bool]
    batches: Callable[[Sequence[tuple[Turn, Sequence[Turn]]]], list[list[int]]]
    extract: Callable[[Sequence[tuple[Turn, Sequence[Turn]]]], list[list[Candidate]]]
    extractor: str
    cardinality: Callable[[str], Cardinality | None]
    place: Callable[[Turn, Candidate], Scope]
    basis: Callable[[Basis, Author, bool, str], Basis]
    screen: Screen
    fold: Callable[[Sequence[Proposal]], KeyState]
    across: Across | None
    due: Due
    ranking: Any
    forgetting: Forgetting
    merging: Merging
    own: Mapping[str, Callable[[], Rules]] = field(default_factory=dict)

    def of(self, tenant: str) -> Rules:
        """The rules that hold for a tenant: these, unless it has rules of its own."""
        return self.own[tenant]() if tenant in self.own else self

    def versions(self) -> dict[str, Mapping[str, Any]]:
        """Content by version of everything that holds for somebody."""
        return {each.version: each.body for each in (self, *(self.of(tenant) for tenant in self.own))}


@lru_cache(maxsize=1)
def load() -> Rules:
    """The rules in force here."""
    found = entry_points(group="lethe.rules", name="default")
    return cast(Rules, next(iter(found)).load()())
