"""A consolidation with so many changed memories, against the size of the store: its cost should follow the changes alone."""

from __future__ import annotations

import time
from typing import Any

import psycopg

from lethe import clock
from lethe.bench.private import median, private_instance, rounded
from lethe.bench.recall import OWN, TENANTS, _fill, _name
from lethe.client.client import Lethe
from lethe.ids import owner_id
from lethe.index.embedder import PACKAGED, Embedder
from lethe.index.vectors import as_text
from lethe.lifecycle.consolidation import running
from lethe.lifecycle.consolidation.finding import Asked
from lethe.lifecycle.consolidation.reverting import revert
from lethe.records import Scope

CHANGED = 1000
ROUNDS = 3
WITHOUT = ("relay", "worker-extract", "worker-gate", "worker-index", "worker-jobs", "api")
PLACES = ("barn", "mill", "forge", "dairy", "orchard", "quarry", "chapel", "cellar", "jetty", "stable")
NAMES = ("Isolde", "Odalys", "Petronella", "Kaja", "Liv", "Rurik", "Ottoline")


def measure(services: Any, *, memories: int, **_: Any) -> dict[str, Any]:
    """Seconds of a run over all tenants at a tenth of the size and at the size, and their ratio; half of the changed memories
    say more about the other half, so that every pair is merged. The same owners change at both sizes."""
    owners = max(1, memories // 10 // OWN)
    small, large = _at(services, memories // 10, owners), _at(services, memories, owners)
    return {
        "changed": CHANGED,
        str(memories // 10): small,
        str(memories): large,
        "large_over_small": rounded(large["seconds"] / small["seconds"]),
        "nothing_changed_large_over_small": rounded(large["nothing_changed_s"] / small["nothing_changed_s"]),
    }


def _at(services: Any, memories: int, owners: int) -> dict[str, Any]:
    with private_instance(services, without=WITHOUT) as client:
        _fill(client, memories, model=PACKAGED)
        embedder = Embedder(client.settings)
        _change(client, embedder, owners)
        taken, nothing, merged = [], [], 0
        for _ in range(ROUNDS):
            _mark(client)
            began = time.perf_counter()
            outcomes = {name: _run(client, embedder, name) for name in _tenants()}
            taken.append(time.perf_counter() - began)
            merged = sum(outcome.counts()["merged"] for outcome in outcomes.values())
            began = time.perf_counter()
            for name in _tenants():
                _run(client, embedder, name)
            nothing.append(time.perf_counter() - began)
            for name, outcome in outcomes.items():
                if outcome.made:
                    revert(client.engine, name, outcome.consolidation.hex, client.rules, clock.now())
    return {
        "seconds": rounded(median(sorted(taken))),
        "nothing_changed_s": rounded(median(sorted(nothing))),
        "merged": merged,
    }


def _tenants() -> list[str]:
    return [_name(number) for number in range(TENANTS)]


def _run(client: Lethe, embedder: Embedder, tenant: str) -> running.Outcome:
    return running.consolidate(running.Plan(client.engine, client.rules, embedder, clock.now()), Asked(tenant))


def _change(client: Lethe, embedder: Embedder, owners: int) -> None:
    """Pairs of memories, a few to an owner, embedded by the real model; the rest of each set has random vectors."""
    rows = []
    for number in range(CHANGED // 2):
        n = number % min(owners, CHANGED // 4)
        tenant, owner = _name(n % TENANTS), owner_id(_name(n % TENANTS), Scope(f"u{n // TENANTS}"))
        place = PLACES[number % len(PLACES)]
        claim = f"The user mends the {place} of farm {number}"
        rows += [
            (tenant, owner, f"u{n // TENANTS}", f"{claim}."),
            (tenant, owner, f"u{n // TENANTS}", f"{claim} with {NAMES[number % len(NAMES)]}."),
        ]
    vectors = embedder.embed([claim for *_, claim in rows])
    with psycopg.connect(_admin(client)) as connection:
        connection.execute(
            "create table bench_changed (tenant text, owner uuid, user_id text, claim text, vector text, id uuid)"
        )
        with connection.cursor().copy("copy bench_changed (tenant, owner, user_id, claim, vector) from stdin") as copy:
            for row, vector in zip(rows, vectors, strict=True):
                copy.write_row((*row, as_text(vector)))
        connection.execute("update bench_changed set id = gen_random_uuid()")
        connection.execute(_MEMORIES)
        connection.execute(_VECTORS, [PACKAGED])
    with psycopg.connect(_admin(client), autocommit=True) as connection:
        for table in ("memories", "vectors"):
            connection.execute(f"vacuum analyze {table}")


def _mark(client: Lethe) -> None:
    with psycopg.connect(_admin(client)) as connection:
        connection.execute("truncate consolidations, consolidation_groups, consolidation_inputs, unconsolidated")
        connection.execute(
            "insert into unconsolidated (tenant, memory, owner) select tenant, id, owner from bench_changed"
        )
    with psycopg.connect(_admin(client), autocommit=True) as connection:
        connection.execute("vacuum analyze unconsolidated")


def _admin(client: Lethe) -> str:
    assert client.where.admin_url is not None
    return client.where.admin_url


_MEMORIES = """
insert into memories (tenant, id, owner, user_id, key, kind, subject, predicate, object, claim, cardinality, basis, confidence,
  importance, sensitivity, allowed_uses, lead, source_turn, source_session, source_author, evidence_turns, independent,
  observed_at, valid_from, standing, touched_at, review_after, policy, created_at, changed_at)
select tenant, id, owner, user_id, gen_random_uuid(), 'semantic', 'user', 'mends', rtrim(substr(claim, 16), '.'), claim, 'many',
  'stated', 0.9, 0.5, 'normal', '{answering}', gen_random_uuid(), 't', 's1', 'user', array['t'], 1,
  now() - interval '1 day', now() - interval '1 day', 'current', now(), now() + interval '1 year', 'bench@0', now(), now()
from bench_changed
"""
_VECTORS = """
insert into vectors (tenant, memory, owner, model, memory_version, embedding)
select tenant, id, owner, %s, 1, vector::halfvec from bench_changed
"""
