"""The verifier's eyes: every store searched anew, by id, by name and by keyed hashes of content. Shares no query with the
eraser, so that what one of them overlooks the other finds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lethe.lifecycle.deletion.buffers import contents, databases, ids_in
from lethe.lifecycle.deletion.covering import borrowed
from lethe.lifecycle.deletion.marks import SORTS, marked
from lethe.lifecycle.deletion.needles import Needles, phrases
from lethe.store.database import plain_url

MOST_OF_A_FILE = 64 * 2**20  # bytes, from its end


def in_tables(connection: Connection, deletion: Any, needles: Needles) -> dict[str, int]:
    """{store: rows that are still there} in one tenant's tables. `deletion`: its row."""
    named = {"tenant": deletion.tenant, "deletion": deletion.id}
    found = {store: int(connection.execute(query, named).scalar_one()) for store, query in _BY_ID.items()}
    found["turns"] += _by_name(connection, deletion)
    found["derived"] = _borrowed(connection, named, needles)
    return found


def _there(table: str, column: str, *sorts: str, more: str = "") -> str:
    return f"""(select count(*) from ({marked(*sorts)}) m join {table} x on x.tenant = :tenant and x.{column} = m.ref
        where true {more})"""


_BY_ID = {
    store: sa.text("select " + " + ".join(parts))
    for store, parts in {
        "turns": [_there("turns", "id", "turn"), _there("turns", "id", "blank", more="and x.text is not null")],
        "proposals": [
            _there("proposals", "id", "proposal"),
            _there("proposals", "turn_id", "turn"),
            _there("proposals", "supersedes", "memory"),
        ],
        "decisions": [_there("decisions", "proposal", "proposal"), _there("decisions", "turn_id", "turn")],
        "memories": [_there("memories", "id", "memory"), _there("memories", "lead", "proposal")],
        "evidence": [
            _there("evidence", "memory", "memory"),
            _there("evidence", "proposal", "proposal"),
            _there("evidence", "turn_id", "turn"),
        ],
        "vectors": [_there("vectors", "memory", "memory")],
        "lineage": [_there("lineage", "input", "memory"), _there("lineage", "output", "memory")],
        "consolidations": [
            _there(
                "consolidation_inputs",
                "memory",
                "memory",
                more="""and exists (select from consolidation_groups g
              where g.tenant = x.tenant and g.consolidation = x.consolidation and g.place = x.place and g.detail is not null)""",
            )
        ],
        "reviews": [
            f"""(select count(*) from reviews r where r.tenant = :tenant and exists (
            select from unnest(r.memories) side where side in ({marked("memory")})))"""
        ],
        "events": [_there("events", "subject", "memory", "proposal", "turn")],
        "handouts": [_there("handouts", "memory", "memory")],
        "work": [_there("work", "item", "memory", "turn")],
    }.items()
}


def _by_name(connection: Connection, deletion: Any) -> int:
    """Turns of the named scope that were observed up to the request, whoever put them there."""
    what = deletion.what
    column = {"user": "user_id", "project": "project", "session": "session"}
    condition = next((f"and {column[sort]} = :value" for sort in column if sort in what and "turn" not in what), None)
    if what.get("whole_tenant"):
        condition = ""
    if condition is None or "hashed" in what:
        return 0
    until = "" if "session" in what else "and observed_at <= :requested"
    value = next((what[sort] for sort in column if sort in what), None)
    counted = connection.execute(
        sa.text(f"""select count(*) from turns where tenant = :tenant {condition} {until}
        and id not in ({marked(*SORTS)})"""),
        {
            "tenant": deletion.tenant,
            "deletion": deletion.id,
            "value": value,
            "requested": deletion.requested_at,
        },
    )
    return int(counted.scalar_one())


def _borrowed(connection: Connection, named: dict[str, Any], needles: Needles) -> int:
    """Claims of later turns, made before the request, that say what only the erased turns said."""
    return sum(borrowed(row, needles) for row in connection.execute(_LATER, named))


_LATER = sa.text(f"""
select p.claim, p.object, t.text from ({marked("reread")}) m
join turns t on t.tenant = :tenant and t.id = m.ref
join proposals p on p.tenant = t.tenant and p.turn_id = t.id
join deletions d on d.tenant = p.tenant and d.id = :deletion
where not p.explicit and p.created_at <= d.requested_at
""")


# --- beyond the tables --------------------------------------------------------------------------------------------


Sought = Mapping[UUID, Needles]
Hits = dict[UUID, int]


def in_statistics(admin_url: str, sought: Sought) -> Hits:
    """Values of text columns among the planner's most common ones."""
    with psycopg.connect(plain_url(admin_url)) as connection:
        return _hits((text for (text,) in connection.execute(_STATISTICS) if text), sought)


_STATISTICS = """
select concat_ws(' ', most_common_vals::text, histogram_bounds::text) from pg_stats
where schemaname = 'public' and attname in ('text', 'speaker', 'claim', 'object', 'subject', 'predicate', 'replaces', 'detail')
"""


def in_servers(urls: tuple[str, ...], sought: Sought) -> tuple[Hits, set[UUID]]:
    """Keys and values of broker and cache, in every database of each server: hits of phrases, and the ids that stand there."""
    ids: set[UUID] = set()

    def texts() -> Iterator[str]:
        for server in databases(urls):
            for text in contents(server):
                ids.update(ids_in(text))
                yield text

    return _hits(texts(), sought), ids


def in_logs(home: Path, sought: Sought) -> Hits:
    """Lines of this instance's logs."""
    return _hits(_log_lines(home), sought)


def _log_lines(home: Path) -> Iterator[str]:
    for file in sorted((home / "logs").glob("*")):
        if file.is_file():
            with file.open("rb") as stream:
                stream.seek(max(0, file.stat().st_size - MOST_OF_A_FILE))
                for line in stream:
                    yield line.decode("utf-8", "replace")


def _hits(texts: Iterable[str], sought: Sought) -> Hits:
    """How many phrases of these texts are sought by each deletion; the texts are read once for all of them."""
    found = dict.fromkeys(sought, 0)
    for text in texts:
        runs = set(phrases(text))
        for deletion, needles in sought.items():
            found[deletion] += needles.hits(runs)
    return found


def covered(
    connection: Connection, tenant: str, deletions: Sequence[UUID], ids: Collection[UUID]
) -> dict[UUID, set[UUID]]:
    """{deletion: which of these ids are of its turns and memories}."""
    found: dict[UUID, set[UUID]] = {}
    named = {"tenant": tenant, "deletions": list(deletions), "ids": list(ids)}
    for row in connection.execute(_COVERED, named) if ids else ():
        found.setdefault(row.deletion, set()).add(row.ref)
    return found


_COVERED = sa.text("""
select m.deletion, m.ref from (
  select deletion, unnest(refs) as ref from deletion_marks
  where tenant = :tenant and deletion = any(cast(:deletions as uuid[])) and sort in ('turn', 'memory')) m
where m.ref in (select unnest(cast(:ids as uuid[])))
""")
