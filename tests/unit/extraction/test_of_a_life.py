"""What is true of a life ever after is a fact, wherever its date stands; other deeds of the past are events."""

from __future__ import annotations

import pytest

from lethe.records import Cardinality, Kind
from tests.unit.extraction.saying import key, only


@pytest.mark.parametrize(
    "text",
    [
        "I was born on 2 June 1987.",
        "I was born in Tromsø.",
        "I was born in Tromsø on 2 June 1987.",
        "On 2 June 1987 I was born in Tromsø.",
        "I was born with one kidney.",
        "I was raised in Tromsø.",
        "I grew up with three sisters.",
        "I grew up speaking Kven.",
        "I have been diagnosed with asthma.",
        "I was diagnosed with asthma in 2019.",
        "In 2019 I was diagnosed with asthma.",
        "I got diagnosed with asthma last year.",
        "I was diagnosed as diabetic.",
        "I graduated in 2011.",
        "I graduated from Tromsø in 2011.",
        "I majored in geology.",
        "I earned a master's degree in geology.",
        "I got my PhD in 2015.",
        "I married Ketil in 2014.",
        "We got married on 3 May 2014.",
        "I was married to Ketil.",
        "I got divorced in 2020.",
        "I emigrated from Chile in 1998.",
        "I retired in 2020.",
        "My daughter was born on 2 June 2017.",
        "My sister was diagnosed with asthma in 2019.",
        "My cousin got married last week.",
    ],
)
def test_what_holds_of_a_life_is_semantic(text: str) -> None:
    found = only(text)
    assert found.kind is Kind.SEMANTIC
    assert found.expires_at is None


@pytest.mark.parametrize(
    "text",
    [
        "I bought a kayak in 2019.",
        "I visited Tromsø in 2019.",
        "I raised 500 euros for charity in May.",
        "I retired my old laptop in May.",
        "I diagnosed the boiler in May.",
        "I grew tomatoes last year.",
        "I named my boat Solveig.",
        "I got my bike fixed on Monday.",
        "I got promoted last month.",
        "Last month I got hurt.",
        "My rent was raised in May.",
    ],
)
def test_other_deeds_of_the_past_are_events(text: str) -> None:
    assert only(text).kind is Kind.EPISODIC


@pytest.mark.parametrize(
    ("text", "predicate", "value"),
    [
        ("I was born on 2 June 1987.", "born_on", "2 June 1987"),
        ("I was born on 2 June 1987 in Tromsø.", "born_on", "2 June 1987"),
        ("I was born in May.", "born_on", "May"),
        ("I was born in 1987.", "birth_year", "1987"),
        ("My birth year is 1987.", "birth_year", "1987"),
        ("I was born in Tromsø.", "born_in", "Tromsø"),
        ("I grew up in Tromsø.", "grew_up_in", "Tromsø"),
        ("I grew up in the 90s.", "grew_up_during", "90s"),
    ],
)
def test_the_time_of_a_birth_does_not_replace_its_place(text: str, predicate: str, value: str) -> None:
    found = only(text)
    assert key(found) == ("user", predicate, value)
    assert found.cardinality is Cardinality.SINGLE
