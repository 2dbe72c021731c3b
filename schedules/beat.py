"""The beat table: what runs when. RedBeat holds the lock, so that any number of beats run each entry once.

| job   | cadence      | what it does                                              |
|-------|--------------|-----------------------------------------------------------|
| sweep | every minute | wakes the queues up for work whose message or worker was lost |
"""

from __future__ import annotations

from workers.app import app

TABLE = {
    "sweep": {"task": "sweep.work", "schedule": 60.0, "options": {"queue": "gate", "expires": 50}},
}

app.conf.beat_schedule = TABLE
app.conf.redbeat_redis_url = app.conf.broker_url
app.conf.redbeat_lock_timeout = 60
app.conf.beat_max_loop_interval = 5
