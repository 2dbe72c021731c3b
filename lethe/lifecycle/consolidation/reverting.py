"""A whole run back: what it merged is taken apart, those outputs first that rest on its outputs."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from lethe.errors import NotFound
from lethe.ids import parsed, shown
from lethe.lifecycle.consolidation import patterns, unmaking
from lethe.rules import Rules
from lethe.store import barrier
from lethe.store.database import tenant_transaction

PREFIX = "con"


def revert(engine: Engine, tenant: str, consolidation: str, rules: Rules, now: datetime) -> dict[str, Any]:
    """{"restored", "withdrawn", "not_restored": [{"memory", "why"}]}. Raises NotFound for a run that never was.

    What was merged further is taken apart with it; what was deleted, or stands alone for another reason, stays as it is.
    """
    name = parsed(PREFIX, consolidation)
    with tenant_transaction(engine, tenant) as connection:
        barrier.share(connection, tenant)
        run = connection.execute(_RUN, {"tenant": tenant, "id": name}).first()
        if run is None:
            raise NotFound(
                f"There is no consolidation {consolidation!r} in tenant {tenant!r}.",
                hint="`lethe consolidations --tenant T` lists them.",
            )
        groups = connection.execute(_GROUPS, {"tenant": tenant, "id": name}).all()
        why = unmaking.Why(unmaking.REVERTED, "person", rules, now)
        unmade = unmaking.unmake(connection, tenant, [row.output for row in groups if row.stands], why)
        proposed = [row.proposal for row in connection.execute(_PROPOSED, {"tenant": tenant, "id": name})]
        taken_back = patterns.withdraw(connection, tenant, proposed, now)
        if run.reverted_at is None:
            connection.execute(_REVERTED, {"tenant": tenant, "id": name, "now": now, "policy": rules.version})
        return {
            "restored": [shown("mem", each) for each in unmade.restored],
            "withdrawn": [shown("mem", each) for each in unmade.withdrawn]
            + [shown("prop", each) for each in taken_back],
            "not_restored": _not_restored(connection, tenant, groups, set(unmade.restored) | set(unmade.withdrawn)),
        }


_RUN = sa.text("select id, reverted_at from consolidations where tenant = :tenant and id = :id for update")
_GROUPS = sa.text("""
select g.place, g.output, g.undone_as, exists (select from memories m where m.tenant = g.tenant and m.id = g.output) as stands,
  array(select i.memory from consolidation_inputs i where i.tenant = g.tenant and i.consolidation = g.consolidation
        and i.place = g.place order by i.memory) as inputs
from consolidation_groups g where g.tenant = :tenant and g.consolidation = :id and g.output is not null order by g.place
""")
_PROPOSED = sa.text(
    "select proposal from consolidation_groups where tenant = :tenant and consolidation = :id and proposal is not null"
)
_REVERTED = sa.text("""
with run as (update consolidations set reverted_at = :now where tenant = :tenant and id = :id returning id)
insert into events (tenant, at, subject, change, reason, actor, policy)
select :tenant, :now, id, 'reverted', 'by_request', 'person', :policy from run
""")


def _not_restored(connection: Connection, tenant: str, groups: Any, back: set[UUID]) -> list[dict[str, str]]:
    named = {name for row in groups for name in row.inputs}
    there = set(connection.execute(_THERE, {"tenant": tenant, "ids": list(named)}).scalars())
    found: list[dict[str, str]] = []
    for row in groups:
        for name in row.inputs:
            if name not in back:
                why = (row.undone_as or "not_merged") if name in there else _gone(row)
                found.append({"memory": shown("mem", name), "why": "already_reverted" if why == "reverted" else why})
    return found


def _gone(row: Any) -> str:
    """An input whose row is gone was deleted, or lost its evidence, or was an output that was taken apart itself."""
    return "deleted" if row.undone_as in (None, unmaking.DELETED) else str(row.undone_as)


_THERE = sa.text("select id from memories where tenant = :tenant and id = any(cast(:ids as uuid[]))")
