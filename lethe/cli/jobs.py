"""The commands of forgetting: run a job, end a task, restore, pin and unpin a memory, say whether it helped."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import click

from lethe.cli.shown import Moment, document, json_option, scope_options, table
from lethe.errors import InvalidInput
from lethe.records import Mark

NAMES = ("expire", "decay", "evict", "review", "consolidate", "purge", "erase", "verify", "nightly")


@click.command()
@click.argument("job", type=click.Choice(NAMES), metavar="JOB")
@click.option("--as-of", type=Moment(), help="Judge as of this time; now, where it is left out.")
@click.option("--tenant", help="This tenant alone; every tenant with something due, where it is left out.")
@click.option("--dry-run", is_flag=True, help="Change nothing; list what the real run would change.")
@click.option("--force", is_flag=True, help="Retire a large part of an owner's memories without asking.")
@json_option
@click.pass_obj
def run(
    services: Any, job: str, as_of: datetime | None, tenant: str | None, dry_run: bool, force: bool, as_json: bool
) -> int:
    """Run JOB now: expire, decay, evict, review, consolidate, purge, erase, verify, or nightly for the forgetting in order."""
    report = services.run_job(job, as_of=as_of, tenant=tenant, dry_run=dry_run, force=force)
    if as_json:
        document(report)
    else:
        _show(report)
    return 1 if report.get("failures") else 0


def _show(report: dict[str, Any]) -> None:
    changed = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in report["changed"].items() if count)
    verb = "would change" if report["dry_run"] else "changed"
    print(f"{report['job']} as of {report['as_of']}: {report['due']} due; {verb}: {changed or 'nothing'}.")
    if report.get("would"):
        rows = [
            (row["tenant"], row.get("memory") or row.get("item"), row["change"], row["reason"])
            for row in report["would"]
        ]
        table(("tenant", "what", "change", "reason"), rows, nothing="")
    for row in report.get("asks", []):
        whose = row["user"] or row["project"] or row["owner"]
        print(
            f"{row['job']} would retire {row['would_retire']} of the {row['of']} memories of {whose} in {row['tenant']}: "
            "look at them with --dry-run --force, and run it with --force if that is right."
        )
    for row in report.get("failures", []):
        print(f"{row['tenant']} failed: {row['failure']}. The other tenants are done.")


def _memory_command(command: Any) -> Any:
    for option in (json_option, click.option("--tenant", required=True, help="Tenant."), click.argument("memory")):
        command = option(command)
    return command


@click.command()
@_memory_command
@click.pass_obj
def restore(services: Any, memory: str, tenant: str, as_json: bool) -> int:
    """Bring an archived MEMORY back."""
    return _tell(services.restore(tenant=tenant, memory=memory), "is back", as_json)


@click.command()
@_memory_command
@click.pass_obj
def pin(services: Any, memory: str, tenant: str, as_json: bool) -> int:
    """Pin MEMORY: it neither fades nor ends by its kind, and is the last to make room."""
    return _tell(services.pin(tenant=tenant, memory=memory), "is pinned", as_json)


@click.command()
@_memory_command
@click.pass_obj
def unpin(services: Any, memory: str, tenant: str, as_json: bool) -> int:
    """Let a pinned MEMORY go its usual way."""
    return _tell(services.pin(tenant=tenant, memory=memory, pinned=False), "is no longer pinned", as_json)


@click.command()
@click.option("--useful", is_flag=True, help="It helped.")
@click.option("--wrong", is_flag=True, help="It is not so.")
@click.option("--outdated", is_flag=True, help="It is so no longer.")
@_memory_command
@click.pass_obj
def feedback(services: Any, memory: str, tenant: str, useful: bool, wrong: bool, outdated: bool, as_json: bool) -> int:
    """Say how MEMORY served where it was handed out: one of --useful, --wrong, --outdated.

    Wrong or outdated again and again brings it up for review. To replace it at once, use `lethe correct`.
    """
    given = [mark for mark, said in ((Mark.USEFUL, useful), (Mark.WRONG, wrong), (Mark.OUTDATED, outdated)) if said]
    if len(given) != 1:
        raise InvalidInput("Give one of --useful, --wrong and --outdated.")
    return _tell(services.feedback(tenant=tenant, memory=memory, mark=given[0]), f"is marked {given[0]}", as_json)


@click.command(name="end-task")
@click.argument("task")
@scope_options
@json_option
@click.pass_obj
def end_task(services: Any, task: str, tenant: str, user: str | None, project: str | None, as_json: bool) -> int:
    """Close TASK: its own memories expire, what was said beyond it stays."""
    ended = services.end_task(tenant=tenant, task=task, user=user, project=project)
    if as_json:
        document(ended)
    else:
        expiring = (
            f"{ended['expiring']} of its memories expire" if ended["expiring"] else "nothing is kept of it so far"
        )
        print(f"Task {task} is closed; {expiring}.")
    return 0


def _tell(envelope: dict[str, Any], what: str, as_json: bool) -> int:
    if as_json:
        document(envelope)
    else:
        print(f"{envelope['memory']} {what}: {envelope['claim']}")
    return 0
