"""The whole line against the usual design: turns/s from push to indexed, and turns/s of embedding every turn's text."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from lethe.bench.private import private_instance, read_turns, rounded
from lethe.bench.talk import turns as talk
from lethe.client.client import Lethe

SIZES = (1_000, 5_000, 20_000)


def measure(services: Any, *, turns: Path | None, **_: Any) -> dict[str, Any]:
    """Rates in turns/s and their ratio; growth: seconds a 1,000 turns at each size over those at the first."""
    given = read_turns(turns) if turns else talk(2_000)
    embedding = _embed_everything(services, [turn["text"] for turn in given])
    with private_instance(services) as client:
        _run(client, talk(100, tenant="warm"))
        line = len(given) / _run(client, given)
    rates = {}
    for size in SIZES:
        with private_instance(services) as client:
            _run(client, talk(100, tenant="warm"))
            rates[size] = 1000 * _run(client, talk(size)) / size
    return {
        "turns": len(given),
        "line_turns_per_second": rounded(line),
        "embed_everything_turns_per_second": rounded(embedding),
        "ratio": rounded(line / embedding),
        "seconds_per_1000_turns": {str(size): rounded(seconds) for size, seconds in rates.items()},
        "growth_against_linear": {str(size): rounded(seconds / rates[SIZES[0]]) for size, seconds in rates.items()},
    }


def _run(client: Lethe, turns: list[dict[str, Any]]) -> float:
    """Seconds from the first push until everything is indexed."""
    began = time.perf_counter()
    for start in range(0, len(turns), 500):
        client.push(turns[start : start + 500])
    if not client.wait(3600):
        raise TimeoutError("the line did not drain within an hour")
    return time.perf_counter() - began


def _embed_everything(services: Any, texts: list[str]) -> float:
    """Turns/s of the same model on every text, whole, on all cores."""
    from lethe.index.embedder import Embedder

    embedder = Embedder(services.settings)
    embedder.embed(texts[:32])
    import torch

    torch.set_num_threads(os.cpu_count() or 1)
    began = time.perf_counter()
    embedder.embed(texts)
    return len(texts) / (time.perf_counter() - began)
