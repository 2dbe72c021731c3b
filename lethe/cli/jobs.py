"""The commands of forgetting: run a job, end a task, restore, pin and unpin a memory, say whether it helped."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import click

from lethe.cli.shown import Moment, document, json_option, table

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
