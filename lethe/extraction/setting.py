"""Who speaks to whom in a turn, and within what project."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from lethe.extraction.claims import Voices
from lethe.extraction.references import Mention
from lethe.extraction.segments import shown
from lethe.records import Author, Turn

_NOBODY = frozenset({"user", "the user", "me", "human", "customer"})


@dataclass(frozen=True, slots=True)
class Setting:
    """What the words of a turn do not say themselves."""

    voices: Voices
    observed_at: datetime
    to_assistant: bool
    project: str | None
    shown: str = ""  # what a photo in the turn shows
    earlier: tuple[Mention, ...] = ()  # who and what the sentences just before name
    here: tuple[Mention, ...] = ()  # who and what this sentence names

    @classmethod
    def of(cls, turn: Turn, window: Sequence[Turn]) -> Setting:
        other = _other_person(turn, window)
        to_assistant = other is None
        team = turn.project is not None and (turn.speaker or "user").strip().lower() in _NOBODY
        these = {}
        if turn.project is not None and to_assistant:
            these = {f"{word} project": f"project {turn.project}" for word in ("this", "the current", "our")}
        voices = Voices(
            you="the assistant" if to_assistant else other or "the other person",
            us="the team" if team else "the user and others",
            ours="the team's" if team else "the user's",
            these=these,
        )
        return cls(voices, turn.observed_at, to_assistant, turn.project, shown(turn.text))


def _other_person(turn: Turn, window: Sequence[Turn]) -> str | None:
    """The name of the person talked to, where two people talk and no assistant takes part."""
    speaker = (turn.speaker or "").strip()
    if not speaker or speaker.lower() in _NOBODY or any(earlier.author is Author.ASSISTANT for earlier in window):
        return None
    others = [earlier.speaker for earlier in reversed(window) if earlier.speaker and earlier.speaker != turn.speaker]
    return others[0] if others else None


def without_vocative(text: str, setting: Setting) -> str:
    """The text without the name of the person it is said to ("Thanks, Rosa!")."""
    if setting.to_assistant:
        return text
    name = re.escape(setting.voices.you.split()[0])
    return re.sub(rf",\s*{name}(?=\s*[.!?,]|\s*$)|^{name},\s*", "", text)
