"""The eraser and the verifier at work: what stage `erase` does, and the jobs `erase` and `verify`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa

from lethe.errors import LetheError, NotFound
from lethe.ids import shown
from lethe.lifecycle.deletion import buffers, needles, receipts, removing, searching, signing
from lethe.lifecycle.deletion.named import What
from lethe.lifecycle.deletion.requests import Reach, request
from lethe.lifecycle.deletion.scrubbing import OTHERS, Named, scrub
from lethe.store import barrier, work
from lethe.store.database import tenant_transaction, transaction

Clock = Callable[[], datetime]
Items = Mapping[str, list[UUID]]
MEGABYTE = 2**20


class StillThere(LetheError):
    """The verifier found something that should be gone; the eraser tries again."""

    code = "still_there"


def work_off(claimed: work.Claim, reach: Reach, clock: Clock) -> None:
    """Erase and verify the claimed deletions with one vacuum for all of them; raises StillThere where one is not clean."""
    with work.kept(reach.engine, claimed, clock):
        due = {tenant: _open(reach, tenant, claimed.of(tenant), clock) for tenant in claimed.rows}
        with _noted(reach, due, "erase", clock):
            erase(reach, due, clock)
        with _noted(reach, due, "verify", clock):
            unclean = verify(reach, due, clock)
    for tenant, rows in claimed.rows.items():
        clean = {row: version for row, version in rows.items() if row not in unclean}
        with tenant_transaction(reach.engine, tenant) as connection:
            work.finish(connection, replace(claimed, rows={tenant: clean}), tenant, clock())
    if unclean:
        raise StillThere(f"{len(unclean)} deletions left something behind")


@contextmanager
def _noted(reach: Reach, due: Items, step: str, clock: Clock) -> Iterator[None]:
    """A step that breaks off is an attempt, told by its class of failure, as far as the database can still be told."""
    try:
        yield
    except Exception as fault:
        with suppress(sa.exc.SQLAlchemyError, LetheError):
            for tenant, deletions in due.items():
                with tenant_transaction(reach.engine, tenant) as connection:
                    for deletion in deletions:
                        receipts.add_attempt(connection, tenant, deletion, clock(), step, type(fault).__name__)
        raise


def _open(reach: Reach, tenant: str, items: list[UUID], clock: Clock) -> list[UUID]:
    """The deletions among these items; a key whose facts were retracted becomes requests of its own."""
    with tenant_transaction(reach.engine, tenant) as connection:
        known = set(connection.execute(_KNOWN, {"tenant": tenant, "items": items}).scalars())
        retracted = list(connection.execute(_RETRACTED, {"tenant": tenant, "keys": list(set(items) - known)}).scalars())
    for memory in retracted:
        try:
            known.add(request(reach, What(tenant, "memory", shown("mem", memory)), clock(), "retracted_by_user"))
        except NotFound:
            continue  # it went with another
    return sorted(known)


_KNOWN = sa.text(
    "select id from deletions where tenant = :tenant and id = any(cast(:items as uuid[])) and state <> 'verified'"
)
_RETRACTED = sa.text("""
select id from memories where tenant = :tenant and key = any(cast(:keys as uuid[])) and standing = 'retracted'
""")


# --- erasing ------------------------------------------------------------------------------------------------------


def erase(reach: Reach, due: Items, clock: Clock) -> Items:
    """Take out of broker and cache what stands there by id, free the raw bytes, and note it.

    The rows went with the request; only after the verifier found some are they looked for again.
    """
    if not any(due.values()):
        return due
    held = buffers.ids_held(reach.servers)
    ids: set[UUID] = set()
    touched: set[str] = set()
    for tenant, deletions in due.items():
        with tenant_transaction(reach.engine, tenant) as connection:
            barrier.close(connection, tenant)
            for deletion in receipts.tried(connection, tenant, deletions):
                removing.remove(connection, tenant, deletion)
                touched |= {*OTHERS, "vectors"}
            touched |= receipts.stores_of(connection, tenant, deletions)
            ids |= set().union(*searching.covered(connection, tenant, deletions, held).values())
    if ids:
        buffers.drop(reach.servers, ids)
    left = _scrubbed(reach, due, touched)
    for tenant, deletions in due.items():
        with tenant_transaction(reach.engine, tenant) as connection:
            for deletion in deletions:
                receipts.set_erased(connection, tenant, deletion, clock(), left)
    return due


def _scrubbed(reach: Reach, due: Items, touched: set[str]) -> list[Named]:
    limit = int(reach.policy()["rewrite_below_mb"]) * MEGABYTE
    return scrub(reach.admin_url, [tenant for tenant, deletions in due.items() if deletions], touched, limit)


# --- verifying ----------------------------------------------------------------------------------------------------


def verify(reach: Reach, due: Items, clock: Clock) -> set[UUID]:
    """Search every store again for each of these; sign what is clean, note what is not and return it."""
    searched = [each for tenant, deletions in due.items() for each in _in_tables(reach, tenant, deletions)]
    _beyond_tables(reach, searched)
    unclean: set[UUID] = set()
    for each in searched:
        if not _closed(reach, each, clock()):
            unclean.add(each.row.id)
    return unclean


@dataclass(slots=True)
class _Searched:
    """A deletion with what was found of it, store by store."""

    row: Any
    needles: needles.Needles
    remaining: dict[str, int]


def _in_tables(reach: Reach, tenant: str, deletions: list[UUID]) -> list[_Searched]:
    found = []
    for deletion in deletions:
        with tenant_transaction(reach.engine, tenant) as connection:
            row = receipts.row_of(connection, tenant, deletion)
            if row is not None and row.state != "verified":
                sought = needles.needles(reach.keys, deletion, row.words or b"", row.phrases or b"")
                found.append(_Searched(row, sought, searching.in_tables(connection, row, sought)))
    return found


def _beyond_tables(reach: Reach, searched: list[_Searched]) -> None:
    """What is no row is read once, for all deletions."""
    if not searched:
        return
    sought = {each.row.id: each.needles for each in searched}
    statistics = searching.in_statistics(reach.admin_url, sought) if reach.admin_url else {}
    buffered, ids = searching.in_servers(reach.servers, sought)
    logged = searching.in_logs(reach.home, sought)
    by_id: dict[UUID, set[UUID]] = {}
    for tenant in {each.row.tenant for each in searched}:
        with tenant_transaction(reach.engine, tenant) as connection:
            by_id |= searching.covered(connection, tenant, [e.row.id for e in searched if e.row.tenant == tenant], ids)
    for each in searched:
        name = each.row.id
        each.remaining |= {
            "statistics": statistics.get(name, 0),
            "queues and caches": buffered[name] + len(by_id.get(name, ())),
            "logs": logged[name],
        }


def _closed(reach: Reach, searched: _Searched, now: datetime) -> bool:
    """Sign the receipt of what is clean; note an attempt at what is not."""
    row, remaining = searched.row, searched.remaining
    with tenant_transaction(reach.engine, row.tenant) as connection:
        if any(remaining.values()) or row.erased_at is None:
            found = ", ".join(f"{store} {count}" for store, count in sorted(remaining.items()) if count)
            receipts.add_attempt(connection, row.tenant, row.id, now, "verify", found or "not erased yet")
            return False
        kept = int(reach.policy(row.tenant)["backup_days"])
        not_covered = [*row.not_covered, *receipts.backups(row.requested_at, kept, now)]
        signed = signing.sign(receipts.content(_Done(row, now), remaining, now, not_covered), reach.home)
        receipts.close(connection, row.tenant, row.id, now, signed)
    return True


class _Done:
    """A row as it will be once the receipt is written."""

    def __init__(self, row: Any, at: datetime) -> None:
        self._row, self.state, self.verified_at = row, "verified", at

    def __getattr__(self, name: str) -> Any:
        return getattr(self._row, name)


# --- jobs ---------------------------------------------------------------------------------------------------------


def run_erase(reach: Reach, as_of: datetime | None, tenant: str | None, dry_run: bool, clock: Clock) -> dict[str, Any]:
    """Erase and verify what is open now, and drop tombstones past their time."""
    began = time.monotonic()
    due = open_deletions(reach, tenant)
    unclean: set[UUID] = set()
    dropped = 0
    if not dry_run:
        unclean = verify(reach, erase(reach, due, clock), clock)
        dropped = _drop_tombstones(reach, as_of or clock(), tenant)
    count = sum(map(len, due.values()))
    changed = {
        "erased": 0 if dry_run else count,
        "verified": 0 if dry_run else count - len(unclean),
        "tombstones": dropped,
    }
    return _ran("erase", as_of or clock(), dry_run, count, changed, began)


def run_verify(reach: Reach, as_of: datetime | None, tenant: str | None, dry_run: bool, clock: Clock) -> dict[str, Any]:
    """Search again for what was erased and is not verified; what was not erased yet is erased first."""
    began = time.monotonic()
    due = open_deletions(reach, tenant)
    count = sum(map(len, due.values()))
    unclean: set[UUID] = set()
    if not dry_run and count:
        unclean = verify(reach, due, clock)
        if unclean:
            again = {name: [each for each in deletions if each in unclean] for name, deletions in due.items()}
            unclean = verify(reach, erase(reach, again, clock), clock)
    changed = {"verified": 0 if dry_run else count - len(unclean), "left": len(unclean)}
    return _ran("verify", as_of or clock(), dry_run, count, changed, began)


def open_deletions(reach: Reach, tenant: str | None = None) -> dict[str, list[UUID]]:
    """{tenant: its deletions that are not verified}, found through one index."""
    with transaction(reach.engine) as connection:
        rows = connection.execute(_OPEN, {"tenant": tenant}).all()
    due: dict[str, list[UUID]] = {}
    for row in rows:
        due.setdefault(row.tenant, []).append(row.deletion)
    return due


_OPEN = sa.text("""
select tenant, deletion from ledger where verified_at is null and (cast(:tenant as text) is null or tenant = :tenant)
order by due_at, deletion
""")


def hand_in_open(reach: Reach, now: datetime) -> int:
    """Hand every open deletion to the eraser again, those that were set aside included; returns how many."""
    due = open_deletions(reach)
    for tenant, deletions in due.items():
        with tenant_transaction(reach.engine, tenant) as connection:
            work.enqueue(connection, work.ERASE, tenant, deletions, now)
    return sum(map(len, due.values()))


def _drop_tombstones(reach: Reach, now: datetime, tenant: str | None) -> int:
    every: dict[str | None, Mapping[str, Any]] = {
        None: reach.policy(),
        **{name: reach.policy(name) for name in reach.rules.own},
    }
    kept = {name: days for name, policy in every.items() if (days := int(policy["tombstone_days"]))}
    if not kept:
        return 0
    with transaction(reach.engine) as connection:
        named = {"now": now, "days": min(kept.values()), "tenant": tenant}
        tenants = connection.execute(_OLD, named).scalars().all()
    dropped = 0
    for name in tenants:
        if days := int(reach.policy(name)["tombstone_days"]):
            with tenant_transaction(reach.engine, name) as connection:
                dropped += connection.execute(_DROP, {"tenant": name, "now": now, "days": days}).rowcount
    return dropped


_OLD = sa.text("""
select distinct tenant from ledger where requested_at < cast(:now as timestamptz) - :days * interval '1 day'
and (cast(:tenant as text) is null or tenant = :tenant)
""")
_DROP = sa.text("""
delete from tombstones where tenant = :tenant and created_at < cast(:now as timestamptz) - :days * interval '1 day'
""")


def _ran(job: str, as_of: datetime, dry_run: bool, due: int, changed: dict[str, int], began: float) -> dict[str, Any]:
    return {
        "job": job,
        "as_of": as_of.isoformat(),
        "dry_run": dry_run,
        "due": due,
        "changed": changed,
        "seconds": round(time.monotonic() - began, 3),
    }
