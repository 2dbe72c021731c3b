"""The state of a key is a fold over its proposals, sorted by when they were observed.

Nothing here depends on the order of arrival: whoever folds the same proposals gets the same standings and decisions.

    admit       opens a standing                      reinforce   independent evidence for an open one
    supersede   closes what it contradicts            hold        waits (consent, a second session)
    review      opens beside what it contradicts,     reject      refused by a check, a repeat, or outranked
                neither is handed out as fact
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Protocol

from lethe.ids import ARTICLES, plain_value
from lethe.records import (
    Act,
    Author,
    Basis,
    Cardinality,
    Decision,
    KeyState,
    Outcome,
    Proposal,
    Reason,
    Ruling,
    Standing,
    State,
    Support,
)
from policies.likeness_proposals import Wordings


class FoldPolicy(Protocol):
    """What the fold asks of a policy."""

    version: str

    def cardinality(self, predicate: str) -> Cardinality | None: ...
    def is_high_consequence(self, predicate: str) -> bool: ...
    def is_authoritative(self, predicate: str) -> bool: ...
    def needs_second_session(self, proposal: Proposal) -> bool: ...
    def hold_for(self) -> timedelta: ...
    def confidence(self, basis: Basis, stated: float, independent: int) -> float: ...


@dataclass(slots=True, eq=False)
class _Open:
    """A standing in the making."""

    lead: Proposal
    support: list[Support]
    sessions: set[str]
    words: set[object]
    authority: int
    began: datetime
    valid_to: datetime | None = None
    successor: _Open | None = None
    closed_as: State | None = None

    @property
    def open(self) -> bool:
        return self.closed_as is None


@dataclass(slots=True)
class _Fold:
    policy: FoldPolicy
    wordings: Wordings
    standings: list[_Open] = field(default_factory=list)
    waiting: list[Proposal] = field(default_factory=list)
    decisions: dict[object, tuple[Outcome, Reason]] = field(default_factory=dict)
    reviews: list[tuple[_Open, _Open]] = field(default_factory=list)


def fold(proposals: Sequence[Proposal], policy: FoldPolicy) -> KeyState:
    """Every standing and every decision that these proposals of one key lead to."""
    ordered = [_as_it_leaves_things(proposal) for proposal in sorted(proposals, key=_when)]
    state = _Fold(policy, Wordings(single=_is_single(ordered, policy)))
    decisions: dict[object, tuple[Outcome, tuple[Reason, ...]]] = {}
    for proposal in ordered:
        if refused := _refused(proposal):
            decisions[proposal.id] = (Outcome.REJECT, refused)
        elif proposal.holds and proposal.ruling is not Ruling.CONFIRMED:
            decisions[proposal.id] = (Outcome.HOLD, proposal.holds)
        else:
            _step(state, proposal)
    _retire(state)
    decisions |= {name: (outcome, (reason,)) for name, (outcome, reason) in state.decisions.items()}
    return KeyState(
        standings=tuple(_standing(state, each) for each in state.standings),
        decisions=tuple(
            Decision(proposal.id, *decisions[proposal.id], policy.version)
            for proposal in ordered
            if proposal.id in decisions
        ),
        reviews=tuple(
            (state.standings.index(one), state.standings.index(other))
            for one, other in state.reviews
            if one.open and other.open
        ),
    )


def _when(proposal: Proposal) -> tuple[object, ...]:
    return proposal.observed_at, proposal.session, proposal.turn, proposal.ordinal, str(proposal.id)


def _as_it_leaves_things(proposal: Proposal) -> Proposal:
    """ "I no longer keep goats" names the statement that ends; what holds from then on is its denial."""
    return replace(proposal, negated=not proposal.negated) if proposal.act is Act.END else proposal


def _is_single(proposals: Sequence[Proposal], policy: FoldPolicy) -> bool:
    """What explicit proposals say, else what the policy says of the predicate, else what the extractor found."""
    heard = [proposal for proposal in proposals if not _refused(proposal)]
    if said := [proposal.cardinality for proposal in heard if proposal.explicit and proposal.cardinality is not None]:
        return said[-1] is Cardinality.SINGLE
    if heard and (written := policy.cardinality(heard[0].predicate)) is not None:
        return written is Cardinality.SINGLE
    return any(proposal.cardinality is Cardinality.SINGLE for proposal in heard)


def _refused(proposal: Proposal) -> tuple[Reason, ...]:
    if proposal.shadowed:
        return (Reason.DUPLICATE,)
    if proposal.ruling is Ruling.DECLINED:
        return (Reason.DECLINED,)
    return proposal.refusals or ()


# --- one proposal -------------------------------------------------------------------------------------------------


def _step(state: _Fold, proposal: Proposal) -> None:
    if proposal.act is Act.RETRACT:
        _retract(state, proposal)
    elif same := _open_with_same(state, proposal):
        _support(state, same, proposal)
        _close_replaced(state, same, proposal)
    elif _must_wait(state, proposal):
        _wait(state, proposal)
    else:
        _assert(state, proposal)


def _retract(state: _Fold, proposal: Proposal) -> None:
    """The user wants it forgotten: every standing of that value, closed ones included, is withdrawn."""
    hit = [
        each
        for each in state.standings
        if _names(proposal.object, each.lead.object) and each.closed_as is not State.RETRACTED
    ]
    for each in hit:
        each.closed_as = State.RETRACTED
        each.valid_to = each.valid_to or proposal.observed_at
    for guess in [guess for guess in state.waiting if _names(proposal.object, guess.object)]:
        state.waiting.remove(guess)
        state.decisions[guess.id] = (Outcome.REJECT, Reason.RETRACTED_BY_USER)
    state.decisions[proposal.id] = (Outcome.SUPERSEDE if hit else Outcome.REJECT, Reason.RETRACTED_BY_USER)


def _support(state: _Fold, standing: _Open, proposal: Proposal) -> None:
    independent = (
        proposal.session not in standing.sessions
        and proposal.words not in standing.words
        and _counts_as_evidence(proposal)
    )
    stronger = authority(proposal, state.policy) > standing.authority
    pasted = proposal.session in standing.sessions and proposal.words in standing.words
    standing.support.append(Support(proposal.id, "evidence", independent))
    standing.words.add(proposal.words)
    if independent:
        standing.sessions.add(proposal.session)
        state.decisions[proposal.id] = (Outcome.REINFORCE, Reason.INDEPENDENT_EVIDENCE)
    elif stronger:
        state.decisions[proposal.id] = (Outcome.REINFORCE, Reason.CONFIRMED)
    else:
        state.decisions[proposal.id] = (Outcome.REJECT, Reason.DUPLICATE if pasted else Reason.NOT_INDEPENDENT)
    if stronger:
        _lead_with(standing, proposal, state.policy)


def _close_replaced(state: _Fold, standing: _Open, proposal: Proposal) -> None:
    """What says a known value again may name another one that it replaces, too."""
    if proposal.replaces is None:
        return
    for each in state.standings:
        named = each.open and each is not standing and plain_value(each.lead.object) == plain_value(proposal.replaces)
        if named and authority(proposal, state.policy) >= each.authority:
            _close(each, proposal.observed_at, standing)


def _lead_with(standing: _Open, proposal: Proposal, policy: FoldPolicy) -> None:
    """A stronger source takes over the wording; what led before stays as evidence."""
    standing.support = [
        Support(each.proposal, "source", True)
        if each.proposal == proposal.id
        else Support(each.proposal, "evidence", each.independent)
        for each in standing.support
    ]
    standing.lead = proposal
    standing.sessions.add(proposal.session)
    standing.authority = authority(proposal, policy)


def _must_wait(state: _Fold, proposal: Proposal) -> bool:
    return proposal.ruling is not Ruling.CONFIRMED and state.policy.needs_second_session(proposal)


def _wait(state: _Fold, proposal: Proposal) -> None:
    """Held until another session says so in other words, with nothing against it in between."""
    limit = proposal.observed_at - state.policy.hold_for()
    for each in state.waiting:
        if each.observed_at < limit:
            state.decisions[each.id] = (Outcome.REJECT, Reason.HOLD_EXPIRED)
    state.waiting = [each for each in state.waiting if each.observed_at >= limit]
    alike = {each.id: each for each in state.waiting if state.wordings.same(each, proposal)}
    partner = next((each for each in alike.values() if _independent(each, proposal)), None)
    if partner is None:
        state.waiting.append(proposal)
        state.decisions[proposal.id] = (Outcome.HOLD, Reason.AWAITING_SECOND_SESSION)
        return
    state.waiting = [each for each in state.waiting if each.id not in alike]
    opened = _assert(state, partner, at=proposal)
    if opened is not None:
        _support(state, opened, proposal)
        state.decisions[partner.id] = (Outcome.ADMIT, Reason.SECOND_SESSION)
    else:
        state.decisions[proposal.id] = state.decisions[partner.id]


def _assert(state: _Fold, proposal: Proposal, at: Proposal | None = None) -> _Open | None:
    """Open a standing against what it contradicts: by authority first, then by time. `at`: when it came to stand."""
    moment = (at or proposal).observed_at
    against = [each for each in state.standings if each.open and _conflicts(state, each.lead, proposal)]
    own = authority(proposal, state.policy)
    stronger = [each for each in against if each.authority > own]
    if stronger and proposal.basis is Basis.INFERRED:
        state.decisions[proposal.id] = (Outcome.REJECT, Reason.OUTRANKED)
        return None
    opened = _Open(proposal, [Support(proposal.id, "source", True)], {proposal.session}, {proposal.words}, own, moment)
    state.standings.append(opened)
    _forget_waiting_against(state, proposal)
    if stronger or (against and state.policy.is_high_consequence(proposal.predicate)):
        _review(state, opened, against)
        return opened
    for each in against:
        _close(each, moment, opened)
    state.decisions[proposal.id] = (
        (Outcome.SUPERSEDE, Reason.SUPERSEDED_BY_NEWER) if against else (Outcome.ADMIT, Reason.PASSED_EVERY_CHECK)
    )
    _gather_waiting(state, opened)
    return opened


def _review(state: _Fold, opened: _Open, against: Sequence[_Open]) -> None:
    """Neither side is handed out as fact until a person decides; what they decided is applied as it was decided."""
    state.decisions[opened.lead.id] = (Outcome.REVIEW, Reason.CONFLICT_NEEDS_REVIEW)
    for each in against:
        older, newer = each.lead.ruling, opened.lead.ruling
        if newer is Ruling.PREFERRED:
            _close(each, opened.lead.ruled_at or opened.began, opened)
        elif older is Ruling.PREFERRED and _decided_after(each.lead, opened.lead):
            _close(opened, each.lead.ruled_at or opened.began, each)
        elif not (older is Ruling.KEPT and newer is Ruling.KEPT):
            state.reviews.append((each, opened))
    if opened.lead.ruling is Ruling.PREFERRED:
        state.decisions[opened.lead.id] = (Outcome.SUPERSEDE, Reason.CONFIRMED)


def _decided_after(ruled: Proposal, other: Proposal) -> bool:
    return ruled.ruled_at is not None and ruled.ruled_at >= other.observed_at


def _close(standing: _Open, moment: datetime, successor: _Open | None) -> None:
    standing.closed_as, standing.valid_to, standing.successor = State.SUPERSEDED, moment, successor


def _retire(state: _Fold) -> None:
    """What a person took out of a review stands no longer, from when they did."""
    for each in state.standings:
        if each.open and each.lead.ruling is Ruling.RETIRED:
            _close(each, each.lead.ruled_at or each.began, None)


def _gather_waiting(state: _Fold, opened: _Open) -> None:
    """What was only guessed before and is now said becomes evidence of it."""
    for each in [each for each in state.waiting if state.wordings.same(each, opened.lead)]:
        state.waiting.remove(each)
        _support(state, opened, each)


def _forget_waiting_against(state: _Fold, proposal: Proposal) -> None:
    for each in [each for each in state.waiting if _conflicts(state, each, proposal)]:
        state.waiting.remove(each)
        state.decisions[each.id] = (Outcome.REJECT, Reason.SUPERSEDED_BY_NEWER)


# --- comparing ----------------------------------------------------------------------------------------------------


def authority(proposal: Proposal, policy: FoldPolicy) -> int:
    """Classes of equal authority, higher is stronger. Within one class the newest wins."""
    if proposal.ruling is Ruling.CONFIRMED or proposal.basis is Basis.CONFIRMED:
        return 3
    if proposal.basis is Basis.INFERRED:
        return 1
    if proposal.author is Author.TOOL:
        if not proposal.verified:
            return 2
        return 4 if policy.is_authoritative(proposal.predicate) else 3
    return 3 if proposal.basis is Basis.STATED else 2


def _counts_as_evidence(proposal: Proposal) -> bool:
    return proposal.author is Author.USER or (proposal.author is Author.TOOL and proposal.verified)


def _independent(one: Proposal, other: Proposal) -> bool:
    return one.session != other.session and one.words != other.words and _counts_as_evidence(other)


def _open_with_same(state: _Fold, proposal: Proposal) -> _Open | None:
    """The newest open standing with the same value, else the newest that says the same in other words."""
    alike = [each for each in state.standings if each.open and state.wordings.same(each.lead, proposal)]
    exact = [each for each in alike if state.wordings.same_value(each.lead, proposal)]
    return next(reversed(exact or alike), None)


_ARTICLES = frozenset(article.strip() for article in ARTICLES)


def _names(short: str, value: str) -> bool:
    """Who ends or forgets something rarely says all of it again: does one value hold every word of the other?"""
    return _holds(short, value) or _holds(value, short)


def _holds(value: str, other: str) -> bool:
    """Does the value hold every word of the other, but for articles?"""
    words, wanted = ({*plain_value(each).split()} - _ARTICLES for each in (value, other))
    return bool(wanted) and wanted <= words


def _conflicts(state: _Fold, standing: Proposal, proposal: Proposal) -> bool:
    """Can both not hold at once? A denial is only against its own value; a single value is against every other."""
    if state.wordings.same_value(standing, proposal):
        return state.wordings.opposed(standing, proposal)
    if proposal.act is Act.END and _names(proposal.object, standing.object):
        return standing.negated != proposal.negated
    if standing.act is Act.END and _holds(proposal.object, standing.object):  # it has begun again
        return standing.negated != proposal.negated
    if proposal.replaces is not None and plain_value(standing.object) == plain_value(proposal.replaces):
        return True
    if state.wordings.single:
        return not proposal.negated and not state.wordings.in_turn(standing, proposal)
    return state.wordings.contrary(standing, proposal)


def _standing(state: _Fold, each: _Open) -> Standing:
    independent = sum(support.independent for support in each.support)
    return Standing(
        lead=each.lead,
        support=tuple(each.support),
        valid_from=each.began,
        valid_to=each.valid_to,
        successor=state.standings.index(each.successor) if each.successor else None,
        closed_as=each.closed_as,
        contested=each.open and any(each in pair and all(side.open for side in pair) for pair in state.reviews),
        confidence=state.policy.confidence(each.lead.basis, each.lead.confidence, independent),
        independent=independent,
    )
