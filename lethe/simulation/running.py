"""The population through the real line and jobs, in one process with a clock of its own, beside "remember everything"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.index.embedder import Embeds, Vectors
from lethe.index.vectors import index_memories
from lethe.keys import Keyring
from lethe.lifecycle.extraction import extract_turns
from lethe.lifecycle.forgetting import access
from lethe.lifecycle.forgetting.jobs import run_job
from lethe.lifecycle.forgetting.running import Delete, Run
from lethe.lifecycle.gate import judge_keys
from lethe.lifecycle.intake import push
from lethe.recall.handouts import Note, write
from lethe.recall.search import recall_many
from lethe.recall.uses import UseBuffer
from lethe.records import Author, Query, Turn
from lethe.rules import Rules
from lethe.simulation.population import DAY, QUESTIONS, START, Said, population
from lethe.store import work
from lethe.store.database import tenant_transaction

TENANT = "simulation"
K = 3
STEP = 7  # days between two hand-ins, each followed by a night
LOOK_EVERY = 28


@dataclass(frozen=True, slots=True)
class Parts:
    """What the line is made of. `embedder` gives one unit vector a text."""

    engine: Engine
    rules: Rules
    keys: Keyring
    embedder: Embeds
    uses: UseBuffer
    delete: Delete


@dataclass(frozen=True, slots=True)
class Look:
    """One look at both memories. Sizes in memories; `recalled` what was handed out, `current` how much of it holds."""

    day: int
    size: int
    recalled: int
    current: int
    everything_size: int
    everything_recalled: int
    everything_current: int

    def as_dict(self) -> dict[str, int]:
        return asdict(self)


def simulate(
    parts: Parts, *, users: int, days: int, seed: int, tick: Callable[[int], None] = lambda day: None
) -> list[Look]:
    """Live through so many days, a week at a time; a look every four weeks and at the end."""
    said = population(users, days, seed)
    everything = Everything(parts.embedder)
    truth = {each.turn: each for each in said}
    looks = []
    for began in range(0, days, STEP):
        tick(began)
        day = min(began + STEP, days)
        now = START + day * DAY - timedelta(hours=6)
        heard = [each for each in said if began <= (each.at - START).days < day]
        _take(parts, heard, now)
        everything.take(heard)
        _night(parts, now)
        if day % LOOK_EVERY == 0 or day == days:
            looks.append(_look(parts, everything, truth, users, day, now))
    return looks


def _take(parts: Parts, said: Sequence[Said], now: datetime) -> None:
    push(parts.engine, [_turn(each) for each in said], parts.rules, parts.keys, now)
    for claimed in _claims(parts, work.EXTRACT, now):
        extract_turns(parts.engine, claimed, parts.rules, now)
    for claimed in _claims(parts, work.GATE, now):
        judge_keys(parts.engine, claimed, parts.rules, parts.keys, now)
    for claimed in _claims(parts, work.INDEX, now):
        index_memories(parts.engine, TENANT, claimed.of(TENANT), parts.embedder, now)
        with tenant_transaction(parts.engine, TENANT) as connection:
            work.finish(connection, claimed, TENANT, now)


def _claims(parts: Parts, stage: str, now: datetime) -> Iterator[work.Claim]:
    while claimed := work.claim(parts.engine, stage, now, 200):
        yield claimed


def _night(parts: Parts, now: datetime) -> None:
    access.flush(parts.engine, parts.uses, parts.rules, now)
    run_job("nightly", Run(parts.engine, parts.rules, now, now, delete=parts.delete))


def _turn(said: Said) -> Turn:
    return Turn(
        tenant=TENANT, user=said.user, session=said.session, turn=said.turn, author=Author.USER, text=said.text, observed_at=said.at
    )  # fmt: skip


# --- looking ------------------------------------------------------------------------------------------------------


def _look(parts: Parts, everything: Everything, truth: Mapping[str, Said], users: int, day: int, now: datetime) -> Look:
    asked = [(f"u{number}", question) for number in range(users) for question in QUESTIONS.values()]
    queries = [Query(tenant=TENANT, user=user, query=question, k=K) for user, question in asked]
    answers = recall_many(parts.engine, queries, parts.embedder, parts.rules.ranking, now)
    ours = [row for answer in answers for row in answer["memories"]]
    _hand_out(parts, answers, asked, day, now)
    theirs = everything.recall(asked)
    return Look(
        day=day,
        size=_size(parts),
        recalled=len(ours),
        current=sum(truth[row["source"]["turn"]].holds(now) for row in ours),
        everything_size=everything.size,
        everything_recalled=len(theirs),
        everything_current=sum(each.holds(now) for each in theirs),
    )


def _hand_out(
    parts: Parts, answers: Sequence[dict[str, Any]], asked: Sequence[tuple[str, str]], day: int, now: datetime
) -> None:
    """Log and count what was handed out, each question in a session of its own."""
    from lethe.ids import parsed

    notes = [
        Note(
            TENANT,
            tuple(parsed("mem", row["memory"]) for row in answer["memories"]),
            f"look-{day}-{number}",
            now,
            False,
        )
        for number, answer in enumerate(answers)
    ]
    write(parts.engine, TENANT, notes)
    parts.uses.count(notes)


def _size(parts: Parts) -> int:
    with tenant_transaction(parts.engine, TENANT) as connection:
        query = sa.text("select count(*) from memories where standing = 'current' and retired_as is null")
        return int(connection.execute(query).scalar_one())


class Everything:
    """The usual memory: every turn of a user embedded as it is, and the nearest handed out."""

    def __init__(self, embedder: Embeds) -> None:
        self._embedder = embedder
        self._said: dict[str, list[Said]] = {}
        self._vectors: dict[str, list[Vectors]] = {}
        self._waiting: list[Said] = []
        self.size = 0

    def take(self, said: Sequence[Said]) -> None:
        """Remember these turns too."""
        self._waiting += said
        self.size += len(said)

    def recall(self, asked: Sequence[tuple[str, str]]) -> list[Said]:
        """The nearest turns to each (user, question)."""
        self._embed()
        found = []
        for (user, _), vector in zip(asked, self._embedder.embed([question for _, question in asked]), strict=True):
            near = np.stack(self._vectors[user]) @ vector
            found += [self._said[user][place] for place in np.argsort(-near, kind="stable")[:K]]
        return found

    def _embed(self) -> None:
        vectors = self._embedder.embed([each.text for each in self._waiting])
        for each, vector in zip(self._waiting, vectors, strict=True):
            self._said.setdefault(each.user, []).append(each)
            self._vectors.setdefault(each.user, []).append(vector)
        self._waiting = []
