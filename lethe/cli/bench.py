"""`lethe bench [NAME]`: ratios against bare operations, both sides measured in one run on a private instance."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import click

from lethe.cli.shown import document, json_option

BENCHES = {
    "push": "one turn through the client against a bare one-row INSERT with commit",
    "line": "push to indexed against embedding every turn's text, and how it grows",
    "recall": "a warm recall against query embedding plus the bare exact query",
    "gate": "proposals with conflicts a second, against the size of the store",
    "forgetting": "a night with 10,000 due, against the size of the store and against bare SQL",
    "deletion": "forgetting a user of 10,000 memories against bare DELETEs and a vacuum, and what others wait meanwhile",
    "gdpr": "GDPRbench's controller, customer and processor by 8 clients, with the deletion guarantees and without",
    "consolidation": "1,000 changed memories consolidated, against the size of the store",
    "memory": "resident memory of the processes, and how long `lethe --help` takes",
}


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--turns",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Turns to measure the line on (JSON lines).",
)
@click.option(
    "--memories",
    type=click.IntRange(1000),
    default=1_000_000,
    show_default=True,
    help="Rows in the table for `recall`, `gate`, `forgetting` and `consolidation`.",
)
@click.option("--repeat", type=click.IntRange(20), default=200, show_default=True, help="Measured operations a side.")
@json_option
@click.pass_obj
def bench(services: Any, names: tuple[str, ...], turns: Path | None, memories: int, repeat: int, as_json: bool) -> int:
    """Measure this machine. Without NAME everything."""
    for name in names:
        if name not in BENCHES:
            raise click.UsageError(f"There is no bench {name!r}; there are {', '.join(BENCHES)}.")
    found: dict[str, Any] = {}
    for name in names or tuple(BENCHES):
        click.echo(f"{name}: {BENCHES[name]} …", err=True)
        measure = import_module(f"lethe.bench.{name}").measure
        found[name] = measure(services, turns=turns, memories=memories, repeat=repeat)
        if not as_json:
            _show(name, found[name])
    if as_json:
        document(found)
    return 0


def _show(name: str, figures: dict[str, Any], indent: int = 0) -> None:
    if not indent:
        print(f"\n{name}: {BENCHES[name]}")
    for key, value in figures.items():
        label = f"{'  ' * (indent + 1)}{key.replace('_', ' ')}"
        if isinstance(value, dict):
            print(label)
            _show(name, value, indent + 1)
        else:
            print(f"{label:<58} {value:.3f}" if isinstance(value, float) else f"{label:<58} {value}")
