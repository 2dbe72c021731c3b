"""Statements of one person that cannot both hold though they go by different predicates.

The state of a key is a fold over its own proposals. Two sorts of statement reach beyond their key: one that denies ever to have
done a thing, and one that says that an amount changed. Keys whose statements stand against each other are folded together,
and what the folds left open is compared here: of two, the one observed later stands. Whatever the order of arrival, the same
proposals of an owner give the same states.

Only the person's own words reach: neither inference, nor a tool's outcome, nor an explicit proposal, which names its key itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Protocol, TypeVar
from uuid import UUID

from lethe.records import Act, Author, Basis, Decision, KeyState, Kind, Outcome, Proposal, Reason, Standing, State
from policies.denials import Deed, Denial, deed, denial, is_denied
from policies.updates import Level, changed, earlier, replaces

T = TypeVar("T")


class AcrossPolicy(Protocol):
    """What is asked of a policy here."""

    def is_high_consequence(self, predicate: str) -> bool: ...


def _counts(proposal: Proposal) -> bool:
    return (
        not proposal.explicit
        and proposal.author is Author.USER
        and proposal.basis in (Basis.STATED, Basis.CONFIRMED)
        and proposal.kind in (Kind.SEMANTIC, Kind.EPISODIC, Kind.PREFERENCE)
        and proposal.act is Act.ASSERT
        and not proposal.third_party
    )


class _Read:
    """The proposals of an owner, each taken apart once."""

    def __init__(self) -> None:
        self._denials: dict[UUID, Denial | None] = {}
        self._changed: dict[UUID, Level | None] = {}
        self._earlier: dict[UUID, Level | None] = {}
        self._deeds: dict[UUID, Deed] = {}

    def reaches(self, proposal: Proposal) -> bool:
        """Does it stand against statements of other predicates at all?"""
        if proposal.negated:
            return _once(self._denials, proposal, denial) is not None
        return proposal.cue and _once(self._changed, proposal, changed) is not None

    def against(self, older: Proposal, newer: Proposal) -> bool:
        """Does the newer leave nothing of the older? One of them reaches."""
        if older.turn_id == newer.turn_id or older.kind is Kind.PREFERENCE:
            return False
        if newer.negated != older.negated:
            denies, said = (newer, older) if newer.negated else (older, newer)
            denied = _once(self._denials, denies, denial)
            return (
                denied is not None
                and said.subject.casefold() == denies.subject.casefold()
                and is_denied(denied, _once(self._deeds, said, deed), before=said is older)
            )
        if newer.negated or not newer.cue or (became := _once(self._changed, newer, changed)) is None:
            return False
        was = _once(self._earlier, older, earlier)
        return was is not None and replaces(became, was)


def _once(found: dict[UUID, T], proposal: Proposal, read: Callable[[Proposal], T]) -> T:
    if proposal.id not in found:
        found[proposal.id] = read(proposal)
    return found[proposal.id]


def reaches(proposal: Proposal) -> bool:
    """Does the statement stand against statements of other predicates at all?"""
    return _counts(proposal) and _Read().reaches(proposal)


def oppositions(told: Sequence[Proposal]) -> list[tuple[UUID, UUID]]:
    """Pairs of ids, the older first, of the statements of one owner that stand against each other."""
    read = _Read()
    counted = sorted((proposal for proposal in told if _counts(proposal)), key=when)
    found = {
        (older.id, newer.id): None
        for at, one in enumerate(counted)
        if read.reaches(one)
        for place, other in enumerate(counted)
        if place != at
        for older, newer in [(one, other) if at < place else (other, one)]
        if read.against(older, newer)
    }
    return list(found)


def reconcile(states: Mapping[UUID, KeyState], policy: AcrossPolicy) -> dict[UUID, KeyState]:
    """The states of some keys of one owner, with what stands against each other across them closed."""
    read = _Read()
    told = sorted(
        (
            (_since(each), key, place, each, read.reaches(each.lead))
            for key, state in states.items()
            for place, each in enumerate(state.standings)
            if _counts(each.lead) and not policy.is_high_consequence(each.lead.predicate)
        ),
        key=itemgetter(0),
    )
    closed: dict[tuple[UUID, int], Standing] = {}
    for at, (_, key, place, older, reaches) in enumerate(told):
        if older.closed_as is None and not older.contested:
            later = (newer for _, _, _, newer, reaching in told[at + 1 :] if reaches or reaching)
            if (newer := next((each for each in later if _leaves_nothing(each, older, read)), None)) is not None:
                closed[key, place] = newer
    winners = {newer.lead.id for newer in closed.values()}
    return {key: _with(key, state, closed, winners) for key, state in states.items()} if closed else dict(states)


def _leaves_nothing(newer: Standing, older: Standing, read: _Read) -> bool:
    """What was withdrawn since, or waits for a person, leaves everything; so does what a person decided after it."""
    if newer.closed_as is State.RETRACTED or newer.contested or _ruled(older, newer):
        return False
    return read.against(older.lead, newer.lead)


def _ruled(older: Standing, newer: Standing) -> bool:
    """A person decided for the older one when the newer was said already."""
    return older.lead.ruled_at is not None and older.lead.ruled_at >= newer.valid_from


def when(proposal: Proposal) -> tuple[object, ...]:
    """The order in which things were said."""
    return proposal.observed_at, proposal.session, proposal.turn, proposal.ordinal, str(proposal.id)


def _since(standing: Standing) -> tuple[object, ...]:
    return standing.valid_from, *when(standing.lead)


def _with(key: UUID, state: KeyState, closed: Mapping[tuple[UUID, int], Standing], winners: set[UUID]) -> KeyState:
    standings = tuple(
        replace(each, closed_as=State.SUPERSEDED, valid_to=newer.valid_from, successor_lead=newer.lead.id)
        if (newer := closed.get((key, place))) is not None
        else each
        for place, each in enumerate(state.standings)
    )
    return replace(
        state,
        standings=standings,
        decisions=tuple(_won(each) if each.proposal in winners else each for each in state.decisions),
    )


def _won(decision: Decision) -> Decision:
    if decision.outcome is not Outcome.ADMIT:
        return decision
    return replace(decision, outcome=Outcome.SUPERSEDE, reasons=(Reason.SUPERSEDED_BY_NEWER,))
