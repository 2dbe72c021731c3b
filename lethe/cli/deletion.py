"""`lethe forget`, `receipt`, `receipts`, `deletions export|replay`, `export`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from lethe.cli.shown import day, document, json_option, require, table
from lethe.errors import InvalidInput

WHAT = ("memory", "turn", "session", "user", "project", "whole_tenant")


@click.command()
@click.option("--tenant", required=True, help="Tenant.")
@click.option("--memory", help="One memory, with the excerpt of its turn.")
@click.option("--turn", help="One turn; needs --session.")
@click.option("--session", help="A whole session, or the session of --turn.")
@click.option("--user", help="Everything of a user.")
@click.option("--project", help="Everything of a project.")
@click.option("--whole-tenant", is_flag=True, help="Everything of the tenant.")
@click.option("--wait", is_flag=True, help="Wait until it is verified.")
@click.option("--timeout", default=600.0, show_default=True, help="Seconds to wait at most.")
@click.option("--dry-run", is_flag=True, help="Show what would go and what would change; delete nothing.")
@json_option
@click.pass_obj
def forget(services: Any, /, tenant: str, wait: bool, timeout: float, dry_run: bool, as_json: bool, **what: Any) -> int:
    """Delete for good: nothing of it is handed out from now on, and it is erased everywhere soon after."""
    named = {name: value for name, value in what.items() if value}
    if dry_run:
        return _show_preview(services.would_forget(tenant=tenant, **named), as_json)
    found = services.forget(tenant=tenant, wait=wait, timeout=timeout, **named)
    _show_receipt(found, as_json)
    return 1 if found["state"] == "overdue" or (wait and found["state"] != "verified") else 0


@click.command()
@click.argument("deletion", required=False)
@click.option("--tenant", help="Tenant.")
@click.option("--check", "file", metavar="FILE", help="Check the signature of a receipt in a file; needs no server.")
@click.option("--key", metavar="FILE", help="A public key (hexadecimal) to trust besides those of this instance.")
@json_option
@click.pass_obj
def receipt(
    services: Any, deletion: str | None, tenant: str | None, file: str | None, key: str | None, as_json: bool
) -> int:
    """The receipt of a DELETION, or with --check whether a receipt is genuine."""
    if file is not None:
        require(deletion is None, "Give either DELETION or --check FILE, not both.")
        return _check(services, file, key, as_json)
    require(deletion is not None and tenant is not None, "Give DELETION and --tenant, or --check FILE.")
    found = services.receipt(tenant=tenant, deletion=deletion)
    _show_receipt(found, as_json)
    return 1 if found["state"] == "overdue" else 0


@click.command()
@click.option("--tenant", required=True, help="Tenant.")
@json_option
@click.pass_obj
def receipts(services: Any, tenant: str, as_json: bool) -> int:
    """Every deletion of a tenant; exits 1 while one is overdue."""
    answer = services.receipts(tenant=tenant)
    if as_json:
        document(answer)
    else:
        rows = [
            (_what(row), row["state"], day(row["requested_at"]), day(row["verified_at"]), row["deletion"])
            for row in answer["receipts"]
        ]
        table(("what", "state", "requested", "verified", "deletion"), rows, nothing="No deletions.")
    return 1 if any(row["state"] == "overdue" for row in answer["receipts"]) else 0


@click.group()
def deletions() -> None:
    """The deletion ledger: keep it beside your backups, and replay it on what you restore."""


@deletions.command("export")
@click.argument("file")
@click.option("--tenant", help="This tenant's deletions alone.")
@json_option
@click.pass_obj
def export_ledger(services: Any, file: str, tenant: str | None, as_json: bool) -> int:
    """Write the ledger to FILE, or to standard output with "-": keyed hashes and ids, no names and no text."""
    lines = services.export_ledger(tenant)
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    if file == "-":
        sys.stdout.write(text)
        return 0
    try:
        Path(file).write_text(text)
    except OSError as fault:
        raise InvalidInput(f"{file} cannot be written: {fault.strerror}.") from None
    if as_json:
        document({"file": file, "deletions": len(lines) - 1})
    else:
        print(f"{len(lines) - 1} deletions are written to {file}.")
    return 0


@deletions.command("replay")
@click.argument("file")
@json_option
@click.pass_obj
def replay_ledger(services: Any, file: str, as_json: bool) -> int:
    """Carry out every deletion of a ledger on this database, as after restoring a backup."""
    from lethe.cli.intake import _opened

    with _opened(file) as stream:
        found = services.replay_ledger(stream.read().decode().splitlines())
    if as_json:
        document(found)
    else:
        print(f"{found['replayed']} deletions replayed, {found['found_again']} of them had something to erase.")
        for row in found["refused"]:
            print(f"line {row['line']}: {row['message']}")
    return 1 if found["refused"] else 0


@click.command()
@click.option("--tenant", required=True, help="Tenant.")
@click.option("--user", required=True, help="The person.")
@json_option
@click.pass_obj
def export(services: Any, tenant: str, user: str, as_json: bool) -> int:
    """All that is kept about a person, with reasons and sources."""
    answer = services.about(tenant=tenant, user=user)
    if as_json:
        document(answer)
    else:
        from lethe.cli.person import show

        show(answer)
    return 0


# --- showing ------------------------------------------------------------------------------------------------------


def _check(services: Any, file: str, key: str | None, as_json: bool) -> int:
    from lethe.lifecycle.deletion.signing import check

    given = _json_file(file)
    trusted = _key_file(key) if key else None
    found = check(given, services.settings.home, trusted)
    good = found.valid and found.known
    if as_json:
        document(
            {
                "ok": good,
                "valid": found.valid,
                "known_key": found.known,
                "key": found.key,
                "deletion": given.get("deletion"),
                "state": given.get("state"),
            }
        )
    elif good:
        print(f"The receipt of {given.get('deletion')} is genuine (key {found.key}).")
    elif found.valid:
        print(
            "The signature fits the receipt, but its key is none of this instance: name the one you trust with --key."
        )
    else:
        print("The receipt is not genuine: its signature does not fit what it says.")
    return 0 if good else 1


def _json_file(file: str) -> dict[str, Any]:
    try:
        given = json.loads(Path(file).read_text(), object_pairs_hook=_without_repeats)
    except (OSError, UnicodeDecodeError) as fault:
        raise InvalidInput(f"{file} cannot be read: {type(fault).__name__}.") from None
    except (ValueError, RecursionError):
        raise InvalidInput(f"{file} is not JSON.") from None
    if not isinstance(given, dict):
        raise InvalidInput(f"{file} holds no receipt.")
    return given


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Readers differ in which of two values of one name they take: a document that has two proves nothing."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise InvalidInput(
                f"The document gives {name!r} twice; a receipt gives every name once.", code="name_twice"
            )
        found[name] = value
    return found


def _key_file(file: str) -> bytes:
    try:
        return bytes.fromhex(Path(file).read_text().strip())
    except (OSError, ValueError):
        raise InvalidInput(f"{file} holds no public key in hexadecimal.") from None


def _show_receipt(found: dict[str, Any], as_json: bool) -> None:
    if as_json:
        document(found)
        return
    print(f"{_what(found)}: {found['state']} ({found['deletion']})")
    for step in ("requested", "invisible", "erased", "verified"):
        print(f"  {step:10} {day(found[f'{step}_at']) or 'not yet'}")
    rows = [
        (row["store"], row["erased"], "" if row["remaining"] is None else row["remaining"])
        for row in found["stores"]
        if row["erased"] or row["remaining"]
    ]
    table(("store", "erased", "remaining"), rows, nothing="")
    for item in found["not_covered"]:
        print(f"Not covered: {item['store']} ({item['why']}).")


def _show_preview(found: dict[str, Any], as_json: bool) -> int:
    if as_json:
        document(found)
        return 0
    counts = ", ".join(f"{count} {store}" for store, count in found["erased"].items() if count)
    print(f"Would be erased: {counts or 'nothing'}.")
    rows = [("goes", row["claim"], row["state"], row["memory"]) for row in found["memories"]]
    rows += [("changes", row["claim"], row["state"], row["memory"]) for row in found["changed"]]
    table(("", "claim", "state", "memory"), rows, nothing="No memory goes or changes.")
    return 0


def _what(found: dict[str, Any]) -> str:
    named = {name: value for name, value in found["what"].items() if name != "tenant"}
    return ", ".join(name.replace("_", " ") if value is True else f"{name} {value}" for name, value in named.items())
