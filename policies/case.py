"""A proposal before the gate: what the checks may look at, and what several of them want to know."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from lethe.records import Proposal, Reason
from policies import grounds
from policies.policy import Policy
from policies.secrets import reasons_in
from policies.sensitivity import Sensed, sense


@dataclass(frozen=True, slots=True)
class Context:
    """What the checks may look at beside the proposal; loaded by the caller.

    `recalled_claims`: claims that stood before the user in that session by then. `tombstoned`: the source or the claim was
    deleted. `proposals_before`: proposals of the same turn that come before this one. `window`: the turns just before it.
    """

    turn_text: str
    turn_signals: frozenset[Reason] = frozenset()
    recalled_claims: tuple[str, ...] = ()
    tombstoned: bool = False
    has_provenance: bool = True
    proposals_before: int = 0
    window: tuple[grounds.Earlier, ...] = ()


@dataclass(frozen=True)
class Case:
    """A proposal before the gate, with what several checks want to know of it."""

    proposal: Proposal
    context: Context
    policy: Policy

    @property
    def claim(self) -> str:
        return self.proposal.claim

    @cached_property
    def signals(self) -> frozenset[Reason]:
        return self.proposal.signals | self.context.turn_signals

    @cached_property
    def sentences(self) -> list[str]:
        """The author's own sentences that the claim rests on."""
        return grounds.sentences_behind(self.claim, self.context.turn_text)

    @cached_property
    def clauses(self) -> list[str]:
        return grounds.clauses_behind(self.claim, self.context.turn_text)

    @cached_property
    def found(self) -> set[Reason]:
        """Secret or sensitive, in any field that would be stored."""
        proposal = self.proposal
        return reasons_in(
            "\n".join(filter(None, (proposal.claim, proposal.object, proposal.subject, proposal.replaces)))
        )

    @cached_property
    def sensed(self) -> Sensed:
        return sense(self.claim, self.proposal.subject)

    @property
    def reworded(self) -> bool:
        """An agent or a model made the claim of what the turn says: the turn's own words are asked too."""
        return self.proposal.explicit or self.proposal.by_model

    @property
    def about_the_user(self) -> bool:
        return self.proposal.subject.casefold() in ("user", "the user")
