"""The sections of a policy file, with what each key may say."""

from __future__ import annotations

from typing import Annotated, Literal, Self
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, model_validator

from lethe.records import Kind
from policies.permits import permits

Share = Annotated[float, Field(ge=0, le=1)]
Factor = Annotated[float, Field(ge=0, le=10)]
Days = Annotated[int, Field(ge=0, le=36_500)]
SomeDays = Annotated[int, Field(ge=1, le=36_500)]
Words = tuple[Annotated[str, Field(min_length=1, max_length=100)], ...]
Answer = Literal["keep", "hold", "reject"]
StoredKind = Literal["preference", "instruction", "semantic", "episodic"]
Category = Literal["health", "religion", "sexuality", "politics", "union", "biometrics"]


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
            if found := permits(getattr(self, kind)):
                raise ValueError(f"a {kind} is never evidence for {', '.join(found)}: take it out")
        return self


class AllowedUses(_Section):
    normal: _UsesByKind
    personal: _UsesByKind


class Conflict(_Section):
    across_predicates: bool
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
