"""Deletions on an instance that is treated badly at twenty random points: they cost time, and nothing else."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import redis
from sqlalchemy.exc import DBAPIError

from lethe.client.client import Lethe
from lethe.embedded import postgres, running
from lethe.embedded.places import Home
from lethe.errors import LetheError
from tests.acceptance.conftest import Instance, turn

WHOLE_USER, ONE_SESSION = "user", "session"
MOMENT = 1.0  # seconds after a request within which it is disturbed


def kill_workers(home: Home) -> None:
    for name, pid in running.named(home).items():
        if name.startswith(("worker", "relay")):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def empty_broker(home: Home, url: str) -> None:
    with redis.Redis.from_url(url) as broker:
        broker.flushall()


def restart_postgresql(home: Home) -> None:
    """An immediate shutdown, as in a crash; the supervisor starts it again."""
    pid = postgres.find(home)
    if pid is not None:
        os.kill(pid, signal.SIGQUIT)


def persistently(act: Callable[[], dict[str, Any]], seconds: float = 120) -> dict[str, Any]:
    """As a caller does who wants it done: again, until the server has answered."""
    until = time.monotonic() + seconds
    while True:
        try:
            return act()
        except (LetheError, DBAPIError):
            if time.monotonic() > until:
                raise
            time.sleep(0.2)


def test_twenty_disturbances_cost_only_time(instance: Instance, client: Lethe, tenant: str) -> None:
    seed = int(os.environ.get("LETHE_TEST_SEED") or random.SystemRandom().randrange(10**6))
    print(f"LETHE_TEST_SEED={seed}")
    rolled = random.Random(seed)
    home = Home(instance.home)
    broker = client.where.broker_url
    users = [f"u{number}" for number in range(40)]
    instance.push(
        *(
            turn(
                tenant,
                f"{user}-{day}",
                f"I collect the {thing} of Vorgalk {user}.",
                day=day,
                user=user,
                session=f"{user}s{day}",
            )
            for user in users
            for day, thing in ((1, "stamps"), (2, "barometers"))
        )
    )
    before = {row["memory"]: row for row in client.memories(tenant=tenant)["memories"]}
    assert {row["scope"]["user"] for row in before.values()} == set(users)
    blows = [lambda: kill_workers(home)] * 8 + [lambda: empty_broker(home, broker)] * 6
    blows += [lambda: restart_postgresql(home)] * 6
    rolled.shuffle(blows)
    gone = rolled.sample(users, len(blows))
    made = []
    with ThreadPoolExecutor(1) as pool:
        for user, blow in zip(gone, blows, strict=True):
            what = {"user": user} if rolled.random() < 0.5 else {"session": f"{user}s1"}
            asked = pool.submit(persistently, lambda what=what: client.forget(tenant=tenant, **what))
            time.sleep(rolled.uniform(0, MOMENT))
            blow()
            made.append((what, asked.result()["deletion"]))
    for what, deletion in made:
        receipt = verified(client, tenant, deletion)
        assert (receipt["state"], receipt["what"]) == ("verified", {"tenant": tenant, **what})
        assert all(row["remaining"] == 0 for row in receipt["stores"])
    left = {row["memory"]: row for row in persistently(lambda: client.memories(tenant=tenant))["memories"]}
    deleted = [what for what, _ in made]
    assert left == {
        name: row
        for name, row in before.items()
        if {"user": row["scope"]["user"]} not in deleted and {"session": row["source"]["session"]} not in deleted
    }


def verified(client: Lethe, tenant: str, deletion: str, seconds: float = 180) -> dict[str, Any]:
    until = time.monotonic() + seconds
    found = persistently(lambda: client.receipt(tenant=tenant, deletion=deletion))
    while found["state"] != "verified" and time.monotonic() < until:
        time.sleep(0.5)
        found = persistently(lambda: client.receipt(tenant=tenant, deletion=deletion))
    return found
