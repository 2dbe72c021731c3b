"""The sign of a value belongs to it, the punctuation around it does not."""

from __future__ import annotations

import pytest

from lethe.extraction.values import canonical
from tests.unit.extraction.saying import only


@pytest.mark.parametrize("sign", ["-", "+", ""])
def test_a_value_keeps_its_sign(sign: str) -> None:
    assert only(f"My blood type is O{sign}.").object == f"O{sign}"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-7 degrees", "-7 degrees"),
        (".5 litres", ".5 litres"),
        ("- rye bread -", "rye bread"),
        ("rye-", "rye"),
        ("B-,", "B-"),
    ],
)
def test_a_dash_is_a_sign_only_at_a_number_or_a_short_value(text: str, value: str) -> None:
    assert canonical(text) == value
