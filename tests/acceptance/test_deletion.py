"""Deletion through the command line, on a running instance."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import psycopg

from tests.acceptance.conftest import Instance, turn

WORDS = ["Zubrelimka", "Vorgalkent", "Dezgimarl", "Rolbavork", "Fanzogilm", "Murvebelt"]


def boat(tenant: str, number: int, user: str) -> dict[str, Any]:
    return turn(tenant, f"t{number}", f"My boat is called {WORDS[number]}.", day=number + 1, user=user)


def test_a_user_is_forgotten_everywhere_with_a_receipt_that_checks(
    instance: Instance, tenant: str, tmp_path: Path
) -> None:
    instance.push(boat(tenant, 0, "u1"), boat(tenant, 1, "u2"))
    asked = ("recall", "--tenant", tenant, "--user", "u1", "What is the boat called?")
    assert WORDS[0] in json.dumps(instance.call(*asked)["memories"])
    receipt = instance.call("forget", "--tenant", tenant, "--user", "u1", "--wait")
    assert (receipt["state"], receipt["what"]) == ("verified", {"tenant": tenant, "user": "u1"})
    assert all(row["remaining"] == 0 for row in receipt["stores"])
    assert instance.call(*asked)["memories"] == []
    assert instance.call("profile", "--tenant", tenant, "--user", "u1")["memories"] == []
    assert len(instance.call("memories", "--tenant", tenant, "--user", "u2")["memories"]) == 1
    refused = instance.push(boat(tenant, 0, "u1"), status=1)["rejected"]
    assert [row["code"] for row in refused] == ["forgotten"]
    file = tmp_path / "receipt.json"
    file.write_text(json.dumps(receipt))
    assert instance.call("receipt", "--check", str(file))["ok"]
    file.write_text(json.dumps({**receipt, "what": {"tenant": tenant, "user": "u2"}}))
    assert not instance.call("receipt", "--check", str(file), status=1)["ok"]


def test_no_raw_byte_is_left_in_a_small_instance(instance: Instance, tenant: str) -> None:
    instance.push(boat(tenant, 2, "u1"))
    assert any(WORDS[2].encode() in file.read_bytes() for file in _files(instance.home))
    receipt = instance.call("forget", "--tenant", tenant, "--user", "u1", "--wait")
    named = {item["store"] for item in receipt["not_covered"]}
    left = [file for file in _files(instance.home) if WORDS[2].encode() in file.read_bytes()]
    assert left == [] or named & {"heap", "wal"}


def test_a_dry_run_deletes_nothing_and_nothing_is_refused_clearly(instance: Instance, tenant: str) -> None:
    instance.push(boat(tenant, 3, "u1"))
    found = instance.call("forget", "--tenant", tenant, "--user", "u1", "--dry-run")
    assert WORDS[3] in found["memories"][0]["claim"]
    assert len(instance.call("memories", "--tenant", tenant)["memories"]) == 1
    assert instance.call("forget", "--tenant", tenant, "--user", "nobody", status=1)["error"]["code"] == "not_found"
    assert instance.call("forget", "--tenant", tenant, status=2)["error"]["code"] == "scope_missing"


def test_a_person_gets_what_is_kept_about_them(instance: Instance, tenant: str) -> None:
    instance.push(boat(tenant, 4, "u1"))
    found = instance.call("export", "--tenant", tenant, "--user", "u1")
    assert WORDS[4] in found["turns"][0]["text"]
    assert found["memories"][0]["evidence"][0]["turn"] == "t4"
    told = instance.run("export", "--tenant", tenant, "--user", "u1").stdout
    assert f"The user's boat is called {WORDS[4]}." in told
    assert "passed_every_check" in told
    assert f"My boat is called {WORDS[4]}." in told
    assert "{" not in told
    instance.call("forget", "--tenant", tenant, "--user", "u1", "--wait")
    after = instance.run("export", "--tenant", tenant, "--user", "u1").stdout
    assert WORDS[4] not in after
    assert "1 deletions." in after


def test_what_is_overdue_shows_everywhere_until_it_is_verified(instance: Instance, tenant: str) -> None:
    deletion = os.urandom(16).hex()
    with psycopg.connect(instance.call("status")["database"]["admin_url"]) as connection:
        connection.execute(
            """insert into deletions (tenant, id, what, reason, state, requested_at, invisible_at, due_at, policy)
            values (%s, %s, '{"user": "u1"}', 'requested', 'invisible', now() - interval '4 days', now() - interval '4 days',
                    now() - interval '1 day', 'default')""",
            [tenant, deletion],
        )
        connection.execute(
            "insert into ledger (tenant, deletion, requested_at, due_at) values (%s, %s, now() - interval '4 days', now() - interval '1 day')",
            [tenant, deletion],
        )
    asked = ("receipt", f"del_{deletion}", "--tenant", tenant)
    assert instance.call(*asked, status=1)["state"] == "overdue"
    assert instance.call("receipts", "--tenant", tenant, status=1)["receipts"][0]["state"] == "overdue"
    assert instance.call("status")["deletions"]["overdue"] == 1
    (check,) = (row for row in instance.call("doctor", status=1)["checks"] if row["check"] == "deletions")
    assert not check["ok"]
    instance.call("run", "verify", "--tenant", tenant)
    assert instance.call(*asked)["state"] == "verified"
    assert instance.call("status")["deletions"]["overdue"] == 0


def test_keys_are_rotated_while_everything_runs(instance: Instance, tenant: str, tmp_path: Path) -> None:
    instance.push(boat(tenant, 5, "u1"), boat(tenant, 0, "u2"))
    old = instance.call("forget", "--tenant", tenant, "--user", "u1", "--wait")
    made = instance.call("keys", "rotate")
    states = {(row["sort"], row["key"]): row["state"] for row in instance.call("keys")["keys"]}
    assert states["hash", made["hash"]] == "next"
    assert states["receipt", made["receipt"]] == "current"
    new = instance.call("forget", "--tenant", tenant, "--user", "u2", "--wait")
    assert old["signature"]["key"] < new["signature"]["key"] == made["receipt"]
    file = tmp_path / "receipt.json"
    for receipt in (old, new):
        file.write_text(json.dumps(receipt))
        assert instance.call("receipt", "--check", str(file))["ok"]
    refused = instance.push(boat(tenant, 5, "u1"), status=1)["rejected"]
    assert [row["code"] for row in refused] == ["forgotten"]
    (check,) = (row for row in instance.call("doctor")["checks"] if row["check"] == "keys")
    assert check["ok"]


def _files(home: Path) -> list[Path]:
    return [file for folder in ("pg", "valkey", "logs") for file in (home / folder).rglob("*") if file.is_file()]
