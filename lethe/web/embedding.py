"""The model of the local process, for processes that must not load one of their own."""

from __future__ import annotations

import base64
from collections.abc import Sequence

import numpy as np

from lethe.index.embedder import PACKAGED, Vectors
from lethe.settings import Settings
from lethe.store.tables import DIMENSION
from lethe.web.local import ask

MOST = 1000  # texts a request


class LocalEmbedder:
    """Asks the local process for vectors; raises NotRunning where it does not answer."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @property
    def name(self) -> str:
        """The model's name: the local process has the same settings."""
        return self._settings.embedder or PACKAGED

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of shape (n, DIMENSION), float32."""
        made = [np.zeros((0, DIMENSION), dtype=np.float32)]
        for start in range(0, len(texts), MOST):
            some = list(texts[start : start + MOST])
            packed = base64.b64decode(ask(self._settings, "/v1/embed", {"texts": some})["vectors"])
            made.append(np.frombuffer(packed, dtype="<f4").reshape(len(some), DIMENSION))
        return np.concatenate(made)
