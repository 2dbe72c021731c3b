"""Marks: which rows a deletion covers, as one list of ids a sort, in the order in which the rows were found.

turn      goes whole, with what was proposed from it      proposal   goes, with its decision and evidence
blank     loses its text; its other memories stay         memory     goes
reread    was read with a covered turn before it
"""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection

SORTS = ("turn", "blank", "proposal", "memory", "reread")


def marked(*sorts: str) -> str:
    """SQL that selects the marked ids (`ref`) of some sorts; it takes the parameters `tenant` and `deletion`."""
    listed = ", ".join(f"'{sort}'" for sort in sorts)
    return f"""select unnest(k.refs) as ref from deletion_marks k
        where k.tenant = :tenant and k.deletion = :deletion and k.sort in ({listed})"""


def marking(sort: str, found: str) -> sa.TextClause:
    """A statement that marks every id which a query finds; it touches no row where none is found."""
    return sa.text(f"""
insert into deletion_marks (tenant, deletion, sort, refs)
select :tenant, :deletion, '{sort}', array_agg(found.id) from ({found}) found(id) having count(*) > 0
on conflict (tenant, deletion, sort) do update
set refs = deletion_marks.refs || array(select unnest(excluded.refs) except select unnest(deletion_marks.refs))
""")


_GIVEN = {sort: marking(sort, "select distinct r from unnest(cast(:refs as uuid[])) r") for sort in SORTS}


def mark(connection: Connection, tenant: str, deletion: UUID, sort: str, refs: Iterable[UUID]) -> None:
    """Mark rows by id."""
    given = {"tenant": tenant, "deletion": deletion, "refs": list(refs)}
    if given["refs"]:
        connection.execute(_GIVEN[sort], given)


def memories(connection: Connection, tenant: str, deletion: UUID) -> list[UUID]:
    """The memories that go."""
    found = connection.execute(_MEMORIES, {"tenant": tenant, "deletion": deletion})
    return list(found.scalars())


_MEMORIES = sa.text(marked("memory"))
