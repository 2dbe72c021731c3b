"""Broker and cache: what stands there by id is taken out; text never gets there, and the verifier sees to that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from typing import Any
from uuid import UUID

PREFIX = b"lethe:"
PAGE = 500
_ID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}")


def ids_in(text: str) -> set[UUID]:
    """The ids that stand in a text, with or without hyphens."""
    return {UUID(found) for found in _ID.findall(text)}


def databases(urls: Sequence[str]) -> Iterator[Any]:
    """A connection to every database in use of every server, one after the other."""
    import redis

    for url in dict.fromkeys(url.rpartition("/")[0] for url in urls):
        with redis.Redis.from_url(f"{url}/0", socket_timeout=30) as first:
            keyspace: Any = first.info("keyspace")
        for number in sorted({int(name.removeprefix("db")) for name in keyspace} | {0}):
            with redis.Redis.from_url(f"{url}/{number}", socket_timeout=30) as server:
                yield server


def ids_held(urls: Sequence[str]) -> set[UUID]:
    """Every id that stands in our own keys and their values."""
    return {
        found
        for server in databases(urls)
        for key in server.scan_iter(match=PREFIX + b"*", count=PAGE)
        for found in ids_in(content(server, key))
    }


def drop(urls: Sequence[str], ids: Set[UUID]) -> int:
    """Take these ids out of our own keys in every database; returns how many entries went."""
    gone = 0
    for server in databases(urls):
        for key in server.scan_iter(match=PREFIX + b"*", count=PAGE):
            gone += _drop_from(server, key, ids)
    return gone


def _drop_from(server: Any, key: bytes, ids: Set[UUID]) -> int:
    sort = server.type(key)
    if sort == b"hash":
        fields = [field for field in server.hkeys(key) if _holds(field, ids)]
        return int(server.hdel(key, *fields)) if fields else 0
    if sort == b"set":
        members = [member for member in server.sscan_iter(key) if _holds(member, ids)]
        return int(server.srem(key, *members)) if members else 0
    if sort == b"string" and (_holds(key, ids) or _holds(server.get(key) or b"", ids)):
        return int(server.delete(key))
    return 0


def _holds(raw: bytes, ids: Set[UUID]) -> bool:
    return not ids.isdisjoint(ids_in(raw.decode("utf-8", "replace")))


def contents(server: Any) -> Iterator[str]:
    """Every key of a database with its value, as text."""
    for key in server.scan_iter(count=PAGE):
        yield content(server, key)


def content(server: Any, key: bytes) -> str:
    """A key with its value, as text."""
    read = _READ.get(server.type(key))
    return _flat(key) + " " + _flat(read(server, key) if read else b"")


_READ = {
    b"string": lambda server, key: server.get(key),
    b"list": lambda server, key: server.lrange(key, 0, -1),
    b"hash": lambda server, key: server.hgetall(key),
    b"set": lambda server, key: server.smembers(key),
    b"zset": lambda server, key: server.zrange(key, 0, -1),
    b"stream": lambda server, key: server.xrange(key),
}


def _flat(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, dict):
        return " ".join(f"{_flat(key)} {_flat(each)}" for key, each in value.items())
    if isinstance(value, (list, tuple, set)):
        return " ".join(map(_flat, value))
    return str(value)
