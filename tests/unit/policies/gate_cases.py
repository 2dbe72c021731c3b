"""Proposals and contexts for the tests of the gate: a plain, admissible one, with what a test changes."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import policies
from lethe.records import Act, Author, Basis, Kind, Proposal, Reason, Scope
from lethe.rules import Verdict
from policies.admission import screen
from policies.case import Context
from policies.policy import Policy, parse

NOW = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)
DEFAULT_TEXT = (Path(policies.__file__).parent / "default.toml").read_text()
DEFAULT = parse(DEFAULT_TEXT, "default")

PLAIN = Proposal(
    id=UUID(int=1), turn_id=UUID(int=2), session="s1", turn="t1", ordinal=0, author=Author.USER, verified=False, explicit=False,
    scope=Scope("u1"), kind=Kind.SEMANTIC, subject="user", predicate="lives_in", object="Tampere", claim="The user lives in Tampere.",
    negated=False, act=Act.ASSERT, basis=Basis.STATED, confidence=0.9, importance=0.5, cardinality=None, observed_at=NOW,
)  # fmt: skip


def changed(text: str) -> Policy:
    """The default policy under some TOML of its own."""
    return parse(text, "changed", base=DEFAULT_TEXT)


def judged(
    claim: str = PLAIN.claim,
    said: str | None = None,
    policy: Policy = DEFAULT,
    context: Context | None = None,
    **fields: object,
) -> Verdict:
    """The verdict on a proposal of that claim. `said`: the turn's text; left out, the claim itself."""
    proposal = replace(PLAIN, claim=claim, **{"object": claim if claim != PLAIN.claim else PLAIN.object, **fields})  # type: ignore[arg-type]
    return screen(proposal, context or Context(said if said is not None else claim), policy)


def refusals(claim: str = PLAIN.claim, said: str | None = None, **fields: object) -> tuple[Reason, ...]:
    return judged(claim, said, **fields).refusals  # type: ignore[arg-type]


def is_admitted(verdict: Verdict) -> bool:
    return not verdict.refusals and not verdict.holds
