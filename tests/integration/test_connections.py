"""A connection that does not come about says who refused whom, and what to correct."""

from __future__ import annotations

from urllib.parse import urlsplit

import psycopg
import pytest
import sqlalchemy as sa

from lethe.errors import LetheError, NotRunning
from lethe.keys import Keyring
from lethe.lifecycle.intake import push
from lethe.records import Turn
from lethe.rules import Rules
from lethe.store.database import Refused, connect, replaced_if_dead, tenant_transaction, transaction
from tests.conftest import Database
from tests.integration.line import NOW


def fault_of(url: str) -> LetheError:
    engine = connect(url)
    try:
        with pytest.raises(LetheError) as raised, transaction(engine):
            pass
    finally:
        engine.dispose()
    return raised.value


def test_a_role_that_is_not_let_in_is_told_so(database: Database) -> None:
    role = urlsplit(database.url).username
    assert role
    fault = fault_of(database.url.replace(f"//{role}", "//nobody_of_that_name", 1))
    assert isinstance(fault, Refused)
    assert "LETHE_DATABASE_URL" in fault.hint


def test_a_database_that_is_not_there_is_told_so(database: Database) -> None:
    name = urlsplit(database.url).path.removeprefix("/")
    assert isinstance(fault_of(database.url.replace(f"/{name}", "/not_there", 1)), Refused)


def test_a_server_that_is_away_does_not_answer() -> None:
    assert isinstance(fault_of("postgresql://role@localhost:1/name"), NotRunning)


@pytest.mark.parametrize("kept", [1, 4])
def test_connections_that_the_server_closed_meanwhile_are_replaced_unnoticed(database: Database, kept: int) -> None:
    engine = connect(database.url)
    held = [engine.connect() for _ in range(kept)]
    closed = {connection.execute(sa.text("select pg_backend_pid()")).scalar_one() for connection in held}
    for connection in held:
        connection.close()
    with psycopg.connect(database.admin_url, autocommit=True) as admin:
        for pid in closed:
            admin.execute("select pg_terminate_backend(%s, 10000)", (pid,))
    for _ in range(kept + 1):
        with tenant_transaction(engine, "acme") as connection:
            assert connection.execute(sa.text("select pg_backend_pid()")).scalar_one() not in closed
    engine.dispose()


def test_a_push_over_a_connection_that_died_unseen_goes_on_over_another(
    database: Database, rules: Rules, keys: Keyring
) -> None:
    engine = connect(database.url)
    sa.event.remove(engine, "checkout", replaced_if_dead)  # as where a balancer drops it without a word
    with engine.connect() as connection:
        pid = connection.execute(sa.text("select pg_backend_pid()")).scalar_one()
    with psycopg.connect(database.admin_url, autocommit=True) as admin:
        admin.execute("select pg_terminate_backend(%s, 10000)", (pid,))
    said = Turn.model_validate(
        {"tenant": "acme", "user": "u1", "session": "s1", "turn": "t1", "author": "user", "text": "I own a kayak.",
         "observed_at": NOW}
    )  # fmt: skip
    assert push(engine, [said], rules, keys, NOW).accepted == 1
    engine.dispose()
