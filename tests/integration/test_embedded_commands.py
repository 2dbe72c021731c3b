"""`up`, `down`, `status` and `doctor` as commands, on a program with one trivial worker."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis

from lethe.embedded import instance, postgres, valkey
from lethe.embedded.places import Home
from lethe.settings import Settings

PROGRAM = """
import sys
import click, psycopg
from lethe.cli import instance as commands
from lethe.settings import settings

class Program:
    settings = settings()
    def process_specs(self, workers, schedules):
        names = [f"worker-{number}" for number in range(workers)] + ["beat"] * schedules
        return [{"name": name, "command": [sys.executable, "-c", "import time; time.sleep(1000)"]} for name in names]
    def prepare(self, endpoints):
        with psycopg.connect(endpoints.admin_url) as connection:
            connection.execute("create table if not exists notes (tenant text)")
            connection.execute("alter table notes enable row level security")
            connection.execute("alter table notes force row level security")
    def queue_status(self):
        return {"queues": [{"queue": "extract", "waiting": 2, "oldest_seconds": 1.5}], "quarantined": []}
    def wait_until_ready(self):
        pass
    def checks(self):
        return [{"check": "extra", "ok": True, "found": "there", "advice": ""}]

group = click.Group("lethe")
for command in (commands.up, commands.down, commands.status, commands.doctor):
    group.add_command(command)
group(obj=Program())
"""


class Instance:
    def __init__(self, home: Path) -> None:
        self.home = home
        self.settings = Settings(home, None, None, None, None, None, "local", None)
        self.environment = {**os.environ, "LETHE_HOME": str(home)}

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", PROGRAM, *words], env=self.environment, capture_output=True, text=True
        )

    def json(self, *words: str, status: int = 0) -> Any:
        ran = self.run(*words, "--json")
        assert ran.returncode == status, ran.stderr
        return json.loads(ran.stdout)

    def failing(self) -> set[str]:
        return {check["check"] for check in self.json("doctor", status=1)["checks"] if not check["ok"]}

    def names(self) -> set[str]:
        return {process["name"] for process in instance.processes(self.settings) if process["running"]}


@pytest.fixture
def made() -> Iterator[Instance]:
    folder = Path(tempfile.mkdtemp(prefix="lt", dir="/tmp"))
    yield Instance(folder)
    instance.down(Instance(folder).settings)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def up() -> Iterator[Instance]:
    folder = Path(tempfile.mkdtemp(prefix="lt", dir="/tmp"))
    found = Instance(folder)
    found.json("up", "--detach", "--workers", "2")
    yield found
    instance.down(found.settings)
    shutil.rmtree(folder)


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, "did not come about within 30 s"
        time.sleep(0.1)


def test_status_before_the_first_up_says_that_nothing_runs(made: Instance) -> None:
    found = made.json("status")
    assert found["database"] == {"url": None, "admin_url": None, "bin": None}
    assert not any(process["running"] for process in found["processes"])
    assert list(made.home.iterdir()) == []


def test_status_names_every_process_and_the_urls_in_use(up: Instance) -> None:
    found = up.json("status")
    assert {process["name"] for process in found["processes"]} == {
        "supervisor", "postgres", "valkey", "worker-0", "worker-1", "beat"
    }  # fmt: skip
    assert all(process["running"] for process in found["processes"])
    assert (Path(found["database"]["bin"]) / "pg_dump").exists()
    assert found["queues"] == [{"queue": "extract", "waiting": 2, "oldest_seconds": 1.5}]
    for url in (found["database"]["url"], found["database"]["admin_url"]):
        psycopg.connect(url).close()
    for part in ("broker", "cache"):
        with redis.Redis.from_url(found[part]["url"]) as client:
            assert client.ping()


def test_people_are_shown_no_password(up: Instance) -> None:
    home = Home(up.home)
    shown = up.run("status").stdout
    assert "worker-0" in shown
    for name in ("postgres-admin", "postgres-app", "valkey"):
        assert home.password(name) not in shown


def test_without_schedules_beat_is_stopped(up: Instance) -> None:
    up.json("up", "--detach", "--workers", "1", "--no-schedules")
    assert up.names() == {"supervisor", "postgres", "valkey", "worker-0"}
    up.json("up", "--detach", "--workers", "2")
    assert up.names() == {"supervisor", "postgres", "valkey", "worker-0", "worker-1", "beat"}


def test_doctor_finds_a_sound_instance_sound(up: Instance) -> None:
    found = up.json("doctor")
    assert found["ok"]
    assert {check["check"] for check in found["checks"]} == {
        "home", "disk", "processes", "postgresql", "pgvector", "application_role", "row_level_security", "clock",
        "broker", "cache", "model", "extra",
    }  # fmt: skip
    assert all(check["ok"] and check["found"] and not check["advice"] for check in found["checks"])


@pytest.mark.parametrize(
    ("fault", "repair", "check"),
    [
        ("alter role lethe_app bypassrls", "alter role lethe_app nobypassrls", "application_role"),
        ("alter role lethe_app superuser", "alter role lethe_app nosuperuser", "application_role"),
        ("alter table notes owner to lethe_app", "alter table notes owner to lethe_admin", "application_role"),
        ("alter table notes no force row level security", "alter table notes force row level security", "row_level_security"),
        ("create table open (tenant text)", "drop table open", "row_level_security"),
        ("drop extension vector", "create extension vector", "pgvector"),
    ],
)  # fmt: skip
def test_doctor_finds_what_is_wrong_in_the_database(up: Instance, fault: str, repair: str, check: str) -> None:
    with psycopg.connect(postgres.admin_url(Home(up.home)), autocommit=True) as connection:
        connection.execute(fault)
        try:
            assert up.failing() == {check}
        finally:
            connection.execute(repair)


def test_doctor_finds_a_broker_that_may_throw_work_away(up: Instance) -> None:
    with redis.Redis.from_url(valkey.broker_url(Home(up.home))) as broker:
        broker.config_set("maxmemory-policy", "allkeys-lru")
        try:
            assert up.failing() == {"broker"}
        finally:
            broker.config_set("maxmemory-policy", "noeviction")


def test_doctor_on_nothing_says_what_to_do(made: Instance) -> None:
    found = made.json("doctor", status=1)
    assert all(check["advice"] for check in found["checks"] if not check["ok"])
    assert list(made.home.iterdir()) == []


def test_down_twice(made: Instance) -> None:
    made.json("up", "--detach")
    assert set(made.json("down")["stopped"]) == {"supervisor", "postgres", "valkey", "worker-0", "worker-1", "beat"}
    assert made.json("down") == {"stopped": []}
    assert made.names() == set()


def attached(made: Instance) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "up"],
        env=made.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if "Ctrl-C" in line:
            break
    return process


def test_an_attached_up_stops_everything_on_ctrl_c(made: Instance) -> None:
    with attached(made) as process:
        assert "worker-0" in made.names()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
    assert made.names() == set()


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGKILL])
def test_a_closed_terminal_leaves_everything_running(made: Instance, number: signal.Signals) -> None:
    with attached(made) as process:
        process.send_signal(number)
        process.wait(60)
    before = instance.processes(made.settings)
    assert all(found["running"] for found in before)
    assert made.json("up", "--detach")["processes"] == before
