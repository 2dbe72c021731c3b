"""The relay: tells the broker that work is due. It listens to PostgreSQL and looks for itself every second, so that an
emptied broker, a lost message or a killed worker only costs a moment."""

from __future__ import annotations

import time
from datetime import timedelta

import psycopg
import redis

from lethe import clock, log
from lethe.endpoints import endpoints
from lethe.settings import settings
from lethe.store import work
from workers import parts
from workers.app import app

TASKS = {work.EXTRACT: ("extract.turns", 64), work.GATE: ("gate.keys", 200), work.INDEX: ("index.memories", 128)}
MOST_WAITING = 4
LOOK_EVERY = 1.0
SET_ASIDE_EVERY = timedelta(seconds=5)


def main() -> None:
    """Relay until stopped; a lost connection is made again."""
    log.configure()
    while True:
        try:
            _relay()
        except (psycopg.OperationalError, redis.RedisError, OSError) as fault:
            log.get().warning("relay.reconnecting", failure=type(fault).__name__)
            time.sleep(1)
        except Exception as fault:
            log.get().warning("relay.failed", failure=type(fault).__name__)
            time.sleep(1)


def _relay() -> None:
    where = endpoints(settings())
    broker = redis.Redis.from_url(where.broker_url, socket_timeout=10)
    looked = clock.now() - SET_ASIDE_EVERY
    with psycopg.connect(where.database_url, autocommit=True) as connection:
        connection.execute(f"listen {work.CHANNEL}")
        while True:
            now = clock.now()
            if now - looked >= SET_ASIDE_EVERY:
                work.set_aside_lost(parts.engine(), now)
                looked = now
            _wake(broker, work.due_by_stage(parts.engine(), now))
            for _ in connection.notifies(timeout=LOOK_EVERY, stop_after=1):
                pass


def _wake(broker: redis.Redis, due: dict[str, int]) -> None:
    """One wake-up a batch, as far as some are not waiting already."""
    for stage, count in due.items():
        name, batch = TASKS[stage]
        wanted = min(MOST_WAITING, -(-count // batch))
        waiting = int(broker.llen(stage))  # type: ignore[arg-type]
        for _ in range(wanted - waiting):
            app.send_task(name, queue=stage, expires=60)


if __name__ == "__main__":
    main()
