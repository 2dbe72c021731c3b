"""The part of the client by which people decide."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from sqlalchemy.engine import Connection, Engine

from lethe import clock
from lethe.keys import Keyring
from lethe.records import Ruling
from lethe.rules import Rules
from lethe.store.database import tenant_transaction


class Deciding:
    """Confirm, decline, correct, resolve; each is one transaction, visible when it returns."""

    engine: Engine
    rules: Rules
    keys: Keyring

    def confirm(self, *, tenant: str, held: str) -> dict[str, Any]:
        """Keep a held proposal on the user's word; the resulting envelope."""
        from lethe.lifecycle.people import rule_on_held

        with tenant_transaction(self.engine, tenant) as connection:
            memory = rule_on_held(connection, tenant, held, Ruling.CONFIRMED, self.rules.of(tenant), clock.now())
            return _envelopes(connection, tenant, [memory])[0]

    def decline(self, *, tenant: str, held: str) -> dict[str, Any]:
        """Refuse a held proposal for good: {"held", "outcome"}."""
        from lethe.lifecycle.people import rule_on_held

        with tenant_transaction(self.engine, tenant) as connection:
            rule_on_held(connection, tenant, held, Ruling.DECLINED, self.rules.of(tenant), clock.now())
        return {"held": held, "outcome": "reject"}

    def correct(self, *, tenant: str, memory: str, claim: str) -> dict[str, Any]:
        """Replace a memory by what is true, confirmed; the envelope of its successor."""
        from lethe.lifecycle.people import correct

        with tenant_transaction(self.engine, tenant) as connection:
            made = correct(connection, tenant, memory, claim, self.rules.of(tenant), self.keys, clock.now())
            return _envelopes(connection, tenant, [made])[0]

    def resolve(
        self, *, tenant: str, review: str, keep: bool = False, retire: bool = False, prefer: str | None = None
    ) -> dict[str, Any]:
        """Settle a contradiction: {"review", "resolution", "memories": [envelope…]}. Give one of keep, retire, prefer."""
        from lethe.lifecycle.people import resolve

        ruling = Ruling.KEPT if keep else Ruling.RETIRED if retire else Ruling.PREFERRED
        with tenant_transaction(self.engine, tenant) as connection:
            sides = resolve(connection, tenant, review, ruling, prefer, self.rules.of(tenant), clock.now())
            return {"review": review, "resolution": ruling.value, "memories": _envelopes(connection, tenant, sides)}


def _envelopes(connection: Connection, tenant: str, ids: Iterable[UUID | None]) -> list[dict[str, Any]]:
    from lethe.recall.envelopes import by_ids, envelope

    wanted = [name for name in ids if name is not None]
    rows = by_ids(connection, tenant, wanted)
    return [envelope(rows[name]).as_dict() for name in wanted if name in rows]
