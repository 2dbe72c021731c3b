"""GDPRbench's mixes on our operations, small: eight clients at once, and no answer that differs from what must be seen."""

from __future__ import annotations

import random

import pytest

from lethe.bench import gdpr
from lethe.client.client import Lethe


@pytest.mark.parametrize("mix", list(gdpr.MIXES))
def test_every_answer_is_right_under_eight_clients(client: Lethe, mix: str) -> None:
    found = gdpr.run(client, mix, operations=48, seed=random.randrange(10**6), people=1)
    assert (found["answers_wrong"], found["first_wrong"]) == (0, "none")
    assert found["answers_checked"] >= 48
    if "delete" in gdpr.MIXES[mix]:
        assert found["deletions_verified"] > 0
