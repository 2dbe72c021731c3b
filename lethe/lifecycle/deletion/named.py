"""What a request names: one memory, turn, session, user, project, or the whole tenant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lethe.errors import InvalidInput
from lethe.ids import parsed, shown

SORTS = ("memory", "turn", "session", "user", "project", "whole_tenant")


@dataclass(frozen=True, slots=True)
class What:
    """One thing to forget. `sort` is one of SORTS; `value` its name or outside id; `session` belongs to a turn."""

    tenant: str
    sort: str
    value: str | None = None
    session: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """{"tenant", and what was named}: the shape that receipts show."""
        if self.sort == "whole_tenant":
            return {"tenant": self.tenant, "whole_tenant": True}
        named: dict[str, Any] = {"tenant": self.tenant, self.sort: self.value}
        return {**named, "session": self.session} if self.sort == "turn" else named


def of(
    tenant: str,
    *,
    memory: str | None = None,
    turn: str | None = None,
    session: str | None = None,
    user: str | None = None,
    project: str | None = None,
    whole_tenant: bool = False,
) -> What:
    """What is named; raises InvalidInput (scope_ambiguous, scope_missing) unless it is exactly one thing."""
    if turn is not None and session is None:
        raise InvalidInput("A turn is named together with its session.", hint="Add --session S.", code="scope_missing")
    named = {
        "memory": memory,
        "turn": turn,
        "session": session if turn is None else None,
        "user": user,
        "project": project,
        "whole_tenant": "all" if whole_tenant else None,
    }
    given = [(sort, value) for sort, value in named.items() if value is not None]
    if len(given) != 1:
        raise InvalidInput(
            "Name exactly one thing to forget." if given else "Name what to forget.",
            hint="One of --memory, --turn with --session, --session, --user, --project or --whole-tenant.",
            code="scope_ambiguous" if given else "scope_missing",
        )
    ((sort, value),) = given
    if sort == "memory":
        value = shown("mem", parsed("mem", str(value)))
    return What(tenant, sort, None if sort == "whole_tenant" else value, session if sort == "turn" else None)
