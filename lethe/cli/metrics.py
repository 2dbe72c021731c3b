"""`lethe metrics`: the figures of now, as one document or in Prometheus' text format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from lethe.cli.shown import document, json_option


@click.command()
@click.option("--tenant", help="Also what this tenant keeps, what was decided and what waits for people.")
@json_option
@click.pass_obj
def metrics(services: Any, tenant: str | None, as_json: bool) -> int:
    """The figures of now: processes, queues, jobs and deletions; with --tenant also memories and decisions.

    Without --json they come in Prometheus' text format. Exit status 1 where a deletion is overdue.
    """
    found = services.figures(tenant)
    if as_json:
        document(found)
    else:
        for name, labels, value in _samples(found):
            told = ",".join(f'{label}="{_escaped(word)}"' for label, word in labels.items())
            print(f"lethe_{name}{{{told}}} {value:g}" if told else f"lethe_{name} {value:g}")
    return 1 if found["deletions"]["overdue"] else 0


def _samples(found: dict[str, Any]) -> Iterator[tuple[str, dict[str, str], float]]:
    for process in found["processes"]:
        yield "process_running", {"name": process["name"]}, process["running"]
    for queue in found["queues"]:
        yield "queue_waiting", {"queue": queue["queue"]}, queue["waiting"]
        yield "queue_oldest_seconds", {"queue": queue["queue"]}, queue["oldest_seconds"] or 0
    for aside in found["quarantined"]:
        yield "quarantined", {"stage": aside["stage"], "failure": aside["failure"] or ""}, aside["count"]
    for state, count in found["deletions"].items():
        yield "deletions", {"state": state}, count
    yield "jobs_failing", {}, sum(run["failure"] is not None for run in found["jobs"])
    yield "jobs_asking", {}, sum(len(run["asks"]) for run in found["jobs"])
    if (own := found.get("tenant")) is not None:
        yield from _of_tenant(own)


def _of_tenant(own: dict[str, Any]) -> Iterator[tuple[str, dict[str, str], float]]:
    tenant = {"tenant": own["tenant"]}
    for name, label in (("memories", "state"), ("decisions", "outcome"), ("reasons", "reason")):
        for word, count in own[name].items():
            yield name, {**tenant, label: word}, count
    yield "held", tenant, own["held"]
    yield "reviews_open", tenant, own["reviews"]["open"]
    yield "reviews_oldest_seconds", tenant, own["reviews"]["oldest_seconds"] or 0
    yield "handouts", tenant, own["handouts"]


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
