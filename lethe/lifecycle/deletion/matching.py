"""Finding by hash: which rows of a database are what a tombstone was made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lethe.keys import Keyring
from lethe.lifecycle.deletion.named import What
from lethe.lifecycle.screening import claim_fingerprints


@dataclass(slots=True)
class Found:
    """Rows that are covered, and what the deletion named, where the name is among them."""

    turns: list[UUID] = field(default_factory=list)
    excerpts: list[UUID] = field(default_factory=list)
    proposals: list[UUID] = field(default_factory=list)
    what: What | None = None


@dataclass(slots=True)
class Stones:
    """Tombstones of one deletion, asked by name. Each name is hashed once."""

    ring: Keyring
    by_sort: dict[str, dict[bytes, datetime | None]] = field(default_factory=dict)
    _known: dict[tuple[str, ...], list[bytes]] = field(default_factory=dict)

    @classmethod
    def of(cls, laid: Iterable[tuple[str, bytes, str, datetime | None]], ring: Keyring) -> Stones:
        made = cls(ring)
        for sort, mac, _, before in laid:
            made.by_sort.setdefault(sort, {})[mac] = before
        return made

    def cover(self, sort: str, parts: tuple[str, ...], observed_at: datetime) -> bool:
        """Is this name, observed then, deleted?"""
        return self.covering(sort, parts, observed_at) is not None

    def covering(self, sort: str, parts: tuple[str, ...], observed_at: datetime) -> bytes | None:
        """The hash of the tombstone that covers this name, observed then."""
        stones = self.by_sort.get(sort)
        if not stones:
            return None
        return next((mac for mac in self._macs(parts) if mac in stones and _until(stones[mac], observed_at)), None)

    def _macs(self, parts: tuple[str, ...]) -> list[bytes]:
        if parts not in self._known:
            self._known[parts] = self.ring.macs(*parts)
        return self._known[parts]


def _until(before: datetime | None, observed_at: datetime) -> bool:
    return before is None or observed_at <= before


def match(connection: Connection, tenant: str, stones: Stones, stood_since: Mapping[bytes, datetime]) -> Found:
    """Every turn and proposal of the tenant that the tombstones cover.

    `stood_since`: from when on this database has had a claim's tombstone. The gate judged later proposals by it and refused
    them with their turns left as they are, so they are no longer the deletion's to find.
    """
    found = Found()
    if stones.by_sort.keys() - {"claim"}:
        for row in connection.execute(_TURNS, {"tenant": tenant}):
            _match_turn(found, tenant, row, stones)
    if "claim" in stones.by_sort:
        for row in connection.execute(_PROPOSALS, {"tenant": tenant}):
            macs = [stones.covering("claim", name, row.observed_at) for name in claim_fingerprints(tenant, row)]
            if any(mac is not None and not _judged_by(mac, row, stood_since) for mac in macs):
                found.proposals.append(row.id)
    return found


def _judged_by(mac: bytes, row: Any, stood_since: Mapping[bytes, datetime]) -> bool:
    return mac in stood_since and bool(row.created_at > stood_since[mac])


_TURNS = sa.text("select id, session, turn, user_id, project, observed_at from turns where tenant = :tenant")
_PROPOSALS = sa.text(
    "select id, owner, key, object, claim, observed_at, created_at from proposals where tenant = :tenant and act <> 'retract'"
)


def _match_turn(found: Found, tenant: str, row: Any, stones: Stones) -> None:
    scopes: dict[str, tuple[str, ...] | None] = {
        "session": ("session", tenant, row.session),
        "user": ("user", tenant, row.user_id) if row.user_id is not None else None,
        "project": ("project", tenant, row.project) if row.project is not None else None,
        "tenant": ("tenant", tenant),
    }
    name = ("turn", tenant, row.session, row.turn)
    for sort, parts in scopes.items():
        if parts is not None and stones.cover(sort, parts, row.observed_at):
            whole = sort == "tenant"
            found.what = What(tenant, "whole_tenant" if whole else sort, None if whole else parts[-1])
            found.turns.append(row.id)
            return
    if stones.cover("turn", name, row.observed_at):
        found.turns.append(row.id)
        found.what = found.what or What(tenant, "turn", row.turn, row.session)
    elif stones.cover("excerpt", name, row.observed_at):
        found.excerpts.append(row.id)
