"""Wake-ups: one a batch of due work, as far as some are not waiting in the broker already."""

from __future__ import annotations

from datetime import datetime

import redis

from lethe import clock, log
from lethe.endpoints import endpoints
from lethe.settings import settings
from lethe.store import work
from workers import parts
from workers.app import app

TASKS = {
    work.EXTRACT: ("extract.turns", 64),
    work.GATE: ("gate.keys", 200),
    work.INDEX: ("index.memories", 128),
    work.ERASE: ("erase.deletions", 100),
}
MOST_WAITING = 4


def wake(broker: redis.Redis, now: datetime) -> None:
    """Tell the broker what is due."""
    for stage, count in work.due_by_stage(parts.engine(), now).items():
        name, batch = TASKS[stage]
        wanted = min(MOST_WAITING, -(-count // batch))
        waiting = int(broker.llen(stage))
        for _ in range(wanted - waiting):
            app.send_task(name, queue=stage, expires=60)


@app.task(name="sweep.work")  # type: ignore[untyped-decorator]
def sweep_work() -> None:
    """Set aside what keeps killing its worker, and wake the queues up; the relay's understudy."""
    aside = work.set_aside_lost(parts.engine(), clock.now())
    with redis.Redis.from_url(endpoints(settings()).broker_url, socket_timeout=10) as broker:
        wake(broker, clock.now())
    log.get().info("work.swept", set_aside=aside)
