"""`lethe policy show`, `lethe policy check` and `lethe policy replay`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from lethe.cli.shown import document, json_option, table
from lethe.errors import InvalidInput


@click.group()
def policy() -> None:
    """Show a policy file, check it, or see what it would have decided."""


@policy.command()
@click.option("--tenant", help="What holds for this tenant, and which keys its section of the file sets.")
@json_option
@click.pass_obj
def show(services: Any, tenant: str | None, as_json: bool) -> int:
    """The policy in force."""
    name, text = services.policy_text()
    found = services.policy()
    if tenant is not None:
        return _show_for(tenant, name, found, as_json)
    if as_json:
        own = {each: holds.version for each, holds in found.tenants.items()}
        document({"policy": found.version, "file": name, "values": found.as_toml_dict(), "tenants": own})
    else:
        print(f"# {found.version}, from {name}\n{text}", end="")
    return 0


def _show_for(tenant: str, name: str, found: Any, as_json: bool) -> int:
    holds = found.of(tenant)
    overrides = list(holds.overrides)
    if as_json:
        values = holds.as_toml_dict()
        document({"policy": holds.version, "file": name, "tenant": tenant, "values": values, "overrides": overrides})
        return 0
    print(f"{holds.version}, from {name}; keys set for {tenant} alone: {len(overrides)}.")
    rows = [(key, value, tenant if key in overrides else "") for key, value in holds.written()]
    table(("key", "value", "set for"), rows, nothing="")
    return 0


@policy.command()
@click.argument("file")
@json_option
@click.pass_obj
def check(services: Any, file: str, as_json: bool) -> int:
    """Every fault of a policy file."""
    path = Path(file)
    if not path.is_file():
        raise InvalidInput(f"{file} is no file.", hint="Name a policy file, such as policies/default.toml.")
    try:
        faults = services.policy_faults(path)
    except UnicodeDecodeError:
        raise InvalidInput(f"{file} is not valid UTF-8.") from None
    if as_json:
        document({"file": file, "ok": not faults, "faults": faults})
    else:
        table(
            ("line", "key", "what is wrong"),
            [(fault["line"], fault["key"], fault["message"]) for fault in faults],
            nothing=f"{file} is in order.",
        )
    return 1 if faults else 0


@policy.command()
@click.argument("file")
@click.option("--tenant", required=True, help="Tenant.")
@json_option
@click.pass_obj
def replay(services: Any, file: str, tenant: str, as_json: bool) -> int:
    """What FILE would have decided about the recorded proposals of a tenant; nothing is changed."""
    path = Path(file)
    if not path.is_file():
        raise InvalidInput(f"{file} is no file.", hint="Name a policy file, such as policies/strict.toml.")
    found = services.policy_replay(path, tenant)
    if as_json:
        document(found)
        return 0
    print(f"{found['changed']} of {found['proposals']} decisions would be others under {found['policy']}.")
    rows = [
        (row["was"], row["would_be"], row["reason"], row["count"], "; ".join(each["claim"] for each in row["examples"]))
        for row in found["changes"]
    ]
    table(("was", "would be", "reason", "how many", "for example"), rows, nothing="")
    if found["not_screened_again"]:
        print(f"{found['not_screened_again']} keep the verdict of their checks: the text of their turns is gone.")
    return 0
