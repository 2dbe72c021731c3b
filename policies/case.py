"""A proposal before the gate: what the checks may look at, and what several of them want to know."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from lethe.records import Proposal, Reason
from policies import grounds, wording
from policies.policy import Policy
from policies.secrets import reasons_in
from policies.sensitivity import Sensed, sense

_WORD = re.compile(r"[^\W\d_]+")


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


def is_name(text: str) -> bool:
    """Written as a name: a capital at the beginning, and at that of every longer word."""
    if not text[:1].isupper() or wording.POINTS_ALONE.fullmatch(text):
        return False
    return all(word[0].isupper() for word in _WORD.findall(text) if len(word) > 3)


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
    def worded(self) -> str:
        """The claim as far as it is no name."""
        return self.unnamed(self.claim)

    def unnamed(self, text: str) -> str:
        """The text with the proposal's own names out of the way: "Hey Ho Farm" greets nobody, "Imagine" supposes nothing."""
        return text if self._names is None else self._names.sub("Name", text)

    @cached_property
    def _names(self) -> re.Pattern[str] | None:
        """Its subject and its value, where they are names. A day is one only as the subject of something that has a name itself."""
        subject, value = self.proposal.subject.strip(), self.proposal.object.strip()
        named = is_name(value) and not wording.DAY_ALONE.fullmatch(value)
        spoken_of = is_name(subject) and (named or not wording.DAY_ALONE.fullmatch(subject))
        found = [subject] * (spoken_of and not self.about_the_user) + [value] * named
        longest_first = "|".join(map(re.escape, sorted(found, key=len, reverse=True)))
        return re.compile(rf"(?<!\w)(?:{longest_first})(?!\w)") if found else None

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
