"""The local extractor: what a turn says that could be remembered. It only proposes; the gate decides.

`predicates.py` holds the table of canonical predicates, `pipeline.py` the steps in order. spaCy is loaded on first use.
"""

from __future__ import annotations

from lethe.extraction.language import unsupported_language
from lethe.extraction.pipeline import extract, extract_many

__all__ = ["extract", "extract_many", "unsupported_language"]
