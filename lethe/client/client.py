"""The Python client. It writes turns straight into PostgreSQL and asks the local process, which holds the model."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property, wraps
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from sqlalchemy.engine import Engine

from lethe import clock
from lethe import rules as ruling
from lethe.client.consolidating import Consolidating
from lethe.client.names import names_checked
from lethe.client.people import Deciding
from lethe.endpoints import Endpoints, endpoints
from lethe.errors import InvalidInput
from lethe.ids import shown
from lethe.keys import Keyring, keyring
from lethe.lifecycle import intake, proposing
from lethe.lifecycle.deletion.requests import Reach
from lethe.lifecycle.intake import Refused, Taken
from lethe.lifecycle.lines import explain
from lethe.records import Mark, ProposalIn, Query, Turn
from lethe.settings import Settings
from lethe.store import work
from lethe.store.database import connect

POLL_S = 0.05
Record = TypeVar("Record", bound=BaseModel)


@names_checked
class Lethe(Deciding, Consolidating):
    """Push turns, propose, recall. Thread-safe; `close` gives its connections back.

    Every method raises InvalidInput, with a code, for what cannot be the name of a tenant, user, project or thing.

    Records may be given as pydantic models (`lethe.records`) or as dictionaries of the same fields. Whatever cannot be used
    is named in the answer (`refused`, by position) and does not keep the rest out.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings.from_environment()

    def __enter__(self) -> Lethe:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the connections back."""
        if "engine" in self.__dict__:
            self.engine.dispose()

    @cached_property
    def where(self) -> Endpoints:
        return endpoints(self.settings)

    @cached_property
    def engine(self) -> Engine:  # type: ignore[override]
        return connect(self.where.database_url)

    @property
    def reach(self) -> Reach:
        """What a deletion has to reach."""
        servers = (self.where.broker_url, self.where.cache_url)
        return Reach(self.engine, self.rules, self.keys, self.settings.home, self.where.admin_url, servers)

    @cached_property
    def rules(self) -> ruling.Rules:  # type: ignore[override]
        return ruling.load()

    @property
    def keys(self) -> Keyring:  # type: ignore[override]
        """As they are now: a rotation needs no restart."""
        return keyring(self.settings.home, clock.now())

    # --- writing --------------------------------------------------------------------------------------------------

    def push(self, turns: Turn | Mapping[str, Any] | Iterable[Turn | Mapping[str, Any]]) -> Taken:
        """Store turns once each; they are worked off behind the answer."""
        records, places, refused = _records(turns, Turn)
        return _placed(intake.push(self.engine, records, self.rules, self.keys, clock.now()), places, refused)

    def propose(self, items: ProposalIn | Mapping[str, Any] | Iterable[ProposalIn | Mapping[str, Any]]) -> Taken:
        """Hand proposals to the gate; each rests on a turn that was pushed."""
        records, places, refused = _records(items, ProposalIn)
        return _placed(proposing.propose(self.engine, records, self.rules, clock.now()), places, refused)

    def wait(self, timeout: float = 60.0, tick: Callable[[int], None] | None = None) -> bool:
        """Wait until everything handed in so far is worked off; False when the time (seconds) ran out first."""
        until, handed_in = time.monotonic() + timeout, clock.now()
        while (left := work.pending_since(self.engine, handed_in)) and time.monotonic() < until:
            if tick:
                tick(left)
            time.sleep(POLL_S)
        return left == 0

    def pending(self) -> int:
        """How many pieces of work are left of what was handed in so far."""
        return work.pending_since(self.engine, clock.now())

    def retry(self) -> int:
        """Put work that was set aside back into its queue; returns how many."""
        return work.release_quarantined(self.engine, clock.now())

    # --- asking ---------------------------------------------------------------------------------------------------

    def recall(self, asked: Query | Mapping[str, Any] | None = None, /, **fields: Any) -> dict[str, Any]:
        """What is remembered: {"memories": [envelope…], "empty_reason", "withheld"}.

        Give a Query, a mapping of its fields, or the fields by name: recall(tenant=…, user=…, query="…").
        """
        answer = self.recall_many([asked if asked is not None else fields])[0]
        if fault := answer.get("error"):
            raise InvalidInput(fault["message"], hint=fault["hint"], code=fault["code"])
        return answer

    def recall_many(self, queries: Iterable[Query | Mapping[str, Any]]) -> list[dict[str, Any]]:
        """An answer to each query, in order, with one embedding pass for all."""
        from lethe.web.local import ask

        asked = [_record(query, Query) for query in queries]
        body = {"queries": [query.model_dump(mode="json", exclude_none=True) for query in asked]}
        answers: list[dict[str, Any]] = ask(self.settings, "/v1/recall/batch", body)["answers"] if asked else []
        return answers

    def profile(
        self,
        *,
        tenant: str,
        user: str | None = None,
        project: str | None = None,
        session: str | None = None,
        as_of: datetime | None = None,
    ) -> dict[str, Any]:
        """What is always loaded: {"memories": [envelope…]}."""
        from lethe.web.local import ask

        fields = {
            "tenant": tenant,
            "user": user,
            "project": project,
            "session": session,
            "as_of": as_of.isoformat() if as_of else None,
        }
        return ask(self.settings, "/v1/profile", {name: value for name, value in fields.items() if value is not None})

    def memories(self, *, tenant: str, **scope: Any) -> dict[str, Any]:
        """Stored memories: {"memories": [envelope…]}; `states` or `every` widen it."""
        from lethe.recall.reading import memories

        return memories(self.engine, tenant=tenant, **scope)

    def decisions(self, *, tenant: str, **scope: Any) -> dict[str, Any]:
        """What the gate decided: {"decisions": […]}."""
        from lethe.recall.reading import decisions

        return decisions(self.engine, tenant=tenant, **scope)

    def why(self, *, tenant: str, memory: str) -> dict[str, Any]:
        """One memory with evidence and history."""
        from lethe.recall.reading import why

        return why(self.engine, tenant=tenant, memory=memory)

    def held(self, *, tenant: str, **scope: Any) -> dict[str, Any]:
        """Proposals that wait: {"held": […]}."""
        from lethe.recall.reading import held

        return held(self.engine, tenant=tenant, **scope)

    def reviews(self, *, tenant: str, **scope: Any) -> dict[str, Any]:
        """Contradictions that wait for somebody: {"reviews": […]}."""
        from lethe.recall.reading import reviews

        return reviews(self.engine, tenant=tenant, **scope)

    # --- deleting -------------------------------------------------------------------------------------------------

    def forget(self, *, tenant: str, wait: bool = False, timeout: float = 600.0, **what: Any) -> dict[str, Any]:
        """Delete what is named (memory, turn and session, session, user, project or whole_tenant); the receipt so far.

        When this returns nothing of it is handed out. `wait`: until it is verified, for `timeout` seconds at most.
        """
        from lethe.lifecycle.deletion import named, requests

        deletion = shown("del", requests.request(self.reach, named.of(tenant, **what), clock.now()))
        until = time.monotonic() + timeout
        found = self.receipt(tenant=tenant, deletion=deletion)
        while wait and found["state"] != "verified" and time.monotonic() < until:
            time.sleep(POLL_S)
            found = self.receipt(tenant=tenant, deletion=deletion)
        return found

    def would_forget(self, *, tenant: str, **what: Any) -> dict[str, Any]:
        """What a deletion would take away and change, without doing it."""
        from lethe.lifecycle.deletion import named, requests

        return requests.preview(self.reach, named.of(tenant, **what), clock.now())

    def receipt(self, *, tenant: str, deletion: str) -> dict[str, Any]:
        """The receipt of one deletion."""
        from lethe.lifecycle.deletion.receipts import receipt

        return receipt(self.engine, tenant, deletion, clock.now())

    def receipts(self, *, tenant: str) -> dict[str, Any]:
        """{"receipts": […]} of a tenant."""
        from lethe.lifecycle.deletion.receipts import receipts

        return receipts(self.engine, tenant, clock.now())

    def export_ledger(self, tenant: str | None = None) -> list[dict[str, Any]]:
        """The deletion ledger: a line about it, then one a deletion."""
        from lethe.lifecycle.deletion.ledger import export

        return export(self.reach, clock.now(), tenant)

    def replay_ledger(self, lines: Iterable[str]) -> dict[str, Any]:
        """Carry out a ledger on this database: {"replayed", "found_again", "refused"}."""
        from lethe.lifecycle.deletion.ledger import replay

        return replay(self.reach, lines, clock.now())

    def about(self, *, tenant: str, user: str) -> dict[str, Any]:
        """All that is kept about a person, with reasons and sources."""
        from lethe.lifecycle.deletion.rights import about

        return about(self.engine, tenant, user, clock.now())

    # --- keeping --------------------------------------------------------------------------------------------------

    def end_task(
        self, *, tenant: str, task: str, user: str | None = None, project: str | None = None
    ) -> dict[str, Any]:
        """Close a task: its own memories expire, what was promoted stays. {"task", "ended_at", "expiring"}."""
        from lethe.lifecycle.forgetting.tasks import end_task

        return end_task(self.engine, tenant, task, user, project, self.rules.of(tenant), clock.now())

    def restore(self, *, tenant: str, memory: str) -> dict[str, Any]:
        """Bring an archived memory back; its envelope."""
        from lethe.lifecycle.forgetting.keeping import restore

        return restore(self.engine, tenant, memory, self.rules.of(tenant), clock.now())

    def pin(self, *, tenant: str, memory: str, pinned: bool = True) -> dict[str, Any]:
        """Pin a memory, or let it go with `pinned=False`; its envelope."""
        from lethe.lifecycle.forgetting.keeping import pin

        return pin(self.engine, tenant, memory, self.rules.of(tenant), clock.now(), pinned=pinned)

    def feedback(self, *, tenant: str, memory: str, mark: Mark | str) -> dict[str, Any]:
        """Say how a memory that was handed out served: "useful", "wrong" or "outdated"; its envelope."""
        from lethe.lifecycle.forgetting.keeping import feedback

        if mark not in list(Mark):
            raise InvalidInput(f"A memory is marked {', '.join(Mark)}; not {mark!r}.")
        return feedback(self.engine, tenant, memory, Mark(mark), self.rules.of(tenant), clock.now())


class AsyncLethe:
    """The same client for asyncio: every method of `Lethe` as a coroutine, run in a thread."""

    def __init__(self, settings: Settings | None = None) -> None:
        self._sync = Lethe(settings)

    async def __aenter__(self) -> AsyncLethe:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self._sync.close)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        raise AttributeError(f"{type(self).__name__} has no {name!r}")


def _awaited(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    async def call(self: AsyncLethe, *words: Any, **fields: Any) -> Any:
        return await asyncio.to_thread(getattr(self._sync, name), *words, **fields)

    return call


for _name, _method in inspect.getmembers(Lethe, inspect.isfunction):
    if not _name.startswith("_"):
        setattr(AsyncLethe, _name, _awaited(_name, _method))


def _records(given: Any, model: type[Record]) -> tuple[list[Record], list[int], list[Refused]]:
    """The usable records, where each stood, and the others."""
    if isinstance(given, (str, bytes)) or not isinstance(given, (model, Mapping, Iterable)):
        raise InvalidInput(
            f"Give a {model.__name__}, a mapping of its fields, or several of them; not {type(given).__name__}."
        )
    items: Sequence[Any] = [given] if isinstance(given, (model, Mapping)) else list(given)
    records: list[Record] = []
    places: list[int] = []
    refused: list[Refused] = []
    for place, item in enumerate(items):
        try:
            records.append(item if isinstance(item, model) else model.model_validate(item))
            places.append(place)
        except ValidationError as fault:
            refused.append(Refused(place, *explain(fault)))
    return records, places, refused


def _placed(taken: Taken, places: Sequence[int], refused: Sequence[Refused]) -> Taken:
    moved = [Refused(places[each.index], each.code, each.message) for each in taken.refused]
    taken.refused = sorted([*moved, *refused], key=lambda each: each.index)
    return taken


def _record(given: Any, model: type[Record]) -> Record:
    if isinstance(given, model):
        return given
    try:
        return model.model_validate(given)
    except ValidationError as fault:
        code, message = explain(fault)
        raise InvalidInput(message, code=code) from None
