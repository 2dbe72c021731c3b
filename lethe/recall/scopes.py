"""Which owner scopes a read may see. The scope is an argument of every read, never a convention of its query."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from lethe.errors import InvalidInput
from lethe.ids import owner_id
from lethe.records import Scope


@dataclass(frozen=True, slots=True)
class Seen:
    """An owner scope that a read sees; `steps`: by how many of the asked parts it is wider."""

    owner: UUID
    scope: Scope
    steps: int


def seen(tenant: str, user: str | None, project: str | None, task: str | None = None) -> tuple[Seen, ...]:
    """The owner scopes of a read, narrowest first. Raises InvalidInput (scope_missing) without user and project.

    User: the user's rows without project. User and project: also the user's rows of that project and the shared rows of the
    project. Project alone: its shared rows. A task adds the rows of that task in each of these.
    """
    if user is None and project is None:
        raise InvalidInput(
            "a read needs the scope that it may see", code="scope_missing", hint="Give a user, a project or both."
        )
    bases = [Scope(user, project)] if project is not None else []
    if user is not None:
        bases += [Scope(None, project)] if project is not None else []
        bases += [Scope(user)]
    scopes = bases if task is None else [Scope(base.user, base.project, task) for base in bases] + bases
    asked = sum(part is not None for part in (user, project, task))
    return tuple(
        Seen(
            owner_id(tenant, scope),
            scope,
            asked - sum(part is not None for part in (scope.user, scope.project, scope.task)),
        )
        for scope in scopes
    )
