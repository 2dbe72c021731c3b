"""Hand-outs, noted by id off the read path: recall drops a note into a bounded queue, and one thread writes them down."""

from __future__ import annotations

import queue
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe import log
from lethe.lifecycle import rescreening
from lethe.recall.eligibility import Moment
from lethe.recall.uses import UseBuffer
from lethe.store import due
from lethe.store.database import tenant_transaction

MOST_WAITING = 10_000
MOST_AT_ONCE = 500
RETRY_S = 0.5
ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Note:
    """Memories of a tenant that one answer handed out, and when; `past`: to a question about another time. `scores`: one a
    memory, or none, as in a profile."""

    tenant: str
    memories: tuple[UUID, ...]
    session: str | None
    at: datetime
    past: bool
    scores: tuple[float | None, ...] = ()


class HandOutLog:
    """Writes hand-outs behind the answers. `close` writes what is left; a note that finds the queue full is dropped."""

    def __init__(self, engine: Engine, most_waiting: int = MOST_WAITING, uses: UseBuffer | None = None) -> None:
        self._engine = engine
        self._uses = uses
        self._waiting: queue.Queue[Note | None] = queue.Queue(most_waiting)
        self._writer = threading.Thread(target=self._write_all, name="handouts", daemon=True)
        self._writer.start()

    def note(
        self,
        tenant: str,
        memories: Sequence[UUID],
        session: str | None,
        when: Moment,
        scores: Sequence[float | None] = (),
    ) -> None:
        """Note what was handed out; never waits."""
        try:
            self._waiting.put_nowait(Note(tenant, tuple(memories), session, when.at, when.past, tuple(scores)))
        except queue.Full:
            log.get().warning("handouts.dropped", memories=len(memories))

    def flush(self) -> None:
        """Wait until everything noted so far is written or given up."""
        self._waiting.join()

    def close(self, timeout: float = 10.0) -> None:
        """Write what waits, for at most so many seconds, and end."""
        self._waiting.put(None)
        self._writer.join(timeout)

    def _write_all(self) -> None:
        while True:
            notes, done = self._next()
            try:
                self._write(notes)
            finally:
                for _ in range(len(notes) + done):
                    self._waiting.task_done()
            if done:
                return

    def _next(self) -> tuple[list[Note], bool]:
        """Wait for a note and take what has come with it; True where the end has come too."""
        notes: list[Note] = []
        item = self._waiting.get()
        while item is not None:
            notes.append(item)
            if len(notes) == MOST_AT_ONCE:
                return notes, False
            try:
                item = self._waiting.get_nowait()
            except queue.Empty:
                return notes, False
        return notes, True

    def _write(self, notes: Sequence[Note]) -> None:
        self._count(notes)
        by_tenant: dict[str, list[Note]] = defaultdict(list)
        for note in notes:
            by_tenant[note.tenant].append(note)
        for tenant, some in by_tenant.items():
            for attempt in range(1, ATTEMPTS + 1):
                try:
                    write(self._engine, tenant, some)
                    break
                except Exception as fault:
                    log.get().warning(
                        "handouts.not_written", notes=len(some), attempt=attempt, failure=type(fault).__name__
                    )
                    time.sleep(RETRY_S * attempt if attempt < ATTEMPTS else 0)

    def _count(self, notes: Sequence[Note]) -> None:
        """Count uses; a cache that does not answer loses these counts and nothing else."""
        if self._uses is None:
            return
        try:
            self._uses.count(notes)
        except Exception as fault:
            log.get().warning("uses.not_counted", notes=len(notes), failure=type(fault).__name__)


def write(engine: Engine, tenant: str, notes: Sequence[Note]) -> None:
    """Write hand-outs of one tenant; those of memories that are gone by now leave no trace."""
    rows = [
        (memory, note, score)
        for note in notes
        for memory, score in zip_longest(note.memories, note.scores[: len(note.memories)])
    ]
    with tenant_transaction(engine, tenant) as connection:
        connection.execute(
            _INSERT,
            {
                "tenant": tenant,
                "memories": [memory for memory, _, _ in rows],
                "sessions": [note.session for _, note, _ in rows],
                "times": [note.at for _, note, _ in rows],
                "past": [note.past for _, note, _ in rows],
                "scores": [score for _, _, score in rows],
            },
        )
        due.mark(connection, tenant, {due.LOG: max(note.at for note in notes)}, max(note.at for note in notes))
    sessions = {(note.session, note.at) for note in notes if note.session is not None}
    if sessions:  # apart, so that whoever judges from here on sees the hand-outs
        with tenant_transaction(engine, tenant) as connection:
            rescreening.after_hand_outs(connection, tenant, sessions, max(note.at for note in notes))


# The lock lets a deletion come wholly before, so that nothing is noted of what is gone, or wholly after, and take the note along.
_INSERT = sa.text("""
with there as materialized (
  select m.id from memories m where m.tenant = :tenant and m.id = any(cast(:memories as uuid[])) and m.invisible_at is null
  order by m.id for key share
)
insert into handouts (tenant, memory, session, at, past, score)
select :tenant, given.memory, given.session, given.at, given.past, given.score
from unnest(cast(:memories as uuid[]), cast(:sessions as text[]), cast(:times as timestamptz[]), cast(:past as boolean[]),
            cast(:scores as real[])) as given(memory, session, at, past, score)
join there on there.id = given.memory
""")
