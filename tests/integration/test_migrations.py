"""Migrations: from nothing to the newest schema, which is the one that the tables describe."""

from __future__ import annotations

from alembic import command

from lethe.store.migrate import config, is_current
from tests.conftest import Database


def test_the_migrated_schema_is_the_one_of_the_tables(database: Database) -> None:
    command.check(config(database.admin_url))


def test_the_application_role_can_tell_a_current_schema_from_a_missing_one(database: Database) -> None:
    assert is_current(database.url)
    command.downgrade(config(database.admin_url), "base")
    assert not is_current(database.url)
    command.upgrade(config(database.admin_url), "head")
    assert is_current(database.url)
