"""Queue `extract`: turns become proposals."""

from __future__ import annotations

from lethe import clock
from lethe.lifecycle.extraction import extract_turns
from lethe.store import work
from workers import parts
from workers.app import app
from workers.draining import drain
from workers.extractors import Local

LIMIT = 64
REMOTE_LIMIT = 24  # a few calls; the rest is left to other workers
REMOTE_SECONDS = 120.0  # calls are begun for so long; with the longest call it stays below task_time_limit


@app.task(name="extract.turns")  # type: ignore[untyped-decorator]
def extract_due_turns() -> None:
    if parts.rules().extractor == Local.name:
        drain(work.EXTRACT, LIMIT, lambda claimed: extract_turns(parts.engine(), claimed, parts.rules(), clock.now()))
    else:
        drain(work.EXTRACT, REMOTE_LIMIT, _extract_slowly)


def _extract_slowly(claimed: work.Claim) -> None:
    """A call to a model may take longer than a lease."""
    with work.kept(parts.engine(), claimed, clock.now):
        extract_turns(parts.engine(), claimed, parts.rules(), clock.now(), seconds=REMOTE_SECONDS)
