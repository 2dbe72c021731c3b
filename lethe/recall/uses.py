"""Uses of memories, counted in the cache off the read path and flushed to the rows in batches (lifecycle/forgetting/access.py).

The cache holds ids and numbers alone, and losing it loses counts. An answer about another time (`as_of`) is no use; nor is
a memory that its session had before: what is handed out again into the same conversation is its own echo.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Protocol
from uuid import UUID, uuid4

if TYPE_CHECKING:
    from redis import Redis

TENANTS = "lethe:uses"
SESSION_REMEMBERED_S = 86_400
FLUSHED_WITHIN_S = 600


class Noted(Protocol):
    """A hand-out: memories of a tenant that one answer gave, and when."""

    @property
    def tenant(self) -> str: ...
    @property
    def memories(self) -> tuple[UUID, ...]: ...
    @property
    def session(self) -> str | None: ...
    @property
    def at(self) -> datetime: ...
    @property
    def past(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Use:
    """How often a memory was handed out since the last flush, and when last."""

    count: int
    last: datetime


class UseBuffer:
    """Counts in the cache, a hash a tenant. A failing cache raises redis.RedisError."""

    def __init__(self, cache: Redis) -> None:
        self._cache: Any = cache

    def count(self, notes: Sequence[Noted]) -> None:
        """Count hand-outs, each memory once a session."""
        said = [(note, memory) for note in notes if not note.past for memory in note.memories]
        fresh = self._first_of_their_session(said)
        if not fresh:
            return
        with self._cache.pipeline(transaction=False) as pipe:
            for note, memory in fresh:
                pipe.hincrby(_key(note.tenant), memory.hex, 1)
                pipe.hset(_key(note.tenant), f"{memory.hex}@", repr(note.at.timestamp()))
            pipe.sadd(TENANTS, *{note.tenant for note, _ in fresh})
            pipe.execute()

    def _first_of_their_session(self, said: list[tuple[Noted, UUID]]) -> list[tuple[Noted, UUID]]:
        in_session = [each for each in said if each[0].session is not None]
        with self._cache.pipeline(transaction=False) as pipe:
            for note, memory in in_session:
                pipe.sadd(_session_key(note), memory.hex)
            for key in {_session_key(note) for note, _ in in_session}:
                pipe.expire(key, SESSION_REMEMBERED_S)
            answers = pipe.execute() if in_session else []
        heard = [each for each, new in zip(in_session, answers, strict=False) if new]
        return [each for each in said if each[0].session is None] + heard

    def tenants(self) -> list[str]:
        """Tenants with counts to flush."""
        return sorted(name.decode() for name in self._cache.smembers(TENANTS))

    def standing(self, tenant: str) -> list[UUID]:
        """The memories that have counts here."""
        return list(dict(_uses(self._cache.hgetall(_key(tenant)))))

    def take(self, tenant: str) -> dict[UUID, Use]:
        """Take a tenant's counts out. What is taken and then not written is lost, never counted twice."""
        taken = f"{_key(tenant)}:{uuid4().hex}"
        self._cache.srem(TENANTS, tenant)
        with suppress(_no_such_key()):
            self._cache.rename(_key(tenant), taken)
            self._cache.expire(taken, FLUSHED_WITHIN_S)
        found = self._cache.hgetall(taken)
        self._cache.delete(taken)
        return dict(_uses(found))

    def give_back(self, tenant: str, uses: dict[UUID, Use]) -> None:
        """Put counts back that could not be written now."""
        with self._cache.pipeline(transaction=False) as pipe:
            for memory, use in uses.items():
                pipe.hincrby(_key(tenant), memory.hex, use.count)
                pipe.hsetnx(_key(tenant), f"{memory.hex}@", repr(use.last.timestamp()))
            pipe.sadd(TENANTS, tenant)
            pipe.execute()


def _no_such_key() -> type[Exception]:
    from redis import ResponseError

    return ResponseError


def _uses(found: dict[bytes, bytes]) -> Iterator[tuple[UUID, Use]]:
    for name, value in found.items():
        if not name.endswith(b"@"):
            last = float(found.get(name + b"@", b"0"))
            yield UUID(hex=name.decode()), Use(int(value), datetime.fromtimestamp(last, UTC))


def _key(tenant: str) -> str:
    return f"{TENANTS}:{tenant}"


def _session_key(note: Noted) -> str:
    named = blake2b(f"{len(note.tenant)}:{note.tenant}{note.session}".encode(), digest_size=16).hexdigest()
    return f"lethe:heard:{named}"
