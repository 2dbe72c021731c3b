"""`lethe policy show` and `check`, with sections of single tenants."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lethe.cli.policy import policy
from lethe.settings import Settings
from workers.main import Services

FILE = "[cap]\nper_user = 300\n[tenants.acme.retention]\nraw_turn_days = 7\n"


@pytest.fixture
def services(tmp_path: Path) -> Services:
    file = tmp_path / "mine.toml"
    file.write_text(FILE)
    made = Services()
    made.settings = replace(Settings.from_environment(), policy=file)
    return made


def printed(services: Services, *words: str) -> tuple[int, str]:
    done = CliRunner().invoke(policy, words, obj=services, standalone_mode=False)
    return done.return_value, done.output


def shown(services: Services, *words: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(printed(services, "show", "--json", *words)[1])
    return document


def test_what_holds_for_a_tenant_is_shown_with_the_keys_that_are_its_own(services: Services) -> None:
    everybody, acme, bolt = shown(services), shown(services, "--tenant", "acme"), shown(services, "--tenant", "bolt")
    assert everybody["tenants"] == {"acme": acme["policy"]}
    assert (acme["values"]["retention"]["raw_turn_days"], acme["values"]["cap"]["per_user"]) == (7, 300)
    assert acme["overrides"] == ["retention.raw_turn_days"]
    assert (bolt["policy"], bolt["values"], bolt["overrides"]) == (everybody["policy"], everybody["values"], [])


def test_people_read_it_as_a_table(services: Services) -> None:
    lines = printed(services, "show", "--tenant", "acme")[1].splitlines()
    assert lines[0].endswith("keys set for acme alone: 1.")
    assert [line.split() for line in lines if line.split()[-1:] == ["acme"] or "per_user" in line] == [
        ["retention.raw_turn_days", "7", "acme"],
        ["cap.per_user", "300"],
    ]


def test_the_check_reads_the_sections_too(services: Services, tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text(FILE + "[tenants.bolt.cap]\nper_user = 301\n")
    code, output = printed(services, "check", str(bad), "--json")
    [fault] = json.loads(output)["faults"]
    assert (code, fault["line"], fault["key"]) == (1, 6, "tenants.bolt.cap.per_user")
    assert printed(services, "check", str(tmp_path / "mine.toml"))[0] == 0
