"""Raw bytes: what a DELETE leaves in table files and in the write-ahead log. Runs as the database's owner, outside any
transaction, once for all deletions that wait; what it cannot reach, the receipt names."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass

import psycopg
from psycopg import sql

from lethe.store.database import plain_url

TEXT = ("turns", "proposals", "memories")
REFUSALS = "consolidation_groups"
OTHERS = ("decisions", "evidence", "handouts", "lineage", "events", "reviews", "owners")
# Columns with names of people and of what they said: the planner keeps some of their values.
NAMES = {
    "turns": ("session", "user_id", "project", "task"),
    "proposals": ("user_id", "project", "task"),
    "memories": ("user_id", "project", "task"),
    "decisions": ("user_id", "project"),
    "owners": ("user_id", "project", "task"),
    "handouts": ("session",),
}
LOCK_TIMEOUT = "2s"
PATIENCE_S = 5.0
POLL_S = 0.1

Named = dict[str, str]


@dataclass(slots=True)
class _Left:
    """Tables whose files may still hold what was deleted, and why."""

    tables: dict[str, str]

    def named(self) -> list[Named]:
        if not self.tables:
            return []
        told = "; ".join(f"{table}: {why}" for table, why in sorted(self.tables.items()))
        return [{"store": "heap", "why": f"freed space of table files is overwritten by new rows only ({told})"}]


def scrub(admin_url: str | None, tenants: Iterable[str], touched: Collection[str], rewrite_below: int) -> list[Named]:
    """Vacuum what was `touched`, rewrite tables of text up to `rewrite_below` bytes, and let the log's old segments go.

    Returns [{"store", "why"}] of the raw bytes that may still hold something.
    """
    if admin_url is None:
        why = "no LETHE_ADMIN_URL: freed by autovacuum, overwritten by new rows"
        return [
            {"store": "heap", "why": why},
            {"store": "wal", "why": "no LETHE_ADMIN_URL: until its segments are recycled"},
        ]
    with psycopg.connect(plain_url(admin_url), autocommit=True) as connection:
        connection.execute("select set_config('lock_timeout', %s, false)", [LOCK_TIMEOUT])
        held = _wait_for_older_snapshots(connection)
        left = _Left({})
        refusals = (REFUSALS,) if "consolidations" in touched else ()
        for table in (*TEXT, *refusals, *(_vector_parts(connection, tenants) if "vectors" in touched else ())):
            _rewrite_or_vacuum(connection, table, rewrite_below, held, left)
        for table in (each for each in OTHERS if each in touched):
            _vacuum(connection, table)
        return left.named() + _wal(connection)


def _wait_for_older_snapshots(connection: psycopg.Connection) -> bool:
    """Rows that an older transaction may still see cannot be freed; True if one is left after some seconds."""
    (mine,) = connection.execute("select pg_current_xact_id()::xid").fetchone() or (None,)
    until = time.monotonic() + PATIENCE_S
    while (found := connection.execute(_OLDER, [mine]).fetchone()) and found[0]:
        if time.monotonic() > until:
            return True
        time.sleep(POLL_S)
    return False


_OLDER = """
select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
and age(backend_xmin) >= age(%s::xid) and backend_type = 'client backend'
"""


def _vector_parts(connection: psycopg.Connection, tenants: Iterable[str]) -> list[str]:
    found = connection.execute(_PARTS, {"tenants": sorted(set(tenants))})
    return [name for (name,) in found]


_PARTS = """
select distinct c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
cross join lateral (select count(*) as n from pg_inherits where inhparent = i.inhparent) parts
cross join unnest(%(tenants)s::text[]) tenant
where i.inhparent = 'vectors'::regclass
  and satisfies_hash_partition('vectors'::regclass, parts.n::int, substring(c.relname from '[0-9]+$')::int, tenant)
order by 1
"""


def _rewrite_or_vacuum(connection: psycopg.Connection, table: str, rewrite_below: int, held: bool, left: _Left) -> None:
    (size,) = connection.execute("select pg_total_relation_size(%s::regclass)", [table]).fetchone() or (0,)
    if size > rewrite_below:
        _vacuum(connection, table)
        left.tables[table] = "larger than rewrite_below_mb"
        return
    try:
        connection.execute(_statement("vacuum (full{}) {}", table))
    except (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected):
        _vacuum(connection, table)
        left.tables[table] = "busy"
        return
    if held:
        left.tables[table] = "a transaction that began before is still open"


def _vacuum(connection: psycopg.Connection, table: str) -> None:
    # An index may put its cleaning off where little is dead, and a graph of vectors would keep them. Where the lock is not
    # to be had, somebody else vacuums the table.
    with suppress(psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected):
        connection.execute(_statement("vacuum (index_cleanup on{}) {}", table))


def _statement(template: str, table: str) -> sql.Composed:
    """With the statistics of the columns that hold names made anew."""
    columns = NAMES.get(table)
    named = sql.SQL(" ({})").format(sql.SQL(", ").join(map(sql.Identifier, columns))) if columns else sql.SQL("")
    return sql.SQL(template).format(sql.SQL(", analyze" if columns else ""), sql.Identifier(table) + named)


# --- the write-ahead log ------------------------------------------------------------------------------------------


def _wal(connection: psycopg.Connection) -> list[Named]:
    try:
        for statement in ("select pg_switch_wal()", "checkpoint"):
            connection.execute(statement)
        kept = [why for (why,) in connection.execute(_KEPT) if why]
    except psycopg.errors.InsufficientPrivilege:
        return [{"store": "wal", "why": "the administrator's role may not checkpoint: until its segments are recycled"}]
    return [{"store": "wal", "why": "; ".join(kept)}] if kept else []


_KEPT = """
select 'segments from before are kept until they are recycled' from pg_control_checkpoint() c
where exists (select from pg_ls_waldir() w where w.name ~ '^[0-9A-F]{24}$' and w.name < c.redo_wal_file)
union all select 'segments are archived; the archive keeps them until it is rotated' where current_setting('archive_mode') <> 'off'
union all select 'replicas have their own log' where exists (select from pg_stat_replication)
union all select 'a replication slot keeps segments' where exists (select from pg_replication_slots)
"""
