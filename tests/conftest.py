"""Fixtures on real servers: one PostgreSQL a test run, and a database of its own for each test, cloned from a template."""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.engine import Engine

from lethe.embedded import postgres
from lethe.embedded.places import Home
from lethe.keys import Keyring
from lethe.rules import Rules
from lethe.store.database import connect
from lethe.store.migrate import upgrade
from policies.policy import parse
from workers import wiring

_numbers = itertools.count(1)


@dataclass(frozen=True)
class Database:
    """A migrated, empty database: URLs of the application's role and of the administrator."""

    url: str
    admin_url: str


@pytest.fixture(scope="session")
def home() -> Iterator[Home]:
    """A short-named LETHE_HOME with a running PostgreSQL."""
    folder = Path(tempfile.mkdtemp(prefix="lethe-t", dir="/tmp"))
    folder.chmod(0o755)
    made = Home(folder)
    made.prepare()
    try:
        postgres.start(made)
        postgres.ensure_database(made)
        upgrade(postgres.admin_url(made), "lethe_app")
        yield made
    finally:
        postgres.stop(made)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def database(home: Home) -> Iterator[Database]:
    """A database of this test's own."""
    name = f"test_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(postgres.admin_url(home, "postgres"), autocommit=True) as connection:
        connection.execute(f'create database "{name}" template lethe')  # type: ignore[arg-type]
    yield Database(postgres.database_url(home).replace("/lethe?", f"/{name}?"), postgres.admin_url(home, name))
    with psycopg.connect(postgres.admin_url(home, "postgres"), autocommit=True) as connection:
        connection.execute(f'drop database "{name}" with (force)')  # type: ignore[arg-type]


@pytest.fixture
def engine(database: Database) -> Iterator[Engine]:
    """Connections of the application's role to this test's database."""
    made = connect(database.url)
    yield made
    made.dispose()


@pytest.fixture
def keys() -> Keyring:
    """A keyring that no other test has."""
    return Keyring("0001", {"0001": os.urandom(32)})


@pytest.fixture(scope="session")
def rules() -> Rules:
    """The default policy with the real extractor."""
    return wiring.bind(parse(wiring.default_text(), "default"))
