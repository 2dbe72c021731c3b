"""Queue `erase`: deletions reach what is no row, and are verified.

What signs receipts is imported by the first deletion: the processes that share this queue with others stay small.
"""

from __future__ import annotations

from lethe import clock, log
from lethe.store import work
from workers.app import app
from workers.draining import drain

LIMIT = 100


@app.task(name="erase.deletions")  # type: ignore[untyped-decorator]
def erase_due_deletions() -> None:
    from lethe.lifecycle.deletion.working import work_off
    from workers.deleting import reach

    drain(work.ERASE, LIMIT, lambda claimed: work_off(claimed, reach(), clock.now))


@app.task(name="erase.open")  # type: ignore[untyped-decorator]
def hand_in_open_deletions() -> None:
    """Nothing that is open is ever given up: what was set aside is tried again."""
    from lethe.lifecycle.deletion.working import hand_in_open
    from workers.deleting import reach

    log.get().info("deletions.handed_in", open=hand_in_open(reach(), clock.now()))
