"""Queue `index`: admitted memories get their vectors. The only queue whose worker loads the model."""

from __future__ import annotations

from lethe import clock
from lethe.index.vectors import index_memories
from lethe.store import work
from lethe.store.database import tenant_transaction
from workers import parts
from workers.app import app
from workers.draining import drain

LIMIT = 128


@app.task(name="index.memories")  # type: ignore[untyped-decorator]
def index_due_memories() -> None:
    drain(work.INDEX, LIMIT, _index)


def _index(claimed: work.Claim) -> None:
    for tenant in claimed.rows:
        index_memories(parts.engine(), tenant, claimed.of(tenant), parts.embedder(), clock.now())
        with tenant_transaction(parts.engine(), tenant) as connection:
            work.finish(connection, claimed, tenant, clock.now())
