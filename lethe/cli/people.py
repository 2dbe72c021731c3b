"""The commands by which people decide: confirm, decline, correct, resolve."""

from __future__ import annotations

from typing import Any

import click

from lethe.cli.shown import document, json_option
from lethe.errors import InvalidInput


@click.command()
@click.argument("held")
@click.option("--tenant", required=True, help="Tenant.")
@json_option
@click.pass_obj
def confirm(services: Any, held: str, tenant: str, as_json: bool) -> int:
    """Keep a held proposal, on the user's word. HELD is an id from `lethe held`."""
    return _tell(services.confirm(tenant=tenant, held=held), "Remembered", as_json)


@click.command()
@click.argument("held")
@click.option("--tenant", required=True, help="Tenant.")
@json_option
@click.pass_obj
def decline(services: Any, held: str, tenant: str, as_json: bool) -> int:
    """Refuse a held proposal for good. HELD is an id from `lethe held`."""
    found = services.decline(tenant=tenant, held=held)
    if as_json:
        document(found)
    else:
        print("Declined: it will not be kept.")
    return 0


@click.command()
@click.argument("memory")
@click.option("--tenant", required=True, help="Tenant.")
@click.option("--claim", required=True, help="What is true, in a whole sentence.")
@json_option
@click.pass_obj
def correct(services: Any, memory: str, tenant: str, claim: str, as_json: bool) -> int:
    """Replace a memory by what is true; the old one stays as history."""
    return _tell(services.correct(tenant=tenant, memory=memory, claim=claim), "Corrected", as_json)


@click.command()
@click.argument("review")
@click.option("--tenant", required=True, help="Tenant.")
@click.option("--keep", is_flag=True, help="Both are true.")
@click.option("--retire", is_flag=True, help="Neither is true any more.")
@click.option("--prefer", metavar="MEMORY", help="This one is true.")
@json_option
@click.pass_obj
def resolve(
    services: Any, review: str, tenant: str, keep: bool, retire: bool, prefer: str | None, as_json: bool
) -> int:
    """Settle a contradiction. REVIEW is an id from `lethe reviews`."""
    if keep + retire + (prefer is not None) != 1:
        raise InvalidInput("Give exactly one of --keep, --retire and --prefer MEMORY.")
    found = services.resolve(tenant=tenant, review=review, keep=keep, retire=retire, prefer=prefer)
    if as_json:
        document(found)
    else:
        for envelope in found["memories"]:
            print(f"{envelope['state']:<12} {envelope['claim']}")
    return 0


def _tell(envelope: dict[str, Any], word: str, as_json: bool) -> int:
    if as_json:
        document(envelope)
    else:
        print(f"{word}: {envelope['claim']} ({envelope['state']}, {envelope['memory']})")
    return 0
