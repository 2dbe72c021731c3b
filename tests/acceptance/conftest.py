"""One private instance for all acceptance tests, driven through its command line as a user would."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from lethe.client.client import Lethe
from lethe.settings import Settings

LETHE = Path(sys.executable).with_name("lethe")


@dataclass(frozen=True)
class Ran:
    """A finished command."""

    status: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        return json.loads(self.stdout)


@dataclass(frozen=True)
class Instance:
    """A LETHE_HOME and the command that works on it."""

    home: Path

    def run(self, *words: str, stdin: str | bytes = "", timeout: float = 240, **variables: str) -> Ran:
        raw = stdin.encode() if isinstance(stdin, str) else stdin
        environment = {name: value for name, value in os.environ.items() if not name.startswith("LETHE_")}
        done = subprocess.run(
            [LETHE, *words],
            input=raw,
            capture_output=True,
            timeout=timeout,
            env={**environment, "LETHE_HOME": str(self.home), **variables},
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    def call(self, *words: str, stdin: str = "", status: int = 0) -> Any:
        """The JSON document of a command that must end with this status."""
        at = words.index("--") if "--" in words else len(words)
        ran = self.run(*words[:at], "--json", *words[at:], stdin=stdin)
        assert ran.status == status, (words, ran)
        return ran.json

    def push(self, *turns: dict[str, Any], wait: bool = True, status: int = 0) -> Any:
        lines = "".join(json.dumps(turn, ensure_ascii=False) + "\n" for turn in turns)
        return self.call("push", "-", *(["--wait"] if wait else []), stdin=lines, status=status)

    def workers(self) -> dict[str, int]:
        rows = self.call("status")["processes"]
        return {row["name"]: row["pid"] for row in rows if row["name"].startswith("worker") and row["running"]}


@contextmanager
def running() -> Iterator[Instance]:
    """An instance in a folder of its own, without jobs by the clock; both are gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="lethe-a", dir="/tmp"))
    folder.chmod(0o755)
    made = Instance(folder)
    try:
        made.call("up", "--detach", "--no-schedules")
        yield made
    finally:
        made.run("down")
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def instance() -> Iterator[Instance]:
    """One for all tests that leave it as it is."""
    with running() as made:
        yield made


@pytest.fixture
def client(instance: Instance) -> Iterator[Lethe]:
    """The client library on that instance."""
    nowhere = dict.fromkeys(("database_url", "admin_url", "broker_url", "cache_url"))
    with Lethe(replace(Settings.from_environment(), home=instance.home, **nowhere)) as made:
        yield made


@pytest.fixture
def tenant(request: pytest.FixtureRequest) -> str:
    """A tenant that no other test uses."""
    return f"{request.node.name[:150]}-{os.urandom(3).hex()}"


def turn(tenant: str, name: str, text: str, day: int = 1, **fields: Any) -> dict[str, Any]:
    """A turn of the user `u1` on a day of February 2026, a session a day."""
    given = {"tenant": tenant, "user": "u1", "session": f"s{day}", "turn": name, "author": "user", "text": text,
             "observed_at": f"2026-02-{day:02}T09:00:00+01:00"}  # fmt: skip
    return {**given, **fields}
