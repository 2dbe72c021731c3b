"""The relay: tells the broker that work is due. It listens to PostgreSQL and looks for itself every second, so that an
emptied broker, a lost message or a killed worker only costs a moment."""

from __future__ import annotations

import time
from datetime import timedelta

import psycopg
import redis
from sqlalchemy.exc import DBAPIError

from lethe import clock, log
from lethe.endpoints import endpoints
from lethe.errors import LetheError
from lethe.settings import settings
from lethe.store import work
from workers import parts
from workers.sweep import wake

LOOK_EVERY = 1.0
SET_ASIDE_EVERY = timedelta(seconds=5)


def main() -> None:
    """Relay until stopped; a lost connection is made again."""
    log.configure()
    while True:
        try:
            _relay()
        except (psycopg.OperationalError, DBAPIError, redis.RedisError, LetheError, OSError) as fault:
            log.get().warning("relay.reconnecting", failure=type(fault).__name__)
            time.sleep(1)


def _relay() -> None:
    where = endpoints(settings())
    set_aside_at = clock.now()
    with (
        redis.Redis.from_url(where.broker_url, socket_timeout=10) as broker,
        psycopg.connect(where.database_url, autocommit=True) as connection,
    ):
        connection.execute(f"listen {work.CHANNEL}")
        while True:
            now = clock.now()
            if now >= set_aside_at:
                work.set_aside_lost(parts.engine(), now)
                set_aside_at = now + SET_ASIDE_EVERY
            wake(broker, now)
            for _ in connection.notifies(timeout=LOOK_EVERY, stop_after=1):
                pass


if __name__ == "__main__":
    main()
