"""The gate: screen what is new of some keys, fold each key under its lock, and make the rows what the fold says.

Deletion, retraction and revert end here too: whatever changes the proposals of a key, the same fold follows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from lethe.ids import plain_value, shown
from lethe.keys import Keyring
from lethe.lifecycle.extraction import local
from lethe.lifecycle.standing import Written, write_key
from lethe.records import Act, Author, Basis, Cardinality, Kind, Proposal, Reason, Ruling, Scope
from lethe.rules import Rules, Verdict
from lethe.store import barrier, work
from lethe.store.database import tenant_transaction


@dataclass(slots=True)
class Judged:
    """What one pass of the gate did: decisions by outcome, and the memories whose vectors are due."""

    keys: int = 0
    outcomes: dict[str, int] = field(default_factory=lambda: defaultdict(int))


def judge_keys(engine: Engine, claimed: work.Claim, rules: Rules, keys: Keyring, now: datetime) -> Judged:
    """Work off a claim of the gate stage."""
    judged = Judged()
    for tenant in claimed.rows:
        _screen(engine, tenant, claimed.of(tenant), rules, keys)
        with tenant_transaction(engine, tenant) as connection:
            written = fold_keys(connection, tenant, claimed.of(tenant), rules, now)
            work.enqueue(connection, work.INDEX, tenant, written.to_index, now, claimed.since)
            if rules.body["deletion"]["said_in_a_turn"] == "delete":
                work.enqueue(connection, work.ERASE, tenant, _retracted(connection, tenant, claimed.of(tenant)), now)
            work.finish(connection, claimed, tenant, now, again=written.unscreened)
        judged.keys += len(claimed.rows[tenant])
        for outcome, count in written.outcomes.items():
            judged.outcomes[outcome] += count
    return judged


def _retracted(connection: Connection, tenant: str, keys: Sequence[UUID]) -> list[UUID]:
    """Keys in which something was retracted."""
    found = connection.execute(
        sa.text("select distinct key from memories where tenant = :tenant and key = any(:keys) and standing = 'retracted'"),
        {"tenant": tenant, "keys": list(keys)},
    )
    return list(found.scalars())


# --- screening: what one proposal, its turn and its session say ---------------------------------------------------


def _screen(engine: Engine, tenant: str, keys: Sequence[UUID], rules: Rules, ring: Keyring) -> None:
    """Read what is unscreened, judge it outside any transaction, write the verdicts that nobody wrote meanwhile."""
    with tenant_transaction(engine, tenant) as connection:
        rows = connection.execute(_UNSCREENED, {"tenant": tenant, "keys": list(keys)}).all()
        if not rows:
            return
        recalled = _recalled(connection, tenant, [row.turn_id for row in rows])
        stones = _tombstoned(connection, tenant, rows, ring)
    verdicts: list[tuple[UUID, Verdict]] = []
    for row in rows:
        proposal = proposal_of(row)
        verdicts.append(
            (
                row.id,
                rules.screen(
                    proposal,
                    turn_text=row.text,
                    recalled=recalled.get(row.turn_id, ()),
                    tombstoned=row.id in stones,
                    before=row.before,
                ),
            )
        )
    with tenant_transaction(engine, tenant) as connection:
        connection.execute(
            _VERDICTS,
            {
                "tenant": tenant,
                "ids": [row for row, _ in verdicts],
                "refusals": [_array(verdict.refusals) for _, verdict in verdicts],
                "holds": [_array(verdict.holds) for _, verdict in verdicts],
                "sensitivity": [verdict.sensitivity.value for _, verdict in verdicts],
                "uses": [_array(verdict.allowed_uses) for _, verdict in verdicts],
            },
        )


_UNSCREENED = sa.text("""
select p.*, t.text, (select count(*) from proposals o where o.tenant = p.tenant and o.turn_id = p.turn_id
                     and (o.ordinal, o.id) < (p.ordinal, p.id)) as before
from proposals p join turns t on t.tenant = p.tenant and t.id = p.turn_id
where p.tenant = :tenant and p.key = any(:keys) and p.refusals is null and t.text is not null
order by p.id
""")
_VERDICTS = sa.text("""
update proposals set refusals = cast(given.refusals as text[]), holds = cast(given.holds as text[]),
  sensitivity = given.sensitivity, allowed_uses = cast(given.uses as text[])
from unnest(cast(:ids as uuid[]), cast(:refusals as text[]), cast(:holds as text[]), cast(:sensitivity as text[]),
            cast(:uses as text[])) as given(id, refusals, holds, sensitivity, uses)
where proposals.tenant = :tenant and proposals.id = given.id and proposals.refusals is null
""")


def _array(words: Sequence[str]) -> str:
    return "{" + ",".join(f'"{word}"' for word in words) + "}"


def _recalled(connection: Connection, tenant: str, turns: Sequence[UUID]) -> dict[UUID, tuple[str, ...]]:
    """Claims that stood before the user: named by the turn or an earlier one of its session, or handed out to it."""
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
) named
join memories m on m.tenant = t.tenant and m.id = case when named.name ~ '^mem_[0-9a-f]{32}$' then cast(substr(named.name, 5) as uuid) end
where t.tenant = :tenant and t.id = any(:turns)
group by t.id
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
        for mac in ring.macs(*claim_fingerprint(tenant, row.owner, row.key, row.object)):
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


# --- folding ------------------------------------------------------------------------------------------------------


def fold_keys(connection: Connection, tenant: str, keys: Sequence[UUID], rules: Rules, now: datetime) -> Written:
    """Fold these keys under their locks. A key with proposals that nobody screened yet is left for another pass."""
    barrier.share(connection, tenant)
    connection.execute(_LOCK, {"tenant": tenant, "keys": list(keys)})
    by_key: dict[UUID, list[Any]] = {key: [] for key in keys}
    for row in connection.execute(_PROPOSALS, {"tenant": tenant, "keys": list(keys)}):
        by_key[row.key].append(row)
    unscreened = {key for key, rows in by_key.items() if any(row.refusals is None for row in rows)}
    folded = {
        key: (rules.fold([proposal_of(row) for row in rows]), {row.id: row for row in rows})
        for key, rows in by_key.items()
        if key not in unscreened
    }
    written = write_key(connection, tenant, folded, rules, now)
    written.unscreened = unscreened
    return written


_LOCK = sa.text("""
select pg_advisory_xact_lock(k) from (
  select distinct hashtextextended(:tenant || key::text, 0) as k from unnest(cast(:keys as uuid[])) key order by 1) locks
""")
_PROPOSALS = sa.text("""
select p.*, t.received_at from proposals p join turns t on t.tenant = p.tenant and t.id = p.turn_id
where p.tenant = :tenant and p.key = any(:keys) order by p.id
""")


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
        signals=frozenset(map(Reason, row.signals)),
        words=row.words,
        shadowed=row.shadowed,
        ruling=Ruling(row.ruling) if row.ruling else None,
        ruled_at=row.ruled_at,
        refusals=None if row.refusals is None else tuple(map(Reason, row.refusals)),
        holds=tuple(map(Reason, row.holds)),
    )


__all__ = ["Judged", "claim_fingerprint", "fold_keys", "judge_keys", "proposal_of", "shown"]
