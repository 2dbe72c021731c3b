"""Consolidation once more: what earlier rules merged is taken apart, and everything in scope is looked at again."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.errors import NotFound
from lethe.lifecycle.consolidation import unmaking
from lethe.lifecycle.consolidation.finding import Asked, scope, within
from lethe.lifecycle.consolidation.neighbours import IN_FORCE
from lethe.rules import Rules
from lethe.store import barrier
from lethe.store.database import tenant_transaction

PAGE = 200


def begin_anew(engine: Engine, asked: Asked, version: str, rules: Rules, now: datetime) -> int:
    """Take apart what was merged since a policy or transform version came into use, and mark what stands; returns how many
    merged memories went. Safe to interrupt: what is marked stays so until a run has looked at it.

    Raises NotFound for a version that no run had.
    """
    with tenant_transaction(engine, asked.tenant) as connection:
        since = connection.execute(_SINCE, {"tenant": asked.tenant, "version": version}).scalar()
        if since is None:
            raise NotFound(
                f"No consolidation ran under policy or transform {version!r}.",
                hint="`lethe consolidations --tenant T` shows the versions of each run.",
            )
    taken, more = 0, True
    named = {**scope(asked), "since": since}
    while more:
        with tenant_transaction(engine, asked.tenant) as connection:
            barrier.share(connection, asked.tenant)
            outputs = list(connection.execute(_OUTPUTS, {**named, "limit": PAGE}).scalars())
            why = unmaking.Why(unmaking.ANEW, "person", rules, now)
            taken += len(unmaking.unmake(connection, asked.tenant, outputs, why).withdrawn)
            more = len(outputs) == PAGE
    with tenant_transaction(engine, asked.tenant) as connection:
        connection.execute(_MARK, named)
    return taken


_SINCE = sa.text("select min(at) from consolidations where tenant = :tenant and :version in (policy, transform)")
_OUTPUTS = sa.text(f"""
select m.id from consolidation_groups g join consolidations c on c.tenant = g.tenant and c.id = g.consolidation
join memories m on m.tenant = g.tenant and m.id = g.output
where g.tenant = :tenant and c.at >= :since and {within("m")} order by m.id limit :limit
""")
_MARK = sa.text(f"""
insert into unconsolidated (tenant, memory, owner)
select m.tenant, m.id, m.owner from memories m where m.tenant = :tenant and {IN_FORCE} and {within("m")}
on conflict (tenant, memory) do update set version = unconsolidated.version + 1
""")
