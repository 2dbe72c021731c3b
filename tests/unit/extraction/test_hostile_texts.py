"""Texts made to be slow to read: whatever is repeated, reading costs about as much a character as before."""

from __future__ import annotations

import itertools
import time

import pytest

from lethe.authorship import blocks, passages, strictly
from policies.privilege import privilege
from policies.secrets import redact
from tests.unit.policies.across_cases import became, states

REPEATED = {
    "blank lines set in": "\n    ",
    "words that ask": "now, ",
    "requests": "translate this text ",
    "attributions": "Ann told me ",
    "speakers": "Ann: hi\n",
    "greetings of letters": "Dear Ann,\n",
    "tags left open": "<a> ",
    "brackets left open": "[b] ",
    "braces left open": "{{",
    "environments left open": "\\begin{a}",
    "blocks left open": "<<<\n",
    "fences": "```\ncode\n",
    "quotation marks": '"I said ',
    "apostrophes": "'a ",
    "roles": "please let's ",
    "spoken secrets": "my password is ",
    "digits": "1",
    "encoded text": "QUJD",
    "amounts": "went up to 5 euros on 5 May, ",
    "denials": "never met Ann and ",
}
NUMBERS = itertools.count()  # so that none was read before


def statements(text: str) -> None:
    """What two statements of one owner say about each other."""
    said = ((predicate, f"The user {text} ({next(NUMBERS)})") for predicate in ("budget", "has_budget"))
    states(*(became(predicate, text, day, claim) for day, (predicate, claim) in enumerate(said)))


READERS = {"extractor": passages, "gate": strictly, "secrets": redact, "grants": privilege, "statements": statements}
SHORT, TIMES = 2_000, 5
QUADRATIC = TIMES * TIMES * 0.7
NOTHING = 0.02  # seconds; below it the clock says nothing


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("repeated", REPEATED)
def test_a_longer_text_costs_in_proportion(repeated: str, reader: str) -> None:
    text = REPEATED[repeated] * (SHORT // len(REPEATED[repeated]))
    short, long = (_seconds(reader, each) for each in (text, text * TIMES))
    assert long < max(short, NOTHING) * QUADRATIC


def _seconds(reader: str, text: str) -> float:
    """Processor time of the fastest of three."""
    taken = []
    for _ in range(3):
        for cache in (passages, strictly, blocks, privilege):
            cache.cache_clear()
        began = time.process_time()
        READERS[reader](text)
        taken.append(time.process_time() - began)
    return min(taken)
