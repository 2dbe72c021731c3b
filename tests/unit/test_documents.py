"""What the documents list is what there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from lethe.records import ProposalIn, Reason, Turn

TURNS = (Path(__file__).parents[2] / "docs" / "turns.md").read_text()


def section(title: str) -> set[str]:
    """The words in code type of the first column of a section's table."""
    text = TURNS.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]
    first = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return set(re.findall(r"`(\w+)`", " ".join(first)))


def test_every_reason_is_explained() -> None:
    assert section("Reasons") == {reason.value for reason in Reason}


@pytest.mark.parametrize(("title", "model"), [("A turn", Turn), ("A proposal", ProposalIn)])
def test_every_field_is_explained(title: str, model: type[BaseModel]) -> None:
    assert section(title) == set(model.model_fields)
