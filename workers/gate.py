"""Queue `gate`: keys with new proposals are folded."""

from __future__ import annotations

from lethe import clock
from lethe.lifecycle.gate import judge_keys
from lethe.store import work
from workers import parts
from workers.app import app
from workers.draining import drain

LIMIT = 200


@app.task(name="gate.keys")  # type: ignore[untyped-decorator]
def judge_due_keys() -> None:
    drain(
        work.GATE, LIMIT, lambda claimed: judge_keys(parts.engine(), claimed, parts.rules(), parts.keys(), clock.now())
    )
