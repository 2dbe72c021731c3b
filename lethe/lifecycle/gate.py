"""The gate: screen what is new of some keys, fold each key under its lock, and make the rows what the fold says.

Deletion, retraction and revert end here too: whatever changes the proposals of a key, the same fold follows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from lethe.keys import Keyring
from lethe.lifecycle.reaching import companions, fold_rows
from lethe.lifecycle.screening import screen
from lethe.lifecycle.standing import write_key
from lethe.lifecycle.writing import Written
from lethe.rules import Rules
from lethe.store import barrier, work
from lethe.store.database import tenant_transaction


@dataclass(slots=True)
class Judged:
    """What one pass of the gate did: decisions by outcome, and the memories whose vectors are due."""

    keys: int = 0
    outcomes: dict[str, int] = field(default_factory=lambda: defaultdict(int))


def judge_keys(engine: Engine, claimed: work.Claim, rules: Rules, keys: Keyring, now: datetime) -> Judged:
    """Work off a claim of the gate stage."""
    judged = Judged()
    for tenant in claimed.rows:
        ruling = rules.of(tenant)
        screen(engine, tenant, claimed.of(tenant), ruling, keys, now)
        with tenant_transaction(engine, tenant) as connection:
            written = fold_keys(connection, tenant, claimed.of(tenant), ruling, now)
            work.enqueue(connection, work.INDEX, tenant, written.to_index, now, claimed.since)
            if ruling.body["deletion"]["said_in_a_turn"] == "delete":
                work.enqueue(connection, work.ERASE, tenant, _retracted(connection, tenant, claimed.of(tenant)), now)
            work.finish(connection, claimed, tenant, now, again=written.unscreened)
        judged.keys += len(claimed.rows[tenant])
        for outcome, count in written.outcomes.items():
            judged.outcomes[outcome] += count
    return judged


def _retracted(connection: Connection, tenant: str, keys: Sequence[UUID]) -> list[UUID]:
    """Keys in which something was retracted."""
    found = connection.execute(
        sa.text(
            "select distinct key from memories where tenant = :tenant and key = any(:keys) and standing = 'retracted'"
        ),
        {"tenant": tenant, "keys": list(keys)},
    )
    return list(found.scalars())


# --- folding ------------------------------------------------------------------------------------------------------


def fold_keys(connection: Connection, tenant: str, keys: Sequence[UUID], rules: Rules, now: datetime) -> Written:
    """Fold these keys, and those that stand against them, under their locks. A key with proposals that nobody screened yet is
    left for another pass."""
    barrier.share(connection, tenant)
    together = _lock_together(connection, tenant, set(keys), rules)
    by_key: dict[UUID, list[Any]] = {key: [] for key in together}
    for row in connection.execute(_PROPOSALS, {"tenant": tenant, "keys": list(together)}):
        by_key[row.key].append(row)
    unscreened = {key for key, rows in by_key.items() if any(row.refusals is None for row in rows)}
    screened = {
        key: [row for row in rows if row.refusals is not None]
        for key, rows in by_key.items()
        if key not in unscreened or key not in keys
    }
    written = write_key(connection, tenant, fold_rows(screened, rules), rules, now)
    written.unscreened = unscreened.intersection(keys)
    return written


def _lock_together(connection: Connection, tenant: str, keys: set[UUID], rules: Rules) -> set[UUID]:
    """Lock these keys and all that must be folded with them. Locks are taken in one order only: where more keys turn out to
    belong, those held are let go first."""
    while True:
        locked = connection.begin_nested()
        lock_keys(connection, tenant, list(keys))
        more = companions(connection, tenant, keys, rules)
        if not more:
            locked.commit()
            return keys
        locked.rollback()
        keys = keys | more


def lock_keys(connection: Connection, tenant: str, keys: Sequence[UUID]) -> None:
    """Keep others from folding these keys until the transaction ends; in one order."""
    connection.execute(_LOCK, {"tenant": tenant, "keys": list(keys)})


_LOCK = sa.text("""
select pg_advisory_xact_lock(k) from (
  select distinct hashtextextended(:tenant || key::text, 0) as k from unnest(cast(:keys as uuid[])) key order by 1) locks
""")
_PROPOSALS = sa.text("""
select p.*, t.received_at from proposals p join turns t on t.tenant = p.tenant and t.id = p.turn_id
where p.tenant = :tenant and p.key = any(:keys) order by p.id
""")
