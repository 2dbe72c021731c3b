"""Sections of single tenants: what they may set, within which bounds, and how what follows is told apart."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

import pytest

from lethe.errors import PolicyFault
from policies.policy import faults, parse
from policies.sections import PolicyFile
from policies.tenants import LIMITS, at, beyond, keys, limits
from tests.unit.policies.gate_cases import DEFAULT, DEFAULT_TEXT

BOUNDED = """
[tenant_limits]
"retention.raw_turn_days" = { min = 5, max = 20 }
"retention.ttl_days.*" = { min = 10, max = 100 }
"retention.ttl_days.episodic" = { min = 1, max = 3 }
"cap.per_user" = { min = 50, max = "policy" }
"recall.threshold" = { min = "policy" }
"sensitivity.plain_constraints" = { one_of = ["hold"] }
"sensitivity.third_parties" = { min = "hold" }
"conflict.high_consequence" = { at_least = "policy" }
"kinds.enabled" = { within = ["semantic", "episodic"] }
"predicates.*.consequence" = { one_of = ["high"] }
"consolidation.enabled" = { one_of = [false] }
"jobs.zone" = { any = true }
"llm.tokens_per_day" = { min = 20000, max = 50000 }
"""


def found(section: str, above: str = BOUNDED) -> list[tuple[str, str]]:
    """Faults as (key within the section, message)."""
    rows = faults(f"{above}\n{section}", base=DEFAULT_TEXT)
    return [(row["key"].removeprefix("tenants.acme."), row["message"]) for row in rows]


# --- what holds for a tenant --------------------------------------------------------------------------------------


def test_a_tenants_keys_stand_over_the_operators_and_nobody_elses() -> None:
    policy = parse("[cap]\nper_user = 300\n[tenants.acme.retention]\nraw_turn_days = 7\n", "mine", base=DEFAULT_TEXT)
    acme, other = policy.of("acme"), policy.of("other")
    assert (acme.retention.raw_turn_days, acme.cap.per_user) == (7, 300)
    assert acme.overrides == ("retention.raw_turn_days",)
    assert other is policy
    assert (policy.retention.raw_turn_days, policy.overrides) == (30, ())


def test_versions_tell_what_holds_apart_and_name_no_tenant() -> None:
    def versions(text: str) -> tuple[str, str, str]:
        policy = parse(text, "mine", base=DEFAULT_TEXT)
        return policy.version, policy.of("acme").version, policy.of("bolt").version

    ours, acme, bolt = versions("[tenants.acme.recall]\nk = 5\n[tenants.bolt.recall]\nk = 6\n")
    assert ours == f"mine@{DEFAULT.version.partition('@')[2]}"
    assert len({ours, acme, bolt}) == 3
    assert acme.startswith(f"{ours}+")
    assert "acme" not in acme
    changed = versions("[tenants.acme.recall]\nk = 7\n[tenants.bolt.recall]\nk = 6\n")
    assert changed[0] == ours
    assert changed[1] != acme
    assert changed[2] == bolt
    alike = versions("[tenants.acme.recall]\nk = 5\n[tenants.bolt.recall]\nk = 5\n")
    assert alike[1] == alike[2] == acme


def test_a_section_that_says_what_holds_anyway_changes_nothing() -> None:
    policy = parse("[tenants.acme.recall]\nk = 3\n[tenants.bolt]\n", "mine", base=DEFAULT_TEXT)
    assert policy.of("acme") is policy.of("bolt") is policy


def test_limits_and_sections_are_no_part_of_the_version() -> None:
    assert parse(BOUNDED, "default", base=DEFAULT_TEXT).version == DEFAULT.version


# --- bounds -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "section",
    [
        "[tenants.acme.retention]\nraw_turn_days = 5",
        "[tenants.acme.retention]\nraw_turn_days = 20",
        "[tenants.acme.retention]\nraw_turn_days = 30",  # the operator's own value
        "[tenants.acme.retention.ttl_days]\nsemantic = 100\nepisodic = 3",
        "[tenants.acme]\nretention.raw_turn_days = 6\ncap = { per_user = 500 }",
        '[tenants.acme.sensitivity]\nplain_constraints = "hold"\nthird_parties = "reject"',
        '[tenants.acme.kinds]\nenabled = ["semantic"]',
        '[tenants.acme.predicates."lives in"]\nconsequence = "high"',
        "[tenants.acme.consolidation]\nenabled = false",
        '[tenants.acme.jobs]\nzone = "Europe/Brussels"',
        "[tenants.acme.llm]\ntokens_per_day = 30000",
    ],
)
def test_what_lies_within_the_limits_is_taken(section: str) -> None:
    assert found(section) == []


@pytest.mark.parametrize(
    ("section", "key", "message"),
    [
        ("[tenants.acme.retention]\nraw_turn_days = 21", "retention.raw_turn_days", "may be 20 at the most (it is 21)"),
        ("[tenants.acme.retention]\nraw_turn_days = 4", "retention.raw_turn_days", "may be 5 at the least (it is 4)"),
        ("[tenants.acme.retention.ttl_days]\nepisodic = 50", "retention.ttl_days.episodic", "may be 3 at the most"),
        ("[tenants.acme.cap]\nper_user = 501", "cap.per_user", "may be 500 at the most (it is 501)"),
        (
            "[tenants.acme.recall]\nthreshold = 0.01",
            "recall.threshold",
            f"may be {DEFAULT.recall.threshold} at the least (it is 0.01)",
        ),
        (
            '[tenants.acme.conflict]\nhigh_consequence = ["legal_name"]',
            "conflict.high_consequence",
            'must hold "allergic_to", ',
        ),
        ('[tenants.acme.kinds]\nenabled = ["preference"]', "kinds.enabled", 'may not hold "preference"'),
        (
            '[tenants.acme.predicates.likes]\nconsequence = "normal"',
            "predicates.likes.consequence",
            'may be "high" (it is "normal")',
        ),
        (
            '[tenants.acme.trust]\nauthors = ["user"]\nverified_authors = []',
            "trust.verified_authors",
            "is the operator's",
        ),
        ("[tenants.acme.recall]\nk = 4", "recall.k", "is the operator's: [tenant_limits] does not let a tenant set it"),
    ],
)
def test_what_lies_beyond_the_limits_is_a_fault_with_its_line(section: str, key: str, message: str) -> None:
    rows = [row for row in faults(f"{BOUNDED}\n{section}", base=DEFAULT_TEXT) if row["key"] == f"tenants.acme.{key}"]
    assert [row["message"][: len(message)] for row in rows] == [message]
    lines = f"{BOUNDED}\n{section}".split("\n")
    assert key.rpartition(".")[2] in lines[rows[0]["line"] - 1]  # type: ignore[operator]


@pytest.mark.parametrize(
    ("section", "key"),
    [
        ("[tenants.acme.retention]\nraw_turn_dais = 6", "retention.raw_turn_dais"),
        ("[tenants.acme.retention]\nraw_turn_days = 'long'", "retention.raw_turn_days"),
        ("[tenants.acme]\nretention = 6", "retention"),
        ("[tenants.acme.sensitivity]\nthird_parties = 'perhaps'", "sensitivity.third_parties"),
        ("[tenants.acme.retention.ttl_days]\nepisodic = nan", "retention.ttl_days.episodic"),
        ("[tenants]\nacme = 6", "tenants.acme"),
        ("[tenants.'']\nrecall.k = 6", "tenants"),
    ],
)
def test_what_no_policy_could_say_no_section_can(section: str, key: str) -> None:
    assert [name.rstrip(".\"'") for name, _ in found(section)] == [key]


def test_no_section_can_do_what_the_policy_itself_may_not() -> None:
    wide = '[tenant_limits]\n"allowed_uses.*.*" = { any = true }\n"trust.authors" = { any = true }\n'
    section = (
        '[tenants.acme.allowed_uses.normal]\npreference = ["payment"]\n[tenants.acme.trust]\nauthors = ["assistant"]'
    )
    assert sorted(key for key, _ in found(section, wide)) == ["allowed_uses.normal", "trust.authors"]


def test_every_fault_of_every_tenant_is_reported_and_parse_raises() -> None:
    text = "[tenants.acme.cap]\nper_user = 900\n[tenants.bolt.trust]\nauthors = []\n"
    assert [(row["line"], row["key"]) for row in faults(text, base=DEFAULT_TEXT)] == [
        (2, "tenants.acme.cap.per_user"),
        (4, "tenants.bolt.trust.authors"),
    ]
    with pytest.raises(PolicyFault, match=r"tenants\.bolt\.trust\.authors"):
        parse(text, "mine", base=DEFAULT_TEXT)


# --- the limits themselves ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ('"cap.per_usr" = { min = 3 }', "names no key that a policy has; did you mean cap.per_user?"),
        ('"kinds.*" = { min = 3 }', "min is no bound of kinds.enabled; it can have any, at_least, within"),
        ('"cap.per_user" = { min = 9, max = 3 }', "min 9 is above max 3"),
        ('"cap.per_user" = { within = [3] }', "within is no bound of cap.per_user"),
        ('"cap.per_user" = { min = "few" }', 'min should be a number, or "policy" (it is "few")'),
        ('"cap.per_user" = {}', "needs bounds"),
        ('"cap.per_user" = 7', "needs bounds"),
        ('"kinds.enabled" = { within = ["procedural"] }', "within should be a list of"),
        ('"trust.privilege_claims" = { min = "keep" }', 'min should be "hold" or "reject"'),
        ('"jobs.zone" = { any = false }', "any can only be true"),
        ('"llm.retries" = { any = true }', "llm.retries holds for the whole instance"),
        ('"llm.*" = { any = true }', "holds for the whole instance"),
        ('"deletion.rewrite_below_mb" = { max = 3 }', "deletion.rewrite_below_mb holds for the whole instance"),
    ],
)
def test_a_limit_that_means_nothing_is_a_fault(limit: str, message: str) -> None:
    [row] = faults(f"[tenant_limits]\n{limit}\n", base=DEFAULT_TEXT)
    assert row["line"] == 2
    assert message in row["message"]


@pytest.mark.parametrize("bounds", ["min = nan", "max = inf", "one_of = [nan]", "min = -inf"])
def test_a_bound_that_bounds_nothing_is_a_fault(bounds: str) -> None:
    text = f'[tenant_limits]\n"recall.threshold" = {{ {bounds} }}\n[tenants.acme.recall]\nthreshold = 0.0\n'
    assert "should be" in faults(text, base=DEFAULT_TEXT)[0]["message"]


def test_a_files_own_limits_stand_for_all_of_those_below() -> None:
    text = '[tenant_limits]\n"cap.per_user" = { min = 3 }\n'
    assert found("[tenants.acme.retention]\nraw_turn_days = 7", text)[0][1].startswith("is the operator's")
    assert found("[tenants.acme.retention]\nraw_turn_days = 7", "") == []


# --- the limits that ship -----------------------------------------------------------------------------------------

LOOSER: Mapping[str, Any] = {
    "trust.authors": ["user", "document"],
    "trust.verified_authors": ["tool", "document"],
    "trust.privilege_claims": "hold",
    "admission.min_confidence": 0.5,
    "admission.echo_likeness": 1.0,
    "admission.turn_quota": 500,
    "stability.second_session_kinds": [],
    "stability.second_session_bases": [],
    "scope.project_words_without_project": "keep",
    "scope.wider_than_project": "hold",
    "sensitivity.consent_categories": ["health"],
    "conflict.high_consequence": [],
    "conflict.authoritative": [],
    "confidence.prior.inferred": 1.0,
    "retention.raw_turn_days": 300,
    "retention.recall_log_days": 300,
    "retention.audit_days": 1,
    "retention.ttl_days.episodic": 0,
    "cap.per_user": 5000,
    "recall.threshold": 0.0,
    "deletion.backup_days": 0,
    "deletion.tombstone_days": 1,
    "deletion.window_hours": 500,
    "allowed_uses.personal.semantic": ["answering", "personalisation"],
    "llm.tokens_per_day": 0,
}


@pytest.mark.parametrize("name", LOOSER)
def test_the_limits_that_ship_let_no_tenant_loosen(name: str) -> None:
    path = tuple(name.split("."))
    section: dict[str, Any] = {path[-1]: LOOSER[name]}
    for part in reversed(path[:-1]):
        section = {part: section}
    ours = tomllib.loads(DEFAULT_TEXT)
    known = list(keys(PolicyFile))
    allowed, wrong = limits(ours[LIMITS], known, ours, {})
    assert wrong == []
    assert at(ours, path) != LOOSER[name]
    assert [fault.key for fault in beyond("acme", section, known, allowed, ours, {})] == [f"tenants.acme.{name}"]


def test_bounds_that_name_the_policy_follow_it() -> None:
    strict = "[admission]\nmin_confidence = 0.9\n[sensitivity]\nthird_parties = 'reject'\n"
    loose = "[tenants.acme.admission]\nmin_confidence = 0.85\n[tenants.acme.sensitivity]\nthird_parties = 'hold'"
    assert found(loose, "") == []
    assert found(loose, strict) == [
        ("admission.min_confidence", "may be 0.9 at the least (it is 0.85): [tenant_limits] sets this"),
        ("sensitivity.third_parties", 'may be "reject" (it is "hold"): [tenant_limits] sets this'),
    ]
