"""The extractor for those who have a model: any OpenAI-compatible chat endpoint (docs/extractors.md)."""

from __future__ import annotations

from lethe.extraction.llm.extractor import Limits, LlmExtractor

__all__ = ["Limits", "LlmExtractor"]
