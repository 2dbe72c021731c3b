"""`lethe demo`: a small conversation goes in, and every step of its way is shown."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, time, timedelta
from importlib.resources import files
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from lethe import clock
from lethe.records import Turn

TENANT, OTHER, USER = "demo-harbour", "demo-orchard", "dana"
QUESTIONS = (
    (TENANT, "Where does the user live?"),
    (TENANT, "In which format should reports be sent?"),
    (TENANT, "Is there anything the user must not eat?"),
    (OTHER, "Which tug was a berth reserved for?"),
)
COLOURS = {
    "admit": "green",
    "reinforce": "green",
    "supersede": "cyan",
    "hold": "yellow",
    "review": "yellow",
    "reject": "red",
}


@click.command()
@click.option("--workers", type=click.IntRange(1, 64), default=2, show_default=True, help="Worker processes.")
@click.pass_obj
def demo(services: Any, workers: int) -> int:
    """A guided run on a small conversation: two tenants, changes of mind, a secret and a poisoned document."""
    console = Console()
    _start(services, workers, console)
    turns = conversation(clock.now())
    _push(services, turns, console)
    _show_decisions(services, turns, console)
    _show_recalls(services, console)
    _show_next(console)
    return 0


def conversation(now: datetime) -> list[Turn]:
    """The bundled turns, dated back from `now`."""
    lines = files("lethe.cli").joinpath("demo_data/conversation.jsonl").read_text().splitlines()
    return [_turn(json.loads(line), now) for line in lines]


def _turn(fields: dict[str, Any], now: datetime) -> Turn:
    day = now.date() + timedelta(days=fields.pop("day"))
    moment = datetime.combine(day, time.fromisoformat(fields.pop("at")), tzinfo=now.tzinfo)
    return Turn.model_validate({**fields, "observed_at": moment})


def _start(services: Any, workers: int, console: Console) -> None:
    from lethe.embedded import instance

    with console.status("Starting PostgreSQL, Valkey, the workers and the model …"):
        instance.up(services.settings, services.process_specs(workers, True), prepare=services.prepare)
        services.wait_until_ready()
    console.print(f"[bold]Lethe runs[/bold] in {services.settings.home} (`lethe status` shows its parts).\n")


def _push(services: Any, turns: Sequence[Turn], console: Console) -> None:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    taken = services.push(turns)
    known = ", all of them there from an earlier run: nothing is done twice" if taken.duplicates else ""
    console.print(
        f"[bold]1. Pushed {len(turns)} raw turns[/bold] of two tenants{known}. The answer did not wait for what follows."
    )
    with Progress(
        TextColumn("   extract · gate · index"), BarColumn(), MofNCompleteColumn(), console=console, transient=True
    ) as shown:
        bar = shown.add_task("", total=len(turns))
        services.client.wait(120, lambda left: shown.update(bar, completed=max(0, len(turns) - left)))
        shown.update(bar, completed=len(turns))


def _show_decisions(services: Any, turns: Sequence[Turn], console: Console) -> None:
    said = {turn.turn: turn.model_copy(update={"text": services.rules.redact(turn.text)[0]}) for turn in turns}
    rows = [
        row
        for tenant in (TENANT, OTHER)
        for row in services.decisions(tenant=tenant)["decisions"]
        if row["turn"] in said
    ]
    rows.sort(key=lambda row: said[row["turn"]].observed_at)
    console.print("\n[bold]2. What was made of them[/bold]: every proposal gets one decision, with its reasons.\n")
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("turn", "by", "what was said", "decision", "claim or reason"):
        table.add_column(column, overflow="fold")
    decided = {row["turn"] for row in rows}
    for turn in sorted(said.values(), key=lambda each: (each.tenant, each.observed_at)):
        own = [row for row in rows if row["turn"] == turn.turn]
        for number, row in enumerate(own):
            kept = row["outcome"] in ("admit", "reinforce", "supersede")
            what = row["claim"] if kept and row["claim"] else ", ".join(row["reasons"])
            head = (turn.turn, turn.author.value, _short(turn.text)) if number == 0 else ("", "", "")
            colour = COLOURS[row["outcome"]]
            table.add_row(*map(escape, head), f"[{colour}]{row['outcome']}[/]", escape(what))
        if turn.turn not in decided:
            table.add_row(
                turn.turn, turn.author.value, escape(_short(turn.text)), "[dim]—[/]", "[dim]nothing to remember[/]"
            )
    console.print(table)


def _short(text: str) -> str:
    return text if len(text) <= 64 else text[:61].rstrip() + "…"


def _show_recalls(services: Any, console: Console) -> None:
    console.print("\n[bold]3. What an agent gets when it asks[/bold]\n")
    for tenant, question in QUESTIONS:
        answer = services.recall({"tenant": tenant, "user": USER, "query": question, "k": 1})
        console.print(f"[bold]{tenant}[/bold]  {question}")
        for envelope in answer["memories"]:
            _show_envelope(services, tenant, envelope, console)
        if not answer["memories"]:
            console.print(
                f"   [yellow]nothing[/yellow] ({answer['empty_reason']}): no answer is an answer, and no other tenant's memory is one"
            )
        console.print()


def _show_envelope(services: Any, tenant: str, envelope: Mapping[str, Any], console: Console) -> None:
    console.print(
        f"   [green]{envelope['score']:.2f}[/green]  {escape(envelope['claim'])}  [dim]{envelope['state']}, {envelope['memory']}[/dim]"
    )
    for row in services.why(tenant=tenant, memory=envelope["memory"])["evidence"]:
        console.print(f"         [dim]{row['turn']} ({row['author']}): {escape(_short(row['excerpt'] or ''))}[/dim]")


def _show_next(console: Console) -> None:
    scope = f"--tenant {TENANT} --user {USER}"
    console.print("[bold]What to type next[/bold]")
    for command, about in (
        (f'lethe recall {scope} "Which shift does the user prefer?"', "ask something else"),
        (f"lethe profile {scope}", "what an agent always loads"),
        (f"lethe memories {scope} --all", "everything kept, history included"),
        (f"lethe decisions --tenant {TENANT} --outcome reject", "what was refused, and why"),
        ("lethe status", "processes and queues"),
        ("lethe down", "stop; the data stays"),
    ):
        console.print(f"   .venv/bin/{command}   [dim]# {about}[/dim]", soft_wrap=True, highlight=False)
