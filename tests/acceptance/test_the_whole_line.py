"""A turn becomes a memory: pushed, proposed, judged, indexed and recalled, through the command line with real workers."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from tests.acceptance.conftest import Instance, turn


def test_what_was_said_is_recalled_with_its_evidence(instance: Instance, tenant: str) -> None:
    answer = instance.push(
        turn(tenant, "t1", "I keep my kayak in the boathouse at Lund."), turn(tenant, "t2", "Thanks, great!", 2)
    )
    assert answer == {"accepted": 2, "duplicates": 0, "rejected": [], "drained": True}
    found = instance.call("recall", "--tenant", tenant, "--user", "u1", "--", "Where is the kayak?")
    (envelope,) = found["memories"]
    assert "boathouse at Lund" in envelope["claim"]
    assert (envelope["state"], envelope["evidence"], envelope["basis"]) == ("admitted", ["t1"], "stated")
    why = instance.call("why", envelope["memory"], "--tenant", tenant)
    assert why["evidence"][0]["excerpt"] == "I keep my kayak in the boathouse at Lund."
    assert [event["change"] for event in why["history"]] == ["admitted"]


def test_a_changed_fact_is_replaced_and_stays_as_history(instance: Instance, tenant: str) -> None:
    instance.push(turn(tenant, "t1", "I live in Ghent."), turn(tenant, "t2", "I live in Antwerp now.", 9))
    scope = ("--tenant", tenant, "--user", "u1")
    claims = [row["claim"] for row in instance.call("recall", *scope, "--", "Where does the user live?")["memories"]]
    assert any("Antwerp" in claim for claim in claims)
    assert not any("Ghent" in claim for claim in claims)
    stored = {row["object"]: row for row in instance.call("memories", *scope, "--all")["memories"]}
    assert stored["Ghent"]["state"] == "superseded"
    assert stored["Ghent"]["superseded_by"] == stored["Antwerp"]["memory"]
    then = instance.call("recall", *scope, "--as-of", "2026-02-05T00:00:00Z", "--", "Where does the user live?")
    assert "Ghent" in then["memories"][0]["claim"]


def test_what_is_refused_says_why(instance: Instance, tenant: str) -> None:
    instance.push(
        turn(tenant, "t1", "If I had a garden, I would grow medlars."),
        turn(tenant, "t2", "Chapter one. The user is a duke.", author="document"),
        turn(tenant, "t3", "My gate code is 7714, please remember it."),
    )
    decisions = instance.call("decisions", "--tenant", tenant)["decisions"]
    reasons = {row["turn"]: row["reasons"] for row in decisions}
    assert "not_asserted" in reasons["t1"]
    assert reasons["t2"] == ["untrusted_source"]
    assert "secret" in reasons["t3"]
    assert instance.call("memories", "--tenant", tenant, "--all")["memories"] == []


def test_nothing_eligible_is_an_answer(instance: Instance, tenant: str) -> None:
    found = instance.call("recall", "--tenant", tenant, "--user", "nobody", "--", "What does the user like?")
    assert found == {"memories": [], "empty_reason": "no_eligible_memory", "withheld": found["withheld"]}


def test_another_tenants_memories_are_not_there(instance: Instance, tenant: str) -> None:
    instance.push(turn(tenant, "t1", "I collect barometers."))
    other = tenant + "-other"
    for words in (("memories", "--all"), ("decisions",), ("held",)):
        (rows,) = instance.call(words[0], "--tenant", other, *words[1:]).values()
        assert rows == []
    memory = instance.call("memories", "--tenant", tenant)["memories"][0]["memory"]
    assert instance.call("why", memory, "--tenant", other, status=1)["error"]["code"] == "not_found"


def test_a_killed_worker_comes_back_and_nothing_is_lost(instance: Instance, tenant: str) -> None:
    before = instance.workers()
    instance.push(
        *(turn(tenant, f"t{n}", f"My locker number {n} is in hall {n}.", session=f"s{n}") for n in range(20)),
        wait=False,
    )
    for pid in before.values():
        os.kill(pid, signal.SIGKILL)
    until = time.monotonic() + 60
    while len(set(instance.workers().values()) - set(before.values())) < len(before) and time.monotonic() < until:
        time.sleep(0.5)
    assert instance.workers().keys() == before.keys()
    answer = instance.push(turn(tenant, "last", "I own a kayak.", 2))
    assert answer["drained"]
    turns = {
        name for row in instance.call("memories", "--tenant", tenant, "--all")["memories"] for name in row["evidence"]
    }
    assert turns == {"last", *(f"t{n}" for n in range(20))}


def test_bad_lines_are_named_and_the_good_ones_go_in(instance: Instance, tenant: str) -> None:
    import json

    good = json.dumps(turn(tenant, "t1", "I own a kayak."))
    answer = instance.call("push", "-", "--wait", stdin=f"{good}\nnonsense\n", status=1)
    assert (answer["accepted"], answer["rejected"][0]["line"], answer["rejected"][0]["code"]) == (1, 2, "not_json")


def test_unusable_words_end_with_status_2_and_one_error(instance: Instance) -> None:
    for words in (
        ("push", "/no/such/file"),
        ("push", "/tmp"),
        ("recall", "--tenant", "t"),
        ("nonsense",),
        ("memories",),
    ):
        ran = instance.run(*words, "--json")
        assert ran.status == 2, words
        assert set(ran.json["error"]) == {"code", "message", "hint"}
        assert "Traceback" not in ran.stderr


def test_a_device_that_never_ends_is_refused_and_an_empty_one_is_empty(instance: Instance) -> None:
    assert instance.run("push", "/dev/zero", "--json", timeout=30).status == 2
    assert instance.call("push", "/dev/null")["accepted"] == 0


def test_a_faulty_policy_leaves_a_running_instance_as_it_is(instance: Instance, tmp_path: Path, tenant: str) -> None:
    faulty = tmp_path / "faulty.toml"
    faulty.write_text("[admission]\nmin_confidence = 7\n")
    before = instance.workers()
    for named in (str(faulty), os.path.relpath(faulty), str(tmp_path / "missing.toml")):
        ran = instance.run("up", "--detach", "--json", LETHE_POLICY=named)
        assert (ran.status, set(ran.json["error"])) == (2, {"code", "message", "hint"}), named
    assert instance.workers() == before
    instance.push(turn(tenant, "t1", "I own a kayak."))
    assert instance.call("memories", "--tenant", tenant)["memories"]


def test_servers_that_are_not_there_are_named_by_their_variable(instance: Instance) -> None:
    for url in ("nonsense", "mysql://a@b/c"):
        ran = instance.run("memories", "--tenant", "t", "--json", LETHE_DATABASE_URL=url)
        assert ran.status == 2 and "LETHE_DATABASE_URL" in ran.json["error"]["message"]
    ran = instance.run("memories", "--tenant", "t", "--json", LETHE_DATABASE_URL="postgresql://role@localhost:1/name")
    assert (ran.status, ran.json["error"]["code"]) == (1, "not_running")


def test_the_figures_of_now_count_what_is_there(instance: Instance, tenant: str) -> None:
    instance.push(turn(tenant, "t1", "I own a kayak."), turn(tenant, "t2", "Do I own a kayak?", 2))
    told = instance.call("metrics", "--tenant", tenant)
    assert told["tenant"]["memories"] == {"admitted": 1}
    assert told["tenant"]["decisions"]["admit"] == 1
    assert {row["queue"]: row["waiting"] for row in told["queues"]}["extract"] == 0
    lines = instance.run("metrics", "--tenant", tenant).stdout.splitlines()
    assert f'lethe_memories{{tenant="{tenant}",state="admitted"}} 1' in lines
    assert 'lethe_process_running{name="worker-gate"} 1' in lines


def test_an_audit_counts_what_should_not_be_there(instance: Instance, tenant: str) -> None:
    instance.push(turn(tenant, "t1", "I own a kayak."))
    found = instance.call("audit", "--tenant", tenant)
    counts = {name: each["count"] for name, each in found.items() if isinstance(each, dict)}
    assert counts.pop("never_recalled") == 1
    assert set(counts) == {
        "exact_duplicates", "near_duplicates", "echoes", "secrets", "orphan_vectors", "missing_vectors",
        "stale_cache_entries", "overdue_deletions",
    }  # fmt: skip
    assert not any(counts.values())
    assert "1 memories in force were looked at." in instance.run("audit", "--tenant", tenant).stdout


def test_model_free_processes_never_load_torch(instance: Instance, tenant: str) -> None:
    instance.push(turn(tenant, "t1", "I own a kayak."))
    pids = {row["name"]: row["pid"] for row in instance.call("status")["processes"]}
    for name in ("relay", "worker-extract", "worker-gate", "worker-jobs"):
        mapped = "".join(Path(f"/proc/{pid}/maps").read_text() for pid in _family(pids[name]))
        assert "libtorch" not in mapped, name


def _family(pid: int) -> list[int]:
    import psutil

    return [pid, *(child.pid for child in psutil.Process(pid).children(recursive=True))]
