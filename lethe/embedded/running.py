"""Processes of this instance: start them detached, recognise them later, stop them. Never touch anyone else's."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

import psutil

from lethe.embedded.places import Home
from lethe.errors import BadPlace

NAME_VARIABLE = "LETHE_PROCESS"
SPEC_VARIABLE = "LETHE_SPEC"

_started: dict[int, subprocess.Popen[bytes]] = {}


def launch(
    command: Sequence[str],
    *,
    log: Path,
    env: Mapping[str, str],
    cwd: Path,
    identity: Mapping[str, Any] | None = None,
    hold: Path | None = None,
) -> int:
    """Start a process in a session of its own, output appended to `log`; returns its pid.

    `hold`: a lock file that the process and its children keep locked as long as one of them lives, so that two
    containers with one LETHE_HOME never serve the same data. Raises BadPlace where it is held already.
    """
    with ExitStack() as stack:
        stream = stack.enter_context(open(log, "ab", opener=_private))
        held = [_lock(stack.enter_context(open(hold, "ab", opener=_private)))] if hold else []
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=stream,
            env=dict(env),
            cwd=cwd,
            start_new_session=True,
            pass_fds=held,
            **(identity or {}),
        )
    _started[child.pid] = child
    return int(child.pid)


def alive(pid: int) -> bool:
    """Whether the process runs; a zombie does not. Collects the exit status of children of ours."""
    child = _started.get(pid)
    if child is not None and child.poll() is not None:
        del _started[pid]
        return False
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def marked(home: Home, program: str) -> list[int]:
    """The server processes of this instance: `program` with this instance's mark in the command line."""
    found = []
    for process in psutil.process_iter(["pid", "name"]):
        if process.info["name"] != program:
            continue
        try:
            if home.mark in " ".join(process.cmdline()) and alive(process.pid):
                found.append(process.pid)
        except psutil.Error:
            continue
    return found


def belongings(pid: int) -> tuple[str, str] | None:
    """(LETHE_HOME, name) of a process that a supervisor started, or None."""
    try:
        environment = psutil.Process(pid).environ()
    except (psutil.Error, OSError):
        return None
    if NAME_VARIABLE not in environment:
        return None
    return environment.get("LETHE_HOME", ""), environment[NAME_VARIABLE]


def spec_of(pid: int) -> str | None:
    """The fingerprint of the spec that a running process was started from."""
    try:
        return psutil.Process(pid).environ().get(SPEC_VARIABLE)
    except (psutil.Error, OSError):
        return None


def family(home: Home) -> Iterator[tuple[str, int]]:
    """(name, pid) of every process that was started for this instance, children of workers included."""
    for pid in psutil.pids():
        owner = belongings(pid)
        if pid != os.getpid() and owner is not None and owner[0] == str(home.root) and alive(pid):
            yield owner[1], pid


def named(home: Home) -> dict[str, int]:
    """The pid of each process by name; each leads a session of its own, its children do not."""
    return {name: pid for name, pid in family(home) if _leads(pid)}


def find(home: Home, name: str) -> int | None:
    """The pid of the named process if it runs and is this instance's: by its pid file, else by a search."""
    pid = read_pid(home.pid_file(name))
    if pid is not None and alive(pid) and belongings(pid) == (str(home.root), name):
        return pid
    return named(home).get(name)


def stop(
    pids: Iterable[int],
    *,
    patience: float,
    first: signal.Signals = signal.SIGTERM,
    last: signal.Signals = signal.SIGKILL,
) -> None:
    """Ask with `first`, wait up to `patience` seconds, then send `last` and wait up to ten."""
    pending = [pid for pid in pids if _send(pid, first)]
    if wait_until_gone(pending, patience):
        return
    for pid in pending:
        if alive(pid):
            _send(pid, last)
    wait_until_gone(pending, 10)


def stop_named(home: Home, names: Collection[str], *, patience: float) -> None:
    """Stop these processes, and then those of their children that are left."""
    stop([pid for name, pid in named(home).items() if name in names], patience=patience)
    stop([pid for name, pid in family(home) if name in names], patience=2)


def wait_until_gone(pids: Sequence[int], patience: float) -> bool:
    """True when none of `pids` runs any more, False after `patience` seconds."""
    deadline = time.monotonic() + patience
    while any(alive(pid) for pid in pids):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def read_pid(file: Path) -> int | None:
    """The first line of a pid file as a number; None where there is none."""
    try:
        return int(file.read_text().split("\n", 1)[0])
    except (OSError, ValueError):
        return None


def write_pid(file: Path, pid: int) -> None:
    new = file.with_suffix(".new")
    new.write_text(f"{pid}\n")
    new.replace(file)


def _leads(pid: int) -> bool:
    try:
        return os.getsid(pid) == pid
    except OSError:
        return False


def _lock(stream: IO[bytes]) -> int:
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise BadPlace(
            f"the data beside {stream.name} is being served already, by a process that cannot be seen from here",
            hint="Stop the other machine or container that uses this LETHE_HOME, or choose another place.",
        ) from error
    return stream.fileno()


def _send(pid: int, number: signal.Signals) -> bool:
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
