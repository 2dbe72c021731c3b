"""The extractor for those who have a model: any OpenAI-compatible chat endpoint (docs/extractors.md)."""

from __future__ import annotations

from lethe.extraction.llm.caller import Caller, Limits
from lethe.extraction.llm.extractor import LlmExtractor

__all__ = ["Caller", "Limits", "LlmExtractor"]
