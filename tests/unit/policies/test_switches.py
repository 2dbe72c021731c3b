"""Every switch of the policy file is honoured by the rules that it is about, and no key is dead."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

import policies
from lethe.records import Author, Basis, Cardinality, Kind, Proposal, Reason, Sensitivity
from policies.fold import fold
from policies.policy import Policy
from policies.retention import expires_at, review_after
from policies.sections import PolicyFile
from policies.strength import half_life
from policies.tenants import keys
from tests.unit.policies.fold_cases import proposal
from tests.unit.policies.gate_cases import DEFAULT, NOW, changed, is_admitted, judged
from workers.wiring import bind

DAY = timedelta(days=1)
KINDS = (Kind.PREFERENCE, Kind.INSTRUCTION, Kind.SEMANTIC, Kind.EPISODIC)
SAID = {
    Kind.PREFERENCE: "The user prefers tea.",
    Kind.INSTRUCTION: "Always answer in Danish.",
    Kind.SEMANTIC: "The user lives in Tampere.",
    Kind.EPISODIC: "The user moved to Tampere.",
}


# --- kinds and uses -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("off", KINDS)
def test_a_kind_that_is_switched_off_is_refused_and_no_other(off: Kind) -> None:
    enabled = ", ".join(f'"{kind}"' for kind in KINDS if kind is not off)
    policy = changed(f"[kinds]\nenabled = [{enabled}]")
    for kind, claim in SAID.items():
        assert judged(claim, kind=kind, policy=policy).refusals == ((Reason.KIND_NOT_ENABLED,) if kind is off else ())


@pytest.mark.parametrize("kind", KINDS)
def test_a_memory_may_be_used_for_what_the_policy_says_of_its_kind(kind: Kind) -> None:
    policy = changed(f'[allowed_uses.normal]\n{kind} = ["small_talk", "planning"]')
    assert judged(SAID[kind], kind=kind, policy=policy).allowed_uses == ("small_talk", "planning")
    others = [other for other in KINDS if other is not kind]
    assert [policy.uses(other, Sensitivity.NORMAL) for other in others] == [
        DEFAULT.uses(other, Sensitivity.NORMAL) for other in others
    ]


def test_what_is_personal_may_be_used_for_what_the_policy_says_of_it() -> None:
    policy = changed('[allowed_uses.personal]\nsemantic = ["cooking"]')
    assert judged("The user is allergic to hazelnuts.", policy=policy).allowed_uses == ("cooking",)


# --- predicates ---------------------------------------------------------------------------------------------------


def outcomes(policy: Policy, *proposals: Proposal) -> list[str]:
    screened = [replace(each, refusals=()) for each in proposals]
    return [decision.outcome.value for decision in fold(screened, policy).decisions]


def test_a_conflict_goes_to_people_where_the_table_of_its_predicate_says_so() -> None:
    said = (proposal("Oulu", 0, predicate="lives_in"), proposal("Turku", 1, predicate="lives_in"))
    assert outcomes(DEFAULT, *said) == ["admit", "supersede"]
    assert outcomes(changed('[predicates.lives_in]\nconsequence = "high"'), *said)[1] == "review"


def test_a_listed_predicate_is_of_normal_consequence_where_its_table_says_so() -> None:
    said = tuple(
        proposal(name, day, predicate="legal_name", cardinality=Cardinality.SINGLE)
        for day, name in enumerate(("Ann Lee", "Ann Roy"))
    )
    assert outcomes(DEFAULT, *said)[1] == "review"
    assert outcomes(changed('[predicates.legal_name]\nconsequence = "normal"'), *said) == ["admit", "supersede"]


def test_one_value_or_many_is_what_the_table_says() -> None:
    said = (proposal("Oulu", 0, predicate="lives_in"), proposal("Turku", 1, predicate="lives_in"))
    assert outcomes(changed('[predicates.lives_in]\ncardinality = "many"'), *said) == ["admit", "admit"]


def test_a_verified_tool_stands_above_a_newer_word_where_the_table_says_so() -> None:
    tool = proposal("shipped", 0, predicate="parcel", author=Author.TOOL, verified=True, basis=Basis.OBSERVED)
    said = (tool, proposal("cancelled", 1, predicate="parcel"))
    single = '[predicates.parcel]\ncardinality = "single"\n'
    assert outcomes(changed(single), *said) == ["admit", "supersede"]
    assert outcomes(changed(single + "authoritative = true"), *said)[1] == "review"


@pytest.mark.parametrize("predicate", DEFAULT.conflict.authoritative)
def test_by_default_a_newer_word_against_a_verified_tool_goes_to_review(predicate: str) -> None:
    tool = proposal("one", 0, predicate=predicate, author=Author.TOOL, verified=True, basis=Basis.OBSERVED)
    assert outcomes(DEFAULT, tool, proposal("other", 1, predicate=predicate)) == ["admit", "review"]


# --- holding ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_second_session_is_asked_of_the_kinds_and_bases_that_the_policy_names(kind: Kind) -> None:
    policy = changed(f'[stability]\nsecond_session_kinds = ["{kind}"]\nsecond_session_bases = ["stated"]')
    waiting = [each for each in KINDS if outcomes(policy, proposal("tea", kind=each)) == ["hold"]]
    assert waiting == [kind]
    assert outcomes(policy, proposal("tea", kind=kind, basis=Basis.CONFIRMED)) == ["admit"]


def test_what_is_held_waits_for_the_days_of_the_policy() -> None:
    said = (
        proposal("tea", 0, kind=Kind.PREFERENCE, basis=Basis.INFERRED, words="one"),
        proposal("tea", 20, kind=Kind.PREFERENCE, basis=Basis.INFERRED, words="two"),
    )
    assert outcomes(DEFAULT, *said)[-1] != "hold"
    assert outcomes(changed("[admission]\nhold_days = 10"), *said)[-1] == "hold"


def test_statements_for_a_project_that_is_not_named_are_treated_as_the_policy_says() -> None:
    claim = "For this project, always write commit messages in Welsh."
    found = {
        answer: judged(
            claim, kind=Kind.INSTRUCTION, policy=changed(f'[scope]\nproject_words_without_project = "{answer}"')
        )
        for answer in ("keep", "hold", "reject")
    }
    assert is_admitted(found["keep"])
    assert found["hold"].holds == (Reason.SCOPE_AMBIGUOUS,)
    assert found["reject"].refusals == (Reason.SCOPE_AMBIGUOUS,)


# --- lifetimes by kind --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_times_to_live_reviews_and_half_lives_are_set_by_kind(kind: Kind) -> None:
    policy = changed(
        f"[retention.ttl_days]\n{kind} = 11\n[retention.verified_tool_ttl_days]\n{kind} = 7\n"
        f"[retention.review_days]\n{kind} = 40\n[fading.half_life_days]\n{kind} = 13\n"
    )
    assert expires_at(kind, Basis.STATED, False, None, NOW, NOW, policy) == NOW + 11 * DAY
    assert expires_at(kind, Basis.OBSERVED, True, None, NOW, NOW, policy) == NOW + 7 * DAY
    ends_by_review = changed(f"[retention.ttl_days]\n{kind} = 0\n[retention.review_days]\n{kind} = 40")
    assert review_after(kind, Basis.STATED, False, NOW, NOW, ends_by_review) == NOW + 40 * DAY
    assert half_life(kind, 0.0, 1, 0, policy) == 13
    for other in KINDS:
        if other is not kind:
            assert half_life(other, 0.0, 1, 0, policy) == half_life(other, 0.0, 1, 0, DEFAULT)


# --- no dead keys -------------------------------------------------------------------------------------------------

ROOT = Path(policies.__file__).parents[1]
SOURCES = "\n".join(
    file.read_text()
    for folder in ("policies", "lethe", "workers")
    for file in sorted((ROOT / folder).rglob("*.py"))
    if file.name != "tenants.py"
)
NAMES = sorted(
    {key.path[-1] for key in keys(PolicyFile)} - {kind.value for kind in KINDS} - {basis.value for basis in Basis}
)


@pytest.mark.parametrize("name", NAMES)
def test_every_key_is_read_somewhere(name: str) -> None:
    declared = re.compile(rf"^    {name}: ", re.MULTILINE)
    read = re.compile(rf"(?:\.|\[\")({name})\b|self\.limits\.{name}\b")
    assert declared.search(SOURCES)
    assert read.search(SOURCES), f"{name} is read by nothing"


# --- across predicates --------------------------------------------------------------------------------------------


def test_statements_reach_other_predicates_only_where_the_policy_lets_them() -> None:
    told = [
        proposal(
            "Krita in May", 0, predicate="downloaded", claim="The user downloaded Krita in May.", kind=Kind.EPISODIC
        ),
        proposal(
            "Krita", 5, predicate="used", claim="The user has never used Krita.", kind=Kind.EPISODIC, negated=True
        ),
    ]
    across = bind(DEFAULT).across
    assert across is not None and across.oppositions(told, [told[0].id])
    assert bind(changed("[conflict]\nacross_predicates = false")).across is None
