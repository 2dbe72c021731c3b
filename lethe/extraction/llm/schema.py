"""What a model is asked to answer: one pydantic model gives the JSON schema that is sent and checks what comes back."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from lethe.extraction.llm.failures import InvalidOutput
from lethe.records import Text

MOST_PER_TURN = 40  # what is above is no reading of a turn any more

_FENCED = re.compile(r"\s*```(?:json)?\s*\n(.*?)\n?```\s*", re.DOTALL)


def _within(longest: int) -> AfterValidator:
    """Lengths are checked here and not in the schema: strict modes refuse maxLength."""

    def checked(text: str) -> str:
        if not text.strip() or len(text) > longest:
            raise ValueError("is blank or too long")
        return text.strip()

    return AfterValidator(checked)


def _share(value: float) -> float:
    if not 0 <= value <= 1:
        raise ValueError("lies outside 0..1")
    return value


def _day(value: str | None) -> str | None:
    if value is not None:
        date.fromisoformat(value)
    return value


_Share = Annotated[float, AfterValidator(_share), Field(description="between 0 and 1")]
_Day = Annotated[str | None, AfterValidator(_day), Field(description="YYYY-MM-DD, or null")]
_Name = Annotated[Text, _within(200)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, hide_input_in_errors=True)


class Proposed(_Part):
    """One claim as the model words it; nothing of it is believed before it was checked against its turn."""

    turn: _Name = Field(description="label of the turn that says it")
    quote: Annotated[Text, _within(2000)] = Field(description="the words of that turn that say it, letter by letter")
    kind: Literal["preference", "instruction", "semantic", "episodic"]
    subject: _Name = Field(description='"user", or the name of the person or thing that it is about')
    predicate: Annotated[Text, _within(100)] = Field(description="snake_case, present tense")
    object: Annotated[Text, _within(400)] = Field(description="the value alone")
    claim: Annotated[Text, _within(1000)] = Field(description="one English sentence in the third person")
    negated: bool = Field(description="the claim denies that the predicate holds for the object")
    act: Literal["assert", "end", "retract"]
    basis: Literal["stated", "inferred"]
    confidence: _Share
    importance: _Share
    cardinality: Literal["single", "many"]
    event_date: _Day
    expires_date: _Day
    replaces: Annotated[Text, _within(400)] | None = Field(
        description="the value that the turn calls outdated, or null"
    )
    changed: bool = Field(description="the turn itself says that something changed")
    for_project: bool = Field(description="worded for the project or the team, not for the user alone")


class Answer(_Part):
    """What a model found in the turns that it was asked about."""

    memories: list[Proposed]


@lru_cache(maxsize=1)
def json_schema() -> dict[str, Any]:
    """The schema of `Answer` in the form that strict structured output takes: every key required, no titles."""
    made = Answer.model_json_schema()
    return {"name": "memories", "strict": True, "schema": _plain(made)}


def _plain(node: Any) -> Any:
    if isinstance(node, dict):
        ours = {"title", "description"} if "properties" in node else {"title"}  # docstrings are not for the model
        return {key: _plain(value) for key, value in node.items() if not (key in ours and isinstance(value, str))}
    return [_plain(each) for each in node] if isinstance(node, list) else node


def read(content: str, labels: Collection[str]) -> Answer:
    """The answer in a message's content; raises InvalidOutput, which says nothing of what stood there."""
    fenced = _FENCED.fullmatch(content)
    answer = _validated(fenced[1] if fenced else content)
    if answer is None:
        raise InvalidOutput("The answer does not have the form that was asked for.")
    if not {each.turn for each in answer.memories} <= set(labels):
        raise InvalidOutput("The answer speaks of a turn that it was not asked about.")
    if len(answer.memories) > MOST_PER_TURN * len(labels):
        raise InvalidOutput("The answer makes far too much of its turns.")
    return answer


def _validated(content: str) -> Answer | None:
    """Outside of any handler the error is gone with all that it quotes."""
    try:
        return Answer.model_validate_json(content)
    except ValidationError:
        return None
