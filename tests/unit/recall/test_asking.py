"""How a held claim is put to the person it is about."""

from __future__ import annotations

import pytest

from lethe.recall.asking import question


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("The user prefers rye bread.", "you prefer rye bread"),
        ("The user has two cats.", "you have two cats"),
        ("The user is vegan.", "you are vegan"),
        ("The user does not eat meat.", "you do not eat meat"),
        ("The user always watches the news.", "you always watch the news"),
        ("The user studies law.", "you study law"),
        ("The user's sister lives in Bonn.", "your sister lives in Bonn"),
        ("Anna likes the user.", "Anna likes you"),
        ("The user lives in the user's own boat.", "you live in your own boat"),
    ],
)
def test_the_user_is_addressed(claim: str, said: str) -> None:
    assert question(claim) == f"I can remember that {said}. Save it?"
