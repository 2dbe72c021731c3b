"""`lethe keys` and `lethe keys rotate`."""

from __future__ import annotations

from typing import Any

import click

from lethe.cli.shown import day, document, json_option, table


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def keys(context: click.Context, as_json: bool) -> int:
    """The keys of hashes and receipts, by id; the keys themselves are never shown."""
    if context.invoked_subcommand is not None:
        return 0
    found = context.obj.keys_known()
    if as_json:
        document(found)
    else:
        rows = [
            (row["sort"], row["key"], row["state"], day(row["made_at"]), row["in_use_from"]) for row in found["keys"]
        ]
        table(("sort", "key", "state", "made", "in use from"), rows, nothing="No keys yet.")
    return 0


@keys.command("rotate")
@json_option
@click.pass_obj
def rotate(services: Any, as_json: bool) -> int:
    """Make a new key of each sort. Old ones are kept: tombstones and receipts under them still check."""
    found = services.rotate_keys()
    if as_json:
        document(found)
    else:
        print(f"Receipts are signed with key {found['receipt']} from now on.")
        print(f"Hashes are made with key {found['hash']} from {found['hash_in_use_from']} on, without a restart.")
        print("Back the folder of keys up now, and copy it to every other host of this instance.")
    return 0
