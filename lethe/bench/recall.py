"""A warm recall at 500 memories an owner in a large table, against query embedding plus the bare exact query."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg
import sqlalchemy as sa

from lethe import clock
from lethe.bench.private import median, milliseconds, private_instance, rounded
from lethe.client.client import Lethe
from lethe.ids import owner_id
from lethe.records import Query, Scope
from lethe.store.database import tenant_transaction

OWN = 500
TENANTS = 20
QUESTION = "Where does the user keep the {} in winter?"
WORDS = [
    "kayak",
    "cello",
    "tandem",
    "loom",
    "telescope",
    "beehive",
    "sidecar",
    "kiln",
    "ladder",
    "anvil",
    "bellows",
    "trowel",
]


def measure(services: Any, *, memories: int, repeat: int, **_: Any) -> dict[str, Any]:
    """Medians in milliseconds of both, and their ratio; beside them the same recall through the local HTTP process."""
    with private_instance(services) as client:
        _fill(client, memories)
        from lethe.index.embedder import Embedder
        from lethe.recall.search import recall

        embedder = Embedder(client.settings)
        tenant, user = _name(0), "u0"

        def ours(number: int) -> None:
            recall(client.engine, _query(tenant, user, number), embedder, client.rules.ranking, clock.now())

        def bare(number: int) -> None:
            vector = embedder.embed([_query(tenant, user, number).query])[0]
            _exact(client, tenant, owner_id(tenant, Scope(user)), vector)

        def through_http(number: int) -> None:
            client.recall(_query(tenant, user, number))

        found: dict[str, list[float]] = {"ours": [], "bare": [], "http": []}
        for _batch in range(10):
            for name, operation in (("ours", ours), ("bare", bare), ("http", through_http)):
                found[name] += milliseconds(max(2, repeat // 10), operation)
    mine, theirs, http = (median(sorted(found[name])) for name in ("ours", "bare", "http"))
    return {
        "memories_in_table": memories,
        "memories_of_the_owner": OWN,
        "recall_median_ms": rounded(mine),
        "embedding_and_bare_query_median_ms": rounded(theirs),
        "ratio": rounded(mine / theirs),
        "recall_through_http_median_ms": rounded(http),
    }


def _query(tenant: str, user: str, number: int) -> Query:
    return Query(tenant=tenant, user=user, query=QUESTION.format(WORDS[number % len(WORDS)]), k=3, threshold=0)


def _exact(client: Lethe, tenant: str, owner: UUID, vector: Any) -> None:
    text = "[" + ",".join(f"{value:.6f}" for value in vector) + "]"
    with tenant_transaction(client.engine, tenant) as connection:
        connection.execute(
            sa.text("""select memory, embedding <=> cast(:vector as halfvec) as distance from vectors
            where tenant = :tenant and owner = :owner order by distance limit 3"""),
            {"vector": text, "tenant": tenant, "owner": owner},
        ).all()


def _name(number: int) -> str:
    return f"tenant{number}"


def _fill(client: Lethe, memories: int, model: str = "bench") -> None:
    """Rows made by the server: random vectors, claims of a few words, 500 an owner, spread over some tenants."""
    assert client.where.admin_url is not None
    owners = max(1, memories // OWN)
    with psycopg.connect(client.where.admin_url) as connection:
        connection.execute("set synchronous_commit = off")
        connection.execute("create temp table owner_of (n int primary key, tenant text, user_id text, owner uuid)")
        with connection.cursor().copy("copy owner_of from stdin") as rows:
            for number in range(owners):
                tenant, user = _name(number % TENANTS), f"u{number // TENANTS}"
                rows.write_row((number, tenant, user, owner_id(tenant, Scope(user))))
        connection.execute("insert into tenants (tenant, created_at) select distinct tenant, now() from owner_of")
        connection.execute(
            "insert into owners (tenant, owner, user_id, memories) select tenant, owner, user_id, %s from owner_of",
            (OWN,),
        )
        connection.execute(_MEMORIES, {"own": OWN, "words": list(WORDS)})
        connection.execute(_VECTORS, {"model": model})
        connection.commit()
    with psycopg.connect(client.where.admin_url, autocommit=True) as connection:
        connection.execute("vacuum analyze memories")
        connection.execute("vacuum analyze vectors")


_MEMORIES = """
insert into memories (tenant, id, owner, user_id, key, kind, subject, predicate, object, claim, cardinality, basis, confidence,
  importance, sensitivity, allowed_uses, lead, source_turn, source_session, source_author, evidence_turns, independent,
  observed_at, valid_from, standing, touched_at, review_after, policy, created_at, changed_at)
select o.tenant, gen_random_uuid(), o.owner, o.user_id, gen_random_uuid(), 'semantic', 'user', 'keeps', 'thing ' || g,
  'The user keeps the ' || (%(words)s::text[])[1 + g %% 12] || ' number ' || g || ' behind the shed of farm ' || o.n || '.',
  'many', 'stated', 0.9, 0.5, 'normal', '{answering}', gen_random_uuid(), 't' || g, 's1', 'user', array['t' || g], 1,
  now() - interval '1 day', now() - interval '1 day', 'current', now(), now() + interval '1 year', 'bench@0', now(), now()
from owner_of o cross join generate_series(1, %(own)s) g
"""
_VECTORS = """
insert into vectors (tenant, memory, owner, model, memory_version, embedding)
select m.tenant, m.id, m.owner, %(model)s, m.version,
  (select cast(array_agg((hashfloat8(i * 0.37 + ('x' || substr(m.id::text, 1, 7))::bit(28)::int) %% 1000) / 1000.0::real) as real[])
   from generate_series(1, 384) i)::halfvec
from memories m
"""
