"""Where an extracted claim belongs: to the user by default, to user and project where it is worded for the project, and to the
task of its turn where it is worded for the task."""

from __future__ import annotations

import re

from lethe.records import Candidate, Scope, Turn

_OF_THE_TASK = re.compile(
    r"\b(?:for|in|on|during|within|throughout|as part of) (?:this|the (?:current|present)) task\b"
    r"|\buntil (?:this|the) task (?:is (?:done|over|finished|complete|completed|closed)|ends)\b",
    re.IGNORECASE,
)


def place(turn: Turn, candidate: Candidate) -> Scope:
    """The scope of a candidate. Shared rows of a project (user null) come only from turns without a user."""
    task = turn.task if turn.task is not None and _OF_THE_TASK.search(candidate.said) else None
    if turn.user is None:
        return Scope(None, turn.project, task)
    return Scope(turn.user, turn.project if candidate.shared else None, task)
