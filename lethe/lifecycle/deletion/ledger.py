"""The ledger: every deletion as keyed hashes and ids, to be kept beside backups and replayed on a restored database.

A line carries a seal under the instance's keys, so that nobody else can write one. The names that a deletion was about are
not in it: on the restored database they are found by hashing what is there.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lethe.ids import parsed, shown
from lethe.keys import Keyring
from lethe.lifecycle.deletion import covering, marks, requests, stones
from lethe.lifecycle.deletion.matching import Found, Stones, match
from lethe.lifecycle.deletion.named import SORTS, What
from lethe.lifecycle.deletion.needles import needles
from lethe.lifecycle.deletion.requests import Reach
from lethe.store import barrier, work
from lethe.store.database import tenant_transaction, transaction

FORMAT = "lethe deletion ledger"
VERSION = 1

Line = dict[str, Any]


def export(reach: Reach, now: datetime, tenant: str | None = None) -> list[Line]:
    """The lines of the ledger: one about the file, then one a deletion, oldest first."""
    with transaction(reach.engine) as connection:
        tenants = connection.execute(_TENANTS, {"tenant": tenant}).scalars().all()
    lines: list[Line] = [{"format": FORMAT, "version": VERSION, "exported_at": now.isoformat()}]
    for name in tenants:
        with tenant_transaction(reach.engine, name) as connection:
            lines += [_sealed(line, reach.keys) for line in _lines(connection, name)]
    return lines


_TENANTS = sa.text(
    "select distinct tenant from ledger where cast(:tenant as text) is null or tenant = :tenant order by 1"
)


def _lines(connection: Connection, tenant: str) -> list[Line]:
    named = {"tenant": tenant}
    stones_of: dict[UUID, list[Line]] = {}
    for row in connection.execute(_STONES, named):
        before = row.observed_before.isoformat() if row.observed_before else None
        stone = {"sort": row.sort, "mac": bytes(row.mac).hex(), "key": row.mac_key, "observed_before": before}
        stones_of.setdefault(row.deletion, []).append(stone)
    memories: dict[UUID, list[str]] = {}
    for row in connection.execute(_MEMORIES, named):
        memories.setdefault(row.deletion, []).append(shown("mem", row.ref))
    return [
        {
            "tenant": tenant,
            "deletion": shown("del", row.id),
            "sort": next(sort for sort in SORTS if sort in row.what),
            "reason": row.reason,
            "requested_at": row.requested_at.isoformat(),
            "verified_at": row.verified_at.isoformat() if row.verified_at else None,
            "stones": stones_of.get(row.id, []),
            "memories": memories.get(row.id, []),
        }
        for row in connection.execute(_DELETIONS, named)
    ]


_STONES = sa.text(
    "select deletion, sort, mac, mac_key, observed_before from tombstones where tenant = :tenant order by sort, mac"
)
_MEMORIES = sa.text("""
select deletion, unnest(refs) as ref from deletion_marks where tenant = :tenant and sort = 'memory' order by ref
""")
_DELETIONS = sa.text(
    "select id, what, reason, requested_at, verified_at from deletions where tenant = :tenant order by requested_at, id"
)


# --- replaying ----------------------------------------------------------------------------------------------------


def replay(reach: Reach, lines: Iterable[str], now: datetime) -> dict[str, Any]:
    """Carry out a ledger: {"replayed", "found_again", "refused": [{"line", "message"}]}. Doing it again changes nothing.

    Replay and gate go by the same rule: a claim is known by its fingerprint, and one that was proposed while its tombstone
    stood in this database was the gate's to refuse, with whatever else its turn says.
    """
    replayed = found_again = 0
    refused: list[Line] = []
    for number, raw in enumerate(lines, 1):
        if not raw.strip():
            continue
        line = _read(raw)
        if line is None or ("format" not in line and not _genuine(line, reach.keys)):
            why = (
                "it is no line of a ledger"
                if line is None
                else "its seal does not fit: it was changed, or made under other keys"
            )
            refused.append({"line": number, "message": f"Not replayed: {why}."})
        elif "format" not in line:
            replayed += 1
            found_again += _carry_out_again(reach, line, now)
    return {"replayed": replayed, "found_again": found_again, "refused": refused}


def _carry_out_again(reach: Reach, line: Line, now: datetime) -> bool:
    """One deletion: tombstones again, rows by their hashes, and the eraser once more. True if there was something."""
    tenant, deletion = line["tenant"], parsed("del", line["deletion"])
    with tenant_transaction(reach.engine, tenant) as connection:
        barrier.close(connection, tenant)
        laid = [(s["sort"], bytes.fromhex(s["mac"]), s["key"], _moment(s["observed_before"])) for s in line["stones"]]
        stood = stones.standing_since(connection, tenant, [mac for sort, mac, _, _ in laid if sort == "claim"])
        stones.write(connection, tenant, deletion, laid, now)
        found = match(connection, tenant, Stones.of(laid, reach.keys), stood)
        refused: list[UUID] = []
        if line["sort"] != "memory":  # the claims of such a deletion are those that its turns retracted
            refused, found.proposals = stones.refuse(connection, tenant, found.proposals), []
        _mark(connection, tenant, deletion, found, [parsed("mem", name) for name in line["memories"]])
        sought = needles(reach.keys, deletion)
        affected = covering.follow(connection, tenant, deletion, sought)
        affected = affected._replace(keys=sorted({*affected.keys, *refused}))
        what = found.what or What(tenant, line["sort"], "(not known here)")
        counts, _ = requests.carry_out(connection, reach.rules.of(tenant), what, deletion, affected, now)
        _note(connection, reach, line, what, deletion, counts, sought, now)
    return any(counts.values())


def _mark(connection: Connection, tenant: str, deletion: UUID, found: Found, memories: Sequence[UUID]) -> None:
    marks.mark(connection, tenant, deletion, "turn", found.turns)
    marks.mark(connection, tenant, deletion, "blank", found.excerpts)
    marks.mark(connection, tenant, deletion, "memory", memories)
    if found.proposals:
        covering.cover_proposals(connection, tenant, deletion, found.proposals)


def _note(
    connection: Connection,
    reach: Reach,
    line: Line,
    what: What,
    deletion: UUID,
    counts: dict[str, int],
    sought: Any,
    now: datetime,
) -> None:
    """The row of the deletion as of its request; an existing one is opened again."""
    words, phrases = sought.packed()
    named = {"tenant": what.tenant, "id": deletion, "requested": _moment(line["requested_at"]), "now": now}
    connection.execute(
        _AGAIN,
        {
            **named,
            "what": json.dumps(what.as_dict()),
            "reason": line["reason"],
            "policy": reach.rules.of(what.tenant).version,
            "hours": reach.policy(what.tenant)["window_hours"],
            "erased": json.dumps({store: count for store, count in counts.items() if count}),
            "words": words,
            "phrases": phrases,
        },
    )
    connection.execute(_LEDGER, {**named, "hours": reach.policy(what.tenant)["window_hours"]})
    work.enqueue(connection, work.ERASE, what.tenant, [deletion], now)


_AGAIN = sa.text("""
insert into deletions (tenant, id, what, reason, state, requested_at, invisible_at, due_at, policy, erased, words, phrases)
values (:tenant, :id, cast(:what as jsonb), :reason, 'invisible', :requested, :now, cast(:now as timestamptz) + :hours * interval '1 hour',
        :policy, cast(:erased as jsonb), :words, :phrases)
on conflict (tenant, id) do update
set state = 'invisible', erased_at = null, verified_at = null, receipt = null, not_covered = '[]', due_at = excluded.due_at,
    erased = case when excluded.erased = '{}' then deletions.erased else excluded.erased end,
    words = excluded.words, phrases = excluded.phrases
""")
_LEDGER = sa.text("""
insert into ledger (tenant, deletion, requested_at, due_at)
values (:tenant, :id, :requested, cast(:now as timestamptz) + :hours * interval '1 hour')
on conflict (tenant, deletion) do update set verified_at = null, due_at = excluded.due_at
""")


# --- seals --------------------------------------------------------------------------------------------------------


def _sealed(line: Line, ring: Keyring) -> Line:
    return {**line, "seal": {"key": ring.current, "mac": ring.mac("ledger", _canonical(line)).hex()}}


def _genuine(line: Line, ring: Keyring) -> bool:
    seal = line.get("seal")
    if not isinstance(seal, dict) or seal.get("key") not in ring.keys:
        return False
    made = ring.mac("ledger", _canonical(line), key=seal["key"]).hex()
    return hmac.compare_digest(made, str(seal.get("mac")))


def _canonical(line: Line) -> str:
    return json.dumps({name: value for name, value in line.items() if name != "seal"}, sort_keys=True)


def _read(raw: str) -> Line | None:
    try:
        line = json.loads(raw)
    except ValueError:
        return None
    return line if isinstance(line, dict) else None


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
