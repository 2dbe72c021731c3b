"""The policy file: complete, documented key by key, and every fault named with its key and line."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import replace as with_fields
from typing import Any

import pytest
from pydantic import BaseModel

from lethe.errors import PolicyFault
from lethe.records import Author, Basis, Cardinality, Kind, Sensitivity
from policies.faults import lines_of_keys
from policies.policy import faults, parse
from policies.sections import PolicyFile
from policies.tenants import LIMITS
from tests.unit.policies.gate_cases import DEFAULT, DEFAULT_TEXT, PLAIN, changed

LINES = DEFAULT_TEXT.split("\n")


def values_of(tree: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, value in tree.items():
        if isinstance(value, dict) and path != (LIMITS,):
            yield from values_of(value, (*path, key))
        else:
            yield (*path, key)


def keys_of(model: type[BaseModel], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, field in model.model_fields.items():
        here = (*path, field.alias or name)
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from keys_of(field.annotation, here)
        elif field.is_required():
            yield here


@pytest.mark.parametrize("path", list(values_of(tomllib.loads(DEFAULT_TEXT))), ids=".".join)
def test_every_key_of_the_default_policy_is_documented_by_a_comment(path: tuple[str, ...]) -> None:
    above = LINES[lines_of_keys(DEFAULT_TEXT)[path] - 2]
    assert above.startswith("# ")
    assert len(above) > 12


def test_the_default_policy_sets_every_key_that_there_is() -> None:
    values = {path for path in values_of(tomllib.loads(DEFAULT_TEXT)) if path[0] != LIMITS}
    assert values == set(keys_of(PolicyFile))


@pytest.mark.parametrize("path", list(keys_of(PolicyFile)), ids=".".join)
def test_a_missing_key_is_a_fault_that_names_it(path: tuple[str, ...]) -> None:
    number = lines_of_keys(DEFAULT_TEXT)[path]
    end = next(
        (at for at in range(number, len(LINES)) if "=" in LINES[at] or LINES[at].startswith(("#", "["))), len(LINES)
    )
    found = faults("\n".join(LINES[: number - 1] + LINES[end:]))
    assert [(fault["key"], fault["message"]) for fault in found] == [(".".join(path), "is missing")]


def test_every_fault_is_reported_with_its_key_its_line_and_what_is_wrong() -> None:
    text = "[recall]\nk = 500\nthreshold = 'high'\n\n[cap]\nper_usr = 20\n"
    assert faults(text, base=DEFAULT_TEXT) == [
        {"line": 6, "key": "cap.per_usr", "message": "is no key that a policy has; did you mean cap.per_user?"},
        {"line": 2, "key": "recall.k", "message": "should be less than or equal to 200 (it is 500)"},
        {"line": 3, "key": "recall.threshold", "message": 'should be a valid number (it is "high")'},
    ]


def test_parse_raises_with_all_faults_in_its_message() -> None:
    with pytest.raises(PolicyFault) as raised:
        parse("[recall]\nk = 0\ncandidates = 0\n", "mine", base=DEFAULT_TEXT)
    assert "line 2: recall.k:" in raised.value.message
    assert "line 3: recall.candidates:" in raised.value.message
    assert raised.value.code == "policy_invalid"


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ("[recall]\nk =\n", 2, "recall.k"),
        ("[recall]\nk = 3\nk = 4\n", 3, "recall.k"),
        ("[recall\nk = 3\n", 1, ""),
        ('[kinds]\nenabled = ["semantic"\n', 3, "kinds.enabled"),
    ],
)
def test_text_that_is_no_toml_names_the_line(text: str, line: int, key: str) -> None:
    [fault] = faults(text, base=DEFAULT_TEXT)
    assert (fault["line"], fault["key"]) == (line, key)
    assert fault["message"].startswith("is not valid TOML")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('[trust]\nauthors = ["user", "assistant"]', "trust.authors"),
        ('[trust]\nverified_authors = ["user"]', "trust.verified_authors"),
        ('[kinds]\nenabled = ["procedural"]', "kinds.enabled"),
        ("[admission]\nmin_confidence = 1.2", "admission.min_confidence"),
        ("[admission]\nmin_confidence = nan", "admission.min_confidence"),
        ("[fading]\nuntouched_days = 3", "fading.untouched_days"),
        ("[fading]\narchive_below = 0.0", "fading.archive_below"),
        ("[fading.half_life_days]\nsemantic = 0", "fading.half_life_days.semantic"),
        ("[retention]\nraw_turn_days = 1.5", "retention.raw_turn_days"),
        ("[retention]\nstarts_at = 2026-01-01", "retention.starts_at"),
        ("[retention.review_days]\nsemantic = 0", "retention"),
        ("[recall]\ndense_weight = 0\nlexical_weight = 0", "recall"),
        ('[conflict]\nmany_valued = ["lives_in"]', "conflict"),
        ('[predicates."lives in"]\ncardinality = "one"', 'predicates."lives in".cardinality'),
        ("name = 'x'", "name"),
        ("version = 'x'", "version"),
    ],
)
def test_a_value_outside_of_its_limits_is_refused(text: str, key: str) -> None:
    assert [fault["key"] for fault in faults(text, base=DEFAULT_TEXT)] == [key]


@pytest.mark.parametrize(
    "use",
    [
        "authorisation",
        "authorization",
        "payment",
        "AUTHORISATION",
        "payment ",
        "\u0430pprove",
        "ap\u200bprove",
        "\u0440\u0430\u0443",
        "auto_approve",
        "autoApprove",
        "permission",
        "payments",
        "grant",
        "authorise",
        "authz",
        "sign-off",
        "consent",
        "credential",
        "clearance",
        "access_control",
        "a p p r o v e",
    ],
)
@pytest.mark.parametrize("kind", ["preference", "instruction"])
def test_no_policy_can_make_a_preference_a_permit(kind: str, use: str) -> None:
    [fault] = faults(f'[allowed_uses.normal]\n{kind} = ["{use}"]', base=DEFAULT_TEXT)
    assert fault["key"] == "allowed_uses.normal"
    assert use in fault["message"]


def test_uses_that_only_resemble_a_permit_are_taken() -> None:
    uses = ["accessibility", "immigration", "payroll summaries", "shopping", "clear writing"]
    assert faults(f"[allowed_uses.normal]\npreference = {uses}", base=DEFAULT_TEXT) == []


@pytest.mark.parametrize("text", ["a = " + "[" * 3000, "a = " + "[" * 300 + "]" * 300, ".".join(["a"] * 3000) + " = 1"])
def test_a_file_nested_beyond_any_policy_is_a_fault_like_others(text: str) -> None:
    [fault] = faults(text, base=DEFAULT_TEXT)
    assert "nested too deeply" in fault["message"]
    with pytest.raises(PolicyFault):
        parse(text, "mine", base=DEFAULT_TEXT)


def test_what_a_tool_is_the_authority_on_has_one_value_unless_the_policy_says_otherwise() -> None:
    default = parse(DEFAULT_TEXT, "default")
    assert {default.cardinality(each) for each in default.conflict.authoritative} == {Cardinality.SINGLE}
    many = changed('[predicates.order_status]\ncardinality = "many"')
    assert many.cardinality("order_status") is Cardinality.MANY
    listed = changed('[conflict]\nmany_valued = ["order_status"]')
    assert listed.cardinality("order_status") is Cardinality.MANY


def test_the_version_follows_from_what_the_policy_says_and_not_from_its_layout() -> None:
    reordered = "\n".join(line for line in LINES if not line.startswith("#"))
    assert parse(reordered, "default").version == DEFAULT.version
    assert changed("[recall]\nk = 4").version.partition("@")[2] != DEFAULT.version.partition("@")[2]
    assert DEFAULT.version.startswith("default@")


def test_what_is_shown_is_a_policy_again() -> None:
    assert PolicyFile.model_validate_json(json.dumps(DEFAULT.as_toml_dict())).cap.per_user == 500


def test_a_file_that_leaves_keys_out_takes_them_from_the_one_below() -> None:
    policy = changed("[recall]\nk = 5")
    assert policy.recall.k == 5
    assert policy.recall.threshold == DEFAULT.recall.threshold


def test_a_policy_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        DEFAULT.recall.k = 9  # type: ignore[misc]


def test_the_table_of_a_predicate_stands_above_the_lists() -> None:
    policy = changed('[predicates.lives_in]\ncardinality = "many"\nconsequence = "high"\nauthoritative = true')
    assert DEFAULT.cardinality("lives_in") is Cardinality.SINGLE
    assert policy.cardinality("lives_in") is Cardinality.MANY
    assert policy.is_high_consequence("lives_in")
    assert policy.is_authoritative("lives_in")
    assert policy.cardinality("unheard_of") is None


def test_implicit_preferences_wait_for_a_second_session_and_stated_ones_do_not() -> None:
    preference = with_fields(PLAIN, kind=Kind.PREFERENCE)
    assert not DEFAULT.needs_second_session(preference)
    assert DEFAULT.needs_second_session(with_fields(preference, basis=Basis.INFERRED))
    assert not DEFAULT.needs_second_session(with_fields(PLAIN, basis=Basis.INFERRED))
    strict = changed('[stability]\nsecond_session_bases = ["stated", "observed", "inferred"]')
    assert strict.needs_second_session(preference)
    assert not strict.needs_second_session(with_fields(preference, basis=Basis.CONFIRMED))
    assert not strict.needs_second_session(with_fields(preference, author=Author.TOOL, verified=True))


def test_confidence_starts_at_the_prior_and_grows_with_independent_evidence() -> None:
    first, second, tenth = (DEFAULT.confidence(Basis.STATED, 0.9, count) for count in (1, 2, 10))
    assert first == 0.9
    assert first < second < tenth <= DEFAULT.confidence_rules.most
    assert second == pytest.approx(0.9 + 0.4 * (0.99 - 0.9), abs=1e-4)
    assert DEFAULT.confidence(Basis.INFERRED, 0.99, 1) == 0.7


def test_what_is_personal_has_fewer_uses() -> None:
    assert set(DEFAULT.uses(Kind.SEMANTIC, Sensitivity.PERSONAL)) < set(DEFAULT.uses(Kind.SEMANTIC, Sensitivity.NORMAL))
    assert DEFAULT.uses(Kind.WORKING, Sensitivity.NORMAL) == ()
