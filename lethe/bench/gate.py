"""The gate with conflicts: proposals a second in a small store and in one ten times as large, two processes a side."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import timedelta
from typing import Any

import psycopg

from lethe import clock
from lethe.bench.private import private_instance, rounded
from lethe.client.client import Lethe
from lethe.ids import key_id, owner_id
from lethe.lifecycle.extraction import extract_turns
from lethe.records import Scope
from lethe.store import work

OWN = 400  # memories of an owner, under 40 keys of ten each
KEYS = 40
TENANTS = 20
SAID = 10  # statements of each owner that speaks
SPEAKERS = 200
PROCESSES = 2
STATEMENTS = (
    "I live in Marrow{n}.",
    "I keep thing {n} behind the shed.",
    "I no longer keep thing {n}.",
    "My rowing goal went up to {n} races.",
    "I have never used the crane{n}.",
    "I use the crane{n} at work.",
    "I prefer rope {n} to wire {n}.",
    "I work for Oakley{n}.",
    "I met Ilse{n} at the harbour fair.",
    "My budget for rope has increased to ${n}.",
)
GATE = """
import json, time
from lethe.client.client import Lethe
from lethe import clock
from lethe.lifecycle.gate import judge_keys
from lethe.store import work
with Lethe() as client:
    rules, engine, keys = client.rules, client.engine, client.keys
    engine.connect().close()
    print("ready", flush=True)
    input()
    began, judged = time.perf_counter(), 0
    while claimed := work.claim(engine, work.GATE, clock.now(), 100):
        judged += sum(judge_keys(engine, claimed, rules, keys, clock.now()).outcomes.values())
    print(json.dumps({"seconds": time.perf_counter() - began}))
"""


def measure(services: Any, *, memories: int, **_: Any) -> dict[str, Any]:
    """Proposals a second at a tenth of the size and at the size, their ratio, and what became of the proposals."""
    small, large = _at(services, memories // 10), _at(services, memories)
    return {
        str(memories // 10): small,
        str(memories): large,
        "small_over_large": rounded(small["proposals_per_second"] / large["proposals_per_second"]),
    }


def _at(services: Any, memories: int) -> dict[str, Any]:
    with private_instance(
        services, without=("relay", "worker-extract", "worker-gate", "worker-index", "worker-jobs")
    ) as client:
        speakers = _fill(client, memories)
        _say(client, speakers)
        proposals = _count(client, "select count(*) from proposals where refusals is null")
        seconds = max(_judged(client))
        outcomes = _count_by(client, _OUTCOMES)
        return {
            "proposals": proposals,
            "seconds": rounded(seconds),
            "proposals_per_second": rounded(proposals / seconds),
            **outcomes,
        }


def _say(client: Lethe, speakers: int) -> None:
    """Turns of these owners, pushed and extracted; what they propose waits for the gate."""
    now = clock.now()
    client.push(
        [
            {"tenant": _tenant(owner), "user": _user(owner), "session": f"bench-{said}", "turn": f"{owner}-{said}",
             "author": "user", "text": text.format(n=10 + (owner + said) % 8),
             "observed_at": (now - timedelta(minutes=30 - said)).isoformat()}
            for owner in range(speakers) for said, text in enumerate(STATEMENTS)
        ]
    )  # fmt: skip
    while claimed := work.claim(client.engine, work.EXTRACT, clock.now(), 200):
        extract_turns(client.engine, claimed, client.rules, clock.now())


def _judged(client: Lethe) -> list[float]:
    """Seconds of each process that works the gate's queue off."""
    environment = {**os.environ, "LETHE_HOME": str(client.settings.home)}
    gates = [
        subprocess.Popen([sys.executable, "-c", GATE], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(PROCESSES)
    ]
    for gate in gates:
        assert gate.stdout is not None
        gate.stdout.readline()
    for gate in gates:
        assert gate.stdin is not None
        gate.stdin.write(b"\n")
        gate.stdin.flush()
    return [json.loads(gate.communicate()[0])["seconds"] for gate in gates]


# --- rows ---------------------------------------------------------------------------------------------------------


def _tenant(owner: int) -> str:
    return f"tenant{owner % TENANTS:02}"


def _user(owner: int) -> str:
    return f"u{owner // TENANTS}"


def _predicate(number: int) -> str:
    return ("lives_in", "keeps", "uses", "works_for")[number] if number < 4 else f"tends_{number}"


def _admin(client: Lethe) -> psycopg.Connection:
    assert client.where.admin_url is not None
    return psycopg.connect(client.where.admin_url)


def _count(client: Lethe, query: Any) -> int:
    with _admin(client) as connection:
        row = connection.execute(query).fetchone()
        assert row is not None
        return int(row[0])


def _count_by(client: Lethe, query: Any) -> dict[str, int]:
    with _admin(client) as connection:
        return dict(connection.execute(query).fetchall())


def _fill(client: Lethe, memories: int) -> int:
    """Turns, proposals, memories and evidence made by the server; returns how many owners speak."""
    owners = max(1, memories // OWN)
    with _admin(client) as connection:
        connection.execute("set synchronous_commit = off")
        connection.execute("set session_replication_role = replica")  # the rows agree with each other by construction
        connection.execute(
            "create temp table key_of (n int, tenant text, user_id text, owner uuid, predicate text, key uuid)"
        )
        with connection.cursor().copy("copy key_of from stdin") as rows:
            for number in range(owners):
                tenant, scope = _tenant(number), Scope(_user(number))
                owner = owner_id(tenant, scope)
                for place in range(KEYS):
                    key = key_id(tenant, scope, "user", _predicate(place))
                    rows.write_row((number, tenant, scope.user, owner, _predicate(place), key))
        connection.execute("insert into tenants (tenant, created_at) select distinct tenant, now() from key_of")
        connection.execute(
            "insert into owners (tenant, owner, user_id, memories) select distinct tenant, owner, user_id, %s from key_of",
            (OWN,),
        )
        connection.execute(_TURNS)
        connection.execute(_ROWS, {"each": OWN // KEYS})
        for statement in (_PROPOSALS, _MEMORIES, _EVIDENCE, _DECISIONS):
            connection.execute(statement)
        connection.commit()
        connection.autocommit = True
        for table in ("tenants", "owners", "turns", "proposals", "memories", "evidence", "decisions"):
            connection.execute(f"vacuum analyze {table}")
        connection.execute("checkpoint")
    return min(SPEAKERS, owners)


_TURNS = """
insert into turns (tenant, id, session, turn, author, user_id, observed_at, observed_offset, received_at, text_mac, text_mac_key, extracted_at)
select distinct tenant, owner, 's-' || user_id, 't-' || user_id, 'user', user_id, now() - interval '1 day', 0, now(),
  decode('00', 'hex'), '1', now() from key_of
"""
_ROWS = """
create temp table row_of as select k.*, gen_random_uuid() as id, gen_random_uuid() as memory, g as place
from key_of k cross join generate_series(1, %(each)s) g where k.predicate not in ('lives_in', 'works_for') or g = 1
"""
_PROPOSALS = """
insert into proposals (tenant, id, turn_id, session, turn, ordinal, author, proposed_by, owner, user_id, key, kind, subject,
  predicate, object, claim, act, basis, confidence, importance, cardinality, observed_at, observed_offset, words, refusals,
  allowed_uses, extractor, created_at)
select tenant, id, owner, 's-' || user_id, 't-' || user_id, place, 'user', 'local', owner, user_id, key, 'semantic', 'user',
  predicate, 'thing ' || place || ' of farm ' || n, 'The user ' || predicate || ' thing ' || place || ' of farm ' || n || '.',
  'assert', 'stated', 0.9, 0.5, 'many', now() - interval '1 day', 0, gen_random_uuid(), '{}', '{answering}', 'local', now()
from row_of
"""
_MEMORIES = """
insert into memories (tenant, id, owner, user_id, key, kind, subject, predicate, object, claim, cardinality, basis, confidence,
  importance, sensitivity, allowed_uses, lead, source_turn, source_session, source_author, evidence_turns, independent,
  observed_at, observed_offset, valid_from, standing, touched_at, fades_at, review_after, policy, created_at, changed_at)
select tenant, memory, owner, user_id, key, 'semantic', 'user', predicate, 'thing ' || place || ' of farm ' || n,
  'The user ' || predicate || ' thing ' || place || ' of farm ' || n || '.', 'many', 'stated', 0.9, 0.5, 'normal', '{answering}',
  id, 't-' || user_id, 's-' || user_id, 'user', array['t-' || user_id], 1, now() - interval '1 day', 0, now() - interval '1 day',
  'current', now() - interval '1 day', now() + interval '1 year', now() + interval '1 year', 'bench@0', now(), now()
from row_of
"""
_EVIDENCE = """
insert into evidence (tenant, memory, proposal, turn_id, role, independent) select tenant, memory, id, owner, 'source', true from row_of
"""
_DECISIONS = """
insert into decisions (tenant, id, proposal, turn_id, session, turn, user_id, kind, outcome, reasons, policy, memory, decided_at)
select tenant, gen_random_uuid(), id, owner, 's-' || user_id, 't-' || user_id, user_id, 'semantic', 'admit', '{passed_every_check}',
  'bench@0', memory, now() from row_of
"""
_OUTCOMES = """
select d.outcome, count(*) from decisions d join proposals p on p.tenant = d.tenant and p.id = d.proposal
where p.session like 'bench-%' group by d.outcome order by d.outcome
"""
