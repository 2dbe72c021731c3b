"""Whatever names something is looked at before the database is asked, in the client and on the command line."""

from __future__ import annotations

import inspect
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lethe.cli.main import run
from lethe.client.client import Lethe
from lethe.errors import InvalidInput
from lethe.ids import new_id, shown
from lethe.settings import Settings
from workers.main import Services

BAD = {"\x00": "nul_byte", "a\udc80": "lone_surrogate", "": "text_empty", "\u200b": "value_invalid", 7: "value_invalid"}
VALUES = {
    "memory": shown("mem", new_id()),
    "held": shown("prop", new_id()),
    "review": shown("rev", new_id()),
    "deletion": shown("del", new_id()),
    "consolidation": shown("con", new_id()),
    "session": "s1",
    "turn": "t1",
    "claim": "The user lives in Varde.",
    "mark": "useful",
    "task": "k1",
    "user": "u1",
}
METHODS = sorted(
    name
    for name, method in inspect.getmembers(Lethe, inspect.isfunction)
    if not name.startswith("_") and "tenant" in inspect.signature(method).parameters
)


@pytest.fixture
def services(tmp_path: Path) -> Services:
    """An instance that does not run: whatever is refused was refused before any server was asked."""
    made = Services()
    made.settings = replace(Settings.from_environment(), home=tmp_path, database_url=None, admin_url=None)
    return made


def fields(method: str) -> dict[str, Any]:
    wanted = inspect.signature(getattr(Lethe, method)).parameters
    return {"tenant": "acme", **{name: value for name, value in VALUES.items() if name in wanted}}


@pytest.mark.parametrize("method", METHODS)
def test_what_cannot_be_a_name_is_refused_with_a_code(services: Services, method: str) -> None:
    asked = fields(method)
    scoped = method in ("memories", "decisions", "held", "reviews", "forget", "would_forget")
    for name in (*asked, *(("user", "project") if scoped else ())):
        for value, code in BAD.items():
            if name in ("mark", "claim"):
                continue
            with pytest.raises(InvalidInput) as refused:
                getattr(services.client, method)(**{**asked, name: value})
            assert (name, value, refused.value.code) == (name, value, code)


def test_words_that_cannot_be_stored_are_refused_with_a_code(services: Services) -> None:
    for method, more in (
        ("correct", {"claim": "\x00"}),
        ("memories", {"kind": "\x00"}),
        ("memories", {"states": ["\x00"]}),
    ):
        with pytest.raises(InvalidInput) as refused:
            getattr(services.client, method)(**{**fields(method), **more})
        assert refused.value.code == "nul_byte"


@pytest.mark.parametrize(
    "words",
    [
        ["memories", "--tenant"],
        ["decisions", "--tenant"],
        ["held", "--tenant"],
        ["reviews", "--tenant"],
        ["receipts", "--tenant"],
        ["consolidations", "--tenant"],
        ["profile", "--user", "u1", "--tenant"],
        ["recall", "boats", "--user", "u1", "--tenant"],
        ["export", "--user", "u1", "--tenant"],
        ["forget", "--user", "u1", "--tenant"],
        ["run", "expire", "--tenant"],
        ["metrics", "--tenant"],
        ["policy", "replay", "policies/strict.toml", "--tenant"],
        ["memories", "--tenant", "acme", "--user"],
        ["decisions", "--tenant", "acme", "--project"],
        ["why", "--tenant", "acme"],
    ],
)
def test_the_command_line_says_which_name_is_unusable(
    services: Services, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(services, [*words, "a\udc80", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "lone_surrogate"
