"""The environment of an instance: a URL that cannot be one is named by its variable."""

from __future__ import annotations

import pytest

from lethe.errors import InvalidInput
from lethe.settings import Settings


@pytest.mark.parametrize("variable", ["LETHE_DATABASE_URL", "LETHE_ADMIN_URL", "LETHE_BROKER_URL", "LETHE_CACHE_URL"])
@pytest.mark.parametrize(
    "url", ["nonsense", "localhost:5432/lethe", "http://localhost", "mysql://a@b/c", "postgresql://"]
)
def test_a_url_of_no_such_server_is_refused_with_the_variables_name(
    monkeypatch: pytest.MonkeyPatch, variable: str, url: str
) -> None:
    monkeypatch.setenv(variable, url)
    with pytest.raises(InvalidInput, match=variable):
        Settings.from_environment()


@pytest.mark.parametrize(
    ("variable", "url"),
    [
        ("LETHE_DATABASE_URL", "postgres://role:word@host/name"),
        ("LETHE_DATABASE_URL", "postgresql+psycopg://role@/name?host=/run/pg"),
        ("LETHE_DATABASE_URL", "postgresql://role@one:5432,two:5432/name"),
        ("LETHE_BROKER_URL", "rediss://:word@host:6379/0"),
        ("LETHE_CACHE_URL", "unix:///run/valkey.sock?db=1"),
        ("LETHE_CACHE_URL", ""),
    ],
)
def test_every_usual_spelling_is_taken(monkeypatch: pytest.MonkeyPatch, variable: str, url: str) -> None:
    monkeypatch.setenv(variable, url)
    assert getattr(Settings.from_environment(), variable.removeprefix("LETHE_").lower()) == (url or None)
