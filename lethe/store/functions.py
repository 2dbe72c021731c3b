"""Functions of the database; a migration makes them.

There is one: what has to cost little more than its commit goes to the server in one round trip.
"""

from __future__ import annotations

from lethe.records import Outcome
from lethe.store import barrier, work

# Takes turns once each, and redactions' decisions with them. The tenant is set and its side of the barrier taken before the
# statement begins that looks at tombstones: that statement sees every deletion which the barrier waited for.
#
# `turns`: rows of `turns` as JSON, with `place`, `names` (keyed hashes under which a deletion may have covered the turn: by name
# for good, by scope if observed before the request), and `decision` and `reasons` where something was redacted. It answers with
# the ids that were written, and with the places of those that a deletion covers; the others are there already.
TAKE_TURNS = f"""
create function take_turns(tenant text, turns text, policy text, now timestamptz) returns table (id uuid, place int)
language plpgsql as $$
#variable_conflict use_column
begin
  perform set_config('lethe.tenant', $1, true), {barrier.share_of("$1")};
  return query
  with given as materialized (
    select * from json_to_recordset($2::json)
      as g(place int, names text[], id uuid, session text, turn text, author text, user_id text, project text, task text, text text,
           text_mac bytea, text_mac_key text, observed_at timestamptz, observed_offset int, verified bool, recalled text[],
           speaker text, redacted bool, decision uuid, reasons text[])
  ), covered as materialized (
    select distinct given.place from given cross join unnest(names) name
    join tombstones t on t.tenant = $1 and t.mac = decode(name, 'hex')
    where t.observed_before is null or given.observed_at <= t.observed_before
  ), written as (
    insert into turns (tenant, id, session, turn, author, user_id, project, task, text, text_mac, text_mac_key, observed_at,
                       observed_offset, received_at, verified, recalled, speaker, redacted)
    select $1, g.id, session, turn, author, user_id, project, task, text, text_mac, text_mac_key, observed_at, observed_offset,
           $4, verified, recalled, speaker, redacted
    from given g where g.place not in (select c.place from covered c)
    on conflict do nothing returning turns.id
  ), known as (
    insert into tenants (tenant, created_at) select $1, $4 where exists (select from written) on conflict do nothing
  ), handed_in as (
    insert into work (stage, tenant, item, since, due) select '{work.EXTRACT}', $1, w.id, $4, $4 from written w
    on conflict do nothing
  ), decided as (
    insert into decisions (tenant, id, turn_id, session, turn, user_id, project, outcome, reasons, policy, decided_at)
    select distinct on (g.id) $1, decision, g.id, session, turn, user_id, project, '{Outcome.REJECT.value}', reasons, $3, $4
    from given g join written w on w.id = g.id where decision is not null order by g.id, g.place
  ), told as materialized (
    select pg_notify('{work.CHANNEL}', '{work.EXTRACT}') where exists (select from written)
  )
  select w.id, cast(null as int) from written w cross join told
  union all select null, c.place from covered c;
end $$
"""
