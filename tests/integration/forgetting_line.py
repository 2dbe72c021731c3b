"""Memories of one's own making and jobs at a time of one's own choosing, for the tests of forgetting."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from lethe.ids import parsed
from lethe.recall import reading
from lethe.store.database import tenant_transaction
from tests.integration.line import NOW, Line
from workers.jobs import JOBS, Order


def days(count: float) -> datetime:
    """So many days after the line's now."""
    return NOW + timedelta(days=count)


def run(line: Line, job: str, at: datetime, **options: Any) -> dict[str, Any]:
    """Run a job with the clock at `at`."""
    return JOBS[job](Order(line.engine, line.rules, at, at, **options))


def keep(line: Line, value: str, day: float = 0, turn: dict[str, Any] | None = None, **fields: Any) -> str:
    """A memory under a predicate of its own; returns its id."""
    said = line.turn(f"t-{value}-{day}", f"Something about {value}.", day, **(turn or {}))
    line.push(said)
    line.propose(line.proposal(said, fields.pop("predicate", f"likes_{value}"), value, **{"task": said.task, **fields}))
    line.drain()
    return str(next(row["memory"] for row in line.memories() if row["object"] == value))


def keep_many(line: Line, count: int, **fields: Any) -> None:
    """So many memories of one user, each of a predicate of its own, observed an hour after another."""
    said = [line.turn(f"t{number}", f"Something about {number}.", number / 24, session="s") for number in range(count)]
    line.push(*said)
    line.propose(
        *(line.proposal(turn, f"likes_{number}", f"thing {number}", **fields) for number, turn in enumerate(said))
    )
    line.drain()


def states(line: Line) -> dict[str, str]:
    return {row["object"]: row["state"] for row in line.memories()}


def column(line: Line, memory: str, name: str) -> Any:
    """One stored column of a memory."""
    with tenant_transaction(line.engine, line.tenant) as connection:
        query = sa.text(f"select {name} from memories where id = :id")
        return connection.execute(query, {"id": parsed("mem", memory)}).scalar_one()


def in_force(line: Line) -> int:
    """The maintained count of all owners."""
    with tenant_transaction(line.engine, line.tenant) as connection:
        return int(connection.execute(sa.text("select coalesce(sum(memories), 0) from owners")).scalar_one())


def history(line: Line, memory: str) -> list[tuple[str, str]]:
    found = reading.why(line.engine, line.tenant, memory)["history"]
    return [(row["change"], row["reason"]) for row in found]
