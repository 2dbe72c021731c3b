"""Which claims touch a special category, and which only use its words."""

from __future__ import annotations

import pytest

from policies.sensitivity import sense

TOUCHES = [
    "The user has been sober for two years.",
    "The user is recovering from knee surgery.",
    "The user suffers from migraines.",
    "The user's father died of lung cancer.",
    "The user's wife is seven months pregnant.",
    "The user sees a psychiatrist every month.",
    "The user was hospitalised in March.",
    "The user has high cholesterol.",
    "The user takes 50 mg of sertraline.",
    "The user has a heart condition.",
    "The user is HIV positive.",
    "The user is in a wheelchair.",
    "The user's daughter has autism.",
    "The user broke a leg while skiing.",
    "The user is going through IVF.",
    "The user is a practising Muslim.",
    "The user's family is Jewish.",
    "The user prays five times a day.",
    "The user converted to Buddhism.",
    "The user doesn't believe in God.",
    "The user is bisexual.",
    "The user and his husband came out to their parents.",
    "The user is transgender.",
    "The user votes for Labour.",
    "The user is a member of the Green Party.",
    "The user is a socialist.",
    "The user joined the teachers' union.",
    "The user is a shop steward.",
    "The user's fingerprint template is stored at the gym.",
    "The user's DNA results show Irish ancestry.",
    "The user has ADHD.",
    "The user is on antidepressants.",
    "The user has an eating disorder.",
    "The user had a miscarriage.",
    "The user was diagnosed with lupus.",
]
ONLY_WORDS = [
    "The user works as a nurse in an oncology ward.",
    "The user volunteers at a hospice.",
    "The user runs a charity for cancer research.",
    "The user lives near the church.",
    "The user restores church organs.",
    "The user studies theology.",
    "The user works for the union of water boards.",
    "The user lives in the European Union.",
    "The user banks with a credit union.",
    "The user votes on the best film every year.",
    "The user supports Arsenal.",
    "The user writes about politics.",
    "The user is straightforward.",
    "The user goes straight home after work.",
    "The user drives straight to the coast.",
    "The user has a fingerprint reader on the laptop.",
    "The user is depressed about the weather in the novel he writes.",
    "The user likes Christian Bale films.",
    "The user's name is Christian.",
    "The user has a green party dress.",
    "The user hosts a party every year.",
    "The user prefers conservative estimates.",
    "The user uses liberal amounts of garlic.",
    "The user has a temple of records at home.",
    "The user plays the doctor in a play.",
    "The user is a heart surgeon.",
    "The user has a chronic love of puns.",
    "The user has a new prescription for glasses.",
    "The user owns a stroke-play golf trophy.",
    "The user has a bipolar junction transistor on the bench.",
    "The user fasts before long runs.",
    "The user's cat is pregnant.",
]


@pytest.mark.parametrize("claim", TOUCHES)
def test_a_special_category_is_seen(claim: str) -> None:
    assert sense(claim, "user").categories


@pytest.mark.parametrize("claim", ONLY_WORDS)
def test_the_words_alone_are_no_special_category(claim: str) -> None:
    assert not sense(claim, "user").categories


def test_the_category_is_named() -> None:
    assert sense("The user is gay.", "user").categories == {"sexuality"}
    assert sense("The user votes for the Greens.", "user").categories == {"politics"}
    assert sense("The user has asthma.", "user").categories == {"health"}


def test_an_allergy_and_a_diet_are_constraints() -> None:
    assert sense("The user is lactose intolerant.", "user").constraint
    assert sense("The user's son is allergic to wasps.", "the user's son").constraint
    assert not sense("The user likes rye bread.", "user").constraint


@pytest.mark.parametrize(
    ("claim", "subject", "related"),
    [
        ("The user has asthma.", "user", True),
        ("The user's sister has asthma.", "the user's sister", True),
        ("Tuva, the user's sister, has asthma.", "Tuva", True),
        ("Priya has asthma.", "Priya", False),
    ],
)
def test_consent_concerns_the_user_and_the_users_circle(claim: str, subject: str, related: bool) -> None:
    assert sense(claim, subject).related is related


@pytest.mark.parametrize(
    "word", ["H\u200bIV", "H\u0406V", "\uff28\uff29\uff36", "H\ufe0fIV", "H\u034fIV", "HI\u00adV", "d\u0456abetes"]
)
def test_characters_that_are_not_seen_or_look_alike_hide_nothing(word: str) -> None:
    assert sense(f"The user has {word}.", "user").categories == {"health"}
    assert sense(f"The mother has {word}.", "mot\u200bher").related
