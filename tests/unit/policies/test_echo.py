"""What counts as a repetition of a recalled memory, however it is worded, and what is news."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policies.echo import is_echo, likeness

CANOE = "The user takes the 6:15 canoe to work."
SAUNA = "The user built a sauna behind the summer house in 2021."


@pytest.mark.parametrize(
    "claim",
    [
        "The user takes the 6:15 canoe to work.",
        "I take the 6:15 canoe to work.",
        "Right, you take the 6:15 canoe to work.",
        "As you said, the 6:15 canoe is what the user takes to work.",
        "“You take the 6:15 canoe to work.”",
        "Canoe to work at 6:15: the user takes it.",
        "The user takes the canoe to work.",
    ],
)
def test_a_rewording_of_what_was_recalled_is_an_echo(claim: str) -> None:
    assert is_echo(claim, [SAUNA, CANOE], 0.8)


@pytest.mark.parametrize(
    "claim",
    [
        "The user takes the 8:10 canoe to work.",
        "The user no longer takes the 6:15 canoe to work.",
        "The user's sister takes the 6:15 canoe to work.",
        "The user takes the 6:15 canoe to work with Ines.",
        "The user takes the tram to work.",
        "The user likes herring.",
        "",
    ],
)
def test_a_change_of_number_name_person_or_polarity_is_news(claim: str) -> None:
    assert not is_echo(claim, [SAUNA, CANOE], 0.8)


def test_a_summary_of_several_recalled_memories_is_an_echo() -> None:
    assert is_echo("The user takes the canoe to work and built a sauna behind the house.", [CANOE, SAUNA], 0.8)
    assert not is_echo("The user takes the canoe to work and built a boat behind the house.", [CANOE, SAUNA], 0.8)


def test_nothing_is_an_echo_of_nothing() -> None:
    assert not is_echo(CANOE, [], 0.8)
    assert likeness(CANOE, SAUNA) < 0.3
    assert likeness(CANOE, CANOE) == 1.0


@given(
    st.lists(
        st.sampled_from(["canoe", "sauna", "boat", "herring", "tram", "choir", "garden"]), min_size=1, max_size=7
    ).map(" ".join)
)
def test_every_claim_that_says_something_is_an_echo_of_itself(claim: str) -> None:
    assert is_echo(claim, [claim], 1.0)
