"""An agent's or a model's claim says of its turn what the turn says: of whom, with which polarity, as a fact, as of today."""

from __future__ import annotations

import pytest

from lethe.records import Reason
from tests.unit.policies.gate_cases import refusals


@pytest.mark.parametrize("maker", ["explicit", "by_model"])
@pytest.mark.parametrize(
    ("said", "claim", "value", "reason"),
    [
        ("My brother owns a castle.", "The user owns a castle.", "castle", Reason.THIRD_PARTY),
        ("My sister-in-law is allergic to nuts.", "The user is allergic to nuts.", "nuts", Reason.THIRD_PARTY),
        ("Ann owns a castle.", "The user owns a castle.", "castle", Reason.THIRD_PARTY),
        ("She owns a castle.", "The user owns a castle.", "castle", Reason.THIRD_PARTY),
        ("You own a castle.", "The user owns a castle.", "castle", Reason.THIRD_PARTY),
        ("I don't own a castle.", "The user owns a castle.", "castle", Reason.NOT_GROUNDED),
        ("I never eat meat.", "The user eats meat.", "meat", Reason.NOT_GROUNDED),
        ("I no longer live in Ulm.", "The user lives in Ulm.", "Ulm", Reason.NOT_GROUNDED),
        ("I hate golf.", "The user likes golf.", "golf", Reason.NOT_GROUNDED),
        ("I sold my castle.", "The user owns a castle.", "castle", Reason.NOT_GROUNDED),
        ("I quit the rowing club last year.", "The user is in the rowing club.", "rowing club", Reason.NOT_GROUNDED),
        ("I'd love to own a castle.", "The user owns a castle.", "castle", Reason.NOT_ASSERTED),
        ("I want to live in Ulm.", "The user lives in Ulm.", "Ulm", Reason.NOT_ASSERTED),
    ],
)
def test_what_the_turn_does_not_say_is_refused(said: str, claim: str, value: str, reason: Reason, maker: str) -> None:
    assert reason in refusals(claim, said, object=value, **{maker: True})


@pytest.mark.parametrize(
    ("said", "claim", "value", "fields"),
    [
        ("The one with rye bread again, please.", "The user prefers rye bread.", "rye bread", {}),
        ("Rye bread suits my brother and me.", "The user takes rye bread.", "rye bread", {}),
        ("Ulm is where my flat is.", "The user lives in Ulm.", "Ulm", {}),
        ("Ulm feels like home.", "The user feels at home in Ulm.", "Ulm", {}),
        ("I don't eat meat.", "The user does not eat meat.", "meat", {"negated": True}),
        ("I don't eat meat.", "The user avoids meat.", "meat", {}),
        ("I don't drive, but I own a bicycle.", "The user owns a bicycle.", "bicycle", {}),
        ("I sold my boat.", "The user sold a boat.", "boat", {}),
        ("I left Halden Paper to work for Lund Optics.", "The user works for Lund Optics.", "Lund Optics", {}),
        ("I want to learn Irish.", "The user wants to learn Irish.", "Irish", {}),
        ("I'd love a window seat.", "The user would love a window seat.", "window seat", {}),
        ("For my file: the boat sank, police said.", "The boat sank, police said.", "boat", {"subject": "boat"}),
        ("My brother owns a castle.", "The user's brother owns a castle.", "castle", {"subject": "user's brother"}),
    ],
)
def test_what_it_says_in_other_words_passes(said: str, claim: str, value: str, fields: dict[str, object]) -> None:
    assert refusals(claim, said, object=value, explicit=True, **fields) == ()
