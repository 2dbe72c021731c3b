"""Screening: what one proposal, its turn and its session say, judged once and stored with the proposal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from lethe.ids import plain_value
from lethe.keys import Keyring
from lethe.lifecycle.extraction import WINDOW, WINDOW_CHARS, local
from lethe.lifecycle.proposing import BY_MODEL, shadow
from lethe.records import Act, Author, Basis, Cardinality, Kind, Proposal, Reason, Ruling, Scope
from lethe.rules import Rules, Verdict
from lethe.store import work
from lethe.store.database import tenant_transaction


@dataclass(frozen=True, slots=True)
class Unscreened:
    """A row of `proposals` with what the checks look at beside it."""

    row: Any
    recalled: tuple[str, ...]
    tombstoned: bool
    window: tuple[tuple[Author, str | None], ...] = ()

    def verdict(self, rules: Rules) -> Verdict:
        """What the checks of a policy say."""
        return rules.screen(
            proposal_of(self.row),
            turn_text=self.row.text,
            recalled=self.recalled,
            tombstoned=self.tombstoned,
            before=self.row.before,
            window=self.window,
        )


def screen(engine: Engine, tenant: str, keys: Sequence[UUID], rules: Rules, ring: Keyring, now: datetime) -> None:
    """Read what is unscreened, judge it outside any transaction, write the verdicts that nobody wrote meanwhile.

    A row that was touched since it was read keeps none: what stood before it may be another now (`rescreening`).
    """
    with tenant_transaction(engine, tenant) as connection:
        found = with_context(connection, tenant, keys, ring, unscreened=True)
    if not found:
        return
    verdicts: list[tuple[UUID, Verdict]] = [(each.row.id, each.verdict(rules)) for each in found]
    read = {each.row.id: each.row.row_version for each in found}
    with tenant_transaction(engine, tenant) as connection:
        connection.execute(
            _VERDICTS,
            {
                "tenant": tenant,
                "ids": [row for row, _ in verdicts],
                "read": [read[row] for row, _ in verdicts],
                "refusals": [_array(verdict.refusals) for _, verdict in verdicts],
                "holds": [_array(verdict.holds) for _, verdict in verdicts],
                "sensitivity": [verdict.sensitivity.value for _, verdict in verdicts],
                "uses": [_array(verdict.allowed_uses) for _, verdict in verdicts],
            },
        )
        refused = [
            each.row.turn_id
            for each, (_, verdict) in zip(found, verdicts, strict=True)
            if each.row.explicit and verdict.refusals
        ]
        if refused:
            work.enqueue(connection, work.GATE, tenant, shadow(connection, tenant, refused), now)


def with_context(
    connection: Connection, tenant: str, keys: Sequence[UUID], ring: Keyring, *, unscreened: bool
) -> list[Unscreened]:
    """Proposals of these keys whose turn still has its text, with their context; only those without a verdict, or all."""
    rows = connection.execute(_ROWS, {"tenant": tenant, "keys": list(keys), "every": not unscreened}).all()
    if not rows:
        return []
    recalled = _recalled(connection, tenant, [row.turn_id for row in rows])
    stones = _tombstoned(connection, tenant, rows, ring)
    windows = _windows(connection, tenant, {row.turn_id for row in rows if row.explicit})
    return [
        Unscreened(row, recalled.get(row.turn_id, ()), row.id in stones, windows.get(row.turn_id, ())) for row in rows
    ]


_ROWS = sa.text("""
select p.*, p.xmin::text as row_version, t.text, (select count(*) from proposals o where o.tenant = p.tenant and o.turn_id = p.turn_id
                     and (o.ordinal, o.id) < (p.ordinal, p.id)) as before
from proposals p join turns t on t.tenant = p.tenant and t.id = p.turn_id
where p.tenant = :tenant and p.key = any(:keys) and (:every or p.refusals is null) and t.text is not null
order by p.turn_id, p.id
""")
_VERDICTS = sa.text("""
update proposals set refusals = cast(given.refusals as text[]), holds = cast(given.holds as text[]),
  sensitivity = given.sensitivity, allowed_uses = cast(given.uses as text[])
from unnest(cast(:ids as uuid[]), cast(:read as text[]), cast(:refusals as text[]), cast(:holds as text[]),
            cast(:sensitivity as text[]), cast(:uses as text[])) as given(id, read, refusals, holds, sensitivity, uses)
where proposals.tenant = :tenant and proposals.id = given.id and proposals.refusals is null
  and proposals.xmin::text = given.read
""")


def _array(words: Sequence[str]) -> str:
    return "{" + ",".join(f'"{word}"' for word in words) + "}"


def _recalled(connection: Connection, tenant: str, turns: Sequence[UUID]) -> dict[UUID, tuple[str, ...]]:
    """Claims that stood before the user: named by the turn or an earlier one of its session, or handed out to it. A merged
    memory that is no more stands for what it was merged from."""
    found = connection.execute(_RECALLED, {"tenant": tenant, "turns": list(set(turns))})
    return {row.id: tuple(row.claims) for row in found}


_RECALLED = sa.text("""
select t.id, array_agg(distinct m.claim) as claims
from turns t
cross join lateral (
  select r as name from turns e cross join unnest(e.recalled) r
  where e.tenant = t.tenant and e.session = t.session and e.observed_at <= t.observed_at and e.recalled <> '{}'
  union
  select 'mem_' || replace(h.memory::text, '-', '') from handouts h
  where h.tenant = t.tenant and h.session = t.session and h.at <= t.observed_at
  union
  select 'mem_' || replace(i.memory::text, '-', '') from turns e cross join unnest(e.recalled) r
  join consolidation_groups g on g.tenant = e.tenant and g.undone_at is not null
    and g.output = case when r ~ '^mem_[0-9a-f]{32}$' then cast(substr(r, 5) as uuid) end
  join consolidation_inputs i on i.tenant = g.tenant and i.consolidation = g.consolidation and i.place = g.place
  where e.tenant = t.tenant and e.session = t.session and e.observed_at <= t.observed_at and e.recalled <> '{}'
) named
join memories m on m.tenant = t.tenant and m.id = case when named.name ~ '^mem_[0-9a-f]{32}$' then cast(substr(named.name, 5) as uuid) end
where t.tenant = :tenant and t.id = any(:turns)
group by t.id
""")


def _windows(
    connection: Connection, tenant: str, turns: Collection[UUID]
) -> dict[UUID, tuple[tuple[Author, str | None], ...]]:
    """(author, text) of the turns before each of these in its session, oldest first; None for a purged text."""
    found: dict[UUID, list[tuple[Author, str | None]]] = defaultdict(list)
    if turns:
        given = {"tenant": tenant, "turns": list(turns), "window": WINDOW, "chars": WINDOW_CHARS}
        for row in connection.execute(_WINDOWS, given):
            found[row.id].append((Author(row.author), row.text))
    return {name: tuple(window) for name, window in found.items()}


_WINDOWS = sa.text("""
select t.id, b.author, right(b.text, :chars) as text from turns t cross join lateral (
  select p.author, p.text, p.observed_at, p.turn from turns p where p.tenant = t.tenant and p.session = t.session
    and (p.observed_at, p.turn) < (t.observed_at, t.turn) and p.observed_at <= t.observed_at
  order by p.observed_at desc, p.turn desc limit :window) b
where t.tenant = :tenant and t.id = any(:turns)
order by t.id, b.observed_at, b.turn
""")


def _tombstoned(connection: Connection, tenant: str, rows: Sequence[Any], ring: Keyring) -> set[UUID]:
    """Proposals whose claim was deleted by a request made after their turn was observed."""
    if (
        connection.execute(
            sa.text("select 1 from tombstones where tenant = :t and sort = 'claim' limit 1"), {"t": tenant}
        ).first()
        is None
    ):
        return set()
    asked: dict[bytes, list[Any]] = defaultdict(list)
    for row in rows:
        for name in claim_fingerprints(tenant, row):
            for mac in ring.macs(*name):
                asked[mac].append(row)
    found = connection.execute(
        sa.text(
            "select mac, observed_before from tombstones where tenant = :tenant and sort = 'claim' and mac = any(:macs)"
        ),
        {"tenant": tenant, "macs": list(asked)},
    )
    return {
        row.id
        for stone in found
        for row in asked[bytes(stone.mac)]
        if stone.observed_before is None or row.observed_at <= stone.observed_before
    }


def claim_fingerprint(tenant: str, owner: UUID, key: UUID, value: str) -> tuple[str, ...]:
    """What a claim tombstone is the keyed hash of."""
    return ("claim", tenant, str(owner), str(key), plain_value(value))


def claim_fingerprints(tenant: str, row: Any) -> list[tuple[str, ...]]:
    """By which a proposal is known as what was deleted: its key and value, and its words, under whatever predicate they come."""
    said = ("said", tenant, str(row.owner), plain_value(row.claim).rstrip(".! "))
    return [claim_fingerprint(tenant, row.owner, row.key, row.object), said]


def proposal_of(row: Any) -> Proposal:
    """The record of a row of `proposals`."""
    return Proposal(
        id=row.id,
        turn_id=row.turn_id,
        session=row.session,
        turn=row.turn,
        ordinal=row.ordinal,
        author=Author(row.author),
        verified=row.verified,
        explicit=row.explicit,
        scope=Scope(row.user_id, row.project, row.task),
        kind=Kind(row.kind),
        subject=row.subject,
        predicate=row.predicate,
        object=row.object,
        claim=row.claim,
        negated=row.negated,
        act=Act(row.act),
        basis=Basis(row.basis),
        confidence=row.confidence,
        importance=row.importance,
        cardinality=Cardinality(row.cardinality) if row.cardinality else None,
        observed_at=local(row.observed_at, row.observed_offset),
        event_at=row.event_at,
        expires_at=row.expires_at,
        replaces=row.replaces,
        supersedes=row.supersedes,
        cue=row.cue,
        third_party=row.third_party,
        by_model=row.extractor.startswith(BY_MODEL),
        signals=frozenset(map(Reason, row.signals)),
        words=row.words,
        shadowed=row.shadowed,
        ruling=Ruling(row.ruling) if row.ruling else None,
        ruled_at=row.ruled_at,
        refusals=None if row.refusals is None else tuple(map(Reason, row.refusals)),
        holds=tuple(map(Reason, row.holds)),
    )
