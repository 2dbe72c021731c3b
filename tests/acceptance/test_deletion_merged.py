"""A forgotten word that had been merged into an output, on an instance of its own: reverting, replaying, merging again and an
old backup bring nothing of it back."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis
from psycopg import sql

from lethe.client.client import Lethe
from lethe.records import Query
from lethe.settings import Settings
from tests.acceptance.conftest import Instance, running, turn

KEPT, GONE, LATER = "Tavringolm", "Zubrelimka", "Vorgalkent"
TENANT = "choirs"
TURNS = [
    turn(TENANT, "c1", "I sing in the Millbrook choir.", 1),
    turn(TENANT, "c2", f"I sing in the Millbrook choir alongside {KEPT}.", 2),
    turn(TENANT, "c3", f"I sing in the Millbrook choir with {GONE}.", 3),
    turn(TENANT, "d1", "I play the horn in a brass band.", 1, user="u2"),
    turn(TENANT, "d2", f"I play the horn in a brass band with {GONE}.", 2, user="u2"),
    turn(TENANT, "d3", f"I play the horn in a brass band with {GONE} and {LATER}.", 3, user="u2"),
]


@pytest.fixture
def alone() -> Iterator[Instance]:
    with running() as made:
        yield made


def places(instance: Instance, word: str) -> set[str]:
    """Tables, statistics, servers and answers that hold a word."""
    status = instance.call("status")
    found = {name for name, text in _tables(status["database"]["admin_url"]) if word.casefold() in text.casefold()}
    for name in ("broker", "cache"):
        server = redis.Redis.from_url(status[name]["url"])
        found |= {name for key in server.scan_iter() if word.encode() in key + (_value(server, key) or b"")}
    nowhere = dict.fromkeys(("database_url", "admin_url", "broker_url", "cache_url"))
    with Lethe(replace(Settings.from_environment(), home=instance.home, **nowhere)) as client:
        for user in ("u1", "u2"):
            asked = Query(tenant=TENANT, user=user, k=10, query="Who sings or plays with the user?")
            answers = {
                "recall": client.recall(asked)["memories"],
                "profile": client.profile(tenant=TENANT, user=user),
                "memories": client.memories(tenant=TENANT, user=user, every=True),
                "decisions": client.decisions(tenant=TENANT, user=user),
            }
            found |= {name for name, answer in answers.items() if word in str(answer)}
    return found


def _tables(url: str) -> Iterator[tuple[str, str]]:
    with psycopg.connect(url) as connection:
        names = connection.execute(
            "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')"
        ).fetchall()
        for name in [each for (each,) in names] + ["pg_stats"]:
            rows = connection.execute(sql.SQL("select t::text from {} t").format(sql.Identifier(name)))
            yield name, "\n".join(text for (text,) in rows)


def _value(server: Any, key: bytes) -> bytes | None:
    found: bytes | None = server.dump(key)
    return found


def program(status: dict[str, Any], name: str, *words: str) -> None:
    where = {"PGOPTIONS": "-c row_security=off"}
    subprocess.run([Path(status["database"]["bin"]) / name, *words], check=True, env={**os.environ, **where})


def restored(instance: Instance, dump: Path) -> None:
    """Put an older dump in the place of the database."""
    status = instance.call("status")
    url = status["database"]["admin_url"]
    with psycopg.connect(url) as connection:
        name = connection.info.dbname
    maintenance = url.replace(f"/{name}?", "/postgres?")
    assert maintenance != url
    with psycopg.connect(maintenance, autocommit=True) as connection:
        connection.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))
    program(status, "pg_restore", "--create", "-d", maintenance, str(dump))
    instance.call("down")
    instance.call("up", "--detach", "--no-schedules")


@pytest.mark.timeout(900)
def test_a_forgotten_word_does_not_live_on_in_what_it_was_merged_into(alone: Instance, tmp_path: Path) -> None:
    alone.push(*TURNS[:5])
    first = alone.call("consolidate", "--tenant", TENANT)
    alone.push(TURNS[5])
    second = alone.call("consolidate", "--tenant", TENANT)
    outputs = [group["output"] for run in (first, second) for group in run["groups"] if group["output"]]
    assert all(GONE in output["claim"] for output in outputs) and len(outputs) == 3
    [chained] = [group["output"]["memory"] for group in second["groups"]]
    assert {"memories", "recall", "profile"} & places(alone, GONE) >= {"memories", "recall"}
    dump = tmp_path / "before.dump"
    status = alone.call("status")
    program(status, "pg_dump", "-Fc", "-f", str(dump), "-d", status["database"]["admin_url"])

    receipts = [
        alone.call("forget", "--tenant", TENANT, *what, "--wait")
        for what in (("--turn", "c3", "--session", "s3"), ("--memory", chained))
    ]
    assert {(each["state"], sum(store["remaining"] for store in each["stores"])) for each in receipts} == {
        ("verified", 0)
    }
    assert places(alone, GONE) == set() == places(alone, LATER)
    assert "memories" in places(alone, KEPT), "what others said of it stays"

    for run in (second, first, second):
        alone.call("revert", run["consolidation"], "--tenant", TENANT)
    assert places(alone, GONE) == set()
    alone.push(*TURNS, status=1)
    alone.call("consolidate", "--tenant", TENANT)
    alone.call("consolidate", "--tenant", TENANT, "--since-version", first["transform"])
    assert places(alone, GONE) == set() == places(alone, LATER)

    ledger = tmp_path / "deletions"
    alone.call("deletions", "export", str(ledger))
    restored(alone, dump)
    assert GONE in "".join(text for _, text in _tables(alone.call("status")["database"]["admin_url"]))
    alone.call("deletions", "replay", str(ledger))
    alone.call("run", "erase")
    alone.call("run", "verify")
    for run in (second, first):
        alone.call("revert", run["consolidation"], "--tenant", TENANT)
    assert places(alone, GONE) == set() == places(alone, LATER)
    assert "memories" in places(alone, KEPT)
