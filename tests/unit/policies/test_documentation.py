"""docs/policy.md says of every key what the shipped policy says."""

from __future__ import annotations

import tomllib
from pathlib import Path

from policies.documentation import HEADING, reference
from policies.tenants import BOUNDS, LIMITS
from workers.wiring import default_text

PAGE = Path(__file__).parents[3] / "docs" / "policy.md"


def test_the_reference_of_the_page_is_the_one_of_the_file() -> None:
    page = PAGE.read_text()
    assert page[page.index(HEADING) :] == reference(default_text()), "run `make docs`"


def test_the_page_tells_of_every_sort_of_bound_and_lists_the_limits_that_ship() -> None:
    prose, _, tables = PAGE.read_text().partition(HEADING)
    assert [bound for bound in BOUNDS if f"`{bound}" not in prose] == []
    listed = tables[tables.index(f"### {LIMITS}") :]
    assert [key for key in tomllib.loads(default_text())[LIMITS] if f"| `{key}` |" not in listed] == []
