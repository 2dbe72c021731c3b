"""The nearest of changed memories: exactly, among their owner's of the same kind, read once a page whatever the size of the set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lethe.index.packed import Vector, packed, units
from lethe.lifecycle.consolidation.supposing import Supposed

Pair = tuple[UUID, UUID]

AT_ONCE = 16_384  # about so many vectors are held and compared at once
IN_FORCE = """m.standing = 'current' and m.retired_as is null and not m.contested and m.stale_since is null
 and m.invisible_at is null"""
# The same as if some had gone and others were back.
AS_SUPPOSED = """(m.standing = 'current' and m.retired_as is null and not m.contested and m.stale_since is null
 or m.id = any(cast(:back as uuid[]))) and m.invisible_at is null and m.id <> all(cast(:gone as uuid[]))"""


def nearest(
    connection: Connection, tenant: str, ids: Sequence[UUID], model: str, near: float, most: int, supposed: Supposed
) -> dict[Pair, float]:
    """{(smaller id, larger id): cosine}: each of these memories with its `most` nearest that are at least `near`."""
    sets: dict[tuple[UUID, str], _Set] = {}
    named: dict[str, Any] = {"tenant": tenant, "model": model, **supposed.named}
    for row in connection.execute(_CHANGED, {**named, "ids": list(ids)}):
        sets.setdefault((row.owner, row.kind), _Set(most, near)).add(row.id, row.packed)
    named["kinds"] = sorted({kind for _, kind in sets})
    for owners, parts in _portions(connection, tenant, sorted({owner for owner, _ in sets})):
        for part in range(parts):
            rows = connection.execute(_VECTORS, {**named, "owners": owners, "mask": parts - 1, "part": part})
            for row in rows:
                if (row.owner, row.kind) in sets:
                    sets[row.owner, row.kind].compare(_names(row.ids), units(row.packed))
    for owner, output, vector in supposed.standing():
        if (owner, output.kind.value) in sets:
            sets[owner, output.kind.value].compare([output.id.bytes], vector[np.newaxis])
    return {both: likeness for each in sets.values() for both, likeness in each.pairs()}


def _portions(connection: Connection, tenant: str, owners: list[UUID]) -> Iterator[tuple[list[UUID], int]]:
    """Owners whose sets are read together, or one large one with the number of parts (a power of 2) that it is read in."""
    together: list[UUID] = []
    room = AT_ONCE
    for owner, size in connection.execute(_SIZES, {"tenant": tenant, "owners": owners}):
        if size > AT_ONCE:
            yield [owner], 1 << (size // AT_ONCE).bit_length()
            continue
        if size > room:
            yield together, 1
            together, room = [], AT_ONCE
        together.append(owner)
        room -= size
    if together:
        yield together, 1


def _names(packed: bytes) -> list[bytes]:
    return [packed[at : at + 16] for at in range(0, len(packed), 16)]


class _Set:
    """Changed memories of one owner and kind, each with the nearest seen so far."""

    def __init__(self, most: int, near: float) -> None:
        self._most, self._near = most, near
        self._ids: list[UUID] = []
        self._packed: list[bytes] = []
        self._best: list[list[tuple[float, bytes]]] = []

    def add(self, name: UUID, raw: bytes) -> None:
        self._ids.append(name)
        self._packed.append(raw)
        self._best.append([])

    def compare(self, names: list[bytes], others: Vector) -> None:
        likeness = units(b"".join(self._packed)) @ others.T
        for place, row in enumerate(likeness):
            mine = self._ids[place].bytes
            near = [(-float(row[at]), names[at]) for at in self._top(row) if names[at] != mine]
            self._best[place] = sorted(self._best[place] + near)[: self._most]

    def _top(self, row: Vector) -> Any:
        """Where the highest stand, one more than are asked for: the memory itself is among them."""
        enough = np.flatnonzero(row >= self._near)
        if len(enough) <= self._most + 1:
            return enough
        return enough[np.argpartition(-row[enough], self._most)[: self._most + 1]]

    def pairs(self) -> list[tuple[Pair, float]]:
        found = []
        for one, best in zip(self._ids, self._best, strict=True):
            for distance, name in best:
                other = UUID(bytes=name)
                found.append(((one, other) if one < other else (other, one), -distance))
        return found


_CHANGED = sa.text(f"""
select m.id, m.owner, m.kind, {packed("v.embedding")} as packed from memories m
join vectors v on v.tenant = m.tenant and v.memory = m.id and v.model = :model
where m.tenant = :tenant and m.id = any(cast(:ids as uuid[])) and {AS_SUPPOSED} order by m.id
""")
_SIZES = sa.text("""
select owner, memories from owners where tenant = :tenant and owner = any(cast(:owners as uuid[])) order by owner
""")
# Both aggregates see the rows in one order.
_VECTORS = sa.text(f"""
select m.owner, m.kind, string_agg(uuid_send(m.id), ''::bytea) as ids, string_agg({packed("v.embedding")}, ''::bytea) as packed
from memories m join vectors v on v.tenant = m.tenant and v.memory = m.id and v.model = :model
where m.tenant = :tenant and m.owner = any(cast(:owners as uuid[])) and m.kind = any(cast(:kinds as text[])) and {AS_SUPPOSED}
  and v.tenant = :tenant and v.owner = any(cast(:owners as uuid[])) and uuid_hash(m.id) & :mask = :part
group by m.owner, m.kind
""")
