"""Which memories consolidation takes for one, by their words alone: in doubt none."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest

from lethe.merging import Group, Mergeable, Refused, Sort, Wording
from lethe.records import Basis, Kind
from policies.merge_checks import check
from policies.merge_groups import relation

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def memory(claim: str, kind: Kind = Kind.SEMANTIC, **fields: Any) -> Mergeable:
    given: dict[str, Any] = {
        "id": uuid4(), "version": 1, "scope": ("t", "u", None, None), "kind": kind, "subject": "user", "predicate": "states",
        "object": claim.removeprefix("The user ").rstrip("."), "claim": claim, "negated": False, "basis": Basis.STATED,
        "verified": False, "confidence": 0.9, "session": "s", "observed_at": NOW,
    }  # fmt: skip
    return Mergeable(**{**given, **fields})


SIGNS = [
    ("The user keeps the cellar at -7 degrees.", "The user keeps the cellar at 7 degrees."),
    ("The user keeps the cellar at −7 degrees.", "The user keeps the cellar at 7 degrees."),
    ("The user wants uploads < 3 GB.", "The user wants uploads > 3 GB."),
    ("The user wants uploads ≤ 3 GB.", "The user wants uploads ≥ 3 GB."),
    ("The user has blood type O-.", "The user has blood type O."),
    ("The user has blood type O-.", "The user has blood type O+."),
    ("The user got a + mark in physics.", "The user got a - mark in physics."),
    ("The user codes in C++ at home.", "The user codes in C at home."),
    ("The user votes 👍 for sushi.", "The user votes 👎 for sushi."),
    ("The user votes 👍 for sushi.", "The user votes for sushi."),
    ("The user logs in as mia_k on Forge.", "The user logs in as mia k on Forge."),
    ("The user has a neighbour called कमल.", "The user has a neighbour called कमला."),
    ("The user has a neighbour called कमल.", "The user has a neighbour called कमली."),
]
CAPITALS = [
    ("The user keeps Turkey in mind.", "The user keeps turkey in mind."),
    ("The user likes Polish wax.", "The user likes polish wax."),
]
ORDER = [
    ("The user prefers rye to wheat.", "The user prefers wheat to rye."),
    ("The user prefers rye instead of wheat.", "The user prefers wheat instead of rye."),
    ("The user answers to Kaja, not Liv.", "The user answers to Liv, not Kaja."),
    ("The user votes for Kaja and against Liv.", "The user votes against Kaja and for Liv."),
    ("The user drinks not tea but coffee.", "The user drinks tea but not coffee."),
]
NARROWER = [
    ("The user takes 20 mg daily.", "The user takes 20 mg twice daily."),
    ("The user can have dairy.", "The user can have dairy in moderation."),
    ("The user can have dairy.", "The user can have dairy with Lactase."),
    ("The user drinks red wine.", "The user drinks red wine on Saturdays."),
    ("The user drinks red wine.", "The user drinks red wine in Spain."),
    ("The user drinks red wine.", "The user drinks red wine after work."),
    ("The user drinks red wine.", "The user drinks red wine and only on Saturdays."),
    ("The user drinks red wine.", "The user drinks red Rioja wine."),
    ("The user drinks red wine.", "The user drinks 2 red wines."),
    ("The user wants the assistant to always call the user.", "The user wants the assistant to always call the user about leaks."),
    ("The user wants the assistant to always call the user.", "The user wants the assistant to always call the user with Good News."),
    ("The user attends the standup.", "The user attends the Monday standup."),
]  # fmt: skip
FULLER = [
    ("The user uses VS Code.", "The user uses VS Code with the Vim plugin."),
    ("The user plays in a brass band.", "The user plays in the Elmwick brass band."),
    ("The user plays in the band.", "The user plays in the band with Odalys."),
    ("The user speaks Danish.", "The user speaks Danish and Thai."),
]


@pytest.mark.parametrize("kind", [Kind.SEMANTIC, Kind.INSTRUCTION, Kind.EPISODIC])
@pytest.mark.parametrize(("one", "other"), SIGNS + CAPITALS + ORDER + NARROWER)
def test_what_differs_in_a_sign_a_capital_the_order_or_a_bound_is_not_one(one: str, other: str, kind: Kind) -> None:
    for first, second in ((one, other), (other, one)):
        made = relation(memory(first, kind), memory(second, kind))
        assert made not in (Sort.SAME, Sort.REFINED, Sort.REPEATED)


@pytest.mark.parametrize(("plain", "fuller"), FULLER)
def test_what_names_or_describes_the_same_thing_is_a_refinement(plain: str, fuller: str) -> None:
    assert relation(memory(plain), memory(fuller)) is Sort.REFINED


def test_how_a_sign_is_drawn_is_no_difference() -> None:
    assert relation(memory("The user votes 👍 for sushi."), memory("The user votes 👍\ufe0f for sushi.")) is Sort.SAME


@pytest.mark.parametrize(
    ("claim", "lost"), [("The user votes 👎 for sushi.", "👎"), ("The user wants uploads < 3 GB.", "<")]
)
def test_a_sign_is_a_detail_that_no_output_may_lose(claim: str, lost: str) -> None:
    member = memory(claim)
    without = " ".join(claim.replace(lost, "").split())
    refusal = check(Group(Sort.NEAR, (member, member)), Wording(without, without, member), 500)
    assert refusal is not None and (refusal.reason, refusal.detail) == (Refused.LOST_DETAIL, lost)
