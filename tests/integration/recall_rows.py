"""Rows for tests of index and recall, written straight into the tables, as the gate would have left them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.ids import key_id, new_id, owner_id, turn_id
from lethe.index.embedder import Vectors
from lethe.recall.words import terms
from lethe.records import Scope
from lethe.store.database import tenant_transaction
from lethe.store.tables import DIMENSION, decisions, events, evidence, memories, proposals, turns

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
TENANT = "acme"


def days(count: float) -> datetime:
    """So many days after NOW."""
    return NOW + timedelta(days=count)


class WordModel:
    """A small real model of meaning: each stem has its own direction, so that texts are near by the words they share."""

    name = "words"

    def embed(self, texts: Sequence[str]) -> Vectors:
        out = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for place, text in enumerate(texts):
            for stem in terms(text):
                out[place, int.from_bytes(stem.encode()[:8], "big") % DIMENSION] += 1.0
            out[place] /= np.linalg.norm(out[place]) or 1.0
        return out


@dataclass
class Rows:
    """Writes rows of one tenant."""

    engine: Engine
    tenant: str = TENANT
    made: list[UUID] = field(default_factory=list)

    def memory(
        self,
        claim: str,
        *,
        user: str | None = "ann",
        project: str | None = None,
        task: str | None = None,
        **columns: Any,
    ) -> UUID:
        """A memory with its turn, proposal, decision and evidence; `columns` are those of the memories table."""
        scope = Scope(user, project, task)
        name, proposal = new_id(), new_id()
        number = len(self.made)
        turn, session = columns.pop("turn", f"t{number}"), columns.pop("session", "s1")
        text = columns.pop("text", claim)
        observed_at = columns.pop("observed_at", days(-10))
        row: dict[str, Any] = {
            "tenant": self.tenant, "id": name, "owner": owner_id(self.tenant, scope), "user_id": user, "project": project,
            "task": task, "kind": "semantic", "subject": "user", "predicate": f"notes_{number}", "object": claim.split()[-1].strip("."),
            "claim": claim, "cardinality": "many", "basis": "stated", "confidence": 0.9, "importance": 0.5,
            "sensitivity": "normal", "allowed_uses": ["answering"], "lead": proposal, "source_turn": turn,
            "source_session": session, "source_author": "user", "evidence_turns": [turn], "independent": 1,
            "observed_at": observed_at, "observed_offset": 0, "valid_from": observed_at, "standing": "current",
            "touched_at": observed_at, "review_after": days(365), "policy": "test@1", "created_at": observed_at,
            "changed_at": observed_at,
        } | columns  # fmt: skip
        row["key"] = key_id(self.tenant, scope, row["subject"], row["predicate"])
        with tenant_transaction(self.engine, self.tenant) as connection:
            self._turn(connection, turn, session, text, row)
            self._proposal(connection, proposal, turn, session, row)
            connection.execute(memories.insert(), row)
            connection.execute(
                evidence.insert(),
                {
                    "tenant": self.tenant, "memory": name, "proposal": proposal, "turn_id": turn_id(self.tenant, session, turn),
                    "role": "source", "independent": True,
                },
            )  # fmt: skip
            self.decision(connection, proposal, turn, session, row, "admit", ["passed_every_check"], name)
            connection.execute(
                events.insert(),
                {
                    "tenant": self.tenant, "at": observed_at, "subject": name, "change": "admitted",
                    "reason": "passed_every_check", "actor": "gate", "policy": "test@1",
                },
            )  # fmt: skip
            self._owner(connection, row)
        self.made.append(name)
        return name

    def held(self, claim: str, reasons: list[str], outcome: str = "hold", *, user: str = "ann") -> UUID:
        """A proposal without a memory."""
        scope, proposal = Scope(user), new_id()
        number = len(self.made) + 1000
        self.made.append(proposal)
        row: dict[str, Any] = {
            "owner": owner_id(self.tenant, scope), "user_id": user, "project": None, "task": None, "kind": "preference",
            "subject": "user", "predicate": "prefers", "object": "it", "claim": claim, "basis": "stated", "confidence": 0.9,
            "importance": 0.5, "observed_at": days(-3), "observed_offset": 0, "key": key_id(self.tenant, scope, "user", "prefers"),
            "source_author": "user",
        }  # fmt: skip
        with tenant_transaction(self.engine, self.tenant) as connection:
            self._turn(connection, f"t{number}", "s1", claim, row)
            self._proposal(connection, proposal, f"t{number}", "s1", row)
            self.decision(connection, proposal, f"t{number}", "s1", row, outcome, reasons, None)
        return proposal

    def change(self, memory: UUID, **columns: Any) -> None:
        """Change a memory's row and raise its owner's revision, as every writer does."""
        with tenant_transaction(self.engine, self.tenant) as connection:
            self.change_quietly(memory, connection, **columns)
            connection.execute(
                sa.text(
                    "update owners set revision = revision + 1 where owner = (select owner from memories where id = :id)"
                ),
                {"id": memory},
            )

    def change_quietly(self, memory: UUID, connection: Any = None, **columns: Any) -> None:
        """Change a memory's row and leave the revision: what a late cache would not see."""
        statement = memories.update().where(memories.c.tenant == self.tenant, memories.c.id == memory)
        if connection is not None:
            connection.execute(statement, columns)
            return
        with tenant_transaction(self.engine, self.tenant) as own:
            own.execute(statement, columns)

    def decision(
        self, connection: Any, proposal: UUID | None, turn: str, session: str, row: dict[str, Any], outcome: str,
        reasons: list[str], memory: UUID | None,
    ) -> None:  # fmt: skip
        connection.execute(
            decisions.insert(),
            {
                "tenant": self.tenant, "id": new_id(), "proposal": proposal, "turn_id": turn_id(self.tenant, session, turn),
                "session": session, "turn": turn, "user_id": row["user_id"], "project": row["project"], "kind": row["kind"],
                "outcome": outcome, "reasons": reasons, "policy": "test@1", "memory": memory, "decided_at": NOW,
            },
        )  # fmt: skip

    def _turn(self, connection: Any, turn: str, session: str, text: str, row: dict[str, Any]) -> None:
        connection.execute(
            turns.insert(),
            {
                "tenant": self.tenant, "id": turn_id(self.tenant, session, turn), "session": session, "turn": turn,
                "author": row["source_author"], "user_id": row["user_id"], "project": row["project"], "text": text,
                "text_mac": b"-", "text_mac_key": "-", "observed_at": row["observed_at"],
                "observed_offset": row["observed_offset"], "received_at": row["observed_at"],
            },
        )  # fmt: skip

    def _proposal(self, connection: Any, name: UUID, turn: str, session: str, row: dict[str, Any]) -> None:
        connection.execute(
            proposals.insert(),
            {
                "tenant": self.tenant, "id": name, "turn_id": turn_id(self.tenant, session, turn), "session": session,
                "turn": turn, "ordinal": 0, "author": row["source_author"], "proposed_by": "local", "owner": row["owner"],
                "user_id": row["user_id"], "project": row["project"], "task": row["task"], "key": row["key"],
                "kind": row["kind"], "subject": row["subject"], "predicate": row["predicate"], "object": row["object"],
                "claim": row["claim"], "act": "assert", "basis": row["basis"], "confidence": row["confidence"],
                "importance": row["importance"], "observed_at": row["observed_at"], "observed_offset": row["observed_offset"],
                "extractor": "local", "created_at": row["observed_at"],
            },
        )  # fmt: skip

    def _owner(self, connection: Any, row: dict[str, Any]) -> None:
        connection.execute(
            sa.text("""insert into owners (tenant, owner, user_id, project, task, memories)
            values (:tenant, :owner, :user_id, :project, :task, 1)
            on conflict (tenant, owner) do update set revision = owners.revision + 1, memories = owners.memories + 1"""),
            {name: row[name] for name in ("tenant", "owner", "user_id", "project", "task")},
        )
