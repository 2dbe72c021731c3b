"""Which proposals of one key say the same, and which cannot both hold."""

from __future__ import annotations

from lethe.records import Kind, Proposal
from policies.bounds import recurs
from policies.likeness import Likeness, Statement, compare, same_bounds

_AGAINST = frozenset({Likeness.CONTRARY, Likeness.UPDATE})


class Wordings:
    """The proposals of a key, each read once. `single`: another value is against every other, whatever the words."""

    def __init__(self, *, single: bool) -> None:
        self.single = single
        self._read: dict[int, Statement] = {}  # by identity: a fold holds on to its proposals, and a UUID hashes slowly
        self._newer: Proposal | None = None
        self._found: dict[int, Likeness] = {}

    def same_value(self, one: Proposal, other: Proposal) -> bool:
        """Is the value the same, but for case, spacing and article?"""
        return self._of(one).plain == self._of(other).plain

    def opposed(self, one: Proposal, other: Proposal) -> bool:
        """Of one value: is one a denial, by its mark, or by its claim where nobody marked it ("loves", "cannot stand")?"""
        if one.negated != other.negated:
            return True
        return not self.single and one.claim != other.claim and self._likeness(one, other) in _AGAINST

    def apart(self, one: Proposal, other: Proposal) -> bool:
        """Do they hold at other times or under other conditions? Of single values only instructions can: "in French on
        Fridays" stands beside "in French"."""
        if Kind.EPISODIC in (one.kind, other.kind) or (self.single and one.kind is not Kind.INSTRUCTION):
            return False
        return not same_bounds(self._of(one), self._of(other))

    def in_turn(self, one: Proposal, other: Proposal) -> bool:
        """Two instructions, each for its own days: the one for Fridays leaves the other alone."""
        return one.kind is other.kind is Kind.INSTRUCTION and recurs(one.claim) != recurs(other.claim)

    def same(self, one: Proposal, other: Proposal) -> bool:
        """Do both say the same, if in other words?"""
        if self.same_value(one, other):
            return not self.opposed(one, other) and not self.apart(one, other)
        if self.single or _apart_in_time(one, other):
            return False
        return self._likeness(one, other) is Likeness.SAME

    def contrary(self, standing: Proposal, proposal: Proposal) -> bool:
        """Where values stand side by side: is the newer a denial of the older, its opposite, or the same with one value
        changed? Of two events the latter is no contradiction: both may have happened."""
        if self.single:
            return False
        if standing.kind is proposal.kind is Kind.EPISODIC and self._of(standing).denies == self._of(proposal).denies:
            return False
        return self._likeness(standing, proposal) in _AGAINST

    def _likeness(self, one: Proposal, other: Proposal) -> Likeness:
        """Each newer proposal is compared with the older ones several times over: what was found is kept meanwhile."""
        if self._newer is not other:
            self._newer, self._found = other, {}
        found = self._found.get(id(one))
        if found is None:
            found = self._found[id(one)] = compare(self._of(one), self._of(other))
        return found

    def _of(self, proposal: Proposal) -> Statement:
        found = self._read.get(id(proposal))
        if found is None:
            found = self._read[id(proposal)] = Statement(proposal.claim, proposal.object, proposal.negated)
        return found


def _apart_in_time(one: Proposal, other: Proposal) -> bool:
    """Two events of different days are two, however alike their words."""
    return (
        one.kind is other.kind is Kind.EPISODIC
        and one.event_at is not None
        and other.event_at is not None
        and one.event_at.date() != other.event_at.date()
    )
