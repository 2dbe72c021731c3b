"""Recall: what is remembered about a question. Found in owner sets or the graph, handed out as the primary says it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Protocol
from uuid import UUID

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine, Row

from lethe.errors import LetheError
from lethe.index.embedder import Embeds, Vectors
from lethe.index.vectors import ANN_ABOVE
from lethe.recall.eligibility import ELIGIBLE, REASONS, Dates, Moment, moment, state_at
from lethe.recall.envelopes import by_ids, envelope
from lethe.recall.graph import nearest
from lethe.recall.owner_sets import OwnerSet, OwnerSets, assembled
from lethe.recall.questions import Question, read
from lethe.recall.ranking import Floats, Ranking
from lethe.recall.scopes import Seen, seen
from lethe.records import Query
from lethe.store.database import tenant_transaction

SLACK = 8  # candidates beyond k, for those that the primary no longer lets through
A_TRANSACTION = 200
DAY = 86_400.0

Answer = dict[str, Any]


class HandOuts(Protocol):
    """Where hand-outs are noted; must not block."""

    def note(
        self,
        tenant: str,
        memories: Sequence[UUID],
        session: str | None,
        when: Moment,
        scores: Sequence[float | None] = (),
    ) -> None: ...


@dataclass(slots=True)
class _Asked:
    """A query with what the search needs of it."""

    query: Query
    scopes: tuple[Seen, ...]
    vector: Vectors
    when: Moment
    threshold: float
    k: int
    question: Question


@dataclass(frozen=True, slots=True)
class _Found:
    """One memory that may answer, as the index sees it."""

    id: UUID
    owner: UUID
    scope: float
    similarity: float
    dense: float
    lexical: float
    score: float


@dataclass(slots=True)
class _Candidates:
    """What the index found for one query, best first."""

    found: list[_Found]
    eligible: int
    withheld: Counter[str]


SETS = OwnerSets()


def recall(
    engine: Engine, query: Query, embedder: Embeds, ranking: Ranking, now: datetime, log: HandOuts | None = None
) -> Answer:
    """{"memories": [envelope…], "empty_reason", "withheld"}. Raises InvalidInput (scope_missing) without an owner."""
    ranking = ranking.of(query.tenant)
    asked = _asked(query, embedder.embed([query.query])[0], ranking, now)
    return _answer([asked], engine, embedder.name, ranking, log)[0]


def recall_many(
    engine: Engine,
    queries: Sequence[Query],
    embedder: Embeds,
    ranking: Ranking,
    now: datetime,
    log: HandOuts | None = None,
) -> list[Answer]:
    """An answer to each query, in order, with one embedding pass for all; an unusable query is answered by its error."""
    answers: list[Answer] = [{} for _ in queries]
    by_tenant: dict[str, list[tuple[int, _Asked]]] = {}
    vectors = embedder.embed([query.query for query in queries])
    for place, query in enumerate(queries):
        try:
            by_tenant.setdefault(query.tenant, []).append(
                (place, _asked(query, vectors[place], ranking.of(query.tenant), now))
            )
        except LetheError as fault:
            answers[place] = dict(fault.as_dict())
    for tenant, asked in by_tenant.items():
        asked.sort(key=lambda item: [part.owner for part in item[1].scopes])
        for some in _chunks(asked):
            given = _answer([item for _, item in some], engine, embedder.name, ranking.of(tenant), log)
            for (place, _), answer in zip(some, given, strict=True):
                answers[place] = answer
    return answers


def _asked(query: Query, vector: Vectors, ranking: Ranking, now: datetime) -> _Asked:
    when = moment(query.as_of, now)
    return _Asked(
        query=query,
        scopes=seen(query.tenant, query.user, query.project, query.task),
        vector=vector,
        when=when,
        threshold=ranking.threshold if query.threshold is None else query.threshold,
        k=query.k or ranking.k,
        question=read(query.query, when.at),
    )


def _chunks(items: Sequence[tuple[int, _Asked]]) -> Iterator[list[tuple[int, _Asked]]]:
    rest = iter(items)
    while some := list(islice(rest, A_TRANSACTION)):
        yield some


def _answer(
    asked: Sequence[_Asked], engine: Engine, model: str, ranking: Ranking, log: HandOuts | None
) -> list[Answer]:
    """Answers to queries of one tenant, out of one transaction."""
    tenant = asked[0].query.tenant
    with tenant_transaction(engine, tenant) as connection:
        owners = _owners(connection, tenant, {part.owner for item in asked for part in item.scopes})
        candidates = [_candidates(connection, item, owners, model, ranking) for item in asked]
        rows = by_ids(connection, tenant, list({each.id for part in candidates for each in part.found}))
    return [_handed_out(item, part, rows, ranking, log) for item, part in zip(asked, candidates, strict=True)]


def _owners(connection: Connection, tenant: str, owners: set[UUID]) -> dict[UUID, Row[Any]]:
    found = connection.execute(_OWNERS, {"tenant": tenant, "owners": list(owners)})
    return {row.owner: row for row in found}


_OWNERS = sa.text("""
select owner, revision, memories from owners where tenant = :tenant and owner = any(cast(:owners as uuid[]))
""")


# --- finding ------------------------------------------------------------------------------------------------------


def _candidates(
    connection: Connection, asked: _Asked, owners: Mapping[UUID, Row[Any]], model: str, ranking: Ranking
) -> _Candidates:
    out = _Candidates([], 0, Counter())
    for part in asked.scopes:
        owner = owners.get(part.owner)
        if owner is None:
            continue
        if owner.memories > ANN_ABOVE:
            _from_graph(out, connection, asked, part, model, ranking)
        else:
            held = SETS.get(connection, asked.query.tenant, part.owner, owner.revision, model)
            _from_set(out, asked, part, held, held.cosines(asked.vector), ranking)
    out.found.sort(key=lambda each: -each.score)
    del out.found[asked.k + SLACK :]
    return out


def _from_set(out: _Candidates, asked: _Asked, part: Seen, held: OwnerSet, dense: Floats, ranking: Ranking) -> None:
    if not held.ids:
        return
    codes = held.dates.codes(asked.when, asked.query.use)
    question = asked.question
    lexical = held.lexicon.coverage([stem for stem in question.stems if stem not in held.names])
    missing = held.lexicon.missing(question.names - held.names)
    alike = ranking.similarity(dense, lexical, missing, held.calendar.outside(question.periods))
    similarity = np.minimum(1.0, alike * ranking.brevity(held.lengths))
    days = (asked.when.at.timestamp() - held.touched_at) / DAY
    scope = ranking.scope(part.steps)
    scores = similarity * scope * held.confidence * ranking.freshness(held.kinds, days)
    eligible = codes == ELIGIBLE
    out.eligible += int(eligible.sum())
    for reason, count in Counter(codes[(codes > ELIGIBLE) & (scores >= asked.threshold / 2)].tolist()).items():
        out.withheld[REASONS[reason]] += count
    for place in _best(np.where(eligible & (scores >= asked.threshold), scores, -1.0), asked.k + SLACK):
        out.found.append(
            _Found(
                id=held.ids[place],
                owner=part.owner,
                scope=scope,
                similarity=float(similarity[place]),
                dense=float(dense[place]),
                lexical=float(lexical[place]),
                score=float(scores[place]),
            )
        )


def _best(scores: Floats, most: int) -> list[int]:
    """The places of the highest scores; a negative score is none."""
    places = np.argpartition(-scores, most)[:most] if len(scores) > most else np.arange(len(scores))
    return [int(place) for place in places if scores[place] >= 0]


def _from_graph(
    out: _Candidates, connection: Connection, asked: _Asked, part: Seen, model: str, ranking: Ranking
) -> None:
    """A large owner: the graph's nearest memories make a small set that is ranked like any other."""
    near = nearest(connection, asked.query.tenant, part.owner, model, asked.vector, ranking.candidates)
    held = assembled(
        [each.row for each in near],
        vectors=np.zeros((0, 0), dtype=np.float32),
        embedded=np.zeros(0, dtype=np.bool_),
        called=[part.scope.user or ""],
    )
    _from_set(out, asked, part, held, np.array([each.dense for each in near]), ranking)


# --- handing out --------------------------------------------------------------------------------------------------


def _handed_out(
    asked: _Asked, candidates: _Candidates, rows: Mapping[UUID, Row[Any]], ranking: Ranking, log: HandOuts | None
) -> Answer:
    """Check each candidate against its row of this moment, and score it by what that row says."""
    there = [(each, rows[each.id]) for each in candidates.found if each.id in rows]
    given: list[tuple[float, Row[Any], dict[str, float]]] = []
    if there:
        checked = [row for _, row in there]
        codes = Dates.of(checked).codes(asked.when, asked.query.use)
        days = np.array([(asked.when.at - row.touched_at).total_seconds() / DAY for row in checked])
        fresh = ranking.freshness([row.kind for row in checked], days)
        for (each, row), code, freshness in zip(there, codes, fresh, strict=True):
            score = each.similarity * each.scope * row.confidence * float(freshness)
            if code == ELIGIBLE and row.owner == each.owner and score >= asked.threshold:
                given.append((score, row, _signals(each, row.confidence, float(freshness))))
    given.sort(key=lambda item: (-item[0], -item[1].observed_at.timestamp(), item[1].id))
    del given[asked.k :]
    if log is not None and given:
        scores = [score for score, _, _ in given]
        log.note(asked.query.tenant, [row.id for _, row, _ in given], asked.query.session, asked.when, scores)
    nothing = "below_threshold" if candidates.eligible else "no_eligible_memory"
    return {
        "memories": [_scored(row, score, signals, asked.when) for score, row, signals in given],
        "empty_reason": None if given else nothing,
        "withheld": {reason: candidates.withheld[reason] for reason in sorted(REASONS.values())},
    }


def _signals(each: _Found, confidence: float, freshness: float) -> dict[str, float]:
    signals = {
        "similarity": each.similarity,
        "scope": each.scope,
        "confidence": confidence,
        "freshness": freshness,
        "lexical": each.lexical,
    }
    if not np.isnan(each.dense):
        signals["dense"] = each.dense
    return {name: round(value, 4) for name, value in signals.items()}


def _scored(row: Row[Any], score: float, signals: dict[str, float], when: Moment) -> dict[str, Any]:
    out = envelope(row, state_at(row, when))
    out.score, out.signals = round(score, 4), signals
    return out.as_dict()
