"""`lethe up`, `down`, `status` and `doctor`."""

from __future__ import annotations

import json
import re
import signal
import time
from typing import Any, Protocol

import click

from lethe import clock
from lethe.endpoints import Endpoints
from lethe.settings import Settings

LOOK_EVERY = 1.0  # seconds


class Program(Protocol):
    """What the main program hands to these commands as `ctx.obj`."""

    settings: Settings

    def process_specs(self, workers: int, schedules: bool) -> list[dict[str, Any]]: ...
    def prepare(self, endpoints: Endpoints) -> None: ...
    def wait_until_ready(self) -> None: ...
    def queue_status(self) -> dict[str, Any]: ...
    def checks(self) -> list[dict[str, Any]]: ...


_json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


@click.command()
@click.option("--detach", is_flag=True, help="Leave it running in the background and return.")
@click.option("--workers", type=click.IntRange(1, 64), default=2, show_default=True, help="Worker processes.")
@click.option("--no-schedules", is_flag=True, help="Do not run jobs by the clock.")
@_json_option
@click.pass_obj
def up(program: Program, detach: bool, workers: int, no_schedules: bool, as_json: bool) -> None:
    """Start the servers and workers that are not running yet.

    Without --detach it stays, tells what happens, and stops everything on Ctrl-C.
    """
    from lethe.embedded import instance

    specs = program.process_specs(workers, not no_schedules)
    if not as_json:
        click.echo(f"Starting Lethe in {program.settings.home} …", err=True)
    if detach:
        started = instance.up(program.settings, specs, prepare=program.prepare)
        program.wait_until_ready()
        _show_status(started, as_json)
        return
    for stop in (signal.SIGINT, signal.SIGTERM):  # a shell that starts it in the background has Ctrl-C ignored
        signal.signal(stop, signal.default_int_handler)
    try:
        started = instance.up(program.settings, specs, prepare=program.prepare)
        program.wait_until_ready()
        _show_status(started, as_json)
        _watch(program.settings, started["processes"])
    except KeyboardInterrupt:
        click.echo("Stopping …", err=True)
        instance.down(program.settings)
        click.echo("Stopped. The data is kept.", err=True)


@click.command()
@_json_option
@click.pass_obj
def down(program: Program, as_json: bool) -> None:
    """Stop everything of this instance; the data is kept."""
    from lethe.embedded import instance

    result = instance.down(program.settings)
    if as_json:
        click.echo(json.dumps(result))
    elif result["stopped"]:
        click.echo(f"Stopped {', '.join(result['stopped'])}. The data is kept in {program.settings.home}.")
    else:
        click.echo("Nothing was running.")


@click.command()
@_json_option
@click.pass_obj
def status(program: Program, as_json: bool) -> None:
    """Show what runs, what waits, and where the servers answer."""
    from lethe.embedded import instance

    found = instance.status(program.settings)
    _show_status({**found, **_queues(program, found)}, as_json)


@click.command()
@_json_option
@click.pass_context
def doctor(context: click.Context, as_json: bool) -> None:
    """Check every part, and say what to do where one fails."""
    from lethe.embedded.doctor import examine

    program: Program = context.obj
    checks = [*examine(program.settings, clock.now), *program.checks()]
    healthy = all(check["ok"] for check in checks)
    if as_json:
        click.echo(json.dumps({"ok": healthy, "checks": checks}))
    else:
        _show_checks(checks, healthy)
    context.exit(0 if healthy else 1)


def _queues(program: Program, found: dict[str, Any]) -> dict[str, Any]:
    """Depths and quarantined items; a database that is away must not keep `status` from telling the rest."""
    if found["database"]["url"] is None:
        return {"queues": [], "quarantined": []}
    try:
        return program.queue_status()
    except Exception as error:
        return {
            "queues": [],
            "quarantined": [],
            "queues_unknown": str(error).splitlines()[0] if str(error) else repr(error),
        }


def _watch(settings: Settings, before: list[dict[str, Any]]) -> None:
    """Tell of every process that ends or starts, until interrupted. A closed terminal leaves everything running."""
    from lethe.embedded import instance

    signal.signal(signal.SIGHUP, lambda *_: _leave())
    click.echo("Ctrl-C stops it.", err=True)
    pids = {process["name"]: process["pid"] for process in before}
    while True:
        time.sleep(LOOK_EVERY)
        for process in instance.processes(settings):
            name, pid = process["name"], process["pid"]
            if pids.get(name) != pid:
                words = f"runs again (pid {pid})" if process["running"] else "ended"
                click.echo(f"{clock.now().astimezone():%H:%M:%S} {name} {words}", err=True)
                pids[name] = pid


def _leave() -> None:
    raise SystemExit(0)


def _show_status(found: dict[str, Any], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(found))
        return
    from rich.console import Console
    from rich.table import Table

    console = Console()
    table = Table("process", "pid", "state", box=None, pad_edge=False)
    for process in found["processes"]:
        state = "[green]running" if process["running"] else "[red]not running"
        table.add_row(process["name"], str(process["pid"] or ""), state)
    console.print(table)
    for part in ("database", "broker", "cache"):
        url = found[part]["url"]
        click.echo(f"{part:9} {_without_password(url) if url else 'never started; run `lethe up`'}")
    _show_queues(console, found)


def _show_queues(console: Any, found: dict[str, Any]) -> None:
    from rich.table import Table

    if found.get("queues"):
        table = Table("queue", "waiting", "oldest", box=None, pad_edge=False)
        for queue in found["queues"]:
            oldest = queue["oldest_seconds"]
            table.add_row(queue["queue"], str(queue["waiting"]), "" if oldest is None else f"{oldest:.0f} s")
        console.print(table)
    for item in found.get("quarantined", []):
        click.echo(f"{item['count']} set aside at {item['stage']}: {item['failure']}")
    if found.get("deletions", {}).get("overdue"):
        click.echo(f"{found['deletions']['overdue']} deletions are overdue: `lethe run verify` tries again.")
    _show_extractor(found.get("extractor", {}))
    for run in found.get("jobs", []):
        if run["failure"]:
            click.echo(f"{run['job']} failed for tenant {run['tenant']}: {run['failure']}")
        for each in run["asks"]:
            click.echo(
                f"{each['job']} asks before it retires {each['would_retire']} of {each['of']} memories of an owner in "
                f"{run['tenant']}: `lethe run {each['job']} --tenant {run['tenant']} --dry-run --force` lists them."
            )
    if "queues_unknown" in found:
        click.echo(f"The queues are not known: {found['queues_unknown']}")


def _show_extractor(found: dict[str, Any]) -> None:
    """Only what a model's extractor has to say: who answers, what waits, whose budget is used up."""
    if "fault" in found:
        click.echo(f"extractor {found['name']}: {found['fault']}")
    if "breaker" not in found:
        return
    breaker = found["breaker"]
    until = f" until {breaker['open_until']}" if breaker["state"] == "open" else ""
    why = f", {breaker['failures']} failures in a row, last {breaker['failure']}" if breaker["failures"] else ""
    state = breaker["state"].replace("_", " ")
    click.echo(f"extractor {found['name']}, {found['endpoint']}: breaker {state}{until}{why}")
    for item in found["waiting"]:
        click.echo(f"{item['turns']} turns of {item['tenants']} tenants wait: {item['failure']}")
    for spent in found["budget"]["exhausted"]:
        click.echo(f"tenant {spent['tenant']} used {spent['used']} of {spent['of']} tokens today")


def _show_checks(checks: list[dict[str, Any]], healthy: bool) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table("", "check", "found", box=None, pad_edge=False)
    for check in checks:
        mark = "[green]ok[/]" if check["ok"] else "[red]no[/]"
        table.add_row(mark, check["check"].replace("_", " "), escape(check["found"]))
        if check["advice"]:
            table.add_row("", "", escape(f"→ {check['advice']}"))
    Console().print(table)
    if healthy:
        click.echo("All is well.")


def _without_password(url: str) -> str:
    return re.sub(r"(://[^:/@]*):[^@]*@", r"\1@", url)
