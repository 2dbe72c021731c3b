"""`purge`: the text of turns that nothing needs any more, with that of what was refused of them; held proposals that nobody
confirmed; the log of recalls; what ended long ago, by deletion; and the history of what is gone.

Rows of turns, proposals and decisions stay, without text: names stay given once, and reasons can still be asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import sqlalchemy as sa

from lethe.ids import shown
from lethe.lifecycle.forgetting.ended import delete_ended
from lethe.lifecycle.forgetting.running import BATCH, Done, Run, batch
from lethe.store import due


@dataclass(frozen=True)
class Kept:
    """Something that is kept for a time from a date of its own on. `takes` returns one row of counts a batch, and names the
    count that tells whether there may be more; `lists` returns id and reason; `following` the next date, or nothing."""

    sort: str
    kept: Callable[[Run], timedelta | None]
    counted: str
    takes: sa.TextClause
    lists: sa.TextClause
    following: sa.TextClause

    def work_off(self, run: Run, tenant: str, done: Done) -> None:
        kept = self.kept(run)
        if kept is None:
            return
        then = run.now - kept
        named = {"tenant": tenant, "then": then, "now": run.now, "actor": run.actor, "policy": run.rules.version}
        with batch(run, tenant) as connection:
            seen = due.marks(connection, tenant, self.sort, then)
            if run.dry_run:
                self._list(connection.execute(self.lists, named), tenant, done)
                return
        more = True
        while more:
            with batch(run, tenant) as connection:
                row = connection.execute(self.takes, {**named, "limit": BATCH})
                more = self._count(row.mappings().one(), done)
                if not more:
                    following = partial(due.earliest, connection, self.following, named)
                    due.settle(connection, tenant, self.sort, seen, run.passed - kept, following)

    def _count(self, counts: Any, done: Done) -> bool:
        done.due += counts[self.counted]
        done.changed.update({name: count for name, count in counts.items() if count})
        return bool(counts[self.counted] == BATCH)

    def _list(self, rows: Any, tenant: str, done: Done) -> None:
        for row in rows:
            done.due += row.counts
            done.changed[row.change] += 1
            done.would.append(
                {"tenant": tenant, "item": shown(row.sort, row.id), "change": row.change, "reason": row.reason}
            )


_WAITING = """exists (select from work w where w.stage = 'extract' and w.tenant = t.tenant and w.item = t.id)
  or exists (select from proposals p where p.tenant = t.tenant and p.turn_id = t.id and (p.refusals is null
             or exists (select from work w where w.stage = 'gate' and w.tenant = p.tenant and w.item = p.key)))"""
_OLD_TURNS = f"t.tenant = :tenant and t.text is not null and t.received_at <= :then and not ({_WAITING})"
_REFUSED = """d.tenant = p.tenant and d.proposal = p.id and d.outcome = 'reject' and p.act = 'assert' and p.claim <> ''
  and not exists (select from evidence e where e.tenant = p.tenant and e.proposal = p.id)"""

TURNS = Kept(
    sort=due.TEXT,
    kept=lambda run: run.rules.forgetting.raw_turns,
    counted="turns",
    takes=sa.text(f"""
with chosen as materialized (
  select t.id from turns t where {_OLD_TURNS} order by t.received_at limit :limit for update skip locked
), emptied as (
  update turns t set text = null from chosen where t.tenant = :tenant and t.id = chosen.id returning t.id
), refused as (
  update proposals p set claim = '', object = '', subject = '', predicate = '', replaces = null,
    refusals = case when p.refusals = '{{}}' then d.reasons else p.refusals end
  from chosen, decisions d where p.tenant = :tenant and p.turn_id = chosen.id and {_REFUSED} returning p.id
), told as (
  insert into events (tenant, at, subject, change, reason, actor, policy)
  select :tenant, :now, id, 'text_purged', 'raw_turn_days', :actor, :policy from emptied order by id
)
select (select count(*) from emptied) as turns, (select count(*) from refused) as refused
"""),
    lists=sa.text(f"""
with chosen as (select t.id, t.received_at from turns t where {_OLD_TURNS})
select id, 'turn' as sort, 'turns' as change, 'raw_turn_days' as reason, 1 as counts, received_at from chosen
union all
select p.id, 'prop', 'refused', 'raw_turn_days', 0, chosen.received_at from chosen
join proposals p on p.tenant = :tenant and p.turn_id = chosen.id join decisions d on {_REFUSED}
order by received_at, sort desc, id
"""),
    following=sa.text("select min(received_at) from turns where tenant = :tenant and text is not null"),
)

HELD = Kept(
    sort=due.HELD,
    kept=lambda run: run.rules.forgetting.held,
    counted="unconfirmed",
    takes=sa.text("""
with chosen as materialized (
  select d.id, d.proposal from decisions d where d.tenant = :tenant and d.outcome = 'hold' and d.decided_at <= :then
    and d.proposal is not null order by d.decided_at limit :limit for update skip locked
), emptied as (
  update proposals p set claim = '', object = '', subject = '', predicate = '', replaces = null, refusals = '{hold_expired}' from chosen
  where p.tenant = :tenant and p.id = chosen.proposal returning p.id
), decided as (
  update decisions d set outcome = 'reject', reasons = '{hold_expired}', decided_at = :now, policy = :policy from chosen
  where d.tenant = :tenant and d.id = chosen.id returning d.proposal
), told as (
  insert into events (tenant, at, subject, change, reason, actor, policy)
  select :tenant, :now, proposal, 'rejected', 'hold_expired', :actor, :policy from decided order by proposal
)
select count(*) as unconfirmed from decided
"""),
    lists=sa.text("""
select d.proposal as id, 'prop' as sort, 'unconfirmed' as change, 'hold_expired' as reason, 1 as counts from decisions d
where d.tenant = :tenant and d.outcome = 'hold' and d.decided_at <= :then and d.proposal is not null order by d.decided_at, d.id
"""),
    following=sa.text("select min(decided_at) from decisions where tenant = :tenant and outcome = 'hold'"),
)

RECALLS = Kept(
    sort=due.LOG,
    kept=lambda run: run.rules.forgetting.recall_log,
    counted="handouts",
    takes=sa.text("""
with chosen as materialized (
  select id from handouts where tenant = :tenant and at <= :then order by at limit :limit for update skip locked
), gone as (
  delete from handouts h using chosen where h.tenant = :tenant and h.id = chosen.id returning h.id
)
select count(*) as handouts from gone
"""),
    lists=sa.text("""
select memory as id, 'mem' as sort, 'handouts' as change, 'recall_log_days' as reason, 1 as counts from handouts
where tenant = :tenant and at <= :then order by at, id
"""),
    following=sa.text("select min(at) from handouts where tenant = :tenant"),
)

ALL = (TURNS, HELD, RECALLS)


def purge(run: Run, tenant: str) -> Done:
    """Work one tenant off."""
    done = Done()
    for each in ALL:
        each.work_off(run, tenant, done)
    delete_ended(run, tenant, done)
    if run.rules.forgetting.audit is not None:
        _forget_history(run, tenant, run.rules.forgetting.audit, done)
    return done


def until(run: Run) -> dict[str, datetime]:
    """{sort: the date up to which it is due}."""
    found = {each.sort: run.now - kept for each in ALL if (kept := each.kept(run)) is not None}
    forgetting = run.rules.forgetting
    if forgetting.ended is not None and run.delete is not None:
        found[due.ENDED] = run.now - forgetting.ended
    if forgetting.audit is not None:
        found[due.HISTORY] = run.now - forgetting.audit
    return found


def _forget_history(run: Run, tenant: str, kept: timedelta, done: Done) -> None:
    """The events of what is gone, so long after the last of them. Those of what stands are looked at once."""
    more = True
    while more:
        with batch(run, tenant) as connection:
            seen = due.marks(connection, tenant, due.HISTORY, run.now - kept)
            named = {"tenant": tenant, "since": due.since(seen), "then": run.now - kept, "limit": BATCH}
            if run.dry_run:
                for subject in connection.execute(_PAST, named).scalars():
                    done.changed["events"] += 1
                    item = {"tenant": tenant, "item": subject.hex, "change": "events", "reason": "audit_days"}
                    done.would.append(item)
                return
            gone = connection.execute(_HISTORY, named).one()
            done.changed.update({"events": gone.events} if gone.events else {})
            more = gone.subjects == BATCH
            if not more:
                following = partial(due.earliest, connection, _NEXT_EVENT, named)
                due.settle(connection, tenant, due.HISTORY, seen, run.passed - kept, following)


_SUBJECTS = """
select distinct e.subject from events e where e.tenant = :tenant and e.at >= :since and e.at <= :then
  and not exists (select from memories m where m.tenant = e.tenant and m.id = e.subject)
  and not exists (select from events later where later.tenant = e.tenant and later.subject = e.subject and later.at > :then)
"""
_PAST = sa.text(f"select subject from events where tenant = :tenant and subject in ({_SUBJECTS}) order by at, id")
_HISTORY = sa.text(f"""
with chosen as materialized (
  {_SUBJECTS} limit :limit
), gone as (
  delete from events e using chosen where e.tenant = :tenant and e.subject = chosen.subject returning e.id
)
select (select count(*) from chosen) as subjects, (select count(*) from gone) as events
""")
_NEXT_EVENT = sa.text("select min(at) from events where tenant = :tenant and at > :then")
