"""A run: page by page of what changed, read in one transaction, worded and embedded in none, each group written in one.

Killed anywhere, the groups that are written stand whole, and what was not looked at yet is still marked: the next run goes on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.engine import Engine

from lethe.ids import new_id
from lethe.index.embedder import Embeds
from lethe.index.packed import Vector
from lethe.lifecycle.consolidation import finding, patterns, supporting, writing
from lethe.lifecycle.consolidation.finding import Asked, Fresh
from lethe.lifecycle.consolidation.patterns import Suggested
from lethe.lifecycle.consolidation.supposing import Supposed
from lethe.lifecycle.consolidation.writing import RunOf
from lethe.merging import Group, Refusal, Refused, Sort, Wording
from lethe.rules import Rules
from lethe.store.database import tenant_transaction

Tick = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run needs. `most_of`: the owner's number of memories and how many would retire decide whether somebody is asked
    first; None: nobody is."""

    engine: Engine
    rules: Rules
    embedder: Embeds
    now: datetime
    actor: str = "job"
    dry_run: bool = False
    asks_first: Callable[[int, int], bool] | None = None
    tick: Tick = lambda done, of: None
    stop: Callable[[], bool] = lambda: False

    @property
    def transform(self) -> str:
        """The version of how groups are found and worded."""
        merging = self.rules.merging
        return f"{merging.transform}+{merging.words.name}" if merging.words else merging.transform


@dataclass(slots=True)
class Made:
    """What became of one group. `output` stays None where it was refused, and in a dry run."""

    owner: UUID
    group: Group
    wording: Wording | None = None
    refusal: Refusal | None = None
    vector: Vector | None = None
    output: UUID | None = None


@dataclass(slots=True)
class Outcome:
    """What a run did. `asks`: owners that it left alone, with (would retire, of)."""

    consolidation: UUID
    looked_at: int = 0
    made: list[Made] = field(default_factory=list)
    asks: list[tuple[UUID, int, int]] = field(default_factory=list)
    places: int = 0
    proposed: list[Suggested] = field(default_factory=list)

    def counts(self) -> Counter[str]:
        """Groups merged, inputs that stand behind them now, and refusals by reason."""
        merged = [each for each in self.made if each.refusal is None]
        counted = Counter({"merged": len(merged), "retired": sum(len(each.group.members) for each in merged)})
        if self.proposed:
            counted["proposed"] = len(self.proposed)
        counted.update(f"refused_{each.refusal.reason.value}" for each in self.made if each.refusal is not None)
        return counted


def consolidate(plan: Plan, asked: Asked, supposed: Supposed | None = None) -> Outcome:
    """Merge what belongs together among what changed and its neighbours; returns what was done with each group.

    A dry run does the same, and takes as done what it would have merged before; `supposed`: what else it takes as done.
    """
    outcome = Outcome(new_id())
    if not plan.rules.merging.enabled:
        return outcome
    supposed = supposed or Supposed()
    run = RunOf(asked.tenant, outcome.consolidation, plan.rules, plan.transform, plan.actor, plan.now)
    with tenant_transaction(plan.engine, asked.tenant) as connection:
        whole = finding.count(connection, asked, supposed)
    after: tuple[UUID, UUID] | None = None
    while not plan.stop() and (page := _read(plan, asked, after, supposed)).fresh:
        after = (page.fresh[-1].owner, page.fresh[-1].memory)
        made = _judged(plan, asked.tenant, page)
        left = _left_alone(plan, asked.tenant, page, made, outcome)
        outcome.made += [_carried_out(plan, run, each, outcome, supposed) for each in made if each.owner not in left]
        _propose(plan, run, page, outcome)
        outcome.looked_at += len(page.fresh)
        if not plan.dry_run:
            later = page.unindexed | _changed_meanwhile(outcome)
            seen = [each for each in page.fresh if each.memory not in later and each.owner not in left]
            with tenant_transaction(plan.engine, asked.tenant) as connection:
                finding.settle(connection, asked.tenant, seen)
        plan.tick(outcome.looked_at, whole)
    return outcome


def _propose(plan: Plan, run: RunOf, page: _Page, outcome: Outcome) -> None:
    changed = [each.memory for each in page.fresh]
    with tenant_transaction(plan.engine, run.tenant) as connection:
        if plan.dry_run:
            known = {each.proposal for each in outcome.proposed}
            found = [each for each in patterns.suggested(connection, run, changed) if each.proposal not in known]
        else:
            found = patterns.propose(connection, run, outcome.places + len(outcome.proposed), changed)
    outcome.proposed += found


def _changed_meanwhile(outcome: Outcome) -> set[UUID]:
    """Members of groups that somebody changed under the run: the next one looks at them again."""
    void = [each for each in outcome.made if each.refusal and each.refusal.reason is Refused.INPUTS_CHANGED]
    return {member.id for each in void for member in each.group.members}


@dataclass(slots=True)
class _Page:
    """Changed memories, the groups among them and their neighbours, and the claims and vectors that the check needs."""

    fresh: list[Fresh]
    unindexed: frozenset[UUID] = frozenset()
    groups: list[tuple[UUID, Group]] = field(default_factory=list)
    claims: dict[UUID, Any] = field(default_factory=dict)
    vectors: dict[UUID, Vector] = field(default_factory=dict)


def _read(plan: Plan, asked: Asked, after: tuple[UUID, UUID] | None, supposed: Supposed) -> _Page:
    merging, model = plan.rules.merging, plan.embedder.name
    with tenant_transaction(plan.engine, asked.tenant) as connection:
        page = _Page(finding.page(connection, asked, after, supposed))
        if not page.fresh:
            return page
        found = finding.look(connection, asked, page.fresh, model, merging.near, merging.neighbours, supposed)
        page.unindexed = found.unindexed
        page.groups = [
            (owner, group)
            for (owner, _), candidates in sorted(found.candidates.items())
            for group in merging.groups(candidates, found.near, found.apart)
        ]
        names = {name for _, group in page.groups for name in supporting.asked_of(group)}
        page.claims = finding.claims_of(connection, asked.tenant, names)
        page.vectors = finding.vectors_of(connection, asked.tenant, names, model)
    for _, output, vector in supposed.standing():
        page.claims[output.id], page.vectors[output.id] = output, vector
    page.groups = [each for each in page.groups if supporting.complete(each[1], page.vectors, page.claims)]
    return page


def _judged(plan: Plan, tenant: str, page: _Page) -> list[Made]:
    """Word, check and embed the groups of a page; outside any transaction."""
    made = [_worded(plan, tenant, owner, group) for owner, group in page.groups]
    good = [each for each in made if each.refusal is None and each.wording is not None]
    vectors = plan.embedder.embed([each.wording.claim for each in good if each.wording is not None])
    for each, vector in zip(good, vectors, strict=True):
        assert each.wording is not None
        lost = supporting.unsupported(
            each.group, each.wording, vector, page.claims, page.vectors, plan.rules.ranking,
            plan.rules.merging.min_support,
        )  # fmt: skip
        each.vector = vector
        if lost is not None:
            each.refusal = Refusal(Refused.SUPPORT_LOST, page.claims[lost].claim)
    return made


def _worded(plan: Plan, tenant: str, owner: UUID, group: Group) -> Made:
    if group.sort is Sort.OPPOSED:
        return Made(owner, group, refusal=Refusal(Refused.INPUTS_CONFLICT))
    wording = plan.rules.merging.word(group)
    if wording is None and plan.rules.merging.words is not None:
        wording = plan.rules.merging.words.word(tenant, group)
    if wording is None:
        return Made(owner, group, refusal=Refusal(Refused.NO_WORDING))
    return Made(owner, group, wording, plan.rules.merging.check(group, wording))


def _left_alone(plan: Plan, tenant: str, page: _Page, made: list[Made], outcome: Outcome) -> set[UUID]:
    """Owners of whom so much would retire that somebody has to say so first."""
    if plan.asks_first is None:
        return set()
    fewer: Counter[UUID] = Counter()
    for each in made:
        fewer[each.owner] += 0 if each.refusal else len(each.group.members) - 1
    with tenant_transaction(plan.engine, tenant) as connection:
        sizes = finding.sizes(connection, tenant, list(fewer))
    found = {owner: count for owner, count in fewer.items() if plan.asks_first(count, sizes.get(owner, 0))}
    outcome.asks += [(owner, count, sizes[owner]) for owner, count in found.items()]
    return set(found)


def _carried_out(plan: Plan, run: RunOf, made: Made, outcome: Outcome, supposed: Supposed) -> Made:
    """Write what was judged; a dry run writes nothing, and supposes it done."""
    place, outcome.places = outcome.places + len(outcome.proposed), outcome.places + 1
    if plan.dry_run:
        if made.refusal is None and made.wording is not None and made.vector is not None:
            supposed.merge(made.owner, made.group, made.wording, made.vector)
        return made
    with tenant_transaction(plan.engine, run.tenant) as connection:
        if made.refusal is None and made.wording is not None and made.vector is not None:
            made.output = writing.write_group(
                connection, run, place, made.group, made.wording, made.vector, plan.embedder.name
            )
            if made.output is None:
                made.refusal = Refusal(Refused.INPUTS_CHANGED)
    if made.refusal is not None:
        with tenant_transaction(plan.engine, run.tenant) as connection:
            writing.write_refusal(connection, run, place, made.group, made.refusal)
    return made
