"""Where things lie in LETHE_HOME, who may reach them, and the passwords kept there."""

from __future__ import annotations

import functools
import hashlib
import os
import pwd
import secrets
import shutil
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from lethe.errors import BadPlace, LetheError

SYSTEM_USER = "embedded_postgres"
SOCKET_NAME = ".s.PGSQL.5432"
LONGEST_SOCKET = 99  # bytes; the kernel takes 107, some tools less


class Home:
    """The folders and files of one instance. Only LETHE_HOME itself is open to others, and only to pass through."""

    def __init__(self, root: Path) -> None:
        self.root = Path(os.path.realpath(root))
        self.keys = self.root / "keys"
        self.run = self.root / "run"
        self.logs = self.root / "logs"
        self.postgres = self.root / "pg"
        self.socket = self.root / "sock"
        self.valkey = self.root / "valkey"
        self.specs = self.run / "processes.json"
        self.endpoints = self.run / "endpoints.json"

    @property
    def mark(self) -> str:
        """A word in the command line of every server of this instance, by which it is told from others."""
        return "lethe-" + hashlib.sha256(os.fsencode(self.root)).hexdigest()[:12]

    def pid_file(self, name: str) -> Path:
        return self.run / f"{name}.pid"

    def log_file(self, name: str) -> Path:
        return self.logs / f"{name}.log"

    def prepare(self, *, servers: bool = True) -> None:
        """Create what is missing. Raises BadPlace, leaving nothing behind, where the place cannot hold the servers."""
        if servers:
            refuse_bad_place(self)
        try:
            _make_with_parents(self.root)
            for folder in (self.keys, self.run, self.logs, self.valkey):
                _make_private(folder)
            if servers:
                self._open_to_server()
        except OSError as error:
            raise BadPlace(f"{self.root} cannot be used: {error.strerror} ({error.filename})") from error

    def _open_to_server(self) -> None:
        self.postgres.mkdir(exist_ok=True)
        self.socket.mkdir(exist_ok=True)
        user = server_user()
        if user is None:
            return
        for folder in (self.root, self.postgres, self.socket):
            let_pass(folder)
        os.chown(self.socket, user.pw_uid, user.pw_gid)

    def password(self, name: str) -> str:
        """The password of one role, made up on first use."""
        file = self.keys / name
        if not file.exists():
            draft = self.keys / f".{secrets.token_hex(8)}"
            draft.touch(mode=0o600)
            draft.write_text(secrets.token_hex(24))
            with suppress(FileExistsError):
                os.link(draft, file)
            draft.unlink()
        return file.read_text()

    @contextmanager
    def lock(self, name: str) -> Iterator[None]:
        """Hold `run/NAME.lock`, waiting for it; freed by the kernel when the holder dies."""
        import fcntl

        with open(self.run / f"{name}.lock", "a") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX)
            yield


@functools.cache
def server_user() -> pwd.struct_passwd | None:
    """The system user that runs PostgreSQL, which refuses to run as root; None: it runs as oneself."""
    if os.geteuid() != 0:
        return None
    for words in ((), ("useradd", "--system", "--no-create-home"), ("adduser", "-S", "-D", "-H")):
        if words and shutil.which(words[0]):
            shell = shutil.which("nologin") or "/bin/false"
            subprocess.run([*words, "-s", shell, SYSTEM_USER], check=False, capture_output=True)
        try:
            return pwd.getpwnam(SYSTEM_USER)
        except KeyError:
            continue
    raise LetheError(
        f"PostgreSQL does not run as root, and the system user {SYSTEM_USER} could not be created",
        hint=f"Create the system user {SYSTEM_USER}, or run as an ordinary user.",
    )


def identity() -> dict[str, Any]:
    """Keyword arguments for subprocess that make a child run as the servers' system user."""
    user = server_user()
    return {} if user is None else {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def server_environment() -> dict[str, str]:
    """A clean environment: nothing of the caller's PG* settings reaches the servers."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}


def refuse_bad_place(home: Home) -> None:
    """Raise BadPlace where the embedded servers could not run; touches nothing."""
    _refuse_unusable_path(home)
    _refuse_unreachable(home.root)
    _refuse_other_owner(home)


def _refuse_unusable_path(home: Home) -> None:
    name = str(home.root)
    if any(letter in name for letter in ",'\"\\") or not name.isprintable():
        raise BadPlace(f"LETHE_HOME {name!r} holds a comma, a quote, a backslash or a letter that cannot be printed")
    length = len(os.fsencode(home.socket / SOCKET_NAME))
    if length > LONGEST_SOCKET:
        raise BadPlace(f"LETHE_HOME {name} is {length - LONGEST_SOCKET} bytes too long for the database's socket")


def _refuse_unreachable(root: Path) -> None:
    """Every existing folder above `root` must let the servers' system user pass."""
    if server_user() is None:
        return
    for folder in reversed(root.parents):
        if not folder.exists():
            return
        enter = ["/bin/sh", "-c", 'cd -- "$1"', "sh", str(folder)]
        try:
            passed = subprocess.run(enter, check=False, capture_output=True, cwd="/", **identity())
        except OSError as error:
            raise LetheError(
                f"PostgreSQL does not run as root, and this root may not become {SYSTEM_USER}: {error.strerror}",
                hint="Run as an ordinary user.",
            ) from error
        if passed.returncode != 0:
            raise BadPlace(f"the system user {SYSTEM_USER}, which runs PostgreSQL, cannot enter {folder}")


def _refuse_other_owner(home: Home) -> None:
    """Data that another user's PostgreSQL made can only be served by that user."""
    user = server_user()
    wanted = os.geteuid() if user is None else user.pw_uid
    try:
        found = (home.postgres / "data").stat().st_uid
    except OSError:
        return
    if found != wanted:
        raise BadPlace(
            f"the database in {home.root} belongs to the user with id {found}",
            hint="Run as the user who made it, or set LETHE_HOME to another place.",
        )


def _make_with_parents(folder: Path) -> None:
    if folder.is_dir():
        return
    _make_with_parents(folder.parent)
    folder.mkdir(exist_ok=True)
    if os.geteuid() == 0:
        folder.chmod(0o755)  # whatever the umask: the servers' system user has to pass


def let_pass(folder: Path) -> None:
    """Let every user pass through a folder of LETHE_HOME (not read it), whatever the umask made of it."""
    mode = stat.S_IMODE(folder.stat().st_mode)
    if mode & 0o111 != 0o111:
        folder.chmod(mode | 0o111)


def _make_private(folder: Path) -> None:
    folder.mkdir(mode=0o700, exist_ok=True)
    if stat.S_IMODE(folder.stat().st_mode) != 0o700:
        folder.chmod(0o700)
