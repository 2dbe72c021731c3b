"""`nightly` against the size of the store, against bare SQL that changes the same rows, and beside intake and recall."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import psycopg

from lethe import clock
from lethe.bench.private import median, private_instance, rounded
from lethe.client.client import Lethe
from lethe.ids import owner_id
from lethe.records import Scope

OWN = 400
TENANTS = 20
DUE = 10_000
ROUNDS = 3
NIGHT = """
import json, time
from lethe.client.client import Lethe
from lethe import clock
from workers.jobs import JOBS, Order
with Lethe() as client:
    rules, engine = client.rules, client.engine
    engine.connect().close()
    print("ready", flush=True)
    input()
    now, began = clock.now(), time.perf_counter()
    report = JOBS["nightly"](Order(engine, rules, now, now))
    print(json.dumps({"seconds": time.perf_counter() - began, "due": report["due"], "failures": len(report["failures"])}))
"""


def measure(services: Any, *, memories: int, **_: Any) -> dict[str, Any]:
    """Seconds and ratios at a tenth of the size and at the size; milliseconds of push and recall; megabytes of the process."""
    due = min(DUE, memories // 100)
    small, large = _at(services, memories // 10, due), _at(services, memories, due)
    return {
        "due": due,
        str(memories // 10): small,
        str(memories): large,
        "nightly_large_over_small": rounded(large["nightly_s"] / small["nightly_s"]),
        "nightly_over_bare_sql": large["nightly_over_bare_sql"],
        "nothing_due_s": large["nothing_due_s"],
        "push_p95_during_over_without": large["push_p95_during_over_without"],
        "recall_p95_during_over_without": large["recall_p95_during_over_without"],
        "memory_large_over_small": rounded(large["process_mb"] / small["process_mb"]),
    }


def _at(services: Any, memories: int, due: int) -> dict[str, Any]:
    with private_instance(
        services, without=("relay", "worker-extract", "worker-gate", "worker-index", "worker-jobs")
    ) as client:
        _fill(client, memories)
        nothing = _night(client)
        nights, bare = [], []
        for _ in range(ROUNDS):
            _make_due(client, due)
            nights.append(_night(client))
            _make_due(client, due)
            bare.append(_bare(client))
        ours, theirs = median(sorted(each["seconds"] for each in nights)), median(sorted(bare))
        found = {
            "nothing_due_s": rounded(nothing["seconds"]),
            "nightly_s": rounded(ours),
            "bare_sql_s": rounded(theirs),
            "nightly_over_bare_sql": rounded(ours / theirs),
            "process_mb": rounded(max(each["mb"] for each in nights)),
            "changed": min(each["due"] for each in nights),
        }
        return found | _beside(client, due)


def _night(client: Lethe) -> dict[str, Any]:
    """One night in a process of its own: its seconds, rows due, and the most memory that it held."""
    process = _ready(client)
    assert process.stdout is not None
    _begin(process)
    told = json.loads(process.stdout.read())
    process.stdout.close()
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    if told["failures"]:
        raise RuntimeError("a tenant failed")
    return {**told, "mb": usage.ru_maxrss / 1024}


def _ready(client: Lethe) -> subprocess.Popen[bytes]:
    """A process that has everything loaded and waits for a word to begin."""
    environment = {**os.environ, "LETHE_HOME": str(client.settings.home)}
    process = subprocess.Popen(
        [sys.executable, "-c", NIGHT], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.readline()
    return process


def _begin(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    process.stdin.write(b"\n")
    process.stdin.close()


# --- the other side -----------------------------------------------------------------------------------------------


def _bare(client: Lethe) -> float:
    """Seconds to change the same rows and write their events, by one statement a change, as the owner of the tables."""
    with _admin(client) as connection:
        connection.execute("create temp table chosen as select tenant, id, sort from bench_due")
        connection.execute("analyze chosen")
        connection.commit()
        began = time.perf_counter()
        for sort, sets in (
            ("expire", "retired_as = 'expired', retired_at = now()"),
            ("decay", "retired_as = 'archived', retired_at = now()"),
            ("review", "stale_since = now()"),
        ):
            connection.execute(_BARE.format(sets=sets), {"sort": sort})
        connection.commit()
        return time.perf_counter() - began


_BARE = """
with changed as (
  update memories m set {sets}, changed_at = now(), version = version + 1 from chosen c
  where c.sort = %(sort)s and m.tenant = c.tenant and m.id = c.id returning m.tenant, m.id)
insert into events (tenant, at, subject, change, reason, actor, policy)
select tenant, now(), id, %(sort)s, %(sort)s, 'bench', 'bench@0' from changed
"""


def _beside(client: Lethe, due: int) -> dict[str, float]:
    """p95 of push and recall without and during nights."""
    alone: dict[str, list[float]] = {"push": [], "recall": []}
    during: dict[str, list[float]] = {"push": [], "recall": []}
    _operate(client, alone, lambda: len(alone["push"]) >= 50)
    alone = {"push": [], "recall": []}
    for _ in range(ROUNDS):
        until = len(alone["push"]) + 100
        _operate(client, alone, lambda until=until: len(alone["push"]) >= until)  # type: ignore[misc]
        _make_due(client, due)
        process = _ready(client)
        _begin(process)
        _operate(client, during, lambda process=process: process.poll() is not None)  # type: ignore[misc]
        assert process.stdout is not None
        process.stdout.close()
    return {
        f"{name}_p95_{kind}": value
        for name in alone
        for kind, value in (
            ("alone_ms", rounded(_p95(alone[name]))),
            ("during_ms", rounded(_p95(during[name]))),
            ("during_over_without", rounded(_p95(during[name]) / _p95(alone[name]))),
        )
    }


def _operate(client: Lethe, taken: dict[str, list[float]], enough: Callable[[], bool]) -> None:
    while not enough():
        began = time.perf_counter()
        client.push({"tenant": _name(0), "user": "u0", "session": "bench", "turn": uuid4().hex, "author": "user",
                     "text": "I keep the spare key behind the third beam.", "observed_at": clock.now().isoformat()})  # fmt: skip
        between = time.perf_counter()
        client.recall(tenant=_name(0), user="u0", query="Where is the kayak kept in winter?")
        taken["push"].append(1000 * (between - began))
        taken["recall"].append(1000 * (time.perf_counter() - between))


def _p95(values: list[float]) -> float:
    return sorted(values)[int(0.95 * (len(values) - 1))]


# --- rows ---------------------------------------------------------------------------------------------------------


def _name(number: int) -> str:
    return f"tenant{number:02}"


def _admin(client: Lethe) -> psycopg.Connection:
    assert client.where.admin_url is not None
    return psycopg.connect(client.where.admin_url)


def _fill(client: Lethe, memories: int) -> None:
    """Rows made by the server: 400 an owner, spread over 20 tenants, all of them due some day and none today."""
    with _admin(client) as connection:
        connection.execute("set synchronous_commit = off")
        connection.execute("create temp table owner_of (n int primary key, tenant text, user_id text, owner uuid)")
        with connection.cursor().copy("copy owner_of from stdin") as rows:
            for number in range(max(1, memories // OWN)):
                tenant, user = _name(number % TENANTS), f"u{number // TENANTS}"
                rows.write_row((number, tenant, user, owner_id(tenant, Scope(user))))
        connection.execute("insert into tenants (tenant, created_at) select distinct tenant, now() from owner_of")
        connection.execute(
            "insert into owners (tenant, owner, user_id, memories) select tenant, owner, user_id, %s from owner_of",
            (OWN,),
        )
        connection.execute(_MEMORIES, {"own": OWN})
        connection.execute(_MARKS)
        connection.execute("create table bench_due (tenant text, id uuid, sort text)")
        connection.commit()
    _vacuum(client)


_MEMORIES = """
insert into memories (tenant, id, owner, user_id, key, kind, subject, predicate, object, claim, cardinality, basis, confidence,
  importance, sensitivity, allowed_uses, lead, source_turn, source_session, source_author, evidence_turns, independent,
  observed_at, valid_from, standing, touched_at, expires_at, fades_at, review_after, policy, created_at, changed_at)
select o.tenant, gen_random_uuid(), o.owner, o.user_id, gen_random_uuid(), 'semantic', 'user', 'keeps', 'thing ' || g,
  'The user keeps thing ' || g || ' behind the shed of farm ' || o.n || '.',
  'many', 'stated', 0.9, 0.5, 'normal', '{answering}', gen_random_uuid(), 't' || g, 's1', 'user', array['t' || g], 1,
  now() - interval '1 day', now() - interval '1 day', 'current', now(), now() + random() * interval '1 year' + interval '9 days',
  now() + random() * interval '2 years' + interval '9 days', now() + random() * interval '1 year' + interval '9 days',
  'bench@0', now(), now()
from owner_of o cross join generate_series(1, %(own)s) g
"""
_MARKS = """
insert into due (sort, tenant, item, at)
select s, tenant, '00000000-0000-0000-0000-000000000000', date_trunc('day', now() + interval '9 days')
from tenants cross join unnest(array['expire', 'decay', 'review']) s
"""


def _make_due(client: Lethe, due: int) -> None:
    """Put what was changed back, and make so many rows due: four in ten expire, three fade, three come up for review."""
    with _admin(client) as connection:
        connection.execute(_BACK)
        connection.execute("truncate bench_due")
        connection.execute("update owners set memories = %s", (OWN,))
        connection.execute("truncate events, reviews")
        connection.execute(_CHOOSE, {"due": due})
        connection.execute(_DUE)
        connection.execute(_DUE_MARKS)
        connection.commit()
    _vacuum(client)


_BACK = """
update memories m set retired_as = null, retired_at = null, stale_since = null, expires_at = now() + interval '300 days',
  fades_at = now() + interval '600 days', review_after = now() + interval '300 days'
from bench_due b where m.tenant = b.tenant and m.id = b.id
"""
_CHOOSE = """
insert into bench_due
select tenant, id, (array['expire', 'expire', 'expire', 'expire', 'decay', 'decay', 'decay', 'review', 'review', 'review'])[1 + n %% 10]
from (select tenant, id, row_number() over (order by id) as n from (
        select tenant, id, row_number() over (partition by owner order by id) as place from memories) placed
      where place <= 1 + %(due)s / (select count(*) from owners) limit %(due)s) chosen
"""
_DUE = """
update memories m set expires_at = case when b.sort = 'expire' then now() - interval '1 hour' else expires_at end,
  fades_at = case when b.sort = 'decay' then now() - interval '1 hour' else fades_at end,
  review_after = case when b.sort = 'review' then now() - interval '1 hour' else review_after end
from bench_due b where m.tenant = b.tenant and m.id = b.id
"""
_DUE_MARKS = """
insert into due (sort, tenant, item, at)
select distinct sort, tenant, cast('00000000-0000-0000-0000-000000000000' as uuid), date_trunc('hour', now() - interval '1 hour')
from bench_due on conflict do nothing
"""


def _vacuum(client: Lethe) -> None:
    with _admin(client) as connection:
        connection.autocommit = True
        for table in ("memories", "owners", "due", "events", "reviews"):
            connection.execute(f"vacuum analyze {table}")
        connection.execute("checkpoint")
