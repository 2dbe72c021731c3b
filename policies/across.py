"""Statements of one person that cannot both hold though they go by different predicates.

The state of a key is a fold over its own proposals. Two sorts of statement reach beyond their key: one that denies ever to have
done a thing, and one that says that an amount changed. Keys whose statements stand against each other are folded together,
and what the folds left open is compared here: of two, the one observed later stands. Whatever the order of arrival, the same
proposals of an owner give the same states.

Only the person's own words reach: neither inference, nor a tool's outcome, nor an explicit proposal, which names its key itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Protocol
from uuid import UUID

from lethe.records import Act, Author, Basis, Decision, KeyState, Kind, Outcome, Proposal, Reason, Standing, State
from policies.denials import Deed, Denial, Thing, deeds, denial, is_attempt, is_denied
from policies.levels import Level, changed, earlier
from policies.likeness_text import Word, beginning
from policies.likeness_words import synonyms
from policies.updates import replaces


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


# --- what reaches, and how far ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Reach:
    """What a statement denies, or what an amount became by it. `fragments`: see `fragments`."""

    denies: Denial | None
    became: Level | None
    fragments: tuple[str, ...]


def fragments(proposal: Proposal) -> tuple[str, ...] | None:
    """Where to look for what this statement stands against: one of these stands in the `text_of` each, or, if there are none,
    anything may. None: it stands against nothing under other predicates."""
    reach = _reach(proposal) if _counts(proposal) else None
    return None if reach is None else reach.fragments


def text_of(proposal: Proposal) -> str:
    """What fragments are looked for in. The store makes the same of a row."""
    return f"{proposal.predicate.replace('_', ' ')} {proposal.object} {proposal.claim}".lower()


@lru_cache(maxsize=1024)
def _reach(proposal: Proposal) -> _Reach | None:
    denies = denial(proposal) if proposal.negated else None
    if denies is not None:
        return _Reach(denies, None, _any_of(map(_fragments_of_thing, denies.things)))
    became = changed(proposal) if proposal.cue and not proposal.negated else None
    if became is not None and len(became.topic) > 1:
        return _Reach(None, became, _any_of(map(_fragments_of_word, became.topic)))
    return None


def _any_of(alternatives: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """All of them; none where one of them could be anything."""
    found = tuple(alternatives)
    return tuple(sorted({each for some in found for each in some})) if all(found) else ()


def _fragments_of_thing(thing: Thing) -> tuple[str, ...]:
    """Those of the word that most texts lack: its longest, by the forms that it has."""
    return max(map(_fragments_of_word, thing.words), key=lambda some: min(map(len, some), default=0))


def _fragments_of_word(word: Word) -> tuple[str, ...]:
    """The beginnings of a word and its synonyms, which their forms share."""
    beginnings = {beginning(each.split("_")[0]) for each in synonyms(word.base)}
    return tuple(beginnings) if all(each.isascii() and each for each in beginnings) else ()


class _Said:
    """A statement, taken apart when first asked."""

    def __init__(self, proposal: Proposal) -> None:
        self.proposal = proposal

    @cached_property
    def reach(self) -> _Reach | None:
        return _reach(self.proposal)

    @cached_property
    def text(self) -> str:
        return text_of(self.proposal)

    @cached_property
    def deeds(self) -> tuple[Deed, ...]:
        return deeds(self.proposal)

    @cached_property
    def earlier(self) -> Level | None:
        return earlier(self.proposal)

    def mentions(self, some: Sequence[str]) -> bool:
        return not some or any(each in self.text for each in some)


def oppositions(told: Sequence[Proposal], of: Collection[UUID] | None = None) -> list[tuple[UUID, UUID]]:
    """Pairs of ids, the older first, of the statements of one owner that stand against each other; only those with one `of` these."""
    said = [_Said(proposal) for proposal in sorted(filter(_counts, told), key=when)]
    asked = [of is None or each.proposal.id in of for each in said]
    return [
        (older.proposal.id, newer.proposal.id)
        for at, newer in enumerate(said)
        for place, older in enumerate(said[:at])
        if (asked[at] or asked[place]) and (newer.reach or older.reach) and _against(older, newer)
    ]


def _against(older: _Said, newer: _Said) -> bool:
    """Does the newer leave nothing of the older? One of them reaches."""
    if older.proposal.turn_id == newer.proposal.turn_id or older.proposal.kind is Kind.PREFERENCE:
        return False
    if newer.proposal.negated != older.proposal.negated:
        denies, said = (newer, older) if newer.proposal.negated else (older, newer)
        denied = denies.reach.denies if denies.reach is not None else None
        return (
            denies.reach is not None
            and denied is not None
            and said.mentions(denies.reach.fragments)
            and said.proposal.subject.casefold() == denies.proposal.subject.casefold()
            and any(is_denied(denied, each, before=said is older, by=newer.proposal.observed_at) for each in said.deeds)
        )
    if newer.reach is None or newer.reach.became is None or not older.mentions(newer.reach.fragments):
        return False
    return older.earlier is not None and replaces(newer.reach.became, older.earlier)


# --- states -------------------------------------------------------------------------------------------------------


def reconcile(states: Mapping[UUID, KeyState], policy: AcrossPolicy) -> dict[UUID, KeyState]:
    """The states of some keys of one owner, with what stands against each other across them closed."""
    told = sorted(
        (
            (_since(each), key, place, each, _Said(each.lead))
            for key, state in states.items()
            for place, each in enumerate(state.standings)
            if _counts(each.lead) and not policy.is_high_consequence(each.lead.predicate)
        ),
        key=itemgetter(0),
    )
    closed: dict[tuple[UUID, int], Standing] = {}
    refuted = {(key, place) for _, key, place, each, _ in told if _is_refuted(each, states[key])}
    for at in reversed(range(len(told))):
        _, key, place, older, said = told[at]
        if older.closed_as is not None or older.contested:
            continue
        for _, its_key, its_place, newer, then in told[at + 1 :]:
            denied = said.proposal.negated != then.proposal.negated
            if not (said.reach or then.reach):
                continue
            if denied and (its_key, its_place) in refuted and not _is_over(said, then):
                continue
            if _has_a_say(newer, older) and _against(said, then):
                closed[key, place] = newer
                if denied:
                    refuted.add((key, place))
                break
    winners = {newer.lead.id for newer in closed.values()}
    return {key: _with(key, state, closed, winners) for key, state in states.items()} if closed else dict(states)


def _is_over(said: _Said, then: _Said) -> bool:
    """Who has done it since a denial is no longer setting out to do it for the first time."""
    denied = then.reach.denies if then.reach is not None else None
    return denied is not None and any(is_attempt(denied, each) for each in said.deeds)


def _is_refuted(standing: Standing, state: KeyState) -> bool:
    """Under its own key a denial ended, or a deed was denied. What was refuted refutes nothing: "I have never used Krita" says
    nothing against "I downloaded Krita in May" once the person tells again of what they do with it."""
    if standing.closed_as is not State.SUPERSEDED or standing.successor is None:
        return False
    return state.standings[standing.successor].lead.negated != standing.lead.negated


def _has_a_say(newer: Standing, older: Standing) -> bool:
    """What was withdrawn since, or waits for a person, leaves everything; so does what a person decided after it."""
    return newer.closed_as is not State.RETRACTED and not newer.contested and not _ruled(older, newer)


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
