"""`lethe audit`: what should not be in a tenant's memory."""

from __future__ import annotations

from typing import Any

import click

from lethe.cli.shown import document, entries, json_option, progress

ABOUT = {
    "exact_duplicates": "said twice in the same words",
    "near_duplicates": "nearly the same by their vectors",
    "echoes": "rest on a repeat of what was recalled",
    "secrets": "hold something secret",
    "never_recalled": "never handed out",
    "orphan_vectors": "vectors without their memory",
    "missing_vectors": "memories without a vector",
    "stale_cache_entries": "counted in the cache, and gone",
    "overdue_deletions": "deletions not verified in time",
}
FAULTS = tuple(name for name in ABOUT if name not in ("near_duplicates", "never_recalled"))


@click.command()
@click.option("--tenant", required=True, help="Tenant.")
@json_option
@click.pass_obj
def audit(services: Any, tenant: str, as_json: bool) -> int:
    """Look for what should not be remembered: duplicates, echoes, secrets, loose ends. Changes nothing.

    Exit status 1 where something is found that should not be there; near duplicates and memories that nobody asked for yet are for
    people to judge.
    """
    with progress("comparing memories …") as tick:
        found = services.audit(tenant, tick)
    if as_json:
        document(found)
    else:
        entries([_entry(found, name) for name in ABOUT], nothing="")
        print(f"{found['memories']} memories in force were looked at.")
    return int(any(found[name]["count"] for name in FAULTS))


def _entry(found: dict[str, Any], name: str) -> tuple[str, list[str]]:
    shown = found[name]["examples"]
    details = [" ".join(_words(example)) for example in shown]
    more = found[name]["count"] - len(shown)
    return f"{found[name]['count']:>6}  {name}: {ABOUT[name]}", details + ([f"… and {more} more"] if more > 0 else [])


def _words(example: dict[str, Any]) -> list[str]:
    """An example in one line: what it says, then its ids."""
    says = example.get("claims") or [example.get("claim") or ", ".join(example.get("reasons", ()))]
    ids = example.get("memories") or [example.get("memory") or example.get("deletion")]
    return [" | ".join(filter(None, says)), *map(str, ids)]
