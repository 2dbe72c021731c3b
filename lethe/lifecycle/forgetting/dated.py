"""Jobs that follow a date in the row: an index range of each tenant, worked off in batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lethe.lifecycle.forgetting import endings
from lethe.lifecycle.forgetting.running import BATCH, NOTHING, Done, Run, ask, asks_first, batch
from lethe.store import due


@dataclass(frozen=True)
class Dated:
    """A job over one date column. `change` names the event, `counted` the count; `reason` is SQL over a row `m` of memories.

    `sets`: what the change sets. `also`: a further statement over the changed rows. `retires`: the rows leave their owner's
    set, so that the job asks first where that is a large part of it.
    """

    job: str
    sort: str
    column: str
    counted: str
    change: str
    reason: str
    sets: str
    where: str = "true"
    also: str = ""
    retires: bool = True

    def __call__(self, run: Run, tenant: str, gone: Mapping[UUID, UUID] = NOTHING) -> Done:
        """Work one tenant off. `gone`: what an earlier job of the same dry run would have retired, with owners."""
        done = Done()
        with batch(run, tenant) as connection:
            seen = due.marks(connection, tenant, self.sort, run.now)
            window = {"tenant": tenant, "now": run.now, "since": due.since(seen)}
            held = self._look(connection, run, window, gone, done)
            if run.dry_run:
                self._list(connection, run, window, held, gone, done)
                return done
            left = done.due and self._step(connection, run, window, held, done)
            if not left:
                self._settle(connection, run, window, seen)
        while left:
            with batch(run, tenant) as connection:
                left = self._step(connection, run, window, held, done)
                if not left:
                    self._settle(connection, run, window, seen)
        return done

    def _look(
        self, connection: Connection, run: Run, window: dict[str, Any], gone: Mapping[UUID, UUID], done: Done
    ) -> list[UUID]:
        """Count what is due; returns the owners that are asked first."""
        held, tenant = [], window["tenant"]
        fewer = Counter(gone.values())
        for row in connection.execute(self._count, {**window, "gone": list(gone)}):
            done.due += row.n
            whole = row.memories - fewer[row.owner]
            if self.retires and asks_first(run, row.n, whole):
                held.append(row.owner)
                done.asks.append(ask(self.job, tenant, row, row.n, whole))
        return held

    def _step(self, connection: Connection, run: Run, window: dict[str, Any], held: list[UUID], done: Done) -> bool:
        """One batch; True where there may be more."""
        named = {**window, "held": held, "limit": BATCH, "change": self.change}
        changed = connection.execute(
            self._change, {**named, "actor": run.actor, "policy": run.rules.version, **self.more(run)}
        ).scalar_one()
        done.changed[self.counted] += len(changed)
        if self.retires:
            endings.mark(connection, window["tenant"], changed, run.now)
        return len(changed) == BATCH

    def _list(
        self,
        connection: Connection,
        run: Run,
        window: dict[str, Any],
        held: list[UUID],
        gone: Mapping[UUID, UUID],
        done: Done,
    ) -> None:
        named = {**window, "held": held, "gone": list(gone), **self.more(run)}
        for row in connection.execute(self._would, named):
            done.note(window["tenant"], row.id, self.counted, row.reason)
            if self.retires:
                done.gone[row.id] = row.owner

    def _settle(self, connection: Connection, run: Run, window: dict[str, Any], seen: list[due.Mark]) -> None:
        following = partial(due.earliest, connection, self._following, window)
        due.settle(connection, window["tenant"], self.sort, seen, run.passed, following)

    def more(self, run: Run) -> dict[str, Any]:
        """Further parameters of `reason`, `sets` and `also`."""
        return {"unhelpful": run.rules.forgetting.unhelpful} if ":unhelpful" in self.reason else {}

    # --- statements -----------------------------------------------------------------------------------------------

    @property
    def _open(self) -> str:
        return f"""m.tenant = :tenant and m.standing = 'current' and m.{self.column} >= :since
  and m.retired_as is null and m.invisible_at is null and {self.where}"""

    @property
    def _due(self) -> str:
        return f"{self._open} and m.{self.column} <= :now"

    @cached_property
    def _count(self) -> sa.TextClause:
        return sa.text(f"""
select o.owner, o.user_id, o.project, o.task, o.memories, n
from (select m.owner, count(*) as n from memories m
      where {self._due} and m.id <> all(cast(:gone as uuid[])) group by m.owner) counted
join owners o on o.tenant = :tenant and o.owner = counted.owner order by o.owner
""")

    @cached_property
    def _change(self) -> sa.TextClause:
        """Choose rows that nobody holds, change them, write their events and tell their owners, in one statement."""
        less = "- n" if self.retires else ""
        also = f", also as ({self.also})" if self.also else ""
        return sa.text(f"""
with chosen as materialized (
  select m.id from memories m where {self._due} and m.owner <> all(cast(:held as uuid[]))
  order by m.{self.column} limit :limit for update skip locked
), changed as (
  update memories m set {self.sets}, changed_at = :now, version = version + 1 from chosen
  where m.tenant = :tenant and m.id = chosen.id returning m.id, m.owner, m.key, {self.reason} as reason
), told as (
  insert into events (tenant, at, subject, change, reason, actor, policy)
  select :tenant, :now, id, :change, reason, :actor, :policy from changed order by id
), grown as (
  select owner, count(*) as n from changed group by owner
), locked as (
  select o.owner from owners o join grown on o.owner = grown.owner where o.tenant = :tenant order by o.owner for update of o
), raised as (
  update owners o set revision = revision + 1, memories = greatest(0, memories {less}) from grown join locked using (owner)
  where o.tenant = :tenant and o.owner = grown.owner
){also}
select coalesce(array_agg(id), '{{}}') from changed
""")

    @cached_property
    def _would(self) -> sa.TextClause:
        return sa.text(f"""
select m.id, m.owner, {self.reason} as reason from memories m
where {self._due} and m.owner <> all(cast(:held as uuid[])) and m.id <> all(cast(:gone as uuid[])) order by m.{self.column}, m.id
""")

    @cached_property
    def _following(self) -> sa.TextClause:
        return sa.text(f"select min(m.{self.column}) from memories m where {self._open}")
