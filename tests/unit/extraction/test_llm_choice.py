"""Which extractor a process works with, by its environment."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from lethe.errors import InvalidInput, NotExtracted
from lethe.extraction.llm import LlmExtractor
from lethe.settings import Settings
from policies.policy import parse
from tests.unit.extraction.saying import turn
from workers import extractors, wiring
from workers.main import Services

POLICY = parse(wiring.default_text(), "default")
PLAIN = Settings(Path("/nowhere"), None, None, None, None, None, "local", None)
MODEL = replace(PLAIN, extractor="llm", llm_base_url="http://127.0.0.1:9/v1", llm_api_key="sk-hidden", llm_model="m1")


def queues(settings: Settings) -> dict[str, str]:
    services = Services()
    services.settings = settings
    commands = {spec["name"]: spec["command"] for spec in services.process_specs(2, schedules=False)}
    return {name: command[command.index("-Q") + 1] for name, command in commands.items() if "-Q" in command}


def test_without_a_word_extraction_is_local() -> None:
    assert extractors.chosen(PLAIN, POLICY).name == "local@1" == wiring.bind(POLICY).extractor
    assert extractors.fault(PLAIN) is None


def test_a_models_extractor_is_named_by_model_and_prompt() -> None:
    chosen = extractors.chosen(MODEL, POLICY)
    assert isinstance(chosen, LlmExtractor) and chosen.name.startswith("llm:m1@")
    assert wiring.bind(POLICY, lambda _: chosen).extractor == chosen.name


def test_no_key_shows_in_the_settings() -> None:
    assert "sk-hidden" not in repr(MODEL)


def test_an_extractor_that_is_none_is_refused_before_anything_starts() -> None:
    unknown = replace(PLAIN, extractor="oracle")
    with pytest.raises(InvalidInput, match="oracle"):
        extractors.chosen(unknown, POLICY)
    for settings in (unknown, replace(MODEL, llm_model=None)):
        with pytest.raises(InvalidInput):
            queues(settings)


def test_before_a_model_is_named_turns_wait() -> None:
    chosen = extractors.chosen(replace(MODEL, llm_base_url=None), POLICY)
    with pytest.raises(NotExtracted) as caught:
        chosen.extract([(turn("I live in Oulu."), ())])
    assert caught.value.waits


def test_nothing_queues_up_behind_a_model() -> None:
    named = queues(MODEL)
    assert named == queues(PLAIN)
    assert [name for name, each in named.items() if "extract" in each.split(",")] == ["worker-extract"]
    assert named["worker-extract"] == "extract"


def test_a_producer_makes_no_connection_to_a_model_or_a_database() -> None:
    made = wiring.bind(POLICY, partial(extractors.chosen, MODEL))
    assert made.batches([(turn("I live in Oulu.", observed_at=datetime(2026, 2, 1, tzinfo=UTC)), ())]) == [[0]]


def test_each_tenant_has_the_budget_that_its_section_sets() -> None:
    sections = """
    [tenant_limits]
    "llm.tokens_per_day" = { min = 20000, max = "policy" }
    [tenants.acme.llm]
    tokens_per_day = 30000
    """
    made = wiring.bind(parse(sections, "mine", base=wiring.default_text()), partial(extractors.chosen, MODEL))
    budgets = [rules.extract.__self__.limits.tokens_per_day for rules in (made, made.of("acme"), made.of("bolt"))]  # type: ignore[attr-defined]
    assert budgets == [2_000_000, 30_000, 2_000_000]
