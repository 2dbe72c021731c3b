"""One turn through the client against a bare one-row INSERT with commit, on the same server, in turn."""

from __future__ import annotations

from functools import partial
from typing import Any
from uuid import uuid4

import psycopg

from lethe import clock
from lethe.bench.private import child, median, milliseconds, private_instance, rounded
from lethe.client.client import Lethe

SLOW_EXTRACTOR = """
import time
from dataclasses import replace
from lethe import clock
from lethe.lifecycle.extraction import extract_turns
from lethe.store import work
from workers import parts
def slow(pairs):
    time.sleep(10)
    return [[] for _ in pairs]
rules = replace(parts.rules(), extract=slow)
while True:
    claimed = work.claim(parts.engine(), work.EXTRACT, clock.now(), 64)
    if claimed:
        extract_turns(parts.engine(), claimed, rules, clock.now())
    else:
        time.sleep(0.05)
"""
TEXT = "I keep the spare key of the boathouse behind the third beam, and I water the plants on Fridays."


def measure(services: Any, *, repeat: int, **_: Any) -> dict[str, Any]:
    """Medians in milliseconds, and their ratios: with the workers idle, and with an extractor that takes 10 s."""
    with private_instance(services) as client:
        usual = _compare(client, repeat)
    with private_instance(services, without=("worker-extract",)) as client:
        process = child(SLOW_EXTRACTOR, {"LETHE_HOME": str(client.settings.home)})
        try:
            client.push(_turn("warm", 0))
            slow = _compare(client, repeat)
        finally:
            process.kill()
            process.wait()
    return {"extractor_as_usual": usual, "extractor_of_10_seconds": slow}


def _compare(client: Lethe, repeat: int) -> dict[str, float]:
    """Both operations in turn, so that a drift of the machine meets both."""
    assert client.where.admin_url is not None
    with psycopg.connect(client.where.admin_url) as connection:
        connection.execute(
            "create table if not exists bench_bare (id uuid primary key, text text not null, at timestamptz not null)"
        )
        connection.commit()
        pushes: list[float] = []
        bare: list[float] = []

        def insert(_: int) -> None:
            connection.execute("insert into bench_bare values (%s, %s, %s)", (uuid4(), TEXT, clock.now()))
            connection.commit()

        for batch in range(10):
            pushes += milliseconds(max(2, repeat // 10), partial(_push, client, str(batch)))
            bare += milliseconds(max(2, repeat // 10), insert)
    ours, theirs = median(sorted(pushes)), median(sorted(bare))
    return {"push_median_ms": rounded(ours), "bare_insert_median_ms": rounded(theirs), "ratio": rounded(ours / theirs)}


def _push(client: Lethe, batch: str, number: int) -> None:
    client.push(_turn(batch, number))


def _turn(batch: str, number: int) -> dict[str, Any]:
    return {
        "tenant": "bench", "user": f"u{number}", "session": f"s{batch}", "turn": f"t{uuid4().hex}", "author": "user", "text": TEXT,
        "observed_at": clock.now().isoformat(),
    }  # fmt: skip
