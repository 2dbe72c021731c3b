"""`lethe simulate`: a population through eighteen months, against remembering everything."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from lethe.cli.shown import document, json_option, table


@click.command()
@click.option("--users", type=click.IntRange(1, 500), default=8, show_default=True, help="How many people.")
@click.option("--days", type=click.IntRange(30, 3650), default=548, show_default=True, help="How many days.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same picture.")
@click.option("--picture", type=click.Path(dir_okay=False, path_type=Path), help="Draw it into this PNG file.")
@json_option
@click.pass_obj
def simulate(services: Any, users: int, days: int, seed: int, picture: Path | None, as_json: bool) -> int:
    """Live through 18 months in about a minute, on a private instance: store size and what is recalled, over time."""
    from lethe.simulation.picture import draw
    from lethe.simulation.report import report

    looks = services.simulate(users=users, days=days, seed=seed, tick=_ticker(days))
    if picture is not None:
        draw(looks, picture)
    found = report(looks) | {"users": users, "days": days, "seed": seed}
    if as_json:
        document(found | {"looks": [look.as_dict() for look in looks]})
        return 0
    rows = [
        (
            look.day,
            look.size,
            f"{look.current}/{look.recalled}",
            look.everything_size,
            f"{look.everything_current}/{look.everything_recalled}",
        )
        for look in looks
    ]
    table(("day", "memories", "current of recalled", "everything", "current of recalled"), rows, nothing="")
    print(
        f"At the end {found['current_share']:.1%} of what was recalled is current ({found['everything_current_share']:.1%} by remembering "
        f"everything); the store grew by {found['growth_last_six_months']:.1%} in the last six months."
    )
    return 0


def _ticker(days: int) -> Any:
    def tick(day: int) -> None:
        if sys.stderr.isatty():
            print(f"\rday {day} of {days}", end="\n" if day + 7 >= days else "", file=sys.stderr, flush=True)

    return tick
