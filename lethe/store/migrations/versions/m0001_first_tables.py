"""The tables of a turn's way into memory"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from pgvector.sqlalchemy import HALFVEC
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


# Text of people stays out of the planner's statistics: deleted values would live on in them. So do names by which nothing is
# looked up.
TEXT_COLUMNS = {
    "turns": ("text", "speaker", "turn"),
    "proposals": ("claim", "object", "subject", "predicate", "replaces", "session", "turn"),
    "memories": ("claim", "object", "subject", "predicate", "source_session", "source_turn", "evidence_turns"),
    "decisions": ("session", "turn"),
    "consolidation_groups": ("detail",),
}
BEHIND_RLS = (
    "tenants",
    "owners",
    "ended_tasks",
    "turns",
    "proposals",
    "decisions",
    "memories",
    "evidence",
    "lineage",
    "events",
    "reviews",
    "vectors",
    "handouts",
    "unconsolidated",
    "consolidations",
    "consolidation_groups",
    "consolidation_inputs",
    "tombstones",
    "deletions",
    "deletion_marks",
    "llm_calls",
    "llm_budget",
)


def upgrade() -> None:
    create_tables()
    for part in range(16):
        op.execute(f"create table vectors_{part} partition of vectors for values with (modulus 16, remainder {part})")
    for table, columns in TEXT_COLUMNS.items():
        for column in columns:
            op.execute(f"alter table {table} alter column {column} set statistics 0")
    for table in BEHIND_RLS:
        op.execute(f"alter table {table} enable row level security")
        op.execute(f"alter table {table} force row level security")
        op.execute(
            f"create policy own_tenant on {table} using (tenant = nullif(current_setting('lethe.tenant', true), ''))"
            " with check (tenant = nullif(current_setting('lethe.tenant', true), ''))"
        )
    for part in range(16):
        op.execute(f"alter table vectors_{part} enable row level security")
        op.execute(f"alter table vectors_{part} force row level security")
        op.execute(
            f"create policy own_tenant on vectors_{part}"
            " using (tenant = nullif(current_setting('lethe.tenant', true), ''))"
        )


def create_tables() -> None:
    op.create_table(
        "consolidations",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("policy", sa.Text(), nullable=False),
        sa.Column("transform", sa.Text(), nullable=False),
        sa.Column("reverted_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("tenant", "id", name=op.f("pk_consolidations")),
        comment="Runs that merged or refused something, and those that a person asked for.",
    )
    op.create_index(op.f("ix_consolidations_tenant_at"), "consolidations", ["tenant", "at"], unique=False)
    op.create_table(
        "decisions",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("proposal", sa.UUID(), nullable=True),
        sa.Column("turn_id", sa.UUID(), nullable=False),
        sa.Column("session", sa.Text(), nullable=False),
        sa.Column("turn", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("project", sa.Text(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("reasons", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("policy", sa.Text(), nullable=False),
        sa.Column("memory", sa.UUID(), nullable=True),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "outcome in ('admit', 'reinforce', 'supersede', 'hold', 'review', 'reject')",
            name=op.f("ck_decisions_outcome"),
        ),
        sa.PrimaryKeyConstraint("tenant", "id", name=op.f("pk_decisions")),
        comment="One decision a proposal; without one, a decision about a whole turn. Its text is the proposal's, never a copy.",
    )
    op.create_index(
        "ix_decisions_held",
        "decisions",
        ["tenant", "decided_at"],
        unique=False,
        postgresql_where=sa.text("outcome = 'hold'"),
    )
    op.create_index(op.f("ix_decisions_tenant_decided_at"), "decisions", ["tenant", "decided_at"], unique=False)
    op.create_index(op.f("ix_decisions_tenant_turn_id"), "decisions", ["tenant", "turn_id"], unique=False)
    op.create_index("uq_decisions_proposal", "decisions", ["tenant", "proposal"], unique=True)
    op.create_table(
        "deletion_marks",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("deletion", sa.UUID(), nullable=False),
        sa.Column("sort", sa.Text(), nullable=False),
        sa.Column("refs", postgresql.ARRAY(sa.UUID()), nullable=False),
        sa.CheckConstraint(
            "sort in ('turn', 'blank', 'proposal', 'memory', 'reread')", name=op.f("ck_deletion_marks_sort")
        ),
        sa.PrimaryKeyConstraint("tenant", "deletion", "sort", name=op.f("pk_deletion_marks")),
        comment="The rows that a deletion covers, by id. Those of memories stay, so that `why` can tell what became of them.",
    )
    op.create_table(
        "deletions",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("what", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("requested_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("invisible_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("erased_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("verified_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("policy", sa.Text(), nullable=False),
        sa.Column("erased", postgresql.JSONB(astext_type=sa.Text()), server_default="{}", nullable=False),
        sa.Column("attempts", postgresql.JSONB(astext_type=sa.Text()), server_default="[]", nullable=False),
        sa.Column("not_covered", postgresql.JSONB(astext_type=sa.Text()), server_default="[]", nullable=False),
        sa.Column("words", postgresql.BYTEA(), nullable=True),
        sa.Column("phrases", postgresql.BYTEA(), nullable=True),
        sa.Column("receipt", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.CheckConstraint("state in ('invisible', 'erased', 'verified')", name=op.f("ck_deletions_state")),
        sa.PrimaryKeyConstraint("tenant", "id", name=op.f("pk_deletions")),
        comment="One row a request: what was named, times and counts, no text. `words` and `phrases` are keyed hashes that the verifier looks for; they go with the verification.",
    )
    op.create_index(op.f("ix_deletions_tenant_requested_at"), "deletions", ["tenant", "requested_at"], unique=False)
    op.create_table(
        "due",
        sa.Column("sort", sa.Text(), nullable=False),
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("item", sa.UUID(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.PrimaryKeyConstraint("sort", "tenant", "item", "at", name=op.f("pk_due")),
        comment="From when a tenant has something for a job to do: a job looks at these tenants and at no other.",
    )
    op.create_index("ix_due_at", "due", ["sort", "at"], unique=False)
    op.create_table(
        "ended_tasks",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("owner", sa.UUID(), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "owner", name=op.f("pk_ended_tasks")),
        comment="Task scopes that are closed: what was observed in them until then expires with them.",
    )
    op.create_table(
        "events",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("subject", sa.UUID(), nullable=False),
        sa.Column("change", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("policy", sa.Text(), nullable=False),
        sa.Column("detail", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.PrimaryKeyConstraint("tenant", "id", name=op.f("pk_events")),
        comment="Each change of state, with its cause; ids and numbers only, never text.",
    )
    op.create_index(op.f("ix_events_tenant_subject"), "events", ["tenant", "subject"], unique=False)
    op.create_table(
        "handouts",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("memory", sa.UUID(), nullable=False),
        sa.Column("session", sa.Text(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("past", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("score", sa.REAL(), nullable=True),
        sa.PrimaryKeyConstraint("tenant", "id", name=op.f("pk_handouts")),
        comment="Every hand-out, by id. `past`: it answered an `as_of` and counts as no use. `score`: null in a profile.",
    )
    op.create_index(op.f("ix_handouts_tenant_at"), "handouts", ["tenant", "at"], unique=False)
    op.create_index(op.f("ix_handouts_tenant_memory"), "handouts", ["tenant", "memory"], unique=False)
    op.create_index(op.f("ix_handouts_tenant_session_at"), "handouts", ["tenant", "session", "at"], unique=False)
    op.create_table(
        "job_runs",
        sa.Column("job", sa.Text(), nullable=False),
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("window", sa.Text(), nullable=False),
        sa.Column("claimed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("leased_until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("due", sa.Integer(), server_default="0", nullable=False),
        sa.Column("changed", postgresql.JSONB(astext_type=sa.Text()), server_default="{}", nullable=False),
        sa.Column("asks", postgresql.JSONB(astext_type=sa.Text()), server_default="[]", nullable=False),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("job", "tenant", "window", name=op.f("pk_job_runs")),
        comment="Each (job, tenant, window) is claimed once, however many beats there are.",
    )
    op.create_index("ix_job_runs_claimed_at", "job_runs", ["claimed_at"], unique=False)
    op.create_table(
        "ledger",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("deletion", sa.UUID(), nullable=False),
        sa.Column("requested_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("verified_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("tenant", "deletion", name=op.f("pk_ledger")),
        comment="Every deletion by id and date alone, so that what is open or overdue is found without looping over tenants.",
    )
    op.create_index(
        "ix_ledger_open", "ledger", ["due_at"], unique=False, postgresql_where=sa.text("verified_at is null")
    )
    op.create_table(
        "lineage",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("output", sa.UUID(), nullable=False),
        sa.Column("input", sa.UUID(), nullable=False),
        sa.Column("consolidation", sa.UUID(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("tenant", "output", "input", name=op.f("pk_lineage")),
        comment="Which memories stand behind a consolidated one. `changed_at`: the input's before it was merged.",
    )
    op.create_index(op.f("ix_lineage_tenant_input"), "lineage", ["tenant", "input"], unique=False)
    op.create_table(
        "llm_breaker",
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("opened", sa.Integer(), server_default="0", nullable=False),
        sa.Column("open_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("probe_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("endpoint", name=op.f("pk_llm_breaker")),
        comment="One row a model endpoint, shared by all workers. `open_until`: nobody calls before; then one worker tries.",
    )
    op.create_table(
        "llm_budget",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("tokens", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "day", name=op.f("pk_llm_budget")),
        comment="Tokens that a tenant has used on a day (UTC), what running calls have set aside included.",
    )
    op.create_table(
        "llm_calls",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("tokens_in", sa.Integer(), nullable=False),
        sa.Column("tokens_out", sa.Integer(), nullable=False),
        sa.Column("estimated", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("ms", sa.Integer(), nullable=False),
        sa.Column("cost", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "id", name=op.f("pk_llm_calls")),
        comment="Each call of the model-backed extractor: numbers and the class of its outcome, never text.",
    )
    op.create_index(op.f("ix_llm_calls_tenant_at"), "llm_calls", ["tenant", "at"], unique=False)
    op.create_table(
        "memories",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("owner", sa.UUID(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("project", sa.Text(), nullable=True),
        sa.Column("task", sa.Text(), nullable=True),
        sa.Column("key", sa.UUID(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("predicate", sa.Text(), nullable=False),
        sa.Column("object", sa.Text(), nullable=False),
        sa.Column("claim", sa.Text(), nullable=False),
        sa.Column("negated", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("cardinality", sa.Text(), nullable=False),
        sa.Column("basis", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("importance", sa.Float(), nullable=False),
        sa.Column("sensitivity", sa.Text(), nullable=False),
        sa.Column("allowed_uses", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("lead", sa.UUID(), nullable=False),
        sa.Column("source_turn", sa.Text(), nullable=False),
        sa.Column("source_session", sa.Text(), nullable=False),
        sa.Column("source_author", sa.Text(), nullable=False),
        sa.Column("evidence_turns", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("independent", sa.Integer(), nullable=False),
        sa.Column("observed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("observed_offset", sa.Integer(), server_default="0", nullable=False),
        sa.Column("valid_from", sa.DateTime(timezone=True), nullable=False),
        sa.Column("valid_to", sa.DateTime(timezone=True), nullable=True),
        sa.Column("superseded_by", sa.UUID(), nullable=True),
        sa.Column("standing", sa.Text(), nullable=False),
        sa.Column("contested", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("retired_as", sa.Text(), nullable=True),
        sa.Column("retired_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("stale_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("pinned", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("review_after", sa.DateTime(timezone=True), nullable=True),
        sa.Column("fades_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("touched_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("uses", sa.Integer(), server_default="0", nullable=False),
        sa.Column("unhelpful", sa.Integer(), server_default="0", nullable=False),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("policy", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("invisible_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "state",
            sa.Text(),
            sa.Computed(
                "case\n when standing <> 'current' then standing\n when retired_as is not null then retired_as\n when contested or stale_since is not null then 'stale'\n when independent > 1 then 'reinforced'\n else 'admitted' end",
                persisted=True,
            ),
            nullable=False,
        ),
        sa.CheckConstraint("basis in ('confirmed', 'stated', 'observed', 'inferred')", name=op.f("ck_memories_basis")),
        sa.CheckConstraint("cardinality in ('single', 'many')", name=op.f("ck_memories_cardinality")),
        sa.CheckConstraint(
            "kind in ('preference', 'instruction', 'semantic', 'episodic', 'procedural', 'working')",
            name=op.f("ck_memories_kind"),
        ),
        sa.CheckConstraint(
            "retired_as is null or retired_as in ('archived', 'expired', 'consolidated')",
            name=op.f("ck_memories_retired_as"),
        ),
        sa.CheckConstraint("sensitivity in ('normal', 'personal')", name=op.f("ck_memories_sensitivity")),
        sa.CheckConstraint("standing in ('current', 'superseded', 'retracted')", name=op.f("ck_memories_standing")),
        sa.CheckConstraint(
            "state in ('admitted', 'reinforced', 'stale', 'superseded', 'expired', 'archived', 'consolidated', 'retracted')",
            name=op.f("ck_memories_state"),
        ),
        sa.CheckConstraint("expires_at is not null or review_after is not null", name=op.f("ck_memories_no_orphans")),
        sa.CheckConstraint("user_id is not null or project is not null", name=op.f("ck_memories_owner_scope")),
        sa.PrimaryKeyConstraint("tenant", "id", name=op.f("pk_memories")),
        comment="`standing` is the fold's, `retired_as` and `stale_since` are the jobs'; `state` follows from them.",
    )
    op.create_index(
        "ix_memories_ended",
        "memories",
        ["tenant", "changed_at"],
        unique=False,
        postgresql_where=sa.text("not (standing = 'current' and retired_as is null)"),
    )
    op.create_index(
        "ix_memories_expires",
        "memories",
        ["tenant", "expires_at"],
        unique=False,
        postgresql_where=sa.text("standing = 'current' and retired_as is null"),
    )
    op.create_index(
        "ix_memories_fades",
        "memories",
        ["tenant", "fades_at"],
        unique=False,
        postgresql_where=sa.text("standing = 'current' and retired_as is null"),
    )
    op.create_index(
        "ix_memories_review",
        "memories",
        ["tenant", "review_after"],
        unique=False,
        postgresql_where=sa.text("standing = 'current' and retired_as is null and stale_since is null"),
    )
    op.create_index(
        "ix_memories_superseded_by",
        "memories",
        ["tenant", "superseded_by"],
        unique=False,
        postgresql_where=sa.text("superseded_by is not null"),
    )
    op.create_index(op.f("ix_memories_tenant_key"), "memories", ["tenant", "key"], unique=False)
    op.create_index(op.f("ix_memories_tenant_owner"), "memories", ["tenant", "owner"], unique=False)
    op.create_table(
        "owners",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("owner", sa.UUID(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("project", sa.Text(), nullable=True),
        sa.Column("task", sa.Text(), nullable=True),
        sa.Column(
            "revision",
            sa.BigInteger(),
            server_default=sa.text("(extract(epoch from clock_timestamp()) * 1000000)::bigint"),
            nullable=False,
        ),
        sa.Column("memories", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("tenant", "owner", name=op.f("pk_owners")),
        comment="One row an owner scope; `memories` counts those in force. `revision` rises with each change, so that no cache can serve an older state.",
    )
    op.create_index(op.f("ix_owners_tenant_user_id"), "owners", ["tenant", "user_id"], unique=False)
    op.create_table(
        "policy_versions",
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("body", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("first_used_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("version", name=op.f("pk_policy_versions")),
    )
    op.create_table(
        "recomputations",
        sa.Column("policy", sa.Text(), nullable=False),
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("after", sa.UUID(), nullable=True),
        sa.Column("looked_at", sa.Integer(), server_default="0", nullable=False),
        sa.Column("changed", sa.Integer(), server_default="0", nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("policy", "tenant", name=op.f("pk_recomputations")),
        comment="How far the due dates of a tenant's memories have been computed anew after a change of policy.",
    )
    op.create_table(
        "reviews",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("key", sa.UUID(), nullable=False),
        sa.Column("memories", postgresql.ARRAY(sa.UUID()), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("resolved_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("resolution", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("tenant", "id", name=op.f("pk_reviews")),
    )
    op.create_index(op.f("ix_reviews_tenant_key"), "reviews", ["tenant", "key"], unique=False)
    op.create_table(
        "tenants",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("policy", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.PrimaryKeyConstraint("tenant", name=op.f("pk_tenants")),
    )
    op.create_table(
        "tombstones",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("mac", postgresql.BYTEA(), nullable=False),
        sa.Column("sort", sa.Text(), nullable=False),
        sa.Column("mac_key", sa.Text(), nullable=False),
        sa.Column("observed_before", sa.DateTime(timezone=True), nullable=True),
        sa.Column("deletion", sa.UUID(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "sort in ('turn', 'session', 'user', 'project', 'tenant', 'claim', 'excerpt')",
            name=op.f("ck_tombstones_sort"),
        ),
        sa.PrimaryKeyConstraint("tenant", "mac", "sort", name=op.f("pk_tombstones")),
        comment="Keyed hashes of what was deleted. A name without `observed_before` is refused for good. `excerpt`: a turn whose text went with a memory, while its other memories stay.",
    )
    op.create_table(
        "turns",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("session", sa.Text(), nullable=False),
        sa.Column("turn", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("project", sa.Text(), nullable=True),
        sa.Column("task", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("text_mac", postgresql.BYTEA(), nullable=False),
        sa.Column("text_mac_key", sa.Text(), nullable=False),
        sa.Column("observed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("observed_offset", sa.Integer(), server_default="0", nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("verified", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("recalled", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("speaker", sa.Text(), nullable=True),
        sa.Column("redacted", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("extractor", sa.Text(), nullable=True),
        sa.Column("extracted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("window_seen", postgresql.ARRAY(sa.UUID()), nullable=True),
        sa.CheckConstraint(
            "author in ('user', 'assistant', 'tool', 'document', 'system')", name=op.f("ck_turns_author")
        ),
        sa.PrimaryKeyConstraint("tenant", "id", name=op.f("pk_turns")),
        sa.UniqueConstraint("tenant", "session", "turn", name=op.f("uq_turns_tenant_session_turn")),
    )
    op.create_index(
        op.f("ix_turns_tenant_session_observed_at"), "turns", ["tenant", "session", "observed_at"], unique=False
    )
    op.create_index(
        "ix_turns_text", "turns", ["tenant", "received_at"], unique=False, postgresql_where=sa.text("text is not null")
    )
    op.create_table(
        "work",
        sa.Column("stage", sa.Text(), nullable=False),
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("item", sa.UUID(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("lease", sa.UUID(), nullable=True),
        sa.Column("quarantined_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("stage", "tenant", "item", name=op.f("pk_work")),
        comment="What waits for a worker, by ids alone. A claimed row is due again when its lease runs out.",
    )
    op.create_index(
        "ix_work_due", "work", ["stage", "due"], unique=False, postgresql_where=sa.text("quarantined_at is null")
    )
    op.create_table(
        "consolidation_groups",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("consolidation", sa.UUID(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("sort", sa.Text(), nullable=False),
        sa.Column("output", sa.UUID(), nullable=True),
        sa.Column("proposal", sa.UUID(), nullable=True),
        sa.Column("refused", sa.Text(), nullable=True),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("uses", sa.Integer(), nullable=True),
        sa.Column("unhelpful", sa.Integer(), nullable=True),
        sa.Column("pinned", sa.Boolean(), nullable=True),
        sa.Column("touched_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("undone_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("undone_as", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["tenant", "consolidation"],
            ["consolidations.tenant", "consolidations.id"],
            name=op.f("fk_consolidation_groups_tenant_consolidation"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("tenant", "consolidation", "place", name=op.f("pk_consolidation_groups")),
        comment="What a run did with each group. `uses` to `touched_at`: the output's as it was made, so that what was learned since can be told. `detail` (what a wording would have lost) is text, and goes with the inputs.",
    )
    op.create_index(
        op.f("ix_consolidation_groups_tenant_output"), "consolidation_groups", ["tenant", "output"], unique=False
    )
    op.create_table(
        "proposals",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("turn_id", sa.UUID(), nullable=False),
        sa.Column("session", sa.Text(), nullable=False),
        sa.Column("turn", sa.Text(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("verified", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("explicit", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("proposed_by", sa.Text(), nullable=False),
        sa.Column("owner", sa.UUID(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("project", sa.Text(), nullable=True),
        sa.Column("task", sa.Text(), nullable=True),
        sa.Column("key", sa.UUID(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("predicate", sa.Text(), nullable=False),
        sa.Column("object", sa.Text(), nullable=False),
        sa.Column("claim", sa.Text(), nullable=False),
        sa.Column("negated", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("act", sa.Text(), nullable=False),
        sa.Column("basis", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("importance", sa.Float(), nullable=False),
        sa.Column("cardinality", sa.Text(), nullable=True),
        sa.Column("observed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("observed_offset", sa.Integer(), server_default="0", nullable=False),
        sa.Column("event_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("replaces", sa.Text(), nullable=True),
        sa.Column("supersedes", sa.UUID(), nullable=True),
        sa.Column("cue", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("third_party", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("signals", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("words", sa.UUID(), nullable=True),
        sa.Column("shadowed", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("ruling", sa.Text(), nullable=True),
        sa.Column("ruled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("refusals", postgresql.ARRAY(sa.Text()), nullable=True),
        sa.Column("holds", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("sensitivity", sa.Text(), server_default="normal", nullable=False),
        sa.Column("allowed_uses", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("extractor", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("act in ('assert', 'end', 'retract')", name=op.f("ck_proposals_act")),
        sa.CheckConstraint(
            "author in ('user', 'assistant', 'tool', 'document', 'system')", name=op.f("ck_proposals_author")
        ),
        sa.CheckConstraint("basis in ('confirmed', 'stated', 'observed', 'inferred')", name=op.f("ck_proposals_basis")),
        sa.CheckConstraint(
            "cardinality is null or cardinality in ('single', 'many')", name=op.f("ck_proposals_cardinality")
        ),
        sa.CheckConstraint(
            "kind in ('preference', 'instruction', 'semantic', 'episodic', 'procedural', 'working')",
            name=op.f("ck_proposals_kind"),
        ),
        sa.CheckConstraint(
            "ruling is null or ruling in ('confirmed', 'declined', 'kept', 'retired', 'preferred')",
            name=op.f("ck_proposals_ruling"),
        ),
        sa.ForeignKeyConstraint(
            ["tenant", "turn_id"],
            ["turns.tenant", "turns.id"],
            name=op.f("fk_proposals_tenant_turn_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("tenant", "id", name=op.f("pk_proposals")),
        comment="What was proposed, by an extractor or by an agent. The state of a key is a fold over its proposals.",
    )
    op.create_index(
        "ix_proposals_reaching",
        "proposals",
        ["tenant", "owner"],
        unique=False,
        postgresql_where=sa.text("not explicit and (negated or cue)"),
    )
    op.create_index(op.f("ix_proposals_tenant_key"), "proposals", ["tenant", "key"], unique=False)
    op.create_index(op.f("ix_proposals_tenant_turn_id"), "proposals", ["tenant", "turn_id"], unique=False)
    op.create_index(
        "ix_proposals_told", "proposals", ["tenant", "owner"], unique=False, postgresql_where=sa.text("not explicit")
    )
    op.create_table(
        "unconsolidated",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("memory", sa.UUID(), nullable=False),
        sa.Column("owner", sa.UUID(), nullable=False),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant", "memory"],
            ["memories.tenant", "memories.id"],
            name=op.f("fk_unconsolidated_tenant_memory"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("tenant", "memory", name=op.f("pk_unconsolidated")),
        comment="Memories that changed since consolidation last looked at them.",
    )
    op.create_index(
        op.f("ix_unconsolidated_tenant_owner_memory"), "unconsolidated", ["tenant", "owner", "memory"], unique=False
    )
    op.create_table(
        "vectors",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("memory", sa.UUID(), nullable=False),
        sa.Column("owner", sa.UUID(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("memory_version", sa.Integer(), nullable=False),
        sa.Column("ann", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("embedding", HALFVEC(384), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant", "memory"],
            ["memories.tenant", "memories.id"],
            name=op.f("fk_vectors_tenant_memory"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("tenant", "memory", name=op.f("pk_vectors")),
        comment="One vector a memory. `ann`: its owner is above the switch and is searched through the HNSW graph.",
        postgresql_partition_by="HASH (tenant)",
    )
    op.create_index(
        "ix_vectors_hnsw",
        "vectors",
        ["embedding"],
        unique=False,
        postgresql_using="hnsw",
        postgresql_ops={"embedding": "halfvec_cosine_ops"},
        postgresql_where=sa.text("ann"),
    )
    op.create_index(op.f("ix_vectors_tenant_owner"), "vectors", ["tenant", "owner"], unique=False)
    op.create_table(
        "consolidation_inputs",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("consolidation", sa.UUID(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("memory", sa.UUID(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant", "consolidation", "place"],
            ["consolidation_groups.tenant", "consolidation_groups.consolidation", "consolidation_groups.place"],
            name=op.f("fk_consolidation_inputs_tenant_consolidation_place"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("tenant", "consolidation", "place", "memory", name=op.f("pk_consolidation_inputs")),
        comment="The members of each group, by id alone.",
    )
    op.create_index(
        op.f("ix_consolidation_inputs_tenant_memory"), "consolidation_inputs", ["tenant", "memory"], unique=False
    )
    op.create_table(
        "evidence",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("memory", sa.UUID(), nullable=False),
        sa.Column("proposal", sa.UUID(), nullable=False),
        sa.Column("turn_id", sa.UUID(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("independent", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.CheckConstraint("role in ('source', 'evidence')", name=op.f("ck_evidence_role")),
        sa.ForeignKeyConstraint(
            ["tenant", "memory"],
            ["memories.tenant", "memories.id"],
            name=op.f("fk_evidence_tenant_memory"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["tenant", "proposal"],
            ["proposals.tenant", "proposals.id"],
            name=op.f("fk_evidence_tenant_proposal"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("tenant", "memory", "proposal", name=op.f("pk_evidence")),
    )
    op.create_index(op.f("ix_evidence_tenant_proposal"), "evidence", ["tenant", "proposal"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_evidence_tenant_proposal"), table_name="evidence")
    op.drop_table("evidence")
    op.drop_index(op.f("ix_consolidation_inputs_tenant_memory"), table_name="consolidation_inputs")
    op.drop_table("consolidation_inputs")
    op.drop_index(op.f("ix_vectors_tenant_owner"), table_name="vectors")
    op.drop_index(
        "ix_vectors_hnsw",
        table_name="vectors",
        postgresql_using="hnsw",
        postgresql_ops={"embedding": "halfvec_cosine_ops"},
        postgresql_where=sa.text("ann"),
    )
    op.drop_table("vectors")
    op.drop_index(op.f("ix_unconsolidated_tenant_owner_memory"), table_name="unconsolidated")
    op.drop_table("unconsolidated")
    op.drop_index("ix_proposals_told", table_name="proposals", postgresql_where=sa.text("not explicit"))
    op.drop_index(op.f("ix_proposals_tenant_turn_id"), table_name="proposals")
    op.drop_index(op.f("ix_proposals_tenant_key"), table_name="proposals")
    op.drop_index(
        "ix_proposals_reaching", table_name="proposals", postgresql_where=sa.text("not explicit and (negated or cue)")
    )
    op.drop_table("proposals")
    op.drop_index(op.f("ix_consolidation_groups_tenant_output"), table_name="consolidation_groups")
    op.drop_table("consolidation_groups")
    op.drop_index("ix_work_due", table_name="work", postgresql_where=sa.text("quarantined_at is null"))
    op.drop_table("work")
    op.drop_index("ix_turns_text", table_name="turns", postgresql_where=sa.text("text is not null"))
    op.drop_index(op.f("ix_turns_tenant_session_observed_at"), table_name="turns")
    op.drop_table("turns")
    op.drop_table("tombstones")
    op.drop_table("tenants")
    op.drop_index(op.f("ix_reviews_tenant_key"), table_name="reviews")
    op.drop_table("reviews")
    op.drop_table("recomputations")
    op.drop_table("policy_versions")
    op.drop_index(op.f("ix_owners_tenant_user_id"), table_name="owners")
    op.drop_table("owners")
    op.drop_index(op.f("ix_memories_tenant_owner"), table_name="memories")
    op.drop_index(op.f("ix_memories_tenant_key"), table_name="memories")
    op.drop_index(
        "ix_memories_superseded_by", table_name="memories", postgresql_where=sa.text("superseded_by is not null")
    )
    op.drop_index(
        "ix_memories_review",
        table_name="memories",
        postgresql_where=sa.text("standing = 'current' and retired_as is null and stale_since is null"),
    )
    op.drop_index(
        "ix_memories_fades",
        table_name="memories",
        postgresql_where=sa.text("standing = 'current' and retired_as is null"),
    )
    op.drop_index(
        "ix_memories_expires",
        table_name="memories",
        postgresql_where=sa.text("standing = 'current' and retired_as is null"),
    )
    op.drop_index(
        "ix_memories_ended",
        table_name="memories",
        postgresql_where=sa.text("not (standing = 'current' and retired_as is null)"),
    )
    op.drop_table("memories")
    op.drop_index(op.f("ix_llm_calls_tenant_at"), table_name="llm_calls")
    op.drop_table("llm_calls")
    op.drop_table("llm_budget")
    op.drop_table("llm_breaker")
    op.drop_index(op.f("ix_lineage_tenant_input"), table_name="lineage")
    op.drop_table("lineage")
    op.drop_index("ix_ledger_open", table_name="ledger", postgresql_where=sa.text("verified_at is null"))
    op.drop_table("ledger")
    op.drop_index("ix_job_runs_claimed_at", table_name="job_runs")
    op.drop_table("job_runs")
    op.drop_index(op.f("ix_handouts_tenant_session_at"), table_name="handouts")
    op.drop_index(op.f("ix_handouts_tenant_memory"), table_name="handouts")
    op.drop_index(op.f("ix_handouts_tenant_at"), table_name="handouts")
    op.drop_table("handouts")
    op.drop_index(op.f("ix_events_tenant_subject"), table_name="events")
    op.drop_table("events")
    op.drop_table("ended_tasks")
    op.drop_index("ix_due_at", table_name="due")
    op.drop_table("due")
    op.drop_index(op.f("ix_deletions_tenant_requested_at"), table_name="deletions")
    op.drop_table("deletions")
    op.drop_table("deletion_marks")
    op.drop_index("uq_decisions_proposal", table_name="decisions")
    op.drop_index(op.f("ix_decisions_tenant_turn_id"), table_name="decisions")
    op.drop_index(op.f("ix_decisions_tenant_decided_at"), table_name="decisions")
    op.drop_index("ix_decisions_held", table_name="decisions", postgresql_where=sa.text("outcome = 'hold'"))
    op.drop_table("decisions")
    op.drop_index(op.f("ix_consolidations_tenant_at"), table_name="consolidations")
    op.drop_table("consolidations")
