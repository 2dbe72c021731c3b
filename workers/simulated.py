"""Joins the simulation to a policy and to a private instance of servers alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import redis

from lethe.bench.private import private_instance
from lethe.index.embedder import Embedder
from lethe.recall.uses import UseBuffer
from lethe.simulation.running import Look, Parts, simulate
from workers.jobs import final_deletion


def simulated(services: Any, *, users: int, days: int, seed: int, tick: Callable[[int], None]) -> list[Look]:
    """Simulate on servers of its own; every step of the line runs in this process, by the simulated clock."""
    every = tuple(spec["name"] for spec in services.process_specs(1, False))
    with private_instance(services, without=every) as client, redis.Redis.from_url(client.where.cache_url) as cache:
        parts = Parts(
            client.engine, client.rules, client.keys, Embedder(client.settings), UseBuffer(cache), final_deletion(client.reach)
        )  # fmt: skip
        return simulate(parts, users=users, days=days, seed=seed, tick=tick)
