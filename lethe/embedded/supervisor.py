"""Keeps the servers and processes of one instance running: `python -m lethe.embedded.supervisor`.

Everything it starts outlives it: the next supervisor adopts what runs. It never stops anything on its way out.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lethe import clock
from lethe.embedded import postgres, running, valkey
from lethe.embedded.logs import rotate_all
from lethe.embedded.places import Home
from lethe.endpoints import Endpoints
from lethe.errors import LetheError
from lethe.settings import Settings

TICK = 0.3  # seconds between two looks
STEADY = 10.0  # seconds after which a process that ends counts as having run well
PAUSES = (0.0, 1.0, 2.0, 4.0, 8.0, 15.0)  # seconds before a start, by the number of quick deaths before it
ROTATE_EVERY = 30.0


@dataclass(slots=True)
class Kept:
    """One thing that must run: how to find it, how to start it, and how its last starts went."""

    name: str
    find: Callable[[], int | None]
    launch: Callable[[], int]
    pid: int | None = None
    since: float = 0.0
    not_before: float = 0.0
    quick_deaths: int = 0

    def look(self, now: float) -> None:
        """Start it if it does not run and is not waiting after quick deaths. `now` in seconds, monotonic."""
        if self.pid is not None:
            if running.alive(self.pid):
                return
            say("process.ended", name=self.name, pid=self.pid)
            self._died(now)
        if now < self.not_before:
            return
        self.since = now
        try:
            found = self.find()
            self.pid = found or self.launch()
            say("process.adopted" if found else "process.started", name=self.name, pid=self.pid)
        except (OSError, LetheError) as error:
            self._died(now)
            say("process.failed", name=self.name, error=str(error))

    def _died(self, now: float) -> None:
        self.quick_deaths = self.quick_deaths + 1 if now - self.since < STEADY else 0
        self.not_before = now + PAUSES[min(self.quick_deaths, len(PAUSES) - 1)]
        self.pid = None


@dataclass(slots=True)
class Supervisor:
    home: Home
    settings: Settings
    stopping: bool = False
    servers: list[Kept] = field(default_factory=list)
    processes: dict[str, Kept] = field(default_factory=dict)
    seen: object = None
    rotated: float = 0.0

    def run(self) -> None:
        """Look after everything until told to stop or LETHE_HOME is gone."""
        self.servers = servers(self.home, self.settings)
        while not self.stopping:
            if not self.home.run.is_dir():
                self._abandon()
                return
            try:
                self._keep(time.monotonic())
            except Exception as error:  # nothing that goes wrong once may end the one that restarts everything else
                say("supervisor.fault", kind=type(error).__name__)
            time.sleep(TICK)

    def _keep(self, now: float) -> None:
        for server in self.servers:
            before = server.pid
            server.look(now)
            if server.name == "valkey" and server.pid != before:
                publish(self.home, self.settings)
        self._follow_specs()
        for process in list(self.processes.values()):
            process.look(now)
        if now - self.rotated > ROTATE_EVERY:
            rotate_all(self.home.logs)
            self.rotated = now

    def _follow_specs(self) -> None:
        """Take up what `up` wrote: stop what is not wanted any more or was started from another spec."""
        state = tuple(_stamp(file) for file in (self.home.specs, self.home.endpoints))
        if state == self.seen:
            return
        self.seen = state
        wanted = read_specs(self.home)
        outdated = {
            name
            for name, pid in running.named(self.home).items()
            if name not in wanted or running.spec_of(pid) != fingerprint(self.home, wanted[name])
        }
        running.stop_named(self.home, outdated, patience=20)
        kept = self.processes
        self.processes = {}
        for name, spec in wanted.items():
            fresh = Kept(name, *_find_and_launch(self.home, spec))
            if name in kept and name not in outdated:
                fresh.pid, fresh.since = kept[name].pid, kept[name].since
            self.processes[name] = fresh

    def _abandon(self) -> None:
        """LETHE_HOME was removed under us: leave nothing running that nobody could find again."""
        running.stop([kept.pid for kept in self.processes.values() if kept.pid is not None], patience=10)
        running.stop([pid for _, pid in running.family(self.home)], patience=2)
        servers = [*running.marked(self.home, "postgres"), *running.marked(self.home, "valkey-server")]
        running.stop(servers, patience=2)


def servers(home: Home, settings: Settings) -> list[Kept]:
    """The embedded servers that this instance runs: those that the environment does not name."""
    kept = []
    if settings.database_url is None:
        kept.append(Kept("postgres", lambda: postgres.find(home), lambda: postgres.launch(home)))
    if settings.broker_url is None:
        kept.append(Kept("valkey", lambda: valkey.find(home), lambda: valkey.launch(home)))
    return kept


def publish(home: Home, settings: Settings) -> None:
    """Write down where Valkey answers if that changed; what depends on it is then started again."""
    try:
        known = Endpoints(**json.loads(home.endpoints.read_text()))
    except FileNotFoundError:
        return
    found = replace(known, broker_url=valkey.broker_url(home), cache_url=settings.cache_url or valkey.cache_url(home))
    if found != known:
        found.save(home.root)


def read_specs(home: Home) -> dict[str, dict[str, Any]]:
    """The process specs by name, as `up` wrote them."""
    try:
        return {spec["name"]: spec for spec in json.loads(home.specs.read_text())}
    except FileNotFoundError:
        return {}


def fingerprint(home: Home, spec: dict[str, Any]) -> str:
    """What a process depends on, hashed: its spec, the endpoints and LETHE_* as the supervisor sees them."""
    made = hashlib.sha256(json.dumps([spec, lethe_environment()], sort_keys=True).encode())
    if home.endpoints.exists():
        made.update(home.endpoints.read_bytes())
    return made.hexdigest()[:16]


def lethe_environment() -> dict[str, str]:
    """The LETHE_* variables that say how an instance runs."""
    ours = (running.NAME_VARIABLE, running.SPEC_VARIABLE, "LETHE_HOME")
    return {key: value for key, value in os.environ.items() if key.startswith("LETHE_") and key not in ours}


def say(event: str, **values: object) -> None:
    """One line to the log: names and numbers, never anything that a process printed."""
    told = " ".join(f"{key}={value}" for key, value in values.items())
    print(f"{clock.now().isoformat(timespec='milliseconds')} {event} {told}", file=sys.stderr, flush=True)


def _find_and_launch(home: Home, spec: dict[str, Any]) -> tuple[Callable[[], int | None], Callable[[], int]]:
    name = spec["name"]

    def launch() -> int:
        running.stop_named(home, {name}, patience=10)  # what a killed one left: its children
        rotate_all(home.logs, only=home.log_file(name).name)
        marks = {"LETHE_HOME": str(home.root), running.NAME_VARIABLE: name}
        marks[running.SPEC_VARIABLE] = fingerprint(home, spec)
        # Without PYTHONSAFEPATH the folders in LETHE_HOME would shadow packages of the same name.
        environment = {**os.environ, "PYTHONSAFEPATH": "1", **spec.get("env", {}), **marks}
        pid = running.launch(spec["command"], log=home.log_file(name), env=environment, cwd=home.root)
        running.write_pid(home.pid_file(name), pid)
        return pid

    return lambda: running.find(home, name), launch


def _stamp(file: Path) -> object:
    try:
        state = file.stat()
    except FileNotFoundError:
        return None
    return state.st_mtime_ns, state.st_ino, state.st_size


def main() -> None:
    """Run as the one supervisor of this instance; a second one ends at once."""
    settings = Settings.from_environment()
    home = Home(settings.home)
    with open(home.run / "supervisor.lock", "a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("supervisor.already_runs")
            return
        running.write_pid(home.pid_file("supervisor"), os.getpid())
        supervisor = Supervisor(home, settings)

        def finish(_number: int, _frame: object) -> None:
            supervisor.stopping = True

        signal.signal(signal.SIGTERM, finish)
        signal.signal(signal.SIGINT, finish)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        say("supervisor.started", pid=os.getpid())
        supervisor.run()
        say("supervisor.ended", pid=os.getpid())


if __name__ == "__main__":
    main()
