"""Which extractor a process works with: `local`, or a model's. Nothing heavy is loaded before the first turn comes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from lethe.errors import InvalidInput, NotExtracted
from lethe.merging import Words
from lethe.records import Candidate, Turn
from lethe.settings import Settings
from policies.policy import Policy
from workers.connections import engine

if TYPE_CHECKING:
    from sqlalchemy.engine import Engine

    from lethe.extraction.llm import Caller

Pairs = Sequence[tuple[Turn, Sequence[Turn]]]
NAMES = ("local", "llm")


class Extractor(Protocol):
    """What an extractor gives to `lethe.rules.Rules`."""

    name: str

    def unsupported_language(self, text: str) -> bool: ...
    def batches(self, pairs: Pairs) -> list[list[int]]: ...
    def extract(self, pairs: Pairs) -> list[list[Candidate]]: ...


class Local:
    """Rules over spaCy's parse, in this process (lethe.extraction)."""

    name = "local@1"

    def unsupported_language(self, text: str) -> bool:
        from lethe.extraction import unsupported_language

        return unsupported_language(text)

    def batches(self, pairs: Pairs) -> list[list[int]]:
        return [list(range(len(pairs)))] if pairs else []

    def extract(self, pairs: Pairs) -> list[list[Candidate]]:
        from lethe.extraction import extract_many

        return extract_many(pairs)


class Unset(Local):
    """The model's extractor before anybody said which model: turns wait."""

    name = "llm"

    def extract(self, pairs: Pairs) -> list[list[Candidate]]:
        fault = NotExtracted("No model is named.", code="unreachable", hint=UNSET)
        fault.waits, fault.after = True, 60.0
        raise fault


UNSET = "LETHE_EXTRACTOR=llm needs LETHE_LLM_BASE_URL and LETHE_LLM_MODEL; set them and start the workers again."


def chosen(settings: Settings, policy: Policy) -> Extractor:
    """The extractor that the environment names; raises InvalidInput for a name that is none."""
    if settings.extractor == "local":
        return Local()
    if settings.extractor != "llm":
        raise InvalidInput(f"LETHE_EXTRACTOR is {settings.extractor!r}; it can be {' or '.join(NAMES)}.")
    if not (settings.llm_base_url and settings.llm_model):
        return Unset()
    from lethe.extraction.llm import LlmExtractor

    return LlmExtractor(_caller(settings.llm_base_url, settings.llm_model, settings, policy))


def words(settings: Settings, policy: Policy) -> Words | None:
    """The model that words merges, where the policy asks for one and the environment names it."""
    if policy.consolidation.wording != "llm" or not (settings.llm_base_url and settings.llm_model):
        return None
    from lethe.extraction.llm.wording import LlmWords
    from policies.merge_groups import strongest

    return LlmWords(_caller(settings.llm_base_url, settings.llm_model, settings, policy), strongest)


def _caller(base_url: str, model: str, settings: Settings, policy: Policy) -> Caller:
    from lethe.extraction.llm import Caller, Limits

    return Caller(base_url, settings.llm_api_key, model, Limits(**policy.llm.model_dump()), engine)


def fault(settings: Settings) -> str | None:
    """What is missing for the extractor that the environment names; None: nothing."""
    if settings.extractor not in NAMES:
        return f"LETHE_EXTRACTOR is {settings.extractor!r}; it can be {' or '.join(NAMES)}."
    if settings.extractor == "llm" and not (settings.llm_base_url and settings.llm_model):
        return UNSET
    return None


def overview(settings: Settings, policy: Policy, database: Engine, now: datetime) -> dict[str, Any]:
    """What `lethe status` tells of the extractor: {"name"}, and for a model's what waits for it and why."""
    if settings.extractor == "local" or (missing := fault(settings)) is not None:
        return {"name": settings.extractor} | ({} if settings.extractor == "local" else {"fault": missing})
    from lethe.extraction.llm import LlmExtractor
    from lethe.extraction.llm.overview import overview as of_model

    extractor = chosen(settings, policy)
    assert isinstance(extractor, LlmExtractor)
    found = of_model(database, extractor, now)
    for spent in found["budget"]["exhausted"]:
        spent["of"] = policy.of(spent["tenant"]).llm.tokens_per_day
    return found
