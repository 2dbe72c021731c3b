"""The beat table: what runs when. RedBeat holds the lock, so that any number of beats run each entry once.

| job       | cadence                    | what it does                                                          |
|-----------|----------------------------|-----------------------------------------------------------------------|
| sweep     | every minute               | wakes the queues up for work whose message or worker was lost         |
| flush     | every minute               | writes counted uses from the cache to the memories                    |
| expire    | every 5 minutes            | ends what has passed its time to live, its deadline or its task       |
| nightly   | once a night, looked after | expire, decay, evict, review, purge and consolidate, in this order,   |
|           | every 10 minutes           | from `nightly_at` on; a night that was missed is made up for          |
| recompute | every 10 minutes           | after a change of policy, computes the due dates of memories anew     |
| erase     | every 10 minutes           | hands in again whatever deletion is not verified yet                  |
"""

from __future__ import annotations

from workers.app import app

TABLE = {
    "sweep": {"task": "sweep.work", "schedule": 60.0, "options": {"queue": "gate", "expires": 50}},
    "flush": {"task": "jobs.flush", "schedule": 60.0, "options": {"queue": "jobs", "expires": 50}},
    "expire": {"task": "jobs.expire", "schedule": 300.0, "options": {"queue": "jobs", "expires": 290}},
    "nightly": {"task": "jobs.nightly", "schedule": 600.0, "options": {"queue": "jobs", "expires": 590}},
    "recompute": {"task": "jobs.recompute", "schedule": 600.0, "options": {"queue": "jobs", "expires": 590}},
    "erase": {"task": "erase.open", "schedule": 600.0, "options": {"queue": "erase", "expires": 590}},
}

app.conf.beat_schedule = TABLE
app.conf.redbeat_redis_url = app.conf.broker_url
app.conf.redbeat_lock_timeout = 60
app.conf.beat_max_loop_interval = 5
