"""The tables. Every row with text carries its tenant and stands behind row-level security (see `migrations`).

Names of users, projects and tasks are the caller's; `owner`, `key` and turn ids are computed from names (`lethe.ids`), so
that rows find each other without a look-up. Enumerations are text with a CHECK. Business times come from the application's
clock; `observed_offset` (seconds east of UTC) keeps the offset a producer sent.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from pgvector.sqlalchemy import HALFVEC
from sqlalchemy.dialects.postgresql import ARRAY, BYTEA, JSONB, UUID

from lethe.records import Act, Author, Basis, Cardinality, Kind, Outcome, Ruling, Sensitivity, State

DIMENSION = 384
OUTSIDE_RLS = (
    "work",
    "due",
    "job_runs",
    "recomputations",
    "ledger",
    "policy_versions",
    "llm_breaker",
    "alembic_version",
)

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

Uuid = UUID(as_uuid=True)
Moment = sa.DateTime(timezone=True)
Words = ARRAY(sa.Text)


def _one_of(column: str, values: Iterable[str], *, optional: bool = False) -> sa.CheckConstraint:
    listed = ", ".join(f"'{value}'" for value in values)
    return sa.CheckConstraint(
        f"{column} is null or {column} in ({listed})" if optional else f"{column} in ({listed})", column
    )


def _enum(column: str, members: type[StrEnum], *, optional: bool = False) -> sa.CheckConstraint:
    return _one_of(column, [member.value for member in members], optional=optional)


def _tenant() -> sa.Column[str]:
    return sa.Column("tenant", sa.Text, primary_key=True)


def _id() -> sa.Column[Any]:
    return sa.Column("id", Uuid, primary_key=True)


def _scope() -> list[sa.Column[Any]]:
    return [sa.Column("user_id", sa.Text), sa.Column("project", sa.Text), sa.Column("task", sa.Text)]


def _observed() -> list[sa.Column[Any]]:
    return [
        sa.Column("observed_at", Moment, nullable=False),
        sa.Column("observed_offset", sa.Integer, nullable=False, server_default="0"),
    ]


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean, nullable=False, server_default=sa.false())


work = sa.Table(
    "work",
    metadata,
    sa.Column("stage", sa.Text, primary_key=True),
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("item", Uuid, primary_key=True),
    sa.Column("since", Moment, nullable=False),
    sa.Column("due", Moment, nullable=False),
    sa.Column("version", sa.Integer, nullable=False, server_default="1"),
    sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
    sa.Column("lease", Uuid),
    sa.Column("quarantined_at", Moment),
    sa.Column("failure", sa.Text),
    sa.Index("ix_work_due", "stage", "due", postgresql_where=sa.text("quarantined_at is null")),
    comment="What waits for a worker, by ids alone. A claimed row is due again when its lease runs out.",
)

due = sa.Table(
    "due",
    metadata,
    sa.Column("sort", sa.Text, primary_key=True),
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("item", Uuid, primary_key=True),
    sa.Column("at", Moment, primary_key=True),
    sa.Column("version", sa.Integer, nullable=False, server_default="1"),
    sa.Index("ix_due_at", "sort", "at"),
    comment="From when a tenant has something for a job to do: a job looks at these tenants and at no other.",
)

job_runs = sa.Table(
    "job_runs",
    metadata,
    sa.Column("job", sa.Text, primary_key=True),
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("window", sa.Text, primary_key=True),
    sa.Column("claimed_at", Moment, nullable=False),
    sa.Column("leased_until", Moment, nullable=False),
    sa.Column("finished_at", Moment),
    sa.Column("due", sa.Integer, nullable=False, server_default="0"),
    sa.Column("changed", JSONB, nullable=False, server_default="{}"),
    sa.Column("asks", JSONB, nullable=False, server_default="[]"),
    sa.Column("failure", sa.Text),
    sa.Index("ix_job_runs_claimed_at", "claimed_at"),
    comment="Each (job, tenant, window) is claimed once, however many beats there are.",
)

recomputations = sa.Table(
    "recomputations",
    metadata,
    sa.Column("policy", sa.Text, primary_key=True),
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("after", Uuid),
    sa.Column("looked_at", sa.Integer, nullable=False, server_default="0"),
    sa.Column("changed", sa.Integer, nullable=False, server_default="0"),
    sa.Column("finished_at", Moment),
    comment="How far the due dates of a tenant's memories have been computed anew after a change of policy.",
)

policy_versions = sa.Table(
    "policy_versions",
    metadata,
    sa.Column("version", sa.Text, primary_key=True),
    sa.Column("body", JSONB, nullable=False),
    sa.Column("first_used_at", Moment, nullable=False),
)

tenants = sa.Table(
    "tenants",
    metadata,
    _tenant(),
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("policy", JSONB),
)

# An owner that was deleted and comes back must not meet a cache of its first life at the same revision.
_FIRST_REVISION = sa.text("(extract(epoch from clock_timestamp()) * 1000000)::bigint")

owners = sa.Table(
    "owners",
    metadata,
    _tenant(),
    sa.Column("owner", Uuid, primary_key=True),
    *_scope(),
    sa.Column("revision", sa.BigInteger, nullable=False, server_default=_FIRST_REVISION),
    sa.Column("memories", sa.Integer, nullable=False, server_default="0"),
    sa.Index(None, "tenant", "user_id"),
    comment="One row an owner scope; `memories` counts those in force. `revision` rises with each change, so that no cache can serve an older state.",
)

ended_tasks = sa.Table(
    "ended_tasks",
    metadata,
    _tenant(),
    sa.Column("owner", Uuid, primary_key=True),
    sa.Column("ended_at", Moment, nullable=False),
    comment="Task scopes that are closed: what was observed in them until then expires with them.",
)

turns = sa.Table(
    "turns",
    metadata,
    _tenant(),
    _id(),
    sa.Column("session", sa.Text, nullable=False),
    sa.Column("turn", sa.Text, nullable=False),
    sa.Column("author", sa.Text, nullable=False),
    *_scope(),
    sa.Column("text", sa.Text),
    sa.Column("text_mac", BYTEA, nullable=False),
    sa.Column("text_mac_key", sa.Text, nullable=False),
    *_observed(),
    sa.Column("received_at", Moment, nullable=False),
    _flag("verified"),
    sa.Column("recalled", Words, nullable=False, server_default="{}"),
    sa.Column("speaker", sa.Text),
    _flag("redacted"),
    sa.Column("extractor", sa.Text),
    sa.Column("extracted_at", Moment),
    sa.Column("window_seen", ARRAY(Uuid)),
    _enum("author", Author),
    sa.UniqueConstraint("tenant", "session", "turn"),
    sa.Index(None, "tenant", "session", "observed_at"),
    sa.Index("ix_turns_text", "tenant", "received_at", postgresql_where=sa.text("text is not null")),
)

proposals = sa.Table(
    "proposals",
    metadata,
    _tenant(),
    _id(),
    sa.Column("turn_id", Uuid, nullable=False),
    sa.Column("session", sa.Text, nullable=False),
    sa.Column("turn", sa.Text, nullable=False),
    sa.Column("ordinal", sa.Integer, nullable=False),
    sa.Column("author", sa.Text, nullable=False),
    _flag("verified"),
    _flag("explicit"),
    sa.Column("proposed_by", sa.Text, nullable=False),
    sa.Column("owner", Uuid, nullable=False),
    *_scope(),
    sa.Column("key", Uuid, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("subject", sa.Text, nullable=False),
    sa.Column("predicate", sa.Text, nullable=False),
    sa.Column("object", sa.Text, nullable=False),
    sa.Column("claim", sa.Text, nullable=False),
    _flag("negated"),
    sa.Column("act", sa.Text, nullable=False),
    sa.Column("basis", sa.Text, nullable=False),
    sa.Column("confidence", sa.Float, nullable=False),
    sa.Column("importance", sa.Float, nullable=False),
    sa.Column("cardinality", sa.Text),
    *_observed(),
    sa.Column("event_at", Moment),
    sa.Column("expires_at", Moment),
    sa.Column("replaces", sa.Text),
    sa.Column("supersedes", Uuid),
    _flag("cue"),
    _flag("third_party"),
    sa.Column("signals", Words, nullable=False, server_default="{}"),
    sa.Column("words", Uuid),
    _flag("shadowed"),
    sa.Column("ruling", sa.Text),
    sa.Column("ruled_at", Moment),
    sa.Column("refusals", Words),
    sa.Column("holds", Words, nullable=False, server_default="{}"),
    sa.Column("sensitivity", sa.Text, nullable=False, server_default="normal"),
    sa.Column("allowed_uses", Words, nullable=False, server_default="{}"),
    sa.Column("extractor", sa.Text, nullable=False),
    sa.Column("created_at", Moment, nullable=False),
    _enum("author", Author),
    _enum("kind", Kind),
    _enum("act", Act),
    _enum("basis", Basis),
    _enum("cardinality", Cardinality, optional=True),
    _enum("ruling", Ruling, optional=True),
    sa.ForeignKeyConstraint(["tenant", "turn_id"], ["turns.tenant", "turns.id"], ondelete="CASCADE"),
    sa.Index(None, "tenant", "key"),
    sa.Index(None, "tenant", "turn_id"),
    sa.Index("ix_proposals_told", "tenant", "owner", postgresql_where=sa.text("not explicit")),
    sa.Index("ix_proposals_reaching", "tenant", "owner", postgresql_where=sa.text("not explicit and (negated or cue)")),
    comment="What was proposed, by an extractor or by an agent. The state of a key is a fold over its proposals.",
)

decisions = sa.Table(
    "decisions",
    metadata,
    _tenant(),
    _id(),
    sa.Column("proposal", Uuid),
    sa.Column("turn_id", Uuid, nullable=False),
    sa.Column("session", sa.Text, nullable=False),
    sa.Column("turn", sa.Text, nullable=False),
    sa.Column("user_id", sa.Text),
    sa.Column("project", sa.Text),
    sa.Column("kind", sa.Text),
    sa.Column("outcome", sa.Text, nullable=False),
    sa.Column("reasons", Words, nullable=False),
    sa.Column("policy", sa.Text, nullable=False),
    sa.Column("memory", Uuid),
    sa.Column("decided_at", Moment, nullable=False),
    _enum("outcome", Outcome),
    sa.Index("uq_decisions_proposal", "tenant", "proposal", unique=True),
    sa.Index(None, "tenant", "turn_id"),
    sa.Index(None, "tenant", "decided_at"),
    sa.Index("ix_decisions_held", "tenant", "decided_at", postgresql_where=sa.text("outcome = 'hold'")),
    comment="One decision a proposal; without one, a decision about a whole turn. Its text is the proposal's, never a copy.",
)

_STATE = """case
 when standing <> 'current' then standing
 when retired_as is not null then retired_as
 when contested or stale_since is not null then 'stale'
 when independent > 1 then 'reinforced'
 else 'admitted' end"""

_STANDS = "standing = 'current'"

memories = sa.Table(
    "memories",
    metadata,
    _tenant(),
    _id(),
    sa.Column("owner", Uuid, nullable=False),
    *_scope(),
    sa.Column("key", Uuid, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("subject", sa.Text, nullable=False),
    sa.Column("predicate", sa.Text, nullable=False),
    sa.Column("object", sa.Text, nullable=False),
    sa.Column("claim", sa.Text, nullable=False),
    _flag("negated"),
    sa.Column("cardinality", sa.Text, nullable=False),
    sa.Column("basis", sa.Text, nullable=False),
    sa.Column("confidence", sa.Float, nullable=False),
    sa.Column("importance", sa.Float, nullable=False),
    sa.Column("sensitivity", sa.Text, nullable=False),
    sa.Column("allowed_uses", Words, nullable=False),
    sa.Column("lead", Uuid, nullable=False),
    sa.Column("source_turn", sa.Text, nullable=False),
    sa.Column("source_session", sa.Text, nullable=False),
    sa.Column("source_author", sa.Text, nullable=False),
    sa.Column("evidence_turns", Words, nullable=False),
    sa.Column("independent", sa.Integer, nullable=False),
    *_observed(),
    sa.Column("valid_from", Moment, nullable=False),
    sa.Column("valid_to", Moment),
    sa.Column("superseded_by", Uuid),
    sa.Column("standing", sa.Text, nullable=False),
    _flag("contested"),
    sa.Column("retired_as", sa.Text),
    sa.Column("retired_at", Moment),
    sa.Column("stale_since", Moment),
    sa.Column("kept_at", Moment),
    _flag("pinned"),
    sa.Column("expires_at", Moment),
    sa.Column("review_after", Moment),
    sa.Column("fades_at", Moment),
    sa.Column("touched_at", Moment, nullable=False),
    sa.Column("uses", sa.Integer, nullable=False, server_default="0"),
    sa.Column("unhelpful", sa.Integer, nullable=False, server_default="0"),
    sa.Column("version", sa.Integer, nullable=False, server_default="1"),
    sa.Column("policy", sa.Text, nullable=False),
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("changed_at", Moment, nullable=False),
    sa.Column("invisible_at", Moment),
    sa.Column("state", sa.Text, sa.Computed(_STATE, persisted=True), nullable=False),
    _enum("kind", Kind),
    _enum("basis", Basis),
    _enum("cardinality", Cardinality),
    _enum("sensitivity", Sensitivity),
    _one_of("standing", ("current", "superseded", "retracted")),
    _one_of("retired_as", ("archived", "expired", "consolidated"), optional=True),
    _enum("state", State),
    sa.CheckConstraint("user_id is not null or project is not null", "owner_scope"),
    sa.CheckConstraint("expires_at is not null or review_after is not null", "no_orphans"),
    sa.Index(None, "tenant", "owner"),
    sa.Index(None, "tenant", "key"),
    # None of these holds what a job changes: what it has dealt with stays in them (docs/decisions/009).
    sa.Index("ix_memories_expires", "tenant", "expires_at", postgresql_where=sa.text(_STANDS)),
    sa.Index("ix_memories_fades", "tenant", "fades_at", postgresql_where=sa.text(_STANDS)),
    sa.Index("ix_memories_review", "tenant", "review_after", postgresql_where=sa.text(_STANDS)),
    sa.Index(
        "ix_memories_superseded_by", "tenant", "superseded_by", postgresql_where=sa.text("superseded_by is not null")
    ),
    postgresql_with={"fillfactor": 85},  # room to rewrite a row within its page, which spares every index
    comment="`standing` is the fold's, `retired_as` and `stale_since` are the jobs'; `state` follows from them. "
    "`kept_at`: when somebody last looked at it in a review and kept it.",
)

endings = sa.Table(
    "endings",
    metadata,
    _tenant(),
    sa.Column("at", Moment, primary_key=True),
    sa.Column("memory", Uuid, primary_key=True),
    comment="Memories that ended, by the day. They may have come back, changed or gone since.",
)

evidence = sa.Table(
    "evidence",
    metadata,
    _tenant(),
    sa.Column("memory", Uuid, primary_key=True),
    sa.Column("proposal", Uuid, primary_key=True),
    sa.Column("turn_id", Uuid, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    _flag("independent"),
    _one_of("role", ("source", "evidence")),
    sa.ForeignKeyConstraint(["tenant", "memory"], ["memories.tenant", "memories.id"], ondelete="CASCADE"),
    sa.ForeignKeyConstraint(["tenant", "proposal"], ["proposals.tenant", "proposals.id"], ondelete="CASCADE"),
    sa.Index(None, "tenant", "proposal"),
)

lineage = sa.Table(
    "lineage",
    metadata,
    _tenant(),
    sa.Column("output", Uuid, primary_key=True),
    sa.Column("input", Uuid, primary_key=True),
    sa.Column("consolidation", Uuid, nullable=False),
    sa.Column("changed_at", Moment),
    sa.Index(None, "tenant", "input"),
    comment="Which memories stand behind a consolidated one. `changed_at`: the input's before it was merged.",
)

unconsolidated = sa.Table(
    "unconsolidated",
    metadata,
    _tenant(),
    sa.Column("memory", Uuid, primary_key=True),
    sa.Column("owner", Uuid, nullable=False),
    sa.Column("version", sa.Integer, nullable=False, server_default="1"),
    sa.ForeignKeyConstraint(["tenant", "memory"], ["memories.tenant", "memories.id"], ondelete="CASCADE"),
    sa.Index(None, "tenant", "owner", "memory"),
    comment="Memories that changed since consolidation last looked at them.",
)

consolidations = sa.Table(
    "consolidations",
    metadata,
    _tenant(),
    _id(),
    sa.Column("at", Moment, nullable=False),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("policy", sa.Text, nullable=False),
    sa.Column("transform", sa.Text, nullable=False),
    sa.Column("reverted_at", Moment),
    sa.Index(None, "tenant", "at"),
    comment="Runs that merged or refused something, and those that a person asked for.",
)

consolidation_groups = sa.Table(
    "consolidation_groups",
    metadata,
    _tenant(),
    sa.Column("consolidation", Uuid, primary_key=True),
    sa.Column("place", sa.Integer, primary_key=True),
    sa.Column("sort", sa.Text, nullable=False),
    sa.Column("output", Uuid),
    sa.Column("proposal", Uuid),
    sa.Column("refused", sa.Text),
    sa.Column("detail", sa.Text),
    sa.Column("uses", sa.Integer),
    sa.Column("unhelpful", sa.Integer),
    sa.Column("pinned", sa.Boolean),
    sa.Column("touched_at", Moment),
    sa.Column("undone_at", Moment),
    sa.Column("undone_as", sa.Text),
    sa.ForeignKeyConstraint(
        ["tenant", "consolidation"], ["consolidations.tenant", "consolidations.id"], ondelete="CASCADE"
    ),
    sa.Index(None, "tenant", "output"),
    comment="What a run did with each group. `uses` to `touched_at`: the output's as it was made, so that what was learned since "
    "can be told. `detail` (what a wording would have lost) is text, and goes with the inputs.",
)

consolidation_inputs = sa.Table(
    "consolidation_inputs",
    metadata,
    _tenant(),
    sa.Column("consolidation", Uuid, primary_key=True),
    sa.Column("place", sa.Integer, primary_key=True),
    sa.Column("memory", Uuid, primary_key=True),
    sa.ForeignKeyConstraint(
        ["tenant", "consolidation", "place"],
        ["consolidation_groups.tenant", "consolidation_groups.consolidation", "consolidation_groups.place"],
        ondelete="CASCADE",
    ),
    sa.Index(None, "tenant", "memory"),
    comment="The members of each group, by id alone.",
)

events = sa.Table(
    "events",
    metadata,
    _tenant(),
    sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True),
    sa.Column("at", Moment, nullable=False),
    sa.Column("subject", Uuid, nullable=False),
    sa.Column("change", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("policy", sa.Text, nullable=False),
    sa.Column("detail", JSONB),
    sa.Index(None, "tenant", "subject"),
    sa.Index(None, "tenant", "at"),
    comment="Each change of state, with its cause; ids and numbers only, never text.",
)

reviews = sa.Table(
    "reviews",
    metadata,
    _tenant(),
    _id(),
    sa.Column("key", Uuid, nullable=False),
    sa.Column("memories", ARRAY(Uuid), nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("opened_at", Moment, nullable=False),
    sa.Column("resolved_at", Moment),
    sa.Column("resolution", sa.Text),
    sa.Index(None, "tenant", "key"),
)

vectors = sa.Table(
    "vectors",
    metadata,
    _tenant(),
    sa.Column("memory", Uuid, primary_key=True),
    sa.Column("owner", Uuid, nullable=False),
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("memory_version", sa.Integer, nullable=False),
    _flag("ann"),
    sa.Column("embedding", HALFVEC(DIMENSION), nullable=False),
    sa.ForeignKeyConstraint(["tenant", "memory"], ["memories.tenant", "memories.id"], ondelete="CASCADE"),
    sa.Index(None, "tenant", "owner"),
    sa.Index(
        "ix_vectors_hnsw",
        "embedding",
        postgresql_using="hnsw",
        postgresql_ops={"embedding": "halfvec_cosine_ops"},
        postgresql_where=sa.text("ann"),
    ),
    postgresql_partition_by="HASH (tenant)",
    comment="One vector a memory. `ann`: its owner is above the switch and is searched through the HNSW graph.",
)

handouts = sa.Table(
    "handouts",
    metadata,
    _tenant(),
    sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True),
    sa.Column("memory", Uuid, nullable=False),
    sa.Column("session", sa.Text),
    sa.Column("at", Moment, nullable=False),
    _flag("past"),
    sa.Column("score", sa.REAL),
    sa.Index(None, "tenant", "session", "at"),
    sa.Index(None, "tenant", "memory"),
    sa.Index(None, "tenant", "at"),
    comment="Every hand-out, by id. `past`: it answered an `as_of` and counts as no use. `score`: null in a profile.",
)

tombstones = sa.Table(
    "tombstones",
    metadata,
    _tenant(),
    sa.Column("mac", BYTEA, primary_key=True),
    sa.Column("sort", sa.Text, primary_key=True),
    sa.Column("mac_key", sa.Text, nullable=False),
    sa.Column("observed_before", Moment),
    sa.Column("deletion", Uuid, nullable=False),
    sa.Column("created_at", Moment, nullable=False),
    _one_of("sort", ("turn", "session", "user", "project", "tenant", "claim", "excerpt")),
    comment="Keyed hashes of what was deleted. A name without `observed_before` is refused for good. `excerpt`: a turn whose "
    "text went with a memory, while its other memories stay.",
)

deletions = sa.Table(
    "deletions",
    metadata,
    _tenant(),
    _id(),
    sa.Column("what", JSONB, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("requested_at", Moment, nullable=False),
    sa.Column("invisible_at", Moment, nullable=False),
    sa.Column("erased_at", Moment),
    sa.Column("verified_at", Moment),
    sa.Column("due_at", Moment, nullable=False),
    sa.Column("policy", sa.Text, nullable=False),
    sa.Column("erased", JSONB, nullable=False, server_default="{}"),
    sa.Column("attempts", JSONB, nullable=False, server_default="[]"),
    sa.Column("not_covered", JSONB, nullable=False, server_default="[]"),
    sa.Column("words", BYTEA),
    sa.Column("phrases", BYTEA),
    sa.Column("receipt", JSONB),
    _one_of("state", ("invisible", "erased", "verified")),
    sa.Index(None, "tenant", "requested_at"),
    comment="One row a request: what was named, times and counts, no text. `words` and `phrases` are keyed hashes that the "
    "verifier looks for; they go with the verification.",
)

deletion_marks = sa.Table(
    "deletion_marks",
    metadata,
    _tenant(),
    sa.Column("deletion", Uuid, primary_key=True),
    sa.Column("sort", sa.Text, primary_key=True),
    sa.Column("refs", ARRAY(Uuid), nullable=False),
    _one_of("sort", ("turn", "blank", "proposal", "memory", "reread")),
    comment="The rows that a deletion covers, by id. Those of memories stay, so that `why` can tell what became of them.",
)

ledger = sa.Table(
    "ledger",
    metadata,
    _tenant(),
    sa.Column("deletion", Uuid, primary_key=True),
    sa.Column("requested_at", Moment, nullable=False),
    sa.Column("due_at", Moment, nullable=False),
    sa.Column("verified_at", Moment),
    sa.Index("ix_ledger_open", "due_at", postgresql_where=sa.text("verified_at is null")),
    comment="Every deletion by id and date alone, so that what is open or overdue is found without looping over tenants.",
)

llm_calls = sa.Table(
    "llm_calls",
    metadata,
    _tenant(),
    sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True),
    sa.Column("at", Moment, nullable=False),
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("prompt", sa.Text, nullable=False),
    sa.Column("outcome", sa.Text, nullable=False),
    sa.Column("status", sa.Integer),
    sa.Column("turns", sa.Integer, nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("tokens_in", sa.Integer, nullable=False),
    sa.Column("tokens_out", sa.Integer, nullable=False),
    _flag("estimated"),
    sa.Column("ms", sa.Integer, nullable=False),
    sa.Column("cost", sa.Float, nullable=False),
    sa.Index(None, "tenant", "at"),
    comment="Each call of the model-backed extractor: numbers and the class of its outcome, never text.",
)

llm_budget = sa.Table(
    "llm_budget",
    metadata,
    _tenant(),
    sa.Column("day", sa.Date, primary_key=True),
    sa.Column("tokens", sa.BigInteger, nullable=False),
    comment="Tokens that a tenant has used on a day (UTC), what running calls have set aside included.",
)

llm_breaker = sa.Table(
    "llm_breaker",
    metadata,
    sa.Column("endpoint", sa.Text, primary_key=True),
    sa.Column("failures", sa.Integer, nullable=False, server_default="0"),
    sa.Column("opened", sa.Integer, nullable=False, server_default="0"),
    sa.Column("open_until", Moment),
    sa.Column("probe_until", Moment),
    sa.Column("failure", sa.Text),
    sa.Column("changed_at", Moment, nullable=False),
    comment="One row a model endpoint, shared by all workers. `open_until`: nobody calls before; then one worker tries.",
)
