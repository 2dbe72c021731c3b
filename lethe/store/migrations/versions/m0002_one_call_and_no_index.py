"""A push is one call, and what ends a memory writes to no index"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from lethe.store.functions import TAKE_TURNS

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

DATES = {"ix_memories_expires": "expires_at", "ix_memories_fades": "fades_at", "ix_memories_review": "review_after"}
BEFORE = "`standing` is the fold's, `retired_as` and `stale_since` are the jobs'; `state` follows from them."
AFTER = f"{BEFORE} `kept_at`: when somebody last looked at it in a review and kept it."
IN_FORCE = "standing = 'current' and retired_as is null"


def upgrade() -> None:
    op.create_table(
        "endings",
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("memory", sa.UUID(), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "at", "memory", name=op.f("pk_endings")),
        comment="Memories that ended, by the day. They may have come back, changed or gone since.",
    )
    op.add_column("memories", sa.Column("kept_at", sa.DateTime(timezone=True), nullable=True))
    op.create_table_comment("memories", AFTER, existing_comment=BEFORE)
    op.execute("alter table memories set (fillfactor = 85)")
    op.drop_index("ix_memories_ended", table_name="memories")
    for name, column in DATES.items():
        op.drop_index(name, table_name="memories")
        op.create_index(name, "memories", ["tenant", column], postgresql_where=sa.text("standing = 'current'"))
    op.create_index(op.f("ix_events_tenant_at"), "events", ["tenant", "at"])
    _tell_what_ended()
    op.execute("alter table endings enable row level security")
    op.execute("alter table endings force row level security")
    op.execute(
        "create policy own_tenant on endings using (tenant = nullif(current_setting('lethe.tenant', true), ''))"
        " with check (tenant = nullif(current_setting('lethe.tenant', true), ''))"
    )
    op.execute(TAKE_TURNS)


def _tell_what_ended() -> None:
    """What ended before this, and which tenants have memories. The owner of the tables sees no row of them otherwise."""
    op.execute("alter table memories no force row level security")
    op.execute(
        f"insert into endings (tenant, at, memory) select tenant, date_trunc('day', changed_at, 'UTC'), id from memories"
        f" where not ({IN_FORCE}) and retired_as is distinct from 'consolidated'"
    )
    for sort, at, rows in (
        ("ended", "min(at)", "endings"),
        ("kept", "timestamptz '9000-01-01 00:00:00+00'", "memories"),
    ):
        op.execute(
            f"insert into due (sort, tenant, item, at)"
            f" select '{sort}', tenant, '00000000-0000-0000-0000-000000000000', {at} from {rows} group by tenant"
            f" on conflict do nothing"
        )
    op.execute("alter table memories force row level security")


def downgrade() -> None:
    op.execute("drop function take_turns")
    op.execute("delete from due where sort in ('kept', 'history')")
    op.drop_index(op.f("ix_events_tenant_at"), table_name="events")
    for name, column in DATES.items():
        op.drop_index(name, table_name="memories")
        stale = " and stale_since is null" if column == "review_after" else ""
        op.create_index(name, "memories", ["tenant", column], postgresql_where=sa.text(IN_FORCE + stale))
    op.create_index(
        "ix_memories_ended", "memories", ["tenant", "changed_at"], postgresql_where=sa.text(f"not ({IN_FORCE})")
    )
    op.execute("alter table memories reset (fillfactor)")
    op.create_table_comment("memories", BEFORE, existing_comment=AFTER)
    op.drop_column("memories", "kept_at")
    op.drop_table("endings")
