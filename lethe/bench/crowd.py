"""A crowd of users made by the server itself: turns, proposals, decisions, memories, evidence, vectors and events."""

from __future__ import annotations

from collections.abc import Mapping

import psycopg

from lethe.ids import owner_id
from lethe.records import Scope

PLACES = ["attic", "boathouse", "cellar", "depot", "garage", "hangar", "kitchen", "loft", "pantry", "shed", "stable", "workshop"]  # fmt: skip
THINGS = ["anvil", "bellows", "cello", "kayak", "kiln", "ladder", "loom", "sidecar", "tandem", "telescope", "trowel"]


def fill(admin_url: str, tenant: str, users: Mapping[str, int]) -> None:
    """Give each user so many memories, each from a turn of its own, as if they had been pushed, judged and indexed."""
    with psycopg.connect(admin_url) as connection:
        connection.execute("set synchronous_commit = off")
        connection.execute(_CROWD)
        with connection.cursor().copy("copy crowd from stdin") as rows:
            for user, count in users.items():
                rows.write_row((tenant, user, owner_id(tenant, Scope(user)), count))
        connection.execute(
            "insert into tenants (tenant, created_at) values (%s, now()) on conflict do nothing", [tenant]
        )
        named = {"places": PLACES, "things": THINGS}
        for statement in (
            _SAID,
            _TURNS,
            _PROPOSALS,
            _DECISIONS,
            _MEMORIES,
            _EVIDENCE,
            _DIRECTIONS,
            _VECTORS,
            _EVENTS,
            _OWNERS,
        ):
            connection.execute(statement, named if "%(" in statement else None)
    with psycopg.connect(admin_url, autocommit=True) as connection:
        connection.execute("vacuum analyze")
        connection.execute("checkpoint")


_CROWD = "create temp table crowd (tenant text, user_id text, owner uuid, count int)"
_SAID = """
create temp table said as
select c.tenant, c.user_id, c.owner, g as n, 's' || g / 20 || c.user_id as session, 't' || g as turn,
  gen_random_uuid() as turn_id, gen_random_uuid() as proposal, gen_random_uuid() as memory, gen_random_uuid() as key,
  now() - interval '20 days' + g * interval '1 second' as at,
  (%(things)s::text[])[1 + g %% 11] || ' number ' || g || ' in the ' || (%(places)s::text[])[1 + g / 11 %% 12]
    || ' behind ' || substr(md5(c.user_id || g), 1, 10) as thing
from crowd c cross join lateral generate_series(1, c.count) g
"""
_TURNS = """
insert into turns (tenant, id, session, turn, author, user_id, text, text_mac, text_mac_key, observed_at, received_at, extractor,
  extracted_at)
select tenant, turn_id, session, turn, 'user', user_id, 'By the way, I keep the ' || thing || ' since the spring.', '\\x00', '0001',
  at, at, 'bench', at from said
"""
_PROPOSALS = """
insert into proposals (tenant, id, turn_id, session, turn, ordinal, author, proposed_by, owner, user_id, key, kind, subject,
  predicate, object, claim, act, basis, confidence, importance, cardinality, observed_at, refusals, allowed_uses, extractor,
  created_at)
select tenant, proposal, turn_id, session, turn, 0, 'user', 'extractor', owner, user_id, key, 'semantic', 'user', 'keeps', thing,
  'The user keeps the ' || thing || ' since the spring.', 'assert', 'stated', 0.9, 0.5, 'many', at, '{}', '{answering}', 'bench', at
from said
"""
_DECISIONS = """
insert into decisions (tenant, id, proposal, turn_id, session, turn, user_id, kind, outcome, reasons, policy, memory, decided_at)
select tenant, gen_random_uuid(), proposal, turn_id, session, turn, user_id, 'semantic', 'admit', '{stated}', 'bench@0', memory, at
from said
"""
_MEMORIES = """
insert into memories (tenant, id, owner, user_id, key, kind, subject, predicate, object, claim, cardinality, basis, confidence,
  importance, sensitivity, allowed_uses, lead, source_turn, source_session, source_author, evidence_turns, independent,
  observed_at, valid_from, standing, touched_at, review_after, policy, created_at, changed_at)
select tenant, memory, owner, user_id, key, 'semantic', 'user', 'keeps', thing, 'The user keeps the ' || thing || ' since the spring.',
  'many', 'stated', 0.9, 0.5, 'normal', '{answering}', proposal, turn, session, 'user', array[turn], 1, at, at, 'current', at,
  at + interval '1 year', 'bench@0', at, at from said
"""
_EVIDENCE = """
insert into evidence (tenant, memory, proposal, turn_id, role, independent)
select tenant, memory, proposal, turn_id, 'source', true from said
"""
_DIRECTIONS = """
create temp table directions as select d, (
  select cast(array_agg((hashfloat8(i * 0.37 + d) % 1000) / 1000.0::real) as real[]) from generate_series(1, 384) i)::halfvec as way
from generate_series(0, 99) d
"""
_VECTORS = """
insert into vectors (tenant, memory, owner, model, memory_version, embedding)
select tenant, memory, owner, 'bench', 1, way from said join directions on d = n % 100
"""
_EVENTS = """
insert into events (tenant, at, subject, change, reason, actor, policy)
select tenant, at, memory, 'admitted', 'stated', 'gate', 'bench@0' from said
"""
_OWNERS = """
insert into owners (tenant, owner, user_id, memories) select tenant, owner, user_id, count from crowd
"""
