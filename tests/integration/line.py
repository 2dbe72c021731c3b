"""The line without Celery: hand in, extract, judge, on a real database, step by step, in the test's own process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy.engine import Engine

from lethe.keys import Keyring
from lethe.lifecycle import intake, proposing
from lethe.lifecycle.extraction import extract_turns
from lethe.lifecycle.gate import judge_keys
from lethe.lifecycle.intake import Taken
from lethe.recall import reading
from lethe.records import ProposalIn, Turn
from lethe.rules import Rules
from lethe.store import work

START = datetime(2026, 2, 1, 9, tzinfo=UTC)
NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)


@dataclass
class Line:
    """One tenant's way from turn to memory."""

    engine: Engine
    rules: Rules
    keys: Keyring
    tenant: str = "acme"
    now: datetime = NOW

    def turn(self, name: str, text: str, day: float = 0, **fields: Any) -> Turn:
        given = {"tenant": self.tenant, "user": "u1", "session": f"s{day}", "turn": name, "author": "user", "text": text,
                 "observed_at": START + timedelta(days=day)}  # fmt: skip
        return Turn.model_validate({**given, **fields})

    def proposal(self, turn: Turn, predicate: str, value: str, **fields: Any) -> ProposalIn:
        given = {"tenant": self.tenant, "user": turn.user, "project": turn.project, "session": turn.session, "turn": turn.turn,
                 "kind": "semantic", "subject": "user", "predicate": predicate, "object": value,
                 "claim": f"The user's {predicate} is {value}.", "observed_at": turn.observed_at, "confidence": 0.95}  # fmt: skip
        return ProposalIn.model_validate({**given, **fields})

    def push(self, *turns: Turn) -> Taken:
        return intake.push(self.engine, turns, self.rules, self.keys, self.now)

    def propose(self, *items: ProposalIn) -> Taken:
        return proposing.propose(self.engine, items, self.rules, self.now)

    def extract(self, limit: int = 64) -> bool:
        claimed = work.claim(self.engine, work.EXTRACT, self.now, limit)
        if claimed:
            extract_turns(self.engine, claimed, self.rules, self.now)
        return claimed is not None

    def judge(self, limit: int = 200) -> bool:
        claimed = work.claim(self.engine, work.GATE, self.now, limit)
        if claimed:
            judge_keys(self.engine, claimed, self.rules, self.keys, self.now)
        return claimed is not None

    def drain(self) -> None:
        while self.extract() or self.judge():
            pass

    def take(self, *turns: Turn) -> None:
        """Push and work everything off."""
        self.push(*turns)
        self.drain()

    def memories(self, **scope: Any) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = reading.memories(self.engine, tenant=self.tenant, **{"every": True, **scope})[
            "memories"
        ]
        return rows

    def current(self) -> list[str]:
        """Claims that stand now."""
        return sorted(row["claim"] for row in self.memories(every=False))

    def reasons(self, turn: str) -> list[tuple[str, list[str]]]:
        rows = reading.decisions(self.engine, tenant=self.tenant, turn=turn)["decisions"]
        return [(row["outcome"], row["reasons"]) for row in rows]

    def shape(self) -> set[tuple[Any, ...]]:
        """Everything that must not depend on the order of arrival; ids left out."""
        named = {row["memory"]: (row["predicate"], row["object"], row["valid_from"]) for row in self.memories()}
        return {
            (
                row["scope"]["user"], row["scope"]["project"], row["kind"], row["subject"], row["predicate"], row["object"],
                row["claim"], row["negated"], row["state"], row["confidence"], tuple(sorted(row["evidence"])),
                row["valid_from"], row["valid_to"], named.get(row["superseded_by"]), row["expires_at"], row["review_after"],
            )
            for row in self.memories()
        }  # fmt: skip


def in_pieces(items: Sequence[Turn], sizes: Sequence[int]) -> list[list[Turn]]:
    """The items cut into pieces of these sizes, the rest as one."""
    pieces, at = [], 0
    for size in sizes:
        pieces.append(list(items[at : at + size]))
        at += size
    return [piece for piece in [*pieces, list(items[at:])] if piece]
