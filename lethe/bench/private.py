"""A private instance for measuring: its own LETHE_HOME, thrown away afterwards."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from lethe.client.client import Lethe
from lethe.settings import Settings


@contextmanager
def private_instance(services: Any, *, without: tuple[str, ...] = (), workers: int = 2) -> Iterator[Lethe]:
    """A client of a fresh instance; `without` names processes that are not started."""
    from lethe.embedded import instance

    folder = Path(tempfile.mkdtemp(prefix="lethe-b", dir="/tmp"))
    folder.chmod(0o755)
    settings: Settings = replace(
        services.settings, home=folder, database_url=None, admin_url=None, broker_url=None, cache_url=None
    )
    specs = [spec for spec in services.process_specs(workers, False) if spec["name"] not in without]
    instance.up(settings, specs, prepare=services.prepare)
    try:
        with Lethe(settings) as client:
            yield client
    finally:
        instance.down(settings)
        shutil.rmtree(folder, ignore_errors=True)


def milliseconds(repeat: int, operation: Callable[[int], object]) -> list[float]:
    """Sorted wall times of `repeat` calls, each given its number; a tenth as many go first, unmeasured."""
    for number in range(repeat // 10):
        operation(-1 - number)
    found = []
    for number in range(repeat):
        began = time.perf_counter()
        operation(number)
        found.append(1000 * (time.perf_counter() - began))
    return sorted(found)


def median(values: list[float]) -> float:
    return values[len(values) // 2]


def child(code: str, environment: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
    """A Python process beside this one."""
    return subprocess.Popen([sys.executable, "-c", code], env={**os.environ, **(environment or {})})


def rounded(value: float) -> float:
    return round(value, 3)


def read_turns(file: Path) -> list[dict[str, Any]]:
    """Turns of a file of JSON lines."""
    return [json.loads(line) for line in file.read_text().splitlines() if line.strip()]
