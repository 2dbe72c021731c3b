"""What a model is shown: the prompt of `prompt.md`, and the turns of one session as JSON under labels of their own.

Labels ("t1", "t2") stand for the turns' names: names are the producer's, may tell something, and cost tokens.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from lethe.extraction.llm.schema import json_schema
from lethe.extraction.predicates import PREDICATES
from lethe.records import Author, Turn

Pair = tuple[Turn, Sequence[Turn]]

CONTEXT_CHARS = 800  # of a turn that is only shown; its end, where a question would stand
CUT = "\n[…]\n"
_MORE_PREDICATES = (
    "deadline",
    "version",
    "project_owner",
    "allergic_to",
    "age",
    "birthday",
    "time_zone",
    "prefers_format",
)
_VERSION = re.compile(r"<!-- version: (\d+)\b.*?-->\n", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Prompt:
    """The instructions with their version: the number in the file and a hash of all that shapes an answer."""

    text: str
    version: str


@lru_cache(maxsize=1)
def prompt() -> Prompt:
    """The prompt in force."""
    source = files("lethe.extraction.llm").joinpath("prompt.md").read_text(encoding="utf-8")
    head = _VERSION.match(source)
    if head is None:
        raise ValueError("prompt.md does not begin with its version")
    names = dict.fromkeys([row.name for row in PREDICATES] + list(_MORE_PREDICATES))
    text = source[head.end() :].replace("{predicates}", ", ".join(names))
    digest = hashlib.sha256((text + json.dumps(json_schema(), sort_keys=True)).encode()).hexdigest()
    return Prompt(text, f"{head[1]}.{digest[:6]}")


def labelled(pairs: Sequence[Pair]) -> dict[str, Pair]:
    """The turns of one call under their labels, in the order in which they were said."""
    ordered = sorted(pairs, key=lambda pair: (pair[0].observed_at, pair[0].turn))
    return {f"t{number}": pair for number, pair in enumerate(ordered, 1)}


def shown(asked: Mapping[str, Pair], most_chars: int) -> str:
    """The conversation as one JSON document: what is asked about, and the turns before it that are not."""
    labels = {turn.turn: label for label, (turn, _) in asked.items()}
    turns = {turn.turn: turn for _, window in asked.values() for turn in window}
    turns |= {turn.turn: turn for turn, _ in asked.values()}
    ordered = sorted(turns.values(), key=lambda turn: (turn.observed_at, turn.turn))
    entries = [_entry(turn, labels.get(turn.turn), most_chars) for turn in ordered]
    return json.dumps({"conversation": entries}, ensure_ascii=False)


def size(pair: Pair, most_chars: int) -> int:
    """About how many characters a turn adds to a call, its window included."""
    turn, window = pair
    return min(len(turn.text), most_chars) + sum(min(len(other.text), CONTEXT_CHARS) for other in window)


def _entry(turn: Turn, label: str | None, most_chars: int) -> dict[str, Any]:
    entry: dict[str, Any] = {} if label is None else {"turn": label}
    entry["author"] = turn.author.value
    if turn.speaker:
        entry["speaker"] = turn.speaker
    if turn.project and turn.author is Author.USER:
        entry["project"] = turn.project
    entry["time"] = turn.observed_at.strftime("%A %Y-%m-%d %H:%M %z")
    entry["text"] = turn.text[-CONTEXT_CHARS:] if label is None else _cut(turn.text, most_chars)
    return entry


def _cut(text: str, most: int) -> str:
    """A text that is too long, as its beginning and its end."""
    return text if len(text) <= most else text[: most // 2] + CUT + text[-(most // 2) :]
