"""Joins a policy to the functions that the core calls. No servers, no Celery: producers load this too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, time, timedelta
from functools import cache, lru_cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Any
from uuid import UUID

from lethe.errors import PolicyFault
from lethe.merging import Merging, Words
from lethe.records import Author, Basis, KeyState, Kind, Proposal, Reason, Turn
from lethe.rules import Across, Dates, Forgetting, Rules, Verdict
from lethe.settings import settings
from policies import across, admission, eviction, retention, secrets, strength
from policies.basis import backed
from policies.case import Context
from policies.fold import fold
from policies.grounds import Earlier
from policies.merge_checks import check
from policies.merge_groups import groups
from policies.merge_patterns import pattern
from policies.merge_wording import TRANSFORM, word
from policies.policy import Policy, parse
from policies.ranking import PolicyRanking
from policies.scope import place
from workers.extractors import Extractor, Local, chosen, words

DEFAULT = "default.toml"


def policy_source(file: Path | None) -> tuple[str, str]:
    """(name, text) of the policy file in force; raises PolicyFault where it cannot be read."""
    if file is None:
        return DEFAULT, default_text()
    try:
        return str(file), file.read_text()
    except (OSError, UnicodeDecodeError) as fault:
        raise PolicyFault(f"The policy file {file} cannot be read: {type(fault).__name__}.") from None


def default_text() -> str:
    """The policy that ships with Lethe; a policy file may leave out what it does not change."""
    return files("policies").joinpath(DEFAULT).read_text()


@lru_cache(maxsize=4)
def policy(file: Path | None) -> Policy:
    """The policy in force."""
    name, text = policy_source(file)
    return parse(text, Path(name).stem, base=default_text())


def rules() -> Rules:
    """The rules of this process, by its settings."""
    return bind(policy(settings().policy), partial(chosen, settings()), partial(words, settings()))


def bind(
    found: Policy,
    extracting: Callable[[Policy], Extractor] = lambda _: Local(),
    wording: Callable[[Policy], Words | None] = lambda _: None,
) -> Rules:
    """A policy, bound, with an extractor (the local one) and a model that words merges (none); what holds for single tenants
    is bound when it is asked for."""
    extractor = extracting(found)
    return Rules(
        version=found.version,
        body=found.as_toml_dict(),
        max_text_chars=found.intake.max_text_chars,
        max_ahead=timedelta(minutes=found.intake.max_ahead_minutes),
        turn_quota=found.admission.turn_quota,
        redact=_redact,
        turn_refusal=partial(_turn_refusal, found),
        unsupported_language=extractor.unsupported_language,
        batches=extractor.batches,
        extract=extractor.extract,
        extractor=extractor.name,
        cardinality=found.cardinality,
        place=place,
        basis=backed,
        screen=partial(_screen, found),
        fold=partial(_fold, found),
        across=_across(found) if found.conflict.across_predicates else None,
        due=partial(_due, found),
        ranking=PolicyRanking(found),
        forgetting=_forgetting(found),
        merging=_merging(found, wording(found)),
        own={tenant: cache(partial(bind, theirs, extracting, wording)) for tenant, theirs in found.tenants.items()},
    )


def _redact(text: str) -> tuple[str, tuple[Reason, ...]]:
    clean, findings = secrets.redact(text)
    return clean, tuple(dict.fromkeys(finding.reason for finding in findings))


def _turn_refusal(found: Policy, turn: Turn) -> Reason | None:
    return admission.turn_refusal(turn, found)


def _screen(
    found: Policy,
    proposal: Proposal,
    *,
    turn_text: str,
    recalled: tuple[str, ...],
    tombstoned: bool,
    before: int,
    window: tuple[tuple[Author, str | None], ...] = (),
) -> Verdict:
    context = Context(
        turn_text=turn_text,
        turn_signals=proposal.signals,
        recalled_claims=recalled,
        tombstoned=tombstoned,
        has_provenance=True,
        proposals_before=before,
        window=tuple(Earlier(author, text) for author, text in window),
    )
    made = admission.screen(proposal, context, found)
    return Verdict(tuple(made.refusals), tuple(made.holds), made.sensitivity, tuple(made.allowed_uses))


def _across(found: Policy) -> Across:
    return Across(across.fragments, across.oppositions, partial(across.reconcile, policy=found))


def _fold(found: Policy, proposals: Sequence[Proposal]) -> KeyState:
    return fold(proposals, found)


def _due(
    found: Policy,
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
) -> Dates:
    expires = retention.expires_at(kind, basis, verified, stated, observed_at, received_at, found, pinned)
    review = retention.review_after(kind, basis, verified, observed_at, received_at, found, pinned)
    fades = strength.fades_at(kind, basis, touched_at, importance, independent, uses, pinned, found)
    return Dates(expires, review, fades)


def _merging(found: Policy, merge_words: Words | None) -> Merging:
    section = found.consolidation
    return Merging(
        enabled=section.enabled,
        transform=TRANSFORM,
        near=section.near,
        neighbours=section.neighbours,
        min_support=section.min_support,
        groups=partial(
            groups, most=section.most_inputs, theme=section.theme, for_model=section.for_model if merge_words else None
        ),
        word=word,
        check=partial(check, most_chars=section.most_chars),
        pattern=partial(pattern, least=section.pattern_least, share=section.pattern_share),
        words=merge_words,
    )


def _forgetting(found: Policy) -> Forgetting:
    def evict(kept: Sequence[Any], excess: int, now: datetime) -> list[UUID]:
        rows = [
            eviction.Kept(
                id=row.id,
                kind=Kind(row.kind),
                basis=Basis(row.basis),
                pinned=row.pinned,
                confidence=row.confidence,
                importance=row.importance,
                independent=row.independent,
                uses=row.uses,
                touched_at=row.touched_at,
                written_at=row.created_at,
            )
            for row in kept
        ]
        return eviction.evict(rows, excess, now, found)

    def days(count: int) -> timedelta | None:
        return timedelta(days=count) if count else None

    return Forgetting(
        per_user=found.cap.per_user,
        evict=evict,
        raw_turns=timedelta(days=found.retention.raw_turn_days),
        recall_log=timedelta(days=found.retention.recall_log_days),
        held=found.hold_for(),
        ended=days(found.retention.ended_days),
        audit=days(found.retention.audit_days),
        ask_share=found.jobs.ask_share,
        ask_above=found.jobs.ask_above,
        unhelpful=found.jobs.unhelpful_before_review,
        zone=found.jobs.zone,
        nightly_at=time.fromisoformat(found.jobs.nightly_at),
    )
