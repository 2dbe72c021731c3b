"""What the commands share: options, JSON on stdout, and tables for people."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, TypeVar

import click

from lethe.errors import InvalidInput

_ID = re.compile(r"[a-z]{2,4}_[0-9a-f]{32}")  # to be copied: never broken over two lines
Command = TypeVar("Command", bound=Callable[..., Any])


def json_option(command: Command) -> Command:
    """--json: exactly one JSON document on stdout."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(command)


def scope_options(command: Command) -> Command:
    """--tenant, --user, --project."""
    for option in (
        click.option("--project", help="Project within the tenant."),
        click.option("--user", help="User within the tenant."),
        click.option("--tenant", required=True, help="Tenant."),
    ):
        command = option(command)
    return command


class Moment(click.ParamType[datetime]):
    """A time with an offset, ISO 8601."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        if isinstance(value, datetime):
            return value
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is no ISO 8601 time", param, ctx)
        if moment.tzinfo is None:
            self.fail(f"{value!r} has no offset; write it as 2026-02-01T09:42:00+01:00", param, ctx)
        return moment


def document(found: Any) -> None:
    """Print one JSON document."""
    sys.stdout.write(json.dumps(found, ensure_ascii=False, default=_plain) + "\n")


def _plain(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is not JSON")


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]], *, nothing: str) -> None:
    """Print a readable table, or the sentence that says that there is nothing."""
    if not rows:
        print(nothing)
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    made = Table(box=None, pad_edge=False, header_style="bold")
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    for place, column in enumerate(columns):
        whole = all(_ID.fullmatch(row[place]) for row in cells if row[place])
        made.add_column(column, overflow="fold", no_wrap=whole)
    for row in cells:
        made.add_row(*map(Text, row))
    Console(soft_wrap=False).print(made)


def entries(rows: Sequence[tuple[str, Sequence[str]]], *, nothing: str) -> None:
    """Each row as a line of what it says, and below it, set in, what else there is to know; ids stay whole."""
    if not rows:
        print(nothing)
        return
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console()
    for headline, details in rows:
        console.print(Text(headline))
        for detail in details:
            console.print(Padding(Text(detail, style="dim"), (0, 0, 0, 4)))


@contextmanager
def progress(doing: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr where somebody is looking, to be told how many of how many are done."""
    if not sys.stderr.isatty():
        yield lambda done, of: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


def day(moment: Any) -> str:
    """A time as people read it."""
    if moment is None:
        return ""
    found = moment if isinstance(moment, datetime) else datetime.fromisoformat(moment)
    return f"{found:%Y-%m-%d %H:%M}"


def require(condition: bool, message: str) -> None:
    """InvalidInput unless the condition holds."""
    if not condition:
        raise InvalidInput(message)
