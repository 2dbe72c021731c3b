"""What a process needs once: its engine, rules, keys and model, each made on first use."""

from __future__ import annotations

import ctypes
import signal
import sys
from functools import lru_cache

import redis

from lethe import clock
from lethe.endpoints import endpoints
from lethe.index.embedder import Embedder
from lethe.keys import Keyring, keyring
from lethe.recall.uses import UseBuffer
from lethe.rules import Rules
from lethe.settings import settings
from lethe.store.policies import register
from lethe.web.embedding import LocalEmbedder
from workers import wiring
from workers.connections import engine

__all__ = ["after_fork", "asked_embedder", "embedder", "engine", "keys", "rules", "uses"]


@lru_cache(maxsize=1)
def rules() -> Rules:
    """The policy in force, bound to the functions that the core calls."""
    made = wiring.rules()
    register(engine(), made.versions(), clock.now())
    return made


def keys() -> Keyring:
    """The keys of this instance as they are now: a rotation needs no restart."""
    return keyring(settings().home, clock.now())


@lru_cache(maxsize=1)
def embedder() -> Embedder:
    """The model; loaded when the first text comes."""
    return Embedder(settings())


@lru_cache(maxsize=1)
def asked_embedder() -> LocalEmbedder:
    """The model of the local process, for a worker that loads none."""
    return LocalEmbedder(settings())


@lru_cache(maxsize=1)
def uses() -> UseBuffer:
    """Counted uses of memories, in the cache."""
    return UseBuffer(redis.Redis.from_url(endpoints(settings()).cache_url, socket_timeout=5))


def after_fork() -> None:
    """A child has connections of its own and goes when its parent is killed."""
    if engine.cache_info().currsize:
        engine().dispose(close=False)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
