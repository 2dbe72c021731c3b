"""Forgetting a user of 10,000 memories, against bare DELETEs of the same rows and a vacuum on an identical copy; and what the
others wait for their recalls meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import contextmanager, suppress
from typing import Any

import psycopg

from lethe.bench.crowd import PLACES, THINGS, fill
from lethe.bench.private import median, private_instance, rounded
from lethe.client.client import Lethe
from lethe.errors import LetheError
from lethe.store.migrate import upgrade

OWN = 10_000
OTHERS = {f"u{number}": 500 for number in range(20)}
ROUNDS = 3
TENANT = "bench"
COPY = "lethe_bare"

# Children first, as somebody would write it who knows the tables; the rows are those that a deletion of the user takes.
DELETES = {
    "events": "subject in (select id from memories where tenant = %(tenant)s and user_id = %(user)s)",
    "vectors": "memory in (select id from memories where tenant = %(tenant)s and user_id = %(user)s)",
    "evidence": "memory in (select id from memories where tenant = %(tenant)s and user_id = %(user)s)",
    "memories": "user_id = %(user)s",
    "decisions": "user_id = %(user)s",
    "proposals": "user_id = %(user)s",
    "turns": "user_id = %(user)s",
    "owners": "user_id = %(user)s",
}


def measure(services: Any, **_: Any) -> dict[str, Any]:
    """Medians over some users of the same size, in seconds; `ratio`: ours, from request to verified, over bare and vacuum.

    Half of the users go while nobody else asks anything, each side in turn after a checkpoint; the others while other users
    recall.
    """
    crowd = {**{f"big{number}": OWN for number in range(2 * ROUNDS)}, **OTHERS}
    with private_instance(services) as client:
        assert client.where.admin_url is not None
        copy = _copy_of(client.where.admin_url)
        for url in (client.where.admin_url, copy):
            fill(url, TENANT, crowd)
        ours, bare = [], []
        for number in range(ROUNDS):
            _checkpoint(copy)
            ours.append(_forget(client, f"big{number}"))
            _checkpoint(copy)
            bare.append(_bare(copy, f"big{number}"))
        _recall_for(client, 5.0)  # warm
        quiet, during = [], []
        for number in range(ROUNDS, 2 * ROUNDS):
            quiet += _recall_for(client, 5.0)
            with _recalling(client) as waits:
                _forget(client, f"big{number}")
            during += waits
    return {**_against(ours, bare), **_waits(quiet, during)}


def _against(ours: list[tuple[float, float]], bare: list[tuple[float, float]]) -> dict[str, Any]:
    whole, theirs = median(sorted(whole for _, whole in ours)), median(sorted(whole for _, whole in bare))
    return {
        "memories": OWN,
        "request_s": rounded(median(sorted(request for request, _ in ours))),
        "verified_s": rounded(whole),
        "bare_deletes_s": rounded(median(sorted(deletes for deletes, _ in bare))),
        "bare_deletes_and_vacuum_s": rounded(theirs),
        "ratio": rounded(whole / theirs),
        "each_verified_s": " ".join(str(rounded(each)) for _, each in ours),
        "each_bare_s": " ".join(str(rounded(each)) for _, each in bare),
    }


def _waits(quiet: list[float], during: list[float]) -> dict[str, Any]:
    return {
        "others_recall_p50_quiet_ms": rounded(_percentile(quiet, 0.5)),
        "others_recall_p50_during_ms": rounded(_percentile(during, 0.5)),
        "others_recall_p95_quiet_ms": rounded(_percentile(quiet, 0.95)),
        "others_recall_p95_during_ms": rounded(_percentile(during, 0.95)),
        "others_recalls_during": len(during),
        "others_p95_ratio": rounded(_percentile(during, 0.95) / _percentile(quiet, 0.95)),
    }


def _checkpoint(url: str) -> None:
    """Neither side writes out what the other made dirty."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("checkpoint")


def _copy_of(admin_url: str) -> str:
    """A second database of the same server with the same tables and no process that works on it."""
    copy = admin_url.replace("/lethe?", f"/{COPY}?")
    with psycopg.connect(admin_url, autocommit=True) as connection:
        connection.execute(f"create database {COPY}")
    with psycopg.connect(copy, autocommit=True) as connection:
        connection.execute("create extension vector")
    upgrade(copy, "lethe_app")
    return copy


def _forget(client: Lethe, user: str) -> tuple[float, float]:
    """(seconds until the request has returned, seconds until its receipt is verified)."""
    began = time.perf_counter()
    found = client.forget(tenant=TENANT, user=user)
    returned = time.perf_counter()
    while found["state"] != "verified":
        time.sleep(0.02)
        found = client.receipt(tenant=TENANT, deletion=found["deletion"])
    return returned - began, time.perf_counter() - began


def _bare(url: str, user: str) -> tuple[float, float]:
    """(seconds of the DELETEs in one transaction, with the vacuum of the tables that they touched)."""
    began = time.perf_counter()
    with psycopg.connect(url) as connection:
        for table, rows in DELETES.items():
            connection.execute(
                f"delete from {table} where tenant = %(tenant)s and {rows}",
                {"tenant": TENANT, "user": user},
            )
    deleted = time.perf_counter()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"vacuum {', '.join(DELETES)}")
    return deleted - began, time.perf_counter() - began


# --- what others wait for -----------------------------------------------------------------------------------------


def _recall_for(client: Lethe, seconds: float) -> list[float]:
    until = time.perf_counter() + seconds
    return _recall_while(client, lambda: time.perf_counter() < until)


def _recall_while(client: Lethe, going: Callable[[], bool]) -> list[float]:
    """Milliseconds of recalls of the other users, one after the other."""
    found: list[float] = []
    while going():
        number = len(found)
        question = f"Where does the user keep the {THINGS[number % len(THINGS)]} of the {PLACES[number % len(PLACES)]}?"
        began = time.perf_counter()
        client.recall(tenant=TENANT, user=f"u{number % len(OTHERS)}", query=question, threshold=0)
        found.append(1000 * (time.perf_counter() - began))
    return found


@contextmanager
def _recalling(client: Lethe) -> Any:
    """Others recall, one after the other, while the block runs; gives their waits."""
    over, waits = threading.Event(), []

    def run() -> None:
        with suppress(LetheError):
            waits.extend(_recall_while(client, lambda: not over.is_set()))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield waits
    finally:
        over.set()
        thread.join()


def _percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]
