"""The names that a caller gives: each is looked at before anything is asked of the database."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from lethe.errors import InvalidInput
from lethe.lifecycle.lines import explain
from lethe.records import Name, Text

Client = TypeVar("Client", bound=type)


class _Named(BaseModel):
    """Everything by which the client's methods name something, and the words that are stored."""

    model_config = ConfigDict(extra="ignore")

    tenant: Name | None = None
    user: Name | None = None
    project: Name | None = None
    task: Name | None = None
    session: Name | None = None
    turn: Name | None = None
    memory: Name | None = None
    held: Name | None = None
    review: Name | None = None
    prefer: Name | None = None
    deletion: Name | None = None
    consolidation: Name | None = None
    since_version: Name | None = None
    kind: Name | None = None
    outcome: Name | None = None
    states: list[Name] = []
    claim: Text | None = None


def checked(**given: Any) -> None:
    """Raises InvalidInput, with the code that a line with such a name is refused with, unless each is a name."""
    try:
        _Named.model_validate(given)
    except ValidationError as fault:
        code, message = explain(fault)
        raise InvalidInput(message, code=code) from None


def names_checked(client: Client) -> Client:
    """Every public method of the class that takes a tenant looks at the names that it is given first."""
    for name, method in inspect.getmembers(client, inspect.isfunction):
        if not name.startswith("_") and "tenant" in inspect.signature(method).parameters:
            setattr(client, name, _checking(method))
    return client


def _checking(method: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(method)

    @wraps(method)
    def call(*words: Any, **fields: Any) -> Any:
        given = signature.bind(*words, **fields).arguments
        checked(**{**given, **fields})
        return method(*words, **fields)

    return call
