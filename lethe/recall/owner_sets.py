"""What one owner scope holds, in memory and ready to be searched exactly.

A set is good for one revision of its owner, which every read compares in its own transaction, so that a stale set cannot be
served; and what is found in it is read again from the primary before it is handed out.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from lethe.index.packed import packed, unpacked
from lethe.recall.eligibility import Dates
from lethe.recall.lexicon import Calendar, Lexicon, Traits
from lethe.recall.periods import told
from lethe.recall.ranking import Floats
from lethe.recall.words import terms
from lethe.store.tables import DIMENSION

CACHE_BYTES = 256 * 2**20
_BYTES_A_TERM = 150
_BYTES_A_MEMORY = 1_000


@dataclass(frozen=True, slots=True)
class OwnerSet:
    """The visible memories of an owner. `vectors` has a row a memory, `embedded` says whether it is one yet.

    `names`: stems of what the user is called, so that a question that names the user asks about "the user".
    """

    ids: tuple[UUID, ...]
    kinds: tuple[str, ...]
    confidence: NDArray[np.float64]
    touched_at: NDArray[np.float64]
    vectors: NDArray[np.float32]
    embedded: NDArray[np.bool_]
    traits: tuple[Traits, ...]
    lexicon: Lexicon
    calendar: Calendar
    lengths: NDArray[np.float64]
    names: frozenset[str]
    dates: Dates

    def cosines(self, vector: NDArray[np.float32]) -> Floats:
        """The cosine of each memory to a unit vector; NaN where it has no vector yet."""
        return np.where(self.embedded, self.vectors @ vector, np.nan)

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        return self.vectors.nbytes + _BYTES_A_MEMORY * len(self.ids) + _BYTES_A_TERM * len(self.lexicon.postings)


Key = tuple[str, UUID, str]


@dataclass(slots=True)
class _Held:
    revision: int
    set: OwnerSet
    used: float


class OwnerSets:
    """The sets used last, up to so many bytes. Thread-safe; a set that is too old is loaded again, whoever asks."""

    def __init__(self, most_bytes: int = CACHE_BYTES) -> None:
        self._most = most_bytes
        self._held: OrderedDict[Key, _Held] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, connection: Connection, tenant: str, owner: UUID, revision: int, model: str) -> OwnerSet:
        """The owner's set at this revision, which the caller has just read in this transaction."""
        key = (tenant, owner, model)
        with self._lock:
            held = self._held.get(key)
            if held is not None and held.revision == revision:
                held.used = time.monotonic()
                self._held.move_to_end(key)
                return held.set
        loaded = load(connection, tenant, owner, model, held.set if held else None)
        with self._lock:
            self._drop(key)
            self._held[key] = _Held(revision, loaded, time.monotonic())
            self._bytes += loaded.size
            while self._bytes > self._most and len(self._held) > 1:
                self._drop(next(iter(self._held)))
        return loaded

    def expire(self, idle: float) -> int:
        """Let go of sets that nobody asked for within so many seconds, so that nothing deleted stays in memory long."""
        with self._lock:
            old = [key for key, held in self._held.items() if time.monotonic() - held.used > idle]
            for key in old:
                self._drop(key)
        return len(old)

    def forget(self) -> None:
        """Let go of every set."""
        with self._lock:
            self._held.clear()
            self._bytes = 0

    def _drop(self, key: Key) -> None:
        held = self._held.pop(key, None)
        if held is not None:
            self._bytes -= held.set.size


def load(connection: Connection, tenant: str, owner: UUID, model: str, before: OwnerSet | None = None) -> OwnerSet:
    """Read an owner's set from the primary; what was worked out `before` about unchanged memories is kept."""
    named = {"tenant": tenant, "owner": owner, "model": model}
    rows = connection.execute(_ROWS, named).all()
    vectors, embedded = _vectors(connection, named, {row.id: place for place, row in enumerate(rows)})
    called = connection.execute(_CALLED, named).scalars().all()
    return assembled(rows, vectors, embedded, called, before)


def assembled(
    rows: Sequence[Any],
    vectors: NDArray[np.float32],
    embedded: NDArray[np.bool_],
    called: Sequence[str],
    before: OwnerSet | None = None,
) -> OwnerSet:
    """A set out of rows of `COLUMNS`, their vectors, and what the user is called."""
    known = dict(zip(before.ids, before.traits, strict=True)) if before else {}
    traits = tuple(_traits(row, known.get(row.id)) for row in rows)
    own_words = [row.object for row in rows if row.predicate == "name" and row.subject == "user" and not row.negated]
    return OwnerSet(
        ids=tuple(row.id for row in rows),
        kinds=tuple(row.kind for row in rows),
        confidence=np.array([row.confidence for row in rows], dtype=np.float64),
        touched_at=np.array([row.touched_at.timestamp() for row in rows], dtype=np.float64),
        vectors=vectors,
        embedded=embedded,
        traits=traits,
        lexicon=Lexicon.of([each.stems for each in traits]),
        calendar=Calendar.of([each.periods for each in traits]),
        lengths=np.array([each.length for each in traits], dtype=np.float64),
        names=frozenset(stem for text in (*called, *own_words) for stem in terms(text)),
        dates=Dates.of(rows),
    )


def _traits(row: Any, known: Traits | None) -> Traits:
    if known is not None and known.version == row.version:
        return known
    searched = row.claim if row.subject == "user" else f"{row.claim} {row.subject}"
    return Traits(row.version, frozenset(terms(searched)), told(row.claim, row.observed_at), len(row.claim))


COLUMNS = """m.id, m.kind, m.claim, m.subject, m.predicate, m.object, m.negated, m.version, m.confidence, m.observed_at,
 m.touched_at, m.standing, m.contested, m.retired_as, m.retired_at, m.valid_from, m.valid_to, m.expires_at, m.allowed_uses,
 m.created_at, exists (select from lineage l where l.tenant = m.tenant and l.output = m.id) as inputs"""

_ROWS = sa.text(f"""
select {COLUMNS} from memories m where m.tenant = :tenant and m.owner = :owner and m.invisible_at is null order by m.id
""")
_CALLED = sa.text("""
select user_id from owners where tenant = :tenant and owner = :owner and user_id is not null
union
select t.speaker from turns t
join memories m on m.tenant = t.tenant and m.source_session = t.session and m.source_turn = t.turn
where m.tenant = :tenant and m.owner = :owner and m.user_id is not null and m.invisible_at is null
  and t.author = 'user' and t.speaker is not null
""")


def _vectors(
    connection: Connection, named: dict[str, Any], places: Mapping[UUID, int]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """One matrix, read as PostgreSQL's own binary form in one value: parsing each vector's text would cost most of a load."""
    out, embedded = np.zeros((len(places), DIMENSION), dtype=np.float32), np.zeros(len(places), dtype=np.bool_)
    found = connection.execute(_VECTORS, named).one()
    known = [(places[name], at) for at, name in enumerate(found.ids or ()) if name in places]
    if known:
        raw = unpacked(found.packed)
        targets, sources = map(list, zip(*known, strict=True))
        out[targets], embedded[targets] = raw[sources], True
    return out, embedded


_VECTORS = sa.text(f"""
select array_agg(memory order by memory) as ids,
       string_agg({packed("embedding")}, ''::bytea order by memory) as packed
from vectors where tenant = :tenant and owner = :owner and model = :model
""")
