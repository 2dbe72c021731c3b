"""Row-level security: no tenant, no rows; another tenant's rows do not exist, whatever the SQL says."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

import psycopg
import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from lethe.store.database import tenant_transaction, transaction
from lethe.store.tables import OUTSIDE_RLS, metadata
from tests.conftest import Database

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
TEXT_TABLES = sorted(name for name in metadata.tables if name not in OUTSIDE_RLS)


def put_tombstone(connection: Connection, tenant: str) -> None:
    connection.execute(
        sa.text("""insert into tombstones (tenant, sort, mac, mac_key, deletion, created_at)
        values (:tenant, 'turn', :mac, 'k', :deletion, :now)"""),
        {"tenant": tenant, "mac": uuid4().bytes, "deletion": uuid4(), "now": NOW},
    )


def seen(connection: Connection) -> list[str]:
    return [row.tenant for row in connection.execute(sa.text("select tenant from tombstones order by 1"))]


@pytest.fixture
def two_tenants(engine: Engine) -> Engine:
    for tenant in ("north", "south"):
        with tenant_transaction(engine, tenant) as connection:
            put_tombstone(connection, tenant)
    return engine


def test_without_a_tenant_there_are_no_rows(two_tenants: Engine) -> None:
    with transaction(two_tenants) as connection:
        assert seen(connection) == []


def test_a_tenant_sees_its_own_rows_alone(two_tenants: Engine) -> None:
    with tenant_transaction(two_tenants, "north") as connection:
        assert seen(connection) == ["north"]


def test_a_row_of_another_tenant_can_be_neither_written_nor_changed_nor_deleted(two_tenants: Engine) -> None:
    with (
        pytest.raises(sa.exc.ProgrammingError, match="row-level security"),
        tenant_transaction(two_tenants, "north") as connection,
    ):
        put_tombstone(connection, "south")
    with tenant_transaction(two_tenants, "north") as connection:
        assert connection.execute(sa.text("update tombstones set sort = 'user' where tenant = 'south'")).rowcount == 0
        assert connection.execute(sa.text("delete from tombstones where tenant = 'south'")).rowcount == 0
    with tenant_transaction(two_tenants, "south") as connection:
        assert seen(connection) == ["south"]


def test_a_tenant_name_that_is_sql_is_only_a_name(two_tenants: Engine) -> None:
    for name in ("north' or '1'='1", "north; set lethe.tenant = 'south'", "%", ""):
        with tenant_transaction(two_tenants, name) as connection:
            assert seen(connection) == []


def test_the_next_borrower_of_a_connection_inherits_no_tenant(database: Database) -> None:
    engine = sa.create_engine(
        database.url.replace("postgresql://", "postgresql+psycopg://"), pool_size=1, max_overflow=0
    )
    with tenant_transaction(engine, "north") as connection:
        first = connection.execute(sa.text("select pg_backend_pid()")).scalar_one()
        put_tombstone(connection, "north")
    with transaction(engine) as connection:
        assert connection.execute(sa.text("select pg_backend_pid()")).scalar_one() == first
        assert seen(connection) == []
    engine.dispose()


def test_a_transaction_that_broke_between_two_tenants_leaves_no_tenant_behind(database: Database) -> None:
    engine = sa.create_engine(
        database.url.replace("postgresql://", "postgresql+psycopg://"), pool_size=1, max_overflow=0
    )
    with pytest.raises(RuntimeError), tenant_transaction(engine, "north") as connection:
        put_tombstone(connection, "north")
        raise RuntimeError("the worker dies here")
    with tenant_transaction(engine, "south") as connection:
        assert seen(connection) == []
    with tenant_transaction(engine, "north") as connection:
        assert seen(connection) == [], "what the dying worker had written is rolled back"
    engine.dispose()


def test_every_table_with_text_is_forced_behind_row_level_security(database: Database) -> None:
    with psycopg.connect(database.admin_url) as connection:
        rows = connection.execute(
            "select relname, relrowsecurity and relforcerowsecurity from pg_class "
            "where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')"
        ).fetchall()
    guarded = {name for name, forced in rows if forced}
    assert set(TEXT_TABLES) <= guarded
    assert {name for name, _ in rows} - guarded == set(OUTSIDE_RLS)


def test_the_application_role_owns_nothing_and_cannot_bypass(database: Database) -> None:
    with psycopg.connect(database.url) as connection:
        role = connection.execute(
            "select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user"
        ).fetchone()
        owned = connection.execute(
            "select count(*) from pg_class where relowner = (select oid from pg_roles where rolname = current_user)"
        ).fetchone()
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("alter table turns disable row level security")
    assert role == (False, False, False, False)
    assert owned == (0,)
