"""What a dry run takes as done: merges of earlier pages, and what a run since another version would take apart first.

A run that writes supposes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import numpy as np

from lethe.ids import new_id
from lethe.index.packed import Vector
from lethe.merging import Group, Mergeable, Wording
from lethe.records import WEAKEST_FIRST


@dataclass(slots=True)
class Supposed:
    """`taken`: outputs that would be taken apart; `back`: what would stand again then; `everything`: all that would stand then
    counts as changed. `gone`: these outputs, and what would have been merged since."""

    taken: frozenset[UUID] = frozenset()
    back: frozenset[UUID] = frozenset()
    everything: bool = False
    gone: set[UUID] = field(default_factory=set)
    made: dict[UUID, tuple[UUID, Mergeable, Vector]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.gone |= self.taken

    @property
    def named(self) -> dict[str, Any]:
        """The parameters of `neighbours.AS_SUPPOSED`."""
        return {"gone": list(self.gone), "back": list(self.back)}

    def merge(self, owner: UUID, group: Group, wording: Wording, vector: Vector) -> None:
        """As `writing` would: the output stands, its inputs do not."""
        output = _output(group, wording)
        self.gone |= {each.id for each in group.members}
        self.made[output.id] = (owner, output, vector.astype(np.float16).astype(np.float32))

    def standing(self) -> Iterable[tuple[UUID, Mergeable, Vector]]:
        """(owner, output, vector) of what would have been merged and not merged further."""
        return (each for name, each in self.made.items() if name not in self.gone)


def _output(group: Group, wording: Wording) -> Mergeable:
    members, lead = group.members, wording.lead
    return Mergeable(
        id=new_id(), version=1, scope=lead.scope, kind=lead.kind, subject=lead.subject, predicate=lead.predicate,
        object=wording.object, claim=wording.claim, negated=lead.negated,
        basis=min((each.basis for each in members), key=WEAKEST_FIRST.index), verified=lead.verified,
        confidence=min(each.confidence for each in members), session=lead.session,
        observed_at=max(each.observed_at for each in members), leaves=_bottom(members),
    )  # fmt: skip


def _bottom(members: Sequence[Mergeable]) -> tuple[UUID, ...]:
    return tuple(sorted({name for each in members for name in each.leaves or (each.id,)}))
