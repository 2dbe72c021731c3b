"""`lethe consolidate`, `lethe consolidations`, `lethe revert`."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from lethe.cli.shown import day, document, entries, json_option, progress, scope_options, table


@click.command()
@scope_options
@click.option("--dry-run", is_flag=True, help="Merge nothing; show what would be merged, and how.")
@click.option(
    "--since-version", metavar="VERSION", help="Merge anew what was merged since this policy or transform version."
)
@json_option
@click.pass_obj
def consolidate(
    services: Any,
    tenant: str,
    user: str | None,
    project: str | None,
    dry_run: bool,
    since_version: str | None,
    as_json: bool,
) -> int:
    """Merge memories that say one thing, among what changed since the last run."""
    with progress("looking at what changed …") as tick:
        found = services.consolidate(
            tenant=tenant, user=user, project=project, dry_run=dry_run, since_version=since_version, tick=tick
        )
    if as_json:
        document(found)
    else:
        _show(found)
    return 0


def _show(found: dict[str, Any]) -> None:
    """What was merged as a diff: the inputs go, the output comes."""
    for taken in found["taken_apart"]:
        print(f"@@ taken apart @@\n- {taken['claim']}  [{taken['memory']}]")
        for memory, claim in zip(taken["inputs"], taken["claims"], strict=True):
            print(f"+ {claim}  [{memory}]")
        print()
    for group in found["groups"]:
        told = group["refused"] and f"refused: {group['refused']}" + (
            f" ({group['detail']})" if group["detail"] else ""
        )
        print(f"@@ {group['sort']} @@ {told or ''}".rstrip())
        for memory, claim in zip(group["inputs"], group["claims"], strict=True):
            print(f"{' ' if group['refused'] else '-'} {claim}  [{memory}]")
        if group["claim"] and not group["refused"]:
            name = f"  [{group['output']['memory']}]" if group["output"] else ""
            print(f"+ {group['claim']}{name}")
        print()
    for pattern in found["patterns"]:
        print(f"@@ suggested, held until confirmed @@\n+ {pattern['claim']}  [{pattern['proposal']}]\n")
    refused = sum(found["refused"].values())
    would = "would be " if found["dry_run"] else ""
    name = "" if found["dry_run"] else f"{found['consolidation']}: "
    parts = [f"{found['looked_at']} looked at"]
    if found["taken_apart"]:
        parts.append(f"{len(found['taken_apart'])} {would}taken apart")
    groups = "1 group" if found["merged"] == 1 else f"{found['merged']} groups"
    parts += [f"{groups} {would}merged", f"{refused} refused"]
    if found["patterns"]:
        parts.append(f"{len(found['patterns'])} {would}suggested")
    print(f"{name}{', '.join(parts)}.")


@click.command()
@click.option("--tenant", required=True, help="Tenant.")
@json_option
@click.pass_obj
def consolidations(services: Any, tenant: str, as_json: bool) -> int:
    """Every consolidation of a tenant, with the versions it ran under and what it merged or refused."""
    found = services.consolidations(tenant=tenant)
    if as_json:
        document(found)
        return 0
    entries([_run(run) for run in found["consolidations"]], nothing="No consolidation ran yet.")
    return 0


def _run(run: dict[str, Any]) -> tuple[str, list[str]]:
    """What a run did and what stands of it; below that its name, and the versions that it ran under."""
    merged = [group for group in run["groups"] if group["output_id"]]
    undone = sum(group["undone"] is not None for group in merged)
    refused = Counter(group["refused"] for group in run["groups"] if group["refused"])
    suggested = sum(group["proposal"] is not None for group in run["groups"])
    parts = [f"{len(merged)} merged" + (f" ({undone} taken apart since)" if undone else "")]
    if refused:
        told = ", ".join(f"{count} {reason}" for reason, count in sorted(refused.items()))
        parts.append(f"{refused.total()} refused ({told})")
    if suggested:
        parts.append(f"{suggested} suggested")
    if run["reverted_at"]:
        parts.append(f"reverted {day(run['reverted_at'])}")
    versions = f"policy {run['policy']}, transform {run['transform']}, by the {run['actor']}"
    return f"{day(run['at'])}  {', '.join(parts)}", [run["consolidation"], versions]


@click.command()
@click.argument("consolidation")
@click.option("--tenant", required=True, help="Tenant.")
@json_option
@click.pass_obj
def revert(services: Any, consolidation: str, tenant: str, as_json: bool) -> int:
    """Take a CONSOLIDATION back: its inputs stand again as they were, its outputs go."""
    found = services.revert(tenant=tenant, consolidation=consolidation)
    if as_json:
        document(found)
        return 0
    print(f"{len(found['restored'])} memories stand again, {len(found['withdrawn'])} merged ones are withdrawn.")
    rows = [(row["memory"], row["why"].replace("_", " ")) for row in found["not_restored"]]
    if rows:
        table(("not restored", "why"), rows, nothing="")
    return 0
