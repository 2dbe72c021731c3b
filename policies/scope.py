"""Where an extracted claim belongs: to the user by default, to user and project where it is worded for the project."""

from __future__ import annotations

from lethe.records import Candidate, Scope, Turn


def place(turn: Turn, candidate: Candidate) -> Scope:
    """The scope of a candidate. Shared rows of a project (user null) come only from turns without a user."""
    if turn.user is None:
        return Scope(None, turn.project)
    return Scope(turn.user, turn.project if candidate.shared else None)
