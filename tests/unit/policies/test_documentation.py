"""docs/policy.md says of every key what the shipped policy says."""

from __future__ import annotations

from pathlib import Path

from policies.documentation import HEADING, reference
from workers.wiring import default_text

PAGE = Path(__file__).parents[3] / "docs" / "policy.md"


def test_the_reference_of_the_page_is_the_one_of_the_file() -> None:
    page = PAGE.read_text()
    assert page[page.index(HEADING) :] == reference(default_text()), "run `make docs`"
