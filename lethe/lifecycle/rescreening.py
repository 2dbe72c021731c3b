"""Judging again what was judged before all of its context was there.

What was recalled into a session, and the turns just before one, decide about the proposals of later turns; those of one turn
compete for its quota. Where such context arrives late, their verdicts are taken back and their keys folded once more, so that any order of arrival ends in
the same memories. Every such row is touched, judged or not: a verdict under way was made without the news (see `screen`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lethe.store import work


def after_recalls(connection: Connection, tenant: str, turns: Collection[UUID], now: datetime) -> None:
    """Take back the verdicts on what was said after these turns, where they name memories that were recalled."""
    _again(connection, tenant, _AFTER_TURNS, {"turns": list(turns)}, now)


def after_hand_outs(
    connection: Connection, tenant: str, sessions: Collection[tuple[str, datetime]], now: datetime
) -> None:
    """Take back the verdicts on what was said in these sessions since memories were handed out to them."""
    given: dict[str, Sequence[Any]] = {"sessions": [name for name, _ in sessions], "times": [at for _, at in sessions]}
    _again(connection, tenant, _AFTER_HAND_OUTS, given, now)


def beside(connection: Connection, tenant: str, turns: Collection[UUID], now: datetime) -> None:
    """Take back the verdicts on what agents proposed of these turns, whose window has changed."""
    _again(connection, tenant, _EXPLICIT_OF, {"turns": list(turns)}, now)


def crowded(connection: Connection, tenant: str, turns: Collection[UUID], quota: int, now: datetime) -> None:
    """Take back the verdicts on proposals of turns with more of them than the quota, or that had: which come first is known anew."""
    if turns:
        given = {"tenant": tenant, "turns": list(turns), "quota": quota}
        work.enqueue(connection, work.GATE, tenant, set(connection.execute(_CROWDED, given).scalars()), now)


def _again(
    connection: Connection, tenant: str, which: sa.TextClause, given: Mapping[str, Sequence[Any]], now: datetime
) -> None:
    if all(given.values()):
        keys = connection.execute(which, {"tenant": tenant, **given}).scalars()
        work.enqueue(connection, work.GATE, tenant, set(keys), now)


_TAKE_BACK = (
    "update proposals set refusals = null from chosen where proposals.tenant = :tenant and proposals.id = chosen.id"
)
_IN_ORDER = "order by p.id for update of p"
_AFTER_TURNS = sa.text(f"""
with chosen as (
  select p.id from proposals p where p.tenant = :tenant and p.turn_id = any(array(
    select n.id from turns t join turns n on n.tenant = t.tenant and n.session = t.session and n.observed_at >= t.observed_at
    where t.tenant = :tenant and t.id = any(:turns) and t.recalled <> '{{}}' and n.id <> t.id and n.text is not null))
  {_IN_ORDER}
) {_TAKE_BACK} returning key
""")
_AFTER_HAND_OUTS = sa.text(f"""
with chosen as (
  select p.id from proposals p where p.tenant = :tenant and p.turn_id = any(array(
    select n.id from turns n join unnest(cast(:sessions as text[]), cast(:times as timestamptz[])) as given(session, at)
      on n.session = given.session and n.observed_at >= given.at
    where n.tenant = :tenant and n.text is not null))
  {_IN_ORDER}
) {_TAKE_BACK} returning key
""")
_EXPLICIT_OF = sa.text(f"""
with chosen as (
  select p.id from proposals p where p.tenant = :tenant and p.turn_id = any(:turns) and p.explicit
  {_IN_ORDER}
) {_TAKE_BACK} returning key
""")
_CROWDED = sa.text(f"""
with chosen as (
  select p.id from proposals p where p.tenant = :tenant and p.turn_id = any(:turns) and p.turn_id in (
    select turn_id from proposals where tenant = :tenant and turn_id = any(:turns) group by turn_id
    having count(*) > :quota or bool_or('turn_quota' = any(refusals)))
  {_IN_ORDER}
) {_TAKE_BACK} returning key
""")
