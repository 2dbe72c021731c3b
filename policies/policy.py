"""The policy: every threshold, half-life, time to live, quota and switch, read from one TOML file.

`parse` raises `PolicyFault` with every fault of the file, each with the key that it is about and its line.
docs/policy.md explains the keys; policies/default.toml sets each of them.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Annotated, Any, Literal, Self, TypedDict
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from lethe.errors import PolicyFault
from lethe.records import Author, Basis, Cardinality, Kind, Proposal, Sensitivity
from policies import tenants as sections
from policies.faults import Fault, Path, describe, dotted, line_of, lines_of_keys, syntax_fault, written

Share = Annotated[float, Field(ge=0, le=1)]
Factor = Annotated[float, Field(ge=0, le=10)]
Days = Annotated[int, Field(ge=0, le=36_500)]
SomeDays = Annotated[int, Field(ge=1, le=36_500)]
Words = tuple[Annotated[str, Field(min_length=1, max_length=100)], ...]
Answer = Literal["keep", "hold", "reject"]
StoredKind = Literal["preference", "instruction", "semantic", "episodic"]
Category = Literal["health", "religion", "sexuality", "politics", "union", "biometrics"]

NEVER_A_PERMIT = frozenset({"authorisation", "authorization", "approval", "payment", "access"})


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Intake(_Section):
    max_text_chars: Annotated[int, Field(ge=200, le=1_000_000)]
    max_ahead_minutes: Annotated[int, Field(ge=0, le=1440)]


class Scoping(_Section):
    project_words_without_project: Answer
    wider_than_project: Literal["hold", "reject"]


class Trust(_Section):
    authors: tuple[Literal["user", "tool", "document", "system"], ...]
    verified_authors: tuple[Literal["tool", "document"], ...]
    privilege_claims: Literal["hold", "reject"]


class Kinds(_Section):
    enabled: tuple[StoredKind, ...]


class Admission(_Section):
    min_confidence: Share
    turn_quota: Annotated[int, Field(ge=1, le=1000)]
    hold_days: Annotated[int, Field(ge=1, le=730)]
    echo_likeness: Annotated[float, Field(ge=0.5, le=1)]


class Stability(_Section):
    second_session_kinds: tuple[StoredKind, ...]
    second_session_bases: tuple[Literal["stated", "observed", "inferred"], ...]


class Sensitive(_Section):
    consent_categories: tuple[Category, ...]
    plain_constraints: Literal["keep", "hold"]
    third_parties: Literal["keep", "hold", "reject"]


class _UsesByKind(_Section):
    preference: Words
    instruction: Words
    semantic: Words
    episodic: Words

    @model_validator(mode="after")
    def _no_permits(self) -> Self:
        for kind in ("preference", "instruction"):
            if permits := NEVER_A_PERMIT.intersection(getattr(self, kind)):
                raise ValueError(f"a {kind} is never evidence for {', '.join(sorted(permits))}: take it out")
        return self


class AllowedUses(_Section):
    normal: _UsesByKind
    personal: _UsesByKind


class Conflict(_Section):
    high_consequence: Words
    authoritative: Words
    single_valued: Words
    many_valued: Words

    @model_validator(mode="after")
    def _one_cardinality(self) -> Self:
        if both := set(self.single_valued) & set(self.many_valued):
            raise ValueError(f"{', '.join(sorted(both))}: listed both as single_valued and as many_valued")
        return self


class _ByBasis(_Section):
    confirmed: Share
    stated: Share
    observed: Share
    inferred: Share


class Confidence(_Section):
    prior: _ByBasis
    gain: Share
    most: Share


class _DaysByKind(_Section):
    preference: Days
    instruction: Days
    semantic: Days
    episodic: Days

    def of(self, kind: Kind) -> int:
        return int(getattr(self, kind.value, 0))


class _SomeDaysByKind(_Section):
    preference: SomeDays
    instruction: SomeDays
    semantic: SomeDays
    episodic: SomeDays

    def of(self, kind: Kind) -> int:
        return int(getattr(self, kind.value))


class Retention(_Section):
    raw_turn_days: SomeDays
    recall_log_days: SomeDays
    ended_days: Days
    audit_days: Days
    starts_at: Literal["later", "observed"]
    ttl_days: _DaysByKind
    verified_tool_ttl_days: _DaysByKind
    review_days: _DaysByKind

    @model_validator(mode="after")
    def _every_kind_is_due_some_day(self) -> Self:
        for kind in ("preference", "instruction", "semantic", "episodic"):
            if not getattr(self.ttl_days, kind) and not getattr(self.review_days, kind):
                raise ValueError(f"{kind} has neither ttl_days nor review_days; every memory needs one of them")
        return self


class Fading(_Section):
    half_life_days: _SomeDaysByKind
    importance_gain: Factor
    evidence_gain: Factor
    use_gain: Factor
    max_half_life_days: SomeDays
    archive_below: Annotated[float, Field(gt=0, lt=1)]
    untouched_days: Annotated[int, Field(ge=30, le=36_500)]
    never: tuple[StoredKind, ...]


class Cap(_Section):
    per_user: Annotated[int, Field(ge=1, le=100_000)]
    grace_days: Days
    recency_weight: Factor
    frequency_weight: Factor
    confidence_weight: Factor
    importance_weight: Factor

    @model_validator(mode="after")
    def _something_weighs(self) -> Self:
        if not self.recency_weight + self.frequency_weight + self.confidence_weight + self.importance_weight:
            raise ValueError("every weight is 0; one of them must count")
        return self


class Jobs(_Section):
    zone: Annotated[str, Field(min_length=1, max_length=60)]
    nightly_at: Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]
    ask_share: Annotated[float, Field(gt=0, le=1)]
    ask_above: Annotated[int, Field(ge=0, le=100_000)]
    unhelpful_before_review: Annotated[int, Field(ge=1, le=1000)]

    @model_validator(mode="after")
    def _known_zone(self) -> Self:
        if self.zone != "UTC":
            try:
                ZoneInfo(self.zone)
            except (KeyError, ValueError, OSError):
                raise ValueError(f"{self.zone} is no time zone; write it as UTC or Europe/Brussels") from None
        return self


class Consolidation(_Section):
    enabled: bool
    near: Annotated[float, Field(ge=0, le=1)]
    theme: Annotated[float, Field(ge=0, le=1)]
    for_model: Annotated[float, Field(ge=0, le=1)]
    neighbours: Annotated[int, Field(ge=1, le=200)]
    most_inputs: Annotated[int, Field(ge=2, le=50)]
    most_chars: Annotated[int, Field(ge=100, le=4000)]
    min_support: Share
    pattern_least: Annotated[int, Field(ge=2, le=1000)]
    pattern_share: Annotated[float, Field(ge=0.5, le=1)]
    wording: Literal["rules", "llm"]


class Deletion(_Section):
    window_hours: Annotated[int, Field(ge=1, le=24 * 365)]
    said_in_a_turn: Literal["retract", "delete"]
    rewrite_below_mb: Annotated[int, Field(ge=0, le=100_000)]
    backup_days: Days
    tombstone_days: Days


class Recall(_Section):
    k: Annotated[int, Field(ge=1, le=200)]
    threshold: Share
    dense_weight: Factor
    lexical_weight: Factor
    candidates: Annotated[int, Field(ge=1, le=10_000)]
    freshness_half_life_days: _SomeDaysByKind
    freshness_floor: Share

    @model_validator(mode="after")
    def _something_weighs(self) -> Self:
        if not self.dense_weight + self.lexical_weight:
            raise ValueError("dense_weight and lexical_weight are both 0; one of them must count")
        return self


class Llm(_Section):
    timeout_seconds: Annotated[int, Field(ge=1, le=180)]
    retries: Annotated[int, Field(ge=0, le=5)]
    longest_pause_seconds: Annotated[int, Field(ge=0, le=30)]
    turns_per_call: Annotated[int, Field(ge=1, le=64)]
    chars_per_call: Annotated[int, Field(ge=1000, le=1_000_000)]
    max_output_tokens: Annotated[int, Field(ge=100, le=100_000)]
    tokens_per_day: Annotated[int, Field(ge=0, le=10_000_000_000)]
    breaker_failures: Annotated[int, Field(ge=1, le=1000)]
    breaker_seconds: Annotated[int, Field(ge=1, le=3600)]
    breaker_max_seconds: Annotated[int, Field(ge=1, le=86_400)]
    other_languages: Literal["refuse", "read"]
    price_per_million_in: Annotated[float, Field(ge=0)]
    price_per_million_out: Annotated[float, Field(ge=0)]
    keep_calls_days: SomeDays

    @model_validator(mode="after")
    def _opens_longer_and_longer(self) -> Self:
        if self.breaker_max_seconds < self.breaker_seconds:
            raise ValueError("breaker_max_seconds is below breaker_seconds; the breaker stays open longer and longer")
        return self

    @model_validator(mode="after")
    def _budget_for_a_call(self) -> Self:
        if 0 < self.tokens_per_day < self.max_output_tokens + 5000:
            raise ValueError(
                "tokens_per_day is less than one call may take (max_output_tokens and about 5000 of prompt)"
            )
        return self


class PredicateRule(_Section):
    """What the policy says of one predicate; what is left out follows the lists of [conflict]."""

    cardinality: Literal["single", "many"] | None = None
    consequence: Literal["normal", "high"] | None = None
    authoritative: bool | None = None


class PolicyFile(_Section):
    """The content of a policy file, section by section."""

    intake: Intake
    scope: Scoping
    trust: Trust
    kinds: Kinds
    admission: Admission
    stability: Stability
    sensitivity: Sensitive
    allowed_uses: AllowedUses
    conflict: Conflict
    confidence_rules: Confidence = Field(alias="confidence")
    retention: Retention
    fading: Fading
    cap: Cap
    jobs: Jobs
    consolidation: Consolidation
    deletion: Deletion
    recall: Recall
    llm: Llm
    predicates: dict[Annotated[str, Field(min_length=1, max_length=100)], PredicateRule] = Field(default_factory=dict)


class Policy(PolicyFile):
    """A policy in force. `version` names the file and a hash of what it says: "default@3fa9c1".

    `tenants`: what holds for those with a section of their own, as whole policies: "default@3fa9c1+91bb02". `overrides`: of
    such a policy, the keys that the tenant's section sets.
    """

    name: str
    version: str
    tenants: dict[str, Policy] = Field(default_factory=dict)
    overrides: tuple[str, ...] = ()

    def of(self, tenant: str) -> Policy:
        """What holds for a tenant; this policy where the tenant has no section that says otherwise."""
        return self.tenants.get(tenant, self)

    def as_toml_dict(self) -> dict[str, Any]:
        """The content as plain values, in the order of the file."""
        ours = {"name", "version", "tenants", "overrides"}
        return self.model_dump(mode="json", by_alias=True, exclude=ours, exclude_none=True)

    def written(self) -> list[tuple[str, str]]:
        """Each key with its value, as TOML writes them."""
        return [(dotted(path), written(value)) for path, value in sections.leaves(self.as_toml_dict())]

    def cardinality(self, predicate: str) -> Cardinality | None:
        """What the policy says of the predicate; None: nothing."""
        rule = self.predicates.get(predicate)
        if rule and rule.cardinality:
            return Cardinality(rule.cardinality)
        if predicate in self.conflict.single_valued:
            return Cardinality.SINGLE
        return Cardinality.MANY if predicate in self.conflict.many_valued else None

    def is_high_consequence(self, predicate: str) -> bool:
        """Does a conflict about this predicate go to review?"""
        rule = self.predicates.get(predicate)
        if rule and rule.consequence:
            return rule.consequence == "high"
        return predicate in self.conflict.high_consequence

    def is_authoritative(self, predicate: str) -> bool:
        """Is a verified tool the authority about this predicate, above what a person says?"""
        rule = self.predicates.get(predicate)
        if rule and rule.authoritative is not None:
            return rule.authoritative
        return predicate in self.conflict.authoritative

    def needs_second_session(self, proposal: Proposal) -> bool:
        """Must another session say the same before this is kept? What a tool vouched for needs no second one."""
        if proposal.author is Author.TOOL and proposal.verified:
            return False
        return (
            proposal.kind.value in self.stability.second_session_kinds
            and proposal.basis.value in self.stability.second_session_bases
        )

    def hold_for(self) -> timedelta:
        """How long a held proposal waits, between times of observation."""
        return timedelta(days=self.admission.hold_days)

    def confidence(self, basis: Basis, stated: float, independent: int) -> float:
        """Confidence of a memory in 0..1: the proposal's own, at most the prior of its basis; every further independent
        piece of evidence closes `gain` of what is missing to `most`."""
        start = min(stated, float(getattr(self.confidence_rules.prior, basis.value)))
        rules = self.confidence_rules
        missing = max(0.0, rules.most - start) * (1 - rules.gain) ** max(0, independent - 1)
        return round(max(start, rules.most - missing), 4)

    def uses(self, kind: Kind, sensitivity: Sensitivity) -> tuple[str, ...]:
        """What a memory of this kind may be used for."""
        return tuple(getattr(getattr(self.allowed_uses, sensitivity.value), kind.value, ()))


class _Row(TypedDict):
    line: int | None
    key: str
    message: str


def parse(text: str, name: str, base: str = "") -> Policy:
    """The policy that a file's text means. `base`: text of a complete file whose keys stand where `text` has none.

    Raises PolicyFault with every fault, one a line: "line 12: recall.k: must be at most 200 (it is 500)".
    """
    content, found = _read(text, base)
    if content is None:
        raise PolicyFault(f"{name}: " + "\n".join(map(str, found)))
    version = f"{name}@{_hash(content.file)}"
    own = {
        tenant: _policy(section.file, name, f"{version}+{_hash(section.file)}", overrides=section.keys)
        for tenant, section in content.tenants.items()
        if section.file != content.file
    }
    return _policy(content.file, name, version, tenants=own)


def _policy(content: PolicyFile, name: str, version: str, **more: Any) -> Policy:
    values = {field.alias or key: getattr(content, key) for key, field in PolicyFile.model_fields.items()}
    return Policy(name=name, version=version, **values, **more)


def _hash(content: PolicyFile) -> str:
    canonical = json.dumps(content.model_dump(mode="json"), sort_keys=True)
    return hashlib.sha256(canonical.encode()).hexdigest()[:6]


def faults(text: str, base: str = "") -> list[_Row]:
    """Every fault of a file's text; none: `parse` takes it."""
    return [{"line": each.line, "key": each.key, "message": each.message} for each in _read(text, base)[1]]


@dataclass(frozen=True, slots=True)
class _Content:
    """What a file says: of everybody, and of each tenant with a section, which keys that section sets."""

    file: PolicyFile
    keys: tuple[str, ...] = ()
    tenants: Mapping[str, _Content] = field(default_factory=dict)


def _read(text: str, base: str) -> tuple[_Content | None, list[Fault]]:
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        return None, [syntax_fault(text, str(fault))]
    lines = lines_of_keys(text)
    below = tomllib.loads(base)
    limits = tree.pop(
        sections.LIMITS, below.pop(sections.LIMITS, {})
    )  # a file's own limits stand for all of those below
    given = tree.pop(sections.SECTIONS, {})
    ours = _over(below, tree)
    content, found = _validated(ours, lines)
    known = list(sections.keys(PolicyFile))
    allowed, wrong = sections.limits(limits, known, ours, lines)
    found += wrong
    own: dict[str, _Content] = {}
    if not isinstance(given, dict):
        found.append(
            Fault(sections.SECTIONS, "should be a table for each tenant", line_of((sections.SECTIONS,), lines))
        )
    elif content is not None:
        for tenant, section in given.items():
            made, wrong = _section(tenant, section, allowed, known, ours, lines)
            found += wrong
            if made is not None:
                own[tenant] = made
    return (None if content is None or found else _Content(content, tenants=own)), found


def _section(
    tenant: str,
    section: Any,
    allowed: list[sections.Limit],
    known: list[sections.Key],
    ours: dict[str, Any],
    lines: Mapping[Path, int],
) -> tuple[_Content | None, list[Fault]]:
    """A tenant's section over the operator's keys, and what is wrong with it."""
    where = (sections.SECTIONS, tenant)
    if not isinstance(section, dict) or not tenant:
        return None, [Fault(dotted(where), "should be a table under a tenant's name", line_of(where, lines))]
    content, found = _validated(_over(ours, section), lines, where)
    found += sections.beyond(tenant, section, known, allowed, ours, lines)
    keys = tuple(dotted(path) for path, _ in sections.leaves(section))
    return (None if content is None else _Content(content, keys)), found


def _validated(
    tree: dict[str, Any], lines: Mapping[Path, int], within: Path = ()
) -> tuple[PolicyFile | None, list[Fault]]:
    try:
        return PolicyFile.model_validate_json(json.dumps(tree, default=str), strict=True), []
    except ValidationError as invalid:
        return None, [describe(error, lines, PolicyFile, within) for error in invalid.errors(include_url=False)]


def _over(base: dict[str, Any], top: dict[str, Any]) -> dict[str, Any]:
    """Tables are merged key by key; any other value of `top` stands for the one below it."""
    merged = dict(base)
    for key, value in top.items():
        below = merged.get(key)
        merged[key] = _over(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return merged
