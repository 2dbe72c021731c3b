"""The model-backed extractor: turns of a session in, candidates out. `batches` cuts what is due into calls, `extract` makes
one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lethe.extraction.language import unsupported_language
from lethe.extraction.llm.caller import Caller, Question
from lethe.extraction.llm.candidates import candidate
from lethe.extraction.llm.client import Reply
from lethe.extraction.llm.conversation import Pair, labelled, prompt, shown, size
from lethe.extraction.llm.said import said
from lethe.extraction.llm.schema import json_schema, read
from lethe.records import Candidate


class LlmExtractor:
    """Candidates from any OpenAI-compatible chat endpoint."""

    def __init__(self, caller: Caller) -> None:
        self.limits = caller.limits
        self.name = f"llm:{caller.model}@{prompt().version}"
        self._caller = caller
        self.client, self.breaker = caller.client, caller.breaker

    def unsupported_language(self, text: str) -> bool:
        """Is a turn refused for its language? A claim cannot be checked word by word against another one than English."""
        return self.limits.other_languages == "refuse" and unsupported_language(text)

    def batches(self, pairs: Sequence[Pair]) -> list[list[int]]:
        """Positions of the pairs that go into one call each: turns of one session, in order, within the limits of a call."""
        sessions: dict[tuple[str, str], list[int]] = {}
        for position, (turn, _) in enumerate(pairs):
            sessions.setdefault((turn.tenant, turn.session), []).append(position)
        return [batch for positions in sessions.values() for batch in self._cut(positions, pairs)]

    def _cut(self, positions: list[int], pairs: Sequence[Pair]) -> Iterator[list[int]]:
        batch: list[int] = []
        room = self.limits.chars_per_call
        for position in sorted(positions, key=lambda at: (pairs[at][0].observed_at, pairs[at][0].turn)):
            needed = size(pairs[position], self.limits.chars_per_call)
            if batch and (needed > room or len(batch) == self.limits.turns_per_call):
                yield batch
                batch, room = [], self.limits.chars_per_call
            batch.append(position)
            room -= needed
        if batch:
            yield batch

    def extract(self, pairs: Sequence[Pair]) -> list[list[Candidate]]:
        """The candidates of each turn, in the order given; all of one session. Raises a ModelFailure."""
        if not pairs:
            return []
        asked = labelled(pairs)
        answer = self._call(pairs[0][0].tenant, asked)
        by_name = {asked[label][0].turn: found for label, found in answer.items()}
        return [by_name[turn.turn] for turn, _ in pairs]

    def _call(self, tenant: str, asked: Mapping[str, Pair]) -> dict[str, list[Candidate]]:
        user = shown(asked, self.limits.chars_per_call)
        question = Question(
            prompt().text, prompt().version, user, json_schema(), lambda reply: _candidates(reply, asked), len(asked)
        )
        return self._caller.call(tenant, question)


def _candidates(reply: Reply, asked: Mapping[str, Pair]) -> dict[str, list[Candidate]]:
    answer = read(reply.content, asked.keys())
    found: dict[str, list[Candidate]] = {label: [] for label in asked}
    for label in {each.turn for each in answer.memories}:
        turn, window = asked[label]
        ground = said(turn, window)
        found[label] = [candidate(each, turn, ground) for each in answer.memories if each.turn == label]
    return found
