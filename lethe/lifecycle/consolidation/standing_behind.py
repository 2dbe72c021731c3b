"""The memories at the bottom of merged ones: those that rest on proposals, and that a decision about the whole is about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection


def bottom(connection: Connection, tenant: str, memories: Iterable[UUID]) -> list[Any]:
    """Rows of the memories themselves, or of what stands at the bottom of the merged ones among them; of each of these the
    one that leads it first."""
    return list(connection.execute(_BOTTOM, {"tenant": tenant, "ids": list(memories)}).all())


_BOTTOM = sa.text("""
with recursive behind(lead, id) as (
  select lead, id from memories where tenant = :tenant and id = any(cast(:ids as uuid[]))
  union select b.lead, l.input from behind b join lineage l on l.tenant = :tenant and l.output = b.id
)
select m.*, b.lead = m.lead as leads from memories m join behind b on b.id = m.id
where m.tenant = :tenant and not exists (select from lineage l where l.tenant = :tenant and l.output = m.id)
order by leads desc, m.id
""")
