"""Connections. `tenant_transaction` is the one way to rows with text; everything else sees none of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from lethe.errors import LetheError, NotRunning


def connect(url: str, *, pool_size: int = 5) -> Engine:
    """An engine for a PostgreSQL URL of either spelling (`postgresql://` or with a driver)."""
    engine = sa.create_engine(
        driver_url(url),
        pool_size=pool_size,
        max_overflow=10,
        hide_parameters=True,
        pool_recycle=1800,
        connect_args={"connect_timeout": 10, "options": "-c timezone=UTC -c application_name=lethe"},
    )
    sa.event.listen(engine, "checkout", replaced_if_dead)
    return engine


def replaced_if_dead(connection: psycopg.Connection[Any], *_: object) -> None:
    """Have a connection that the server closed replaced by another. What the server said stands in the socket already: looking
    there costs no round trip, which the pool's own ping would at each transaction."""
    try:
        connection.pgconn.consume_input()  # the server's last words,
        connection.pgconn.consume_input()  # and that it hung up
    except psycopg.OperationalError as fault:
        raise sa.exc.InvalidatePoolError from fault


def driver_url(url: str) -> str:
    """The URL as SQLAlchemy wants it."""
    return re.sub(r"^postgres(ql)?(\+\w+)?://", "postgresql+psycopg://", url)


def plain_url(url: str) -> str:
    """The URL as PostgreSQL's own library wants it."""
    return re.sub(r"^postgres(ql)?\+\w+://", "postgresql://", url)


@contextmanager
def tenant_transaction(engine: Engine, tenant: str) -> Iterator[Connection]:
    """One transaction in which exactly this tenant's rows exist; commits at the end, rolls back on an exception."""
    with _answering(), engine.begin() as connection:
        connection.execute(sa.text("select set_config('lethe.tenant', :tenant, true)"), {"tenant": tenant})
        yield connection


@contextmanager
def statements(engine: Engine) -> Iterator[Connection]:
    """A connection on which each statement is a transaction: for functions of the database that name their tenant themselves."""
    with _answering(), engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        yield connection


@contextmanager
def transaction(engine: Engine) -> Iterator[Connection]:
    """One transaction without a tenant: it sees the work table and no row with text."""
    with _answering(), engine.begin() as connection:
        yield connection


@contextmanager
def _answering() -> Iterator[None]:
    try:
        yield
    except sa.exc.OperationalError as fault:
        if fault.connection_invalidated or "connection" in str(fault.orig).lower():
            raise no_connection(str(fault.orig)) from fault
        raise


def no_connection(said: str) -> LetheError:
    """What to tell of a connection that did not come about, by what PostgreSQL or its library said about it."""
    first = said.strip().splitlines()[0]
    if any(sign in said for sign in ("authentication failed", "no password supplied", 'role "', "pg_hba.conf")):
        return Refused(f"PostgreSQL refuses the role or its password: {first}")
    if 'database "' in said and "does not exist" in said:
        return Refused(f"PostgreSQL has no such database: {first}")
    return NotRunning(f"PostgreSQL does not answer: {first}")


class Refused(LetheError):
    """PostgreSQL answers and lets nobody of that name in."""

    code = "database_refused"
    hint = "Correct the role, password and database in LETHE_DATABASE_URL (and LETHE_ADMIN_URL)."
