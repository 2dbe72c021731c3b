"""After a change of policy: the due dates of what is in force, computed anew in bounded batches, resumable, with progress."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from lethe.lifecycle.forgetting import dates
from lethe.lifecycle.forgetting.crowding import mark_every_crowded
from lethe.rules import Rules
from lethe.store import due
from lethe.store.database import tenant_transaction, transaction

BATCH = 500
EVERYBODY = ""  # stands for all tenants without a row; no tenant has an empty name


def begin(engine: Engine, rules: Rules, now: datetime) -> int:
    """Plan the recomputation for every tenant for whom another policy holds than the one its dates were last computed under;
    returns how many were planned. One row a tenant tells which that was, and one ('') which holds for those without a row.

    A fresh database plans nothing.
    """
    with transaction(engine) as connection:
        asked = {"policy": rules.version, "own": list(rules.own)}
        stood = {row.tenant: row.policy for row in connection.execute(_STOOD, asked)}
        if stood.get(EVERYBODY) == rules.version:
            looked_at = sorted({*stood, *rules.own} - {EVERYBODY})
        else:
            looked_at = due.every_tenant(engine)
        planned = {name: version for name in looked_at if stood.get(name) != (version := rules.of(name).version)}
        connection.execute(_GONE, {"tenants": [EVERYBODY, *planned]})
        rows = {EVERYBODY: rules.version, **planned}
        connection.execute(_PLAN, {"tenants": list(rows), "policies": list(rows.values()), "now": now})
        return len(planned)


_STOOD = sa.text("""
select tenant, policy from recomputations where tenant = '' or tenant = any(cast(:own as text[])) or policy <> :policy
""")
_GONE = sa.text("delete from recomputations where tenant = any(cast(:tenants as text[]))")
_PLAN = sa.text("""
insert into recomputations (policy, tenant, finished_at)
select policy, tenant, case when tenant = '' then cast(:now as timestamptz) end
from unnest(cast(:tenants as text[]), cast(:policies as text[])) as given(tenant, policy) order by tenant
on conflict do nothing
""")


def go_on(engine: Engine, rules: Rules, now: datetime, most: Callable[[], bool] = lambda: False) -> dict[str, int]:
    """Work on what is planned for the policy in force until it is done or `most` says stop: {"looked_at", "changed", "left"}."""
    told = {"looked_at": 0, "changed": 0, "left": 0}
    for tenant in _planned(engine):
        finished = False
        while not finished and not most():
            looked_at, changed, finished = _step(engine, tenant, rules.of(tenant), now)
            told["looked_at"] += looked_at
            told["changed"] += changed
        told["left"] += not finished
    return told


def progress(engine: Engine, version: str) -> dict[str, int]:
    """How far the recomputation for a policy is: {"tenants", "finished", "looked_at", "changed"}."""
    with transaction(engine) as connection:
        row = connection.execute(_PROGRESS, {"policy": version}).mappings().one()
        return {name: int(count or 0) for name, count in row.items()}


_PROGRESS = sa.text("""
select count(*) as tenants, count(finished_at) as finished, sum(looked_at) as looked_at, sum(changed) as changed
from recomputations where policy = :policy and tenant <> ''
""")


def _planned(engine: Engine) -> list[str]:
    with transaction(engine) as connection:
        found = connection.execute(
            sa.text("select tenant from recomputations where finished_at is null order by tenant")
        )
        return list(found.scalars())


def _step(engine: Engine, tenant: str, rules: Rules, now: datetime) -> tuple[int, int, bool]:
    """One batch: (rows looked at, rows changed, is the tenant finished?). How far it came stands in the same transaction."""
    with tenant_transaction(engine, tenant) as connection:
        named: dict[str, Any] = {"tenant": tenant, "policy": rules.version, "limit": BATCH, "now": now}
        plan = connection.execute(_MINE, named).first()
        if plan is None:
            return 0, 0, True
        ids = list(connection.execute(_NEXT, {**named, "after": plan.after or UUID(int=0)}).scalars())
        changed = _write(connection, tenant, ids, rules, now)
        finished = len(ids) < BATCH
        if finished:
            mark_every_crowded(connection, tenant, rules, now)
        connection.execute(
            _FAR,
            {
                **named,
                "after": ids[-1] if ids else plan.after,
                "looked_at": len(ids),
                "changed": changed,
                "finished": finished,
            },
        )
        return len(ids), changed, finished


_MINE = sa.text("""
select after from recomputations where policy = :policy and tenant = :tenant and finished_at is null for update skip locked
""")
_NEXT = sa.text("""
select id from memories where tenant = :tenant and id > :after and standing = 'current' and retired_as is null
order by id limit :limit
""")
_FAR = sa.text("""
update recomputations set after = :after, looked_at = looked_at + :looked_at, changed = changed + :changed,
  finished_at = case when :finished then cast(:now as timestamptz) end
where policy = :policy and tenant = :tenant
""")


def _write(connection: Connection, tenant: str, ids: list[UUID], rules: Rules, now: datetime) -> int:
    different = {}
    for row in dates.rows(connection, tenant, ids):
        found = dates.computed(row, rules)
        if (found.expires_at, found.review_after, found.fades_at) != (row.expires_at, row.review_after, row.fades_at):
            different[row.id] = found
    dates.write(connection, tenant, different, now)
    return len(different)
