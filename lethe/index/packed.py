"""Vectors as PostgreSQL's own binary form, many in one value: parsing the text of each would cost most of a load."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lethe.store.tables import DIMENSION

Vector = NDArray[np.float32]


def packed(column: str) -> str:
    """SQL for the numbers of a halfvec. halfvec_send gives the dimension and a spare number, two bytes each, before them."""
    return f"substring(halfvec_send({column}) from 5)"


def unpacked(values: bytes) -> NDArray[np.float32]:
    """(n, DIMENSION), as stored."""
    return np.frombuffer(values, dtype=">f2").astype(np.float32).reshape(-1, DIMENSION)


def units(values: bytes) -> NDArray[np.float32]:
    """(n, DIMENSION), each of length 1; a zero vector stays zero."""
    found = unpacked(values)
    length = np.linalg.norm(found, axis=1, keepdims=True)
    return np.asarray(np.divide(found, length, out=np.zeros_like(found), where=length > 0))
