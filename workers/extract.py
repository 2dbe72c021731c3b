"""Queue `extract`: turns become proposals."""

from __future__ import annotations

from lethe import clock
from lethe.lifecycle.extraction import extract_turns
from lethe.store import work
from workers import parts
from workers.app import app
from workers.draining import drain

LIMIT = 64


@app.task(name="extract.turns")  # type: ignore[untyped-decorator]
def extract_due_turns() -> None:
    drain(work.EXTRACT, LIMIT, lambda claimed: extract_turns(parts.engine(), claimed, parts.rules(), clock.now()))
