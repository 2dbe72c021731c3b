"""Requests: one transaction, after which nothing that is covered can be handed out by anything."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from lethe.errors import NotFound
from lethe.ids import new_id, plain_value, shown
from lethe.keys import Keyring
from lethe.lifecycle.consolidation import unmaking
from lethe.lifecycle.deletion import covering, marks, removing, stones
from lethe.lifecycle.deletion.covering import Affected
from lethe.lifecycle.deletion.named import What
from lethe.lifecycle.deletion.needles import Needles, needles
from lethe.recall.envelopes import by_ids, envelope
from lethe.rules import Rules
from lethe.store import barrier, due, work
from lethe.store.database import tenant_transaction

ATTEMPTS = 3
DEADLOCK = "40P01"
SHOWN = 1000  # memories that a dry run lists


@dataclass(frozen=True, slots=True)
class Reach:
    """What a deletion has to reach. `servers`: URLs of broker and cache; `admin_url`: None where nobody may vacuum."""

    engine: Engine
    rules: Rules
    keys: Keyring
    home: Path
    admin_url: str | None = None
    servers: tuple[str, ...] = ()

    def policy(self, tenant: str | None = None) -> Mapping[str, Any]:
        """The section [deletion] of the policy, as it holds for a tenant; None: for the instance."""
        section: Mapping[str, Any] = (self.rules if tenant is None else self.rules.of(tenant)).body["deletion"]
        return section


class _DryRun(Exception):
    """Ends a transaction that was to be looked at only."""

    def __init__(self, found: dict[str, Any]) -> None:
        self.found = found


Still = Callable[[Connection], bool]
RETENTION = "retention"


def always(_: Connection) -> bool:
    return True


def request(reach: Reach, what: What, now: datetime, reason: str = "requested", still: Still = always) -> UUID:
    """Accept a deletion; returns its id. The same request again gives the same id while nothing new is covered. `still`: looked
    at once no writer is beside it any more; where it is False, there is no such thing. By retention nothing is deleted for the sake of
    which something that it replaced would be current again.

    Raises NotFound where there is no such thing.
    """
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with tenant_transaction(reach.engine, what.tenant) as connection:
                return _accept(connection, reach, what, now, reason, still)
        except sa.exc.OperationalError as fault:
            if getattr(fault.orig, "sqlstate", None) != DEADLOCK or attempt == ATTEMPTS:
                raise
    raise AssertionError("unreachable")


def preview(reach: Reach, what: What, now: datetime) -> dict[str, Any]:
    """What a request would take away and change: {"dry_run", "what", "erased", "memories": [envelope…], "changed": […]}."""
    try:
        with tenant_transaction(reach.engine, what.tenant) as connection:
            _accept(connection, reach, what, now, "requested", always, look_only=True)
    except _DryRun as seen:
        return seen.found
    return {"dry_run": True, "what": what.as_dict(), "erased": {}, "memories": [], "changed": []}


def _accept(
    connection: Connection, reach: Reach, what: What, now: datetime, reason: str, still: Still, look_only: bool = False
) -> UUID:
    barrier.close(connection, what.tenant)
    if not still(connection):
        raise NotFound(_nothing(what))
    deletion = new_id()
    if not covering.cover(connection, what, deletion):
        return _earlier(connection, what)
    sought = needles(reach.keys, deletion)
    affected = covering.follow(connection, what.tenant, deletion, sought)
    before = (
        _envelopes(connection, what.tenant, _touched(connection, what.tenant, deletion, affected.keys))
        if look_only
        else {}
    )
    held = _values(connection, what.tenant, affected.keys) if reason == RETENTION else set()
    stones.lay(connection, what, deletion, reach.keys, now)
    counts, changed = carry_out(connection, reach.rules.of(what.tenant), what, deletion, affected, now)
    if look_only:
        gone = {shown("mem", name) for name in marks.memories(connection, what.tenant, deletion)}
        raise _DryRun(
            {
                "dry_run": True,
                "what": what.as_dict(),
                "erased": dict(counts),
                "memories": [found for name, found in before.items() if name in gone],
                "changed": list(_envelopes(connection, what.tenant, changed).values()),
            }
        )
    if reason == RETENTION and _values(connection, what.tenant, affected.keys) - held:
        raise NotFound(_nothing(what))
    note(connection, reach, what, deletion, reason, counts, sought, now)
    return deletion


def _values(connection: Connection, tenant: str, keys: Collection[UUID]) -> set[tuple[UUID, str]]:
    """What is in force under some keys."""
    found = connection.execute(_IN_FORCE, {"tenant": tenant, "keys": list(keys)})
    return {(row.key, plain_value(row.object)) for row in found}


_IN_FORCE = sa.text("""
select key, object from memories where tenant = :tenant and key = any(cast(:keys as uuid[])) and standing = 'current'
  and retired_as is null and invisible_at is null
""")


def carry_out(
    connection: Connection, rules: Rules, what: What, deletion: UUID, affected: Affected, now: datetime
) -> tuple[Counter[str], list[UUID]]:
    """Remove what is marked and fold what is left; returns counts by table and the memories that changed and stay."""
    tenant = what.tenant
    unmaking.unmake(connection, tenant, affected.merged, removing.why(rules, now), leave_rows=True)
    removing.unlink(connection, tenant, deletion, affected.keys)
    counts, owners = removing.remove(connection, tenant, deletion)
    changed, withdrawn = removing.refold(connection, tenant, deletion, affected.keys, rules, now)
    counts["memories"] += withdrawn
    if affected.keys:  # the fold may have withdrawn more memories
        counts += removing.remove(connection, tenant, deletion)[0]
    removing.read_again(connection, tenant, deletion, now)
    removing.raise_revisions(connection, tenant, owners)
    counts["owners"] = removing.remove_scope(connection, what)
    return counts, changed


def note(
    connection: Connection,
    reach: Reach,
    what: What,
    deletion: UUID,
    reason: str,
    counts: Mapping[str, int],
    sought: Needles,
    now: datetime,
) -> None:
    """Write the request down and hand it to the eraser."""
    words, phrases = sought.packed()
    until = now + timedelta(hours=reach.policy(what.tenant)["window_hours"])
    named = {"tenant": what.tenant, "id": deletion, "now": now, "due": until}
    connection.execute(
        _DELETION,
        {
            **named,
            "what": json.dumps(what.as_dict()),
            "reason": reason,
            "policy": reach.rules.of(what.tenant).version,
            "erased": json.dumps({store: count for store, count in counts.items() if count}),
            "words": words,
            "phrases": phrases,
        },
    )
    connection.execute(_LEDGER, named)
    connection.execute(_EVENT, {**named, "reason": reason, "policy": reach.rules.of(what.tenant).version})
    due.mark(connection, what.tenant, {due.HISTORY: now}, now)
    work.enqueue(connection, work.ERASE, what.tenant, [deletion], now)


_DELETION = sa.text("""
insert into deletions (tenant, id, what, reason, state, requested_at, invisible_at, due_at, policy, erased, words, phrases)
values (:tenant, :id, cast(:what as jsonb), :reason, 'invisible', :now, :now, :due, :policy, cast(:erased as jsonb), :words, :phrases)
""")
_LEDGER = sa.text("insert into ledger (tenant, deletion, requested_at, due_at) values (:tenant, :id, :now, :due)")
_EVENT = sa.text("""
insert into events (tenant, at, subject, change, reason, actor, policy) values (:tenant, :now, :id, 'deleted', :reason, 'person', :policy)
""")


def _earlier(connection: Connection, what: What) -> UUID:
    """The latest deletion of the same thing, where nothing is left of it."""
    found: UUID | None = connection.execute(
        sa.text("""select id from deletions where tenant = :tenant and what = cast(:what as jsonb)
        order by requested_at desc limit 1"""),
        {"tenant": what.tenant, "what": json.dumps(what.as_dict())},
    ).scalar()
    if found is None:
        raise NotFound(_nothing(what), hint="Nothing was deleted. Check the names; they are taken as they are written.")
    return found


def _nothing(what: What) -> str:
    named = {"memory": "memory", "turn": "turn", "session": "session", "user": "user", "project": "project"}.get(
        what.sort
    )
    if named is None:
        return f"Tenant {what.tenant!r} holds nothing."
    within = f" of session {what.session!r}" if what.session else ""
    return f"There is no {named} {what.value!r}{within} in tenant {what.tenant!r}."


def _touched(connection: Connection, tenant: str, deletion: UUID, keys: list[UUID]) -> list[UUID]:
    """The marked memories and the others of the keys that are folded again."""
    found = connection.execute(
        sa.text("select id from memories where tenant = :tenant and key = any(cast(:keys as uuid[]))"),
        {"tenant": tenant, "keys": keys},
    )
    return [*marks.memories(connection, tenant, deletion), *found.scalars()]


def _envelopes(connection: Connection, tenant: str, ids: list[UUID]) -> dict[str, dict[str, Any]]:
    rows = by_ids(connection, tenant, ids[:SHOWN])
    return {shown("mem", name): envelope(row).as_dict() for name, row in rows.items()}
