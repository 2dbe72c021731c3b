"""The records that every part of Lethe passes around. Imports nothing of ours.

Boundary records (`Turn`, `ProposalIn`, `Query`) are pydantic models that validate what comes from outside; the ones
that live inside are frozen dataclasses.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import AfterValidator, AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, model_validator


class Author(StrEnum):
    """Who wrote a turn."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    DOCUMENT = "document"
    SYSTEM = "system"


class Kind(StrEnum):
    """What sort of memory a claim is."""

    PREFERENCE = "preference"
    INSTRUCTION = "instruction"
    SEMANTIC = "semantic"
    EPISODIC = "episodic"
    PROCEDURAL = "procedural"
    WORKING = "working"


class Basis(StrEnum):
    """On what a claim rests, strongest first."""

    CONFIRMED = "confirmed"
    STATED = "stated"
    OBSERVED = "observed"
    INFERRED = "inferred"


WEAKEST_FIRST = tuple(reversed(Basis))


class Cardinality(StrEnum):
    """`single`: a later object replaces the earlier one. `many`: objects stand side by side."""

    SINGLE = "single"
    MANY = "many"


class Act(StrEnum):
    """What a proposal does to what is known."""

    ASSERT = "assert"
    END = "end"  # "I no longer …": what held until now does not hold from now on
    RETRACT = "retract"  # "forget that I …": it is not to be remembered


class State(StrEnum):
    """The stored state of a memory."""

    ADMITTED = "admitted"
    REINFORCED = "reinforced"
    STALE = "stale"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    ARCHIVED = "archived"
    CONSOLIDATED = "consolidated"
    RETRACTED = "retracted"


class Outcome(StrEnum):
    """What the gate decided."""

    ADMIT = "admit"
    REINFORCE = "reinforce"
    SUPERSEDE = "supersede"
    HOLD = "hold"
    REVIEW = "review"
    REJECT = "reject"


class Ruling(StrEnum):
    """What a person decided about a proposal: of a held one, or of one that stands in a review."""

    CONFIRMED = "confirmed"
    DECLINED = "declined"
    KEPT = "kept"  # both sides of a review stand
    RETIRED = "retired"  # it stands no longer
    PREFERRED = "preferred"  # it replaces the other side


class Mark(StrEnum):
    """What an agent or a person says of a memory that was handed out."""

    USEFUL = "useful"
    WRONG = "wrong"
    OUTDATED = "outdated"


class Sensitivity(StrEnum):
    """How careful a claim is to be handled."""

    NORMAL = "normal"
    PERSONAL = "personal"


class Reason(StrEnum):
    """Why the gate decided as it did. Stored: never rename one."""

    SCOPE_MISSING = "scope_missing"
    SCOPE_AMBIGUOUS = "scope_ambiguous"
    NO_PROVENANCE = "no_provenance"
    FORGOTTEN = "forgotten"
    UNTRUSTED_SOURCE = "untrusted_source"
    ASSISTANT_AUTHORED = "assistant_authored"
    MODEL_DERIVED = "model_derived"
    QUOTED_CONTENT = "quoted_content"
    PRIVILEGE_CLAIM = "privilege_claim"
    THIRD_PARTY = "third_party"
    ECHO = "echo"
    KIND_NOT_ENABLED = "kind_not_enabled"
    PROCEDURAL_IS_CONFIGURATION = "procedural_is_configuration"
    WORKING_CONTEXT = "working_context"
    SECRET = "secret"
    SENSITIVE_IDENTIFIER = "sensitive_identifier"
    NEEDS_CONSENT = "needs_consent"
    NOT_ASSERTED = "not_asserted"
    SPECULATIVE = "speculative"
    LOW_CONFIDENCE = "low_confidence"
    SMALL_TALK = "small_talk"
    TRANSIENT = "transient"
    AUTHORITATIVE_ELSEWHERE = "authoritative_elsewhere"
    NOT_SELF_CONTAINED = "not_self_contained"
    NOT_GROUNDED = "not_grounded"
    ALREADY_EXPIRED = "already_expired"
    TURN_QUOTA = "turn_quota"
    DUPLICATE = "duplicate"
    NOT_INDEPENDENT = "not_independent"
    INDEPENDENT_EVIDENCE = "independent_evidence"
    AWAITING_SECOND_SESSION = "awaiting_second_session"
    SECOND_SESSION = "second_session"
    HOLD_EXPIRED = "hold_expired"
    CONFIRMED = "confirmed"
    DECLINED = "declined"
    SUPERSEDED_BY_NEWER = "superseded_by_newer"
    OUTRANKED = "outranked"
    CONFLICT_NEEDS_REVIEW = "conflict_needs_review"
    RETRACTED_BY_USER = "retracted_by_user"
    UNSUPPORTED_LANGUAGE = "unsupported_language"
    PASSED_EVERY_CHECK = "passed_every_check"


def _clean(text: str) -> str:
    if "\x00" in text:
        raise ValueError("holds a NUL byte")
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError("holds half of a surrogate pair; send valid UTF-8")
    return text


def _storable(moment: datetime) -> datetime:
    offset = moment.utcoffset()
    if offset is None or abs(offset) >= timedelta(hours=16) or offset.microseconds:
        raise ValueError("timestamp_invalid: an offset lies between -15:59 and +15:59, in whole seconds")
    if not 1900 <= moment.year <= 9998:
        raise ValueError("timestamp_invalid: a time lies between the years 1900 and 9998")
    return moment


def _written(moment: object) -> object:
    """Numbers are no times here: pydantic would read them as seconds or milliseconds, whichever looks likelier."""
    if isinstance(moment, datetime) or (isinstance(moment, str) and _DATED.match(moment)):
        return moment
    raise ValueError("timestamp_invalid: give the time as ISO 8601 with an offset, such as 2026-02-01T09:42:00+01:00")


def _visible(name: str) -> str:
    if not any(unicodedata.category(letter)[0] in "LNPS" for letter in name):
        raise ValueError("holds no letter, digit or sign that could be seen")
    return name


_DATED = re.compile(r"\d{4}-\d{2}-\d{2}")
Text = Annotated[str, AfterValidator(_clean)]
Moment = Annotated[AwareDatetime, BeforeValidator(_written), AfterValidator(_storable)]
Name = Annotated[Text, Field(min_length=1, max_length=200), AfterValidator(_visible)]


class _Scoped(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    tenant: Name
    user: Name | None = None
    project: Name | None = None
    task: Name | None = None

    @model_validator(mode="after")
    def _has_an_owner(self) -> Self:
        if self.user is None and self.project is None:
            raise ValueError("scope_missing: give a user, a project or both")
        return self


class Turn(_Scoped):
    """One message of a conversation. (`tenant`, `session`, `turn`) names it once and for all."""

    session: Name
    turn: Name
    author: Author
    text: Annotated[Text, Field(min_length=1)]
    observed_at: Moment
    verified: bool = False
    recalled: list[Name] = Field(default_factory=list, max_length=200)
    speaker: Name | None = None


class ProposalIn(_Scoped):
    """An agent's save-memory call: a claim that rests on a turn already pushed."""

    session: Name
    turn: Name
    kind: Kind
    subject: Name
    predicate: Annotated[Name, Field(max_length=100)]
    object: Annotated[Text, Field(min_length=1, max_length=2000)]
    claim: Annotated[Text, Field(min_length=1, max_length=4000)]
    observed_at: Moment
    negated: bool = False
    basis: Basis = Basis.STATED
    confidence: Annotated[float, Field(ge=0, le=1)] = 0.9
    importance: Annotated[float, Field(ge=0, le=1)] = 0.5
    expires_at: Moment | None = None
    supersedes: Name | None = None
    cardinality: Cardinality | None = None
    proposed_by: Name = "agent"


class Query(BaseModel):
    """One recall. `k` and `threshold` default to the policy's; `as_of` to now."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tenant: Name
    user: Name | None = None
    project: Name | None = None
    task: Name | None = None
    session: Name | None = None
    use: Name | None = None
    k: Annotated[int, Field(ge=1, le=200)] | None = None
    threshold: Annotated[float, Field(ge=0, le=1)] | None = None
    as_of: Moment | None = None
    query: Annotated[Text, Field(min_length=1, max_length=20_000)]


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a memory belongs inside a tenant. User null: shared within the project."""

    user: str | None
    project: str | None = None
    task: str | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """What an extractor makes of one clause of a turn; the gate decides about it.

    `claim` is a self-contained sentence in the third person ("The user lives in Oulu."); names and values stand in it
    verbatim. `subject` is "user" or the name of the person or thing spoken of. `object` is the value alone ("Oulu").
    `replaces` is the value that a correction names as outdated ("not in Lahti" -> "Lahti"). `cue`: the clause itself says
    that something changed ("now", "actually", "no longer"). `shared`: worded for the project ("we", "for this project").
    `signals`: what the extractor saw that speaks against keeping it; the gate turns them into refusals or holds.
    """

    kind: Kind
    subject: str
    predicate: str
    object: str
    claim: str
    negated: bool = False
    act: Act = Act.ASSERT
    basis: Basis = Basis.STATED
    confidence: float = 0.9
    importance: float = 0.5
    cardinality: Cardinality | None = None
    event_at: datetime | None = None
    expires_at: datetime | None = None
    replaces: str | None = None
    cue: bool = False
    shared: bool = False
    third_party: bool = False
    signals: frozenset[Reason] = frozenset()
    said: str = ""  # the sentence as it was said; the same words pasted again are no independent evidence


@dataclass(frozen=True, slots=True)
class Proposal:
    """A recorded candidate with what the gate needs to know of its turn. `observed_at` is an instant with offset."""

    id: UUID
    turn_id: UUID
    session: str
    turn: str
    ordinal: int
    author: Author
    verified: bool
    explicit: bool
    scope: Scope
    kind: Kind
    subject: str
    predicate: str
    object: str
    claim: str
    negated: bool
    act: Act
    basis: Basis
    confidence: float
    importance: float
    cardinality: Cardinality | None
    observed_at: datetime
    event_at: datetime | None = None
    expires_at: datetime | None = None
    replaces: str | None = None
    supersedes: UUID | None = None
    cue: bool = False
    third_party: bool = False
    by_model: bool = False  # a model worded it
    signals: frozenset[Reason] = frozenset()
    words: UUID | None = None  # hash of the sentence as it was said: pasted again, it is the same words
    shadowed: bool = False  # an explicit proposal makes the same claim of the same turn
    ruling: Ruling | None = None  # what a person decided about it …
    ruled_at: datetime | None = None  # … and when
    refusals: tuple[Reason, ...] | None = None  # of the checks that look at no other proposal; None: not yet screened
    holds: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """What the gate decided about one proposal, and why."""

    proposal: UUID
    outcome: Outcome
    reasons: tuple[Reason, ...]
    policy: str


@dataclass(frozen=True, slots=True)
class Support:
    """One proposal that a memory rests on. `independent`: it counts towards confidence."""

    proposal: UUID
    role: Literal["source", "evidence"]
    independent: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """One memory as the fold of its key sees it. `lead` is the proposal whose wording it carries."""

    lead: Proposal
    support: tuple[Support, ...]
    valid_from: datetime
    valid_to: datetime | None
    successor: int | None  # position in the key's list of standings
    closed_as: State | None  # superseded or retracted
    contested: bool
    confidence: float
    independent: int
    successor_lead: UUID | None = None  # the lead of what closed it, where that stands under another key


@dataclass(frozen=True, slots=True)
class KeyState:
    """Everything the fold says about one key (owner, subject, predicate)."""

    standings: tuple[Standing, ...]
    decisions: tuple[Decision, ...]
    reviews: tuple[tuple[int, int], ...] = ()  # pairs of standings that contradict each other


@dataclass(slots=True)
class Envelope:
    """How a memory is handed out; `as_dict` gives the contract's shape."""

    memory: str
    kind: str
    claim: str
    subject: str
    predicate: str
    object: str
    negated: bool
    state: str
    scope: dict[str, str | None]
    basis: str
    confidence: float
    importance: float
    sensitivity: str
    source: dict[str, Any]
    evidence: list[str]
    observed_at: datetime
    valid_from: datetime
    valid_to: datetime | None
    review_after: datetime | None
    expires_at: datetime | None
    allowed_uses: list[str]
    superseded_by: str | None
    derived_from: list[str] = field(default_factory=list)
    pinned: bool = False
    score: float | None = None
    signals: dict[str, float] | None = None

    def as_dict(self) -> dict[str, Any]:
        """The envelope as JSON-ready values; times are ISO 8601 with their offset."""
        out: dict[str, Any] = {}
        for name in self.__slots__:
            value = getattr(self, name)
            if value is None and name in ("score", "signals"):
                continue
            out[name] = value.isoformat() if isinstance(value, datetime) else value
        return out
