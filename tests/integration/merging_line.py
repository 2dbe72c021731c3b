"""The line with a real model and consolidation, in the test's own process."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import sqlalchemy as sa

from lethe.ids import parsed
from lethe.index.embedder import Embedder
from lethe.index.vectors import index_memories
from lethe.lifecycle.consolidation import requesting
from lethe.lifecycle.consolidation.finding import Asked
from lethe.lifecycle.consolidation.listing import consolidations
from lethe.lifecycle.consolidation.reverting import revert
from lethe.lifecycle.consolidation.running import Plan
from lethe.recall import reading
from lethe.recall.search import recall
from lethe.records import Query
from lethe.settings import Settings
from lethe.store import work
from lethe.store.database import tenant_transaction
from tests.integration.line import Line

MODEL = Embedder(Settings.from_environment())
AUDIT = {
    "consolidations",
    "consolidation_groups",
    "consolidation_inputs",
    "events",
    "job_runs",
    "due",
    "unconsolidated",
}
# Counters that may only rise, so that no cache is fooled.
RISING = {"memories": ["version"], "owners": ["revision"]}


class MergingLine(Line):
    """A line that indexes, consolidates and reverts."""

    def index(self) -> None:
        while claimed := work.claim(self.engine, work.INDEX, self.now, 256):
            for tenant in claimed.rows:
                index_memories(self.engine, tenant, claimed.of(tenant), MODEL, self.now)
                with tenant_transaction(self.engine, tenant) as connection:
                    work.finish(connection, claimed, tenant, self.now)

    def drain(self) -> None:
        super().drain()
        self.index()

    def says(self, *texts: str, **fields: Any) -> None:
        """Turns of a user, a day and a session apart, worked off."""
        self.take(*(self.turn(f"t{n}", text, n, **fields) for n, text in enumerate(texts)))

    def later(self, **passed: float) -> None:
        self.now += timedelta(**passed)

    def plan(self, **fields: Any) -> Plan:
        return Plan(self.engine, fields.pop("rules", self.rules), MODEL, self.now, "operator", **fields)

    def consolidate(self, since_version: str | None = None, **fields: Any) -> dict[str, Any]:
        scope = {name: fields.pop(name) for name in ("user", "project") if name in fields}
        return requesting.on_request(self.plan(**fields), Asked(self.tenant, again=True, **scope), since_version)

    def revert(self, consolidation: str) -> dict[str, Any]:
        return revert(self.engine, self.tenant, consolidation, self.rules, self.now)

    def consolidations(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = consolidations(self.engine, self.tenant)["consolidations"]
        return rows

    def recalls(self, query: str, **fields: Any) -> list[dict[str, Any]]:
        asked = Query.model_validate({"tenant": self.tenant, "user": "u1", "query": query, **fields})
        found: list[dict[str, Any]] = recall(self.engine, asked, MODEL, self.rules.ranking, self.now)["memories"]
        return found

    def why(self, memory: str) -> dict[str, Any]:
        return reading.why(self.engine, self.tenant, memory)

    def row(self, memory: str) -> Any:
        with tenant_transaction(self.engine, self.tenant) as connection:
            found = connection.execute(sa.text("select * from memories where id = :id"), {"id": parsed("mem", memory)})
            return found.one()

    def execute(self, statement: str, **values: Any) -> Any:
        with tenant_transaction(self.engine, self.tenant) as connection:
            found = connection.execute(sa.text(statement), values)
            return found.all() if found.returns_rows else found.rowcount

    def tables(self, *more: str) -> dict[str, list[str]]:
        """Every row of every table but the audit's, rising counters left out."""
        with tenant_transaction(self.engine, self.tenant) as connection:
            names = connection.execute(
                sa.text("select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') "
                        "and not relispartition order by 1")
            ).scalars().all()  # fmt: skip
            return {name: self._rows(connection, name) for name in names if name not in AUDIT | set(more)}

    def _rows(self, connection: Any, name: str) -> list[str]:
        left_out = "".join(f" - '{column}'" for column in RISING.get(name, []))
        query = sa.text(f"select (to_jsonb(t){left_out})::text from {name} t order by 1")
        return list(connection.execute(query).scalars())
