"""Resident memory of each process after it has worked, and how long the command takes to answer."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil

from lethe.bench.private import median, private_instance, read_turns, rounded
from lethe.bench.talk import turns as talk


def measure(services: Any, *, turns: Path | None = None, **_: Any) -> dict[str, Any]:
    """Resident megabytes by process (of a worker the largest of its children), and seconds."""
    with private_instance(services) as client:
        client.push(read_turns(turns) if turns else talk(300))
        client.wait(3600)
        client.recall(tenant="bench", user="u0", query="Where does the user live?")
        from lethe.embedded.instance import processes

        found = {}
        for row in processes(client.settings):
            if row["running"]:
                own = psutil.Process(row["pid"])
                family = [own] if row["name"] == "supervisor" else [own, *own.children(recursive=True)]
                found[f"{row['name']}_mb"] = rounded(max(each.memory_info().rss for each in family) / 1e6)
    return {"resident": found, "help_seconds": _help_seconds()}


def _help_seconds() -> float:
    command = [str(Path(sys.executable).with_name("lethe")), "--help"]
    taken = []
    for _ in range(7):
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        taken.append(time.perf_counter() - began)
    return rounded(median(sorted(taken)))
