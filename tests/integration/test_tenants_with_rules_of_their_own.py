"""One instance, several tenants, and a section of the policy file for some: each is judged, kept and handed out by its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.keys import Keyring
from lethe.lifecycle.deletion import named, requests
from lethe.lifecycle.deletion.requests import Reach
from lethe.lifecycle.forgetting import recompute
from lethe.lifecycle.replay import replay
from lethe.recall import reading, search
from lethe.recall.search import recall, recall_many
from lethe.records import Query
from lethe.rules import Rules
from lethe.store import due, policies
from lethe.store.database import tenant_transaction, transaction
from policies.policy import parse
from tests.integration.forgetting_line import column, days, keep, keep_many, run, states
from tests.integration.line import NOW, Line
from tests.integration.recall_rows import WordModel
from workers import wiring

MODEL = WordModel()
LIMITS = """
[tenant_limits]
"retention.raw_turn_days" = { min = 1, max = "policy" }
"retention.ttl_days.episodic" = { min = 1, max = "policy" }
"cap.per_user" = { min = 1, max = "policy" }
"sensitivity.plain_constraints" = { min = "policy" }
"admission.turn_quota" = { min = 1, max = "policy" }
"intake.max_text_chars" = { max = "policy" }
"trust.authors" = { within = "policy" }
"recall.k" = { min = 1, max = 20 }
"recall.threshold" = { min = "policy" }
"deletion.window_hours" = { min = 1, max = "policy" }
"deletion.said_in_a_turn" = { min = "policy" }
"""


def bound(sections: str, ours: str = "") -> Rules:
    return wiring.bind(parse(ours + LIMITS + sections, "shared", base=wiring.default_text()))


@dataclass
class Two:
    """Acme has a section of its own, bolt has none."""

    acme: Line
    bolt: Line

    def __iter__(self) -> Any:
        return iter((self.acme, self.bolt))

    def under(self, sections: str) -> Two:
        for line in self:
            line.rules = bound(sections)
        return self


@pytest.fixture
def two(engine: Engine, keys: Keyring) -> Two:
    return Two(*(Line(engine, bound(""), keys, tenant=tenant) for tenant in ("acme", "bolt")))


def versions(line: Line) -> set[str]:
    return {row["policy"] for row in reading.decisions(line.engine, tenant=line.tenant)["decisions"]}


# --- admission ----------------------------------------------------------------------------------------------------


def test_what_one_tenant_keeps_another_holds_and_decisions_carry_the_version_of_each(two: Two) -> None:
    two.under('[tenants.acme.sensitivity]\nplain_constraints = "hold"')
    for line in two:
        line.take(line.turn("a", "I am allergic to peanuts."))
    assert [outcome for outcome, _ in two.acme.reasons("a")] == ["hold"]
    assert [outcome for outcome, _ in two.bolt.reasons("a")] == ["admit"]
    rules = two.acme.rules
    assert versions(two.acme) == {rules.of("acme").version}
    assert versions(two.bolt) == {rules.version}
    assert rules.of("acme").version.startswith(f"{rules.version}+")


def test_events_and_memories_carry_the_version_of_their_tenant(two: Two) -> None:
    two.under("[tenants.acme.recall]\nk = 1")
    for line in two:
        kept = keep(line, "tea")
        version = line.rules.of(line.tenant).version
        assert {row["policy"] for row in reading.why(line.engine, line.tenant, kept)["history"]} == {version}
        assert column(line, kept, "policy") == version


def test_length_and_authors_are_each_tenants(two: Two) -> None:
    two.under("[tenants.acme]\nintake.max_text_chars = 200\ntrust.authors = []")
    assert [len(line.push(line.turn("long", "Words and more words. " * 20)).refused) for line in two] == [1, 0]
    for line in two:
        line.take(line.turn("short", "I live in Oulu.", 1))
    assert two.acme.reasons("short") == [("reject", ["untrusted_source"])]
    assert [outcome for outcome, _ in two.bolt.reasons("short")] == ["admit"]


def test_the_quota_of_a_turn_is_each_tenants(two: Two) -> None:
    two.under("[tenants.acme.admission]\nturn_quota = 1")
    for line in two:
        said = line.turn("a", "I like tea, and I like rye bread.")
        line.push(said)
        line.propose(
            *(line.proposal(said, "likes", value, claim=f"The user likes {value}.") for value in ("tea", "rye bread"))
        )
        line.drain()
    refused = [sum("turn_quota" in reasons for _, reasons in line.reasons("a")) for line in two]
    assert refused[0] > 0
    assert refused[1] == 0


def test_forget_that_deletes_where_the_tenant_says_so(two: Two) -> None:
    two.under('[tenants.acme.deletion]\nsaid_in_a_turn = "delete"')
    for line in two:
        line.take(line.turn("a", "I live in Oulu."), line.turn("b", "Forget that I live in Oulu.", 1))
    with transaction(two.acme.engine) as connection:
        asked = connection.execute(sa.text("select distinct tenant from work where stage = 'erase'")).scalars()
        assert list(asked) == ["acme"]


# --- forgetting ---------------------------------------------------------------------------------------------------


def test_the_text_of_turns_goes_when_each_tenant_says(two: Two) -> None:
    two.under("[tenants.acme.retention]\nraw_turn_days = 7")
    for line in two:
        line.take(line.turn("a", "I live in Oulu."))
    assert run(two.acme, "purge", days(6))["changed"].get("turns", 0) == 0
    early = run(two.acme, "purge", days(8))
    assert (early["tenants"], early["changed"]["turns"]) == (1, 1)
    late = run(two.acme, "purge", days(31))
    assert late["changed"]["turns"] == 1
    with tenant_transaction(two.acme.engine, "bolt") as connection:
        reasons = connection.execute(sa.text("select policy from events where change = 'text_purged'")).scalars()
        assert list(reasons) == [two.bolt.rules.version]


def test_a_night_finds_a_tenant_that_keeps_for_a_shorter_time_among_many(two: Two) -> None:
    """No mark is missed, and no tenant is worked on before its own time."""
    two.under("[tenants.acme.retention]\nraw_turn_days = 7\n[tenants.cord.retention]\nraw_turn_days = 3")
    cord = replace(two.acme, tenant="cord")
    for line in (*two, cord):
        line.take(line.turn("a", "I live in Oulu."))
    worked_on = [run(two.acme, "purge", days(day))["tenants"] for day in (2, 4, 8, 31)]
    assert worked_on == [0, 1, 1, 1]


def test_a_night_is_only_for_those_whose_night_it_is(two: Two) -> None:
    for line in two:
        keep(line, "trip", kind="episodic")
    report = run(two.acme, "nightly", days(400), window="2027-04-05", among=lambda tenant: tenant == "bolt")
    assert (report["tenants"], report["changed"]["expired"]) == (1, 1)
    assert states(two.acme) == {"trip": "admitted"}


def test_the_cap_is_each_tenants(two: Two) -> None:
    two.under("[tenants.acme.cap]\nper_user = 25")
    for line in two:
        keep_many(line, 28)
    assert run(two.acme, "evict", days(1))["changed"] == {"evicted": 3}
    assert list(states(two.acme).values()).count("archived") == 3
    assert "archived" not in states(two.bolt).values()


def test_dates_follow_each_tenants_times_to_live(two: Two) -> None:
    two.under("[tenants.acme.retention.ttl_days]\nepisodic = 30")
    kept = {line.tenant: column(line, keep(line, "trip", kind="episodic"), "expires_at") for line in two}
    assert kept == {"acme": days(30), "bolt": days(365)}


# --- a change of one section --------------------------------------------------------------------------------------


def test_a_change_of_one_tenants_section_is_recomputed_for_that_tenant_alone(two: Two) -> None:
    trips = {line.tenant: keep(line, "trip", kind="episodic") for line in two}
    engine = two.acme.engine
    assert recompute.begin(engine, two.acme.rules, days(1)) == 2
    recompute.go_on(engine, two.acme.rules, days(1))

    shorter = bound("[tenants.acme.retention.ttl_days]\nepisodic = 30")
    assert recompute.begin(engine, shorter, days(2)) == 1
    assert recompute.go_on(engine, shorter, days(2)) == {"looked_at": 1, "changed": 1, "left": 0}
    assert column(two.acme, trips["acme"], "expires_at") == days(30)
    assert column(two.bolt, trips["bolt"], "expires_at") == days(365)
    assert recompute.begin(engine, shorter, days(3)) == 0

    assert recompute.begin(engine, bound(""), days(4)) == 1
    assert recompute.go_on(engine, bound(""), days(4))["changed"] == 1
    assert column(two.acme, trips["acme"], "expires_at") == days(365)
    assert recompute.begin(engine, bound(""), days(5)) == 0


def test_a_policy_that_comes_back_is_computed_anew(two: Two) -> None:
    trip = keep(two.bolt, "trip", kind="episodic")
    engine = two.bolt.engine
    for ours, expected in (("", 365), ("[retention.ttl_days]\nepisodic = 30\n", 30), ("", 365)):
        rules = bound("", ours)
        assert recompute.begin(engine, rules, days(1)) == 1
        recompute.go_on(engine, rules, days(1))
        assert column(two.bolt, trip, "expires_at") == days(expected)


def test_a_lower_cap_counts_for_users_who_do_not_grow(two: Two) -> None:
    for line in two:
        keep_many(line, 28)
    engine, smaller = two.acme.engine, bound("[tenants.acme.cap]\nper_user = 25")
    recompute.begin(engine, bound(""), days(1))
    recompute.go_on(engine, bound(""), days(1))
    assert due.tenants(engine, {due.EVICT: days(2)}) == {}
    recompute.begin(engine, smaller, days(1))
    recompute.go_on(engine, smaller, days(1))
    two.acme.rules = smaller
    assert run(two.acme, "evict", days(2))["changed"] == {"evicted": 3}


# --- handing out, deleting, replaying -----------------------------------------------------------------------------


def test_number_and_threshold_of_a_recall_are_each_tenants(two: Two) -> None:
    search.SETS.forget()
    two.under("[tenants.acme.recall]\nk = 1\n[tenants.cord.recall]\nthreshold = 0.99")
    cord = replace(two.acme, tenant="cord")
    for line in (*two, cord):
        for value in ("green tea", "black tea"):
            keep(line, value, claim=f"The user likes {value}.", predicate=f"likes_{value[:5]}")
    asked = [
        Query(tenant=tenant, user="u1", query="Which tea does the user like?") for tenant in ("acme", "bolt", "cord")
    ]
    ranking = two.acme.rules.ranking
    one_by_one = [recall(two.acme.engine, query, MODEL, ranking, NOW) for query in asked]
    assert [len(answer["memories"]) for answer in one_by_one] == [1, 2, 0]
    assert one_by_one[2]["empty_reason"] == "below_threshold"
    assert recall_many(two.acme.engine, asked, MODEL, ranking, NOW) == one_by_one


def test_a_deletion_is_due_when_its_tenant_says(two: Two, tmp_path: Path) -> None:
    two.under("[tenants.acme.deletion]\nwindow_hours = 5")
    reach = Reach(two.acme.engine, two.acme.rules, two.acme.keys, tmp_path)
    for line in two:
        requests.request(reach, named.of(line.tenant, memory=keep(line, "tea")), NOW)
    with transaction(reach.engine) as connection:
        found = connection.execute(sa.text("select tenant, due_at from ledger order by tenant")).all()
    assert [tuple(row) for row in found] == [("acme", NOW + timedelta(hours=5)), ("bolt", NOW + timedelta(hours=72))]


def test_a_replay_is_under_the_tenants_section_of_the_file(two: Two) -> None:
    for line in two:
        line.take(line.turn("a", "I am allergic to peanuts."))
    stricter = bound('[tenants.acme.sensitivity]\nplain_constraints = "hold"')
    changed = [
        replay(line.engine, line.tenant, stricter.of(line.tenant), line.keys).as_dict()["changed"] for line in two
    ]
    assert changed == [1, 0]


def test_the_content_of_every_version_in_force_is_kept(two: Two) -> None:
    rules = bound("[tenants.acme.cap]\nper_user = 25")
    policies.register(two.acme.engine, rules.versions(), NOW)
    policies.register(two.acme.engine, rules.versions(), NOW)
    with transaction(two.acme.engine) as connection:
        rows = connection.execute(sa.text("select version, body->'cap'->>'per_user' from policy_versions")).all()
    assert {tuple(row) for row in rows} == {(rules.version, "500"), (rules.of("acme").version, "25")}
