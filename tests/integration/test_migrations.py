"""Migrations: from nothing to the newest schema, which is the one that the tables describe, and from any step to the next."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from alembic import command

from lethe.keys import Keyring
from lethe.lifecycle.deletion.requests import Reach
from lethe.rules import Rules
from lethe.store.database import connect
from lethe.store.migrate import config, is_current, upgrade
from tests.conftest import Database
from tests.integration.forgetting_line import days, keep, run, states
from tests.integration.line import Line
from workers.jobs import final_deletion


def test_the_migrated_schema_is_the_one_of_the_tables(database: Database) -> None:
    command.check(config(database.admin_url))


def test_the_application_role_can_tell_a_current_schema_from_a_missing_one(database: Database) -> None:
    assert is_current(database.url)
    command.downgrade(config(database.admin_url), "base")
    assert not is_current(database.url)
    command.upgrade(config(database.admin_url), "head")
    assert is_current(database.url)


def test_an_instance_with_memories_goes_on_after_a_migration(
    database: Database, rules: Rules, keys: Keyring, tmp_path: Path
) -> None:
    engine = connect(database.url)
    line = Line(engine, rules, keys)
    keep(line, "grant", expires_at=days(3))
    keep(line, "tea", kind="preference")
    run(line, "expire", days(4))
    engine.dispose()
    command.downgrade(config(database.admin_url), "0001")
    assert not is_current(database.url)
    upgrade(database.admin_url, str(urlsplit(database.url).username))
    command.check(config(database.admin_url))
    line.now = days(5)
    keep(line, "coffee", kind="preference", day=5)
    assert states(line) == {"grant": "expired", "tea": "admitted", "coffee": "admitted"}
    reach = Reach(engine, rules, keys, tmp_path, database.admin_url)
    run(line, "nightly", days(400), delete=final_deletion(reach))
    assert "grant" not in states(line)
    engine.dispose()
