"""One instance as a whole: bring it up, take it down, say what of it runs. Safe to repeat and after any crash."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from lethe.embedded import postgres, running, valkey
from lethe.embedded.logs import last_lines, rotate_all
from lethe.embedded.places import Home
from lethe.embedded.supervisor import fingerprint, lethe_environment, read_specs
from lethe.endpoints import Endpoints, endpoints
from lethe.errors import BadPlace, LetheError, NotRunning
from lethe.settings import Settings

Spec = dict[str, Any]
SUPERVISOR = "supervisor"
STEADY = 0.7  # seconds that a process must have run before it counts as up


def up(
    settings: Settings,
    specs: Sequence[Spec],
    *,
    prepare: Callable[[Endpoints], None] | None = None,
    patience: float = 120,
) -> dict[str, Any]:
    """Start what is missing and leave the rest; returns `status`.

    `specs`: {"name", "command": [argv], "env": {…}} of each process to keep running; one that runs from another spec
    is started again. `prepare` is called when the database answers, before any process starts.
    Raises BadPlace, NotRunning, or LetheError where a process does not stay up within `patience` seconds.
    """
    home = Home(settings.home)
    home.prepare(servers=settings.database_url is None)
    with _said_in_words(home), home.lock("change"):
        rotate_all(home.logs)
        found = _start_servers(home, settings)
        if prepare is not None:
            prepare(found)
        _write_specs(home, specs)
        _ensure_supervisor(home)
        _wait_for_processes(home, specs, patience)
    return status(settings)


def down(settings: Settings) -> dict[str, Any]:
    """Stop everything of this instance, keep its data; returns {"stopped": [names]}."""
    home = Home(settings.home)
    with _said_in_words(home):
        if not home.run.is_dir():
            return {"stopped": []}
    with _said_in_words(home), home.lock("change"):
        running_now = [process["name"] for process in processes(settings) if process["running"]]
        stop_all(home)
    return {"stopped": running_now}


def stop_all(home: Home) -> None:
    """The supervisor first, so that nothing is started again; then workers, their orphans, and the servers."""
    named = running.named(home)
    running.stop([pid for name, pid in named.items() if name == SUPERVISOR], patience=5)
    running.stop([pid for name, pid in running.named(home).items() if name != SUPERVISOR], patience=20)
    running.stop([pid for _, pid in running.family(home)], patience=3)
    valkey.stop(home)
    postgres.stop(home)
    for name in named:
        home.pid_file(name).unlink(missing_ok=True)


def processes(settings: Settings) -> list[dict[str, Any]]:
    """Every process of this instance: {"name", "pid", "running"}; `pid` is None where it does not run."""
    home = Home(settings.home)
    named = running.named(home)
    pids: dict[str, int | None] = {SUPERVISOR: named.get(SUPERVISOR)}
    if settings.database_url is None:
        pids["postgres"] = postgres.find(home)
    if settings.broker_url is None:
        pids["valkey"] = valkey.find(home)
    pids |= dict.fromkeys(read_specs(home)) | named
    return [{"name": name, "pid": pid, "running": pid is not None} for name, pid in pids.items()]


def status(settings: Settings) -> dict[str, Any]:
    """What runs where: processes and the URLs in use; nulls where nothing was ever started."""
    with _said_in_words(Home(settings.home)):
        try:
            known = endpoints(settings)
        except NotRunning:
            known = None
        found = processes(settings)
    return {
        "processes": found,
        "database": {
            "url": known and known.database_url,
            "admin_url": known and known.admin_url,
            "bin": known and known.bin,
        },
        "broker": {"url": known and known.broker_url},
        "cache": {"url": known and known.cache_url},
    }


@contextmanager
def _said_in_words(home: Home) -> Iterator[None]:
    """What the system refuses (another user's place, a full disk) as an error that a person can act on."""
    try:
        yield
    except PermissionError as error:
        raise BadPlace(
            f"{error.filename or home.root} belongs to another user",
            hint="Run as that user, or set LETHE_HOME to your own.",
        ) from error
    except OSError as error:
        raise LetheError(f"{error.filename or home.root}: {error.strerror}") from error


def _start_servers(home: Home, settings: Settings) -> Endpoints:
    database_url, admin_url, programs = settings.database_url, settings.admin_url, None
    if database_url is None:
        postgres.start(home)
        postgres.ensure_database(home)
        database_url, admin_url = postgres.database_url(home), postgres.admin_url(home)
        programs = str(postgres.binaries(home))
    broker_url, cache_url = settings.broker_url, settings.cache_url
    if broker_url is None:
        valkey.start(home)
        broker_url, cache_url = valkey.broker_url(home), cache_url or valkey.cache_url(home)
    found = Endpoints(database_url, admin_url, programs, broker_url, cache_url or broker_url)
    if not home.endpoints.exists() or json.loads(home.endpoints.read_text()) != _as_stored(found):
        found.save(home.root)
    return found


def _as_stored(found: Endpoints) -> dict[str, str | None]:
    return {name: getattr(found, name) for name in Endpoints.__slots__}


def _write_specs(home: Home, specs: Sequence[Spec]) -> None:
    text = json.dumps(list(specs), indent=1)
    if home.specs.exists() and home.specs.read_text() == text:
        return
    new = home.specs.with_suffix(".new")
    new.write_text(text)
    new.chmod(0o600)
    new.replace(home.specs)


def _ensure_supervisor(home: Home) -> None:
    """Start the supervisor; replace one that was started under other LETHE_* variables or another Python."""
    wanted = hashlib.sha256(json.dumps([sys.executable, lethe_environment()], sort_keys=True).encode()).hexdigest()[:16]
    pid = running.find(home, SUPERVISOR)
    if pid is not None:
        if running.spec_of(pid) == wanted:
            return
        running.stop([pid], patience=5)
    marks = {"LETHE_HOME": str(home.root), running.NAME_VARIABLE: SUPERVISOR, running.SPEC_VARIABLE: wanted}
    command = [sys.executable, "-P", "-m", "lethe.embedded.supervisor"]
    running.launch(command, log=home.log_file(SUPERVISOR), env={**os.environ, **marks}, cwd=home.root)


def _wait_for_processes(home: Home, specs: Sequence[Spec], patience: float) -> None:
    """Until the supervisor and every process have run for a moment under one pid each."""
    deadline = time.monotonic() + patience
    before: dict[str, int | None] = {}
    while True:
        pids = {SUPERVISOR: running.find(home, SUPERVISOR)}
        for spec in specs:
            pid = running.find(home, spec["name"])
            fits = pid is not None and running.spec_of(pid) == fingerprint(home, spec)
            pids[spec["name"]] = pid if fits else None
        missing = [name for name, pid in pids.items() if pid is None]
        if not missing and pids == before:
            return
        if time.monotonic() > deadline:
            name = (missing or [name for name, pid in pids.items() if before.get(name) != pid])[0]
            log = home.log_file(name)
            raise LetheError(f"{name} does not stay up: {last_lines(log)[-1]}", hint=f"Its log is {log}.")
        before = {} if missing else pids
        time.sleep(STEADY if not missing else 0.1)
