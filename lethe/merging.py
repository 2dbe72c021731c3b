"""The records of consolidation: what may be merged, how, and why not. Shared by the core and the policies that decide."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from lethe.records import Basis, Kind


class Refused(StrEnum):
    """Why a group was not merged. Stored: never rename one."""

    SCOPE_MIXED = "scope_mixed"
    BAD_OUTPUT = "bad_output"
    LOST_DETAIL = "lost_detail"
    INPUTS_CONFLICT = "inputs_conflict"
    SUPPORT_LOST = "support_lost"
    NO_WORDING = "no_wording"  # the model gave none
    INPUTS_CHANGED = "inputs_changed"  # between reading and writing


class Sort(StrEnum):
    """What the members of a group are to each other."""

    SAME = "same"  # the same in other words
    REFINED = "refined"  # one says more about what another says
    REPEATED = "repeated"  # one event at several dates
    EPISODES = "episodes"  # events of one session
    NEAR = "near"  # alike by their vectors alone: worded by a model
    OPPOSED = "opposed"  # cannot both hold


@dataclass(frozen=True, slots=True)
class Mergeable:
    """A memory that stands, as consolidation looks at it. `scope` is (tenant, user, project, task)."""

    id: UUID
    version: int
    scope: tuple[str, str | None, str | None, str | None]
    kind: Kind
    subject: str
    predicate: str
    object: str
    claim: str
    negated: bool
    basis: Basis
    verified: bool
    confidence: float
    session: str
    observed_at: datetime
    leaves: tuple[UUID, ...] = ()  # what stands behind it, where it was merged itself


@dataclass(frozen=True, slots=True)
class Group:
    """Memories that belong together, the fullest first."""

    sort: Sort
    members: tuple[Mergeable, ...]


@dataclass(frozen=True, slots=True)
class Wording:
    """How a group is said in one claim. `lead`: the member whose source it carries."""

    claim: str
    object: str
    lead: Mergeable


class Words(Protocol):
    """A model that words groups; slow, and never called inside a transaction. None: it gave nothing that can be used."""

    @property
    def name(self) -> str: ...

    def word(self, tenant: str, group: Group) -> Wording | None: ...


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why not; `detail` names what would be lost, as it stands in an input."""

    reason: Refused
    detail: str | None = None


Near = Mapping[tuple[UUID, UUID], float]  # cosines of pairs, each pair once, the smaller id first


@dataclass(frozen=True, slots=True)
class Merging:
    """What consolidation asks of a policy. `transform` names the rules of finding and wording and their version.

    `groups` is given candidates, cosines, and pairs that must stay apart; no memory is in two groups. `word` words a group
    by rule, None where no rule can. `words`: a model, asked for what no rule words; `pattern` tells what verified outcomes of one key suggest. `check` looks at an output before it is written, whoever worded it.
    """

    enabled: bool
    transform: str
    near: float
    neighbours: int
    min_support: float
    groups: Callable[[Sequence[Mergeable], Near, frozenset[tuple[UUID, UUID]]], list[Group]]
    word: Callable[[Group], Wording | None]
    check: Callable[[Group, Wording], Refusal | None]
    pattern: Callable[[Sequence[Outcome]], Pattern | None]
    words: Words | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A value that verified outcomes reported of a key, how often, the proposal that did last, and their memories."""

    subject: str
    predicate: str
    object: str
    times: int
    latest: UUID
    memories: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class Pattern:
    """What outcomes suggest: `outcome.times` of `among` reported the same value."""

    outcome: Outcome
    among: int
    predicate: str
    claim: str
