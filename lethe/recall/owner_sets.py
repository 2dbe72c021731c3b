"""What one owner scope holds, in memory and ready to be searched exactly.

A set is good for one revision of its owner, which every read compares in its own transaction, so that a stale set cannot be
served; and what is found in it is read again from the primary before it is handed out.
"""

from __future__ import annotations

import math
import threading
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from lethe.recall.eligibility import Dates
from lethe.recall.ranking import Floats
from lethe.recall.words import terms
from lethe.store.tables import DIMENSION

CACHE_BYTES = 256 * 2**20
_BYTES_A_TERM = 150
_BYTES_A_MEMORY = 1_000


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Which memories hold which stem, and how telling each stem is among them."""

    postings: Mapping[str, NDArray[np.intp]]
    size: int

    @classmethod
    def of(cls, texts: Sequence[str]) -> Lexicon:
        found: dict[str, list[int]] = {}
        for place, text in enumerate(texts):
            for term in set(terms(text)):
                found.setdefault(term, []).append(place)
        return cls({term: np.array(places, dtype=np.intp) for term, places in found.items()}, len(texts))

    def weight(self, term: str) -> float:
        """BM25's idf; a stem that no memory holds weighs most."""
        among = len(self.postings.get(term, ()))
        return math.log(1 + (self.size - among + 0.5) / (among + 0.5))

    def coverage(self, question: Sequence[str]) -> Floats:
        """For each memory the share, by weight, of the question's stems that it holds; 0 for a question without any."""
        out = np.zeros(self.size)
        whole = 0.0
        for term in Counter(question):
            weight = self.weight(term)
            whole += weight
            if term in self.postings:
                out[self.postings[term]] += weight
        return out / whole if whole else out


@dataclass(frozen=True, slots=True)
class OwnerSet:
    """The visible memories of an owner. `vectors` has a row a memory, `embedded` says whether it is one yet."""

    ids: tuple[UUID, ...]
    kinds: tuple[str, ...]
    confidence: NDArray[np.float64]
    touched_at: NDArray[np.float64]
    vectors: NDArray[np.float32]
    embedded: NDArray[np.bool_]
    lexicon: Lexicon
    dates: Dates

    def cosines(self, vector: NDArray[np.float32]) -> Floats:
        """The cosine of each memory to a unit vector; NaN where it has no vector yet."""
        return np.where(self.embedded, self.vectors @ vector, np.nan)

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        return self.vectors.nbytes + _BYTES_A_MEMORY * len(self.ids) + _BYTES_A_TERM * len(self.lexicon.postings)


Key = tuple[str, UUID, str]


class OwnerSets:
    """The sets used last, up to so many bytes. Thread-safe; a set that is too old is loaded again, whoever asks."""

    def __init__(self, most_bytes: int = CACHE_BYTES) -> None:
        self._most = most_bytes
        self._held: OrderedDict[Key, tuple[int, OwnerSet]] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, connection: Connection, tenant: str, owner: UUID, revision: int, model: str) -> OwnerSet:
        """The owner's set at this revision, which the caller has just read in this transaction."""
        key = (tenant, owner, model)
        with self._lock:
            held = self._held.get(key)
            if held is not None and held[0] == revision:
                self._held.move_to_end(key)
                return held[1]
        loaded = load(connection, tenant, owner, model)
        with self._lock:
            self._drop(key)
            self._held[key] = (revision, loaded)
            self._bytes += loaded.size
            while self._bytes > self._most and len(self._held) > 1:
                self._drop(next(iter(self._held)))
        return loaded

    def forget(self) -> None:
        """Let go of every set."""
        with self._lock:
            self._held.clear()
            self._bytes = 0

    def _drop(self, key: Key) -> None:
        held = self._held.pop(key, None)
        if held is not None:
            self._bytes -= held[1].size


def load(connection: Connection, tenant: str, owner: UUID, model: str) -> OwnerSet:
    """Read an owner's set from the primary."""
    named = {"tenant": tenant, "owner": owner, "model": model}
    rows = connection.execute(_ROWS, named).all()
    vectors, embedded = _vectors(connection, named, {row.id: place for place, row in enumerate(rows)})
    return OwnerSet(
        ids=tuple(row.id for row in rows),
        kinds=tuple(row.kind for row in rows),
        confidence=np.array([row.confidence for row in rows], dtype=np.float64),
        touched_at=np.array([row.touched_at.timestamp() for row in rows], dtype=np.float64),
        vectors=vectors,
        embedded=embedded,
        lexicon=Lexicon.of([searched(row) for row in rows]),
        dates=Dates.of(rows),
    )


def searched(row: Any) -> str:
    """The text of a memory that a question's words are looked for in."""
    return str(row.claim if row.subject == "user" else f"{row.claim} {row.subject}")


_ROWS = sa.text("""
select id, kind, claim, subject, confidence, touched_at, standing, contested, retired_as, retired_at, valid_from, valid_to,
       expires_at, allowed_uses, created_at,
       exists (select from lineage l where l.tenant = m.tenant and l.output = m.id) as inputs
from memories m where tenant = :tenant and owner = :owner and invisible_at is null order by id
""")


def _vectors(
    connection: Connection, named: dict[str, Any], places: Mapping[UUID, int]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """One matrix, read as PostgreSQL's own binary form in one value: parsing each vector's text would cost most of a load."""
    out, embedded = np.zeros((len(places), DIMENSION), dtype=np.float32), np.zeros(len(places), dtype=np.bool_)
    found = connection.execute(_VECTORS, named).one()
    known = [(places[name], at) for at, name in enumerate(found.ids or ()) if name in places]
    if known:
        raw = np.frombuffer(found.packed, dtype=">f2").reshape(len(found.ids), DIMENSION)
        targets, sources = map(list, zip(*known, strict=True))
        out[targets], embedded[targets] = raw[sources], True
    return out, embedded


# halfvec_send gives the dimension and a spare number, two bytes each, before the numbers themselves.
_VECTORS = sa.text("""
select array_agg(memory order by memory) as ids,
       string_agg(substring(halfvec_send(embedding) from 5), ''::bytea order by memory) as packed
from vectors where tenant = :tenant and owner = :owner and model = :model
""")
