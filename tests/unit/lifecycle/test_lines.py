"""Reading JSON lines: a bad line costs itself alone, and says what is wrong with it."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from lethe.lifecycle.lines import LONGEST_LINE, Fault, read
from lethe.records import ProposalIn, Turn

GOOD: dict[str, Any] = {
    "tenant": "acme", "user": "u", "session": "s", "turn": "t", "author": "user", "text": "I own a kayak.",
    "observed_at": "2026-02-01T09:42:00+01:00",
}  # fmt: skip


def line(**changes: Any) -> bytes:
    fields = {name: value for name, value in {**GOOD, **changes}.items() if value is not ...}
    return json.dumps(fields).encode() + b"\n"


def faults(raw: bytes) -> list[tuple[int, str]]:
    return [(item.line, item.code) for item in read(io.BytesIO(raw), Turn) if isinstance(item, Fault)]


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"{nonsense\n", "not_json"),
        (b"[1, 2]\n", "not_an_object"),
        (b"\xff\xfe{}\n", "not_utf8"),
        (b"[" * 100_000 + b"\n", "not_json"),
        (line(text=...), "field_missing"),
        (line(text=""), "text_empty"),
        (line(author="robot"), "author_unknown"),
        (line(observed_at="2026-02-01T09:42:00"), "naive_timestamp"),
        (line(observed_at="yesterday"), "timestamp_invalid"),
        (line(observed_at="2026-02-01T09:42:00+23:59"), "timestamp_invalid"),
        (line(observed_at=1769935320), "timestamp_invalid"),
        (line(observed_at=1769935320.5), "timestamp_invalid"),
        (line(observed_at="1769935320"), "timestamp_invalid"),
        (line(observed_at=True), "timestamp_invalid"),
        (line(user="  "), "value_invalid"),
        (line(turn="\u200b\t"), "value_invalid"),
        (line(observed_at="0001-01-01T00:00:00+14:00"), "timestamp_invalid"),
        (b'{"tenant": ' + b"1" * 5000 + b"}\n", "not_json"),
        (line(user=...), "scope_missing"),
        (line(colour="red"), "field_unknown"),
        (line(text="a\x00b"), "nul_byte"),
        (line(session="a\x00b"), "nul_byte"),
        (line(text="half \ud800 pair"), "lone_surrogate"),
        (line(tenant="x" * 201), "text_too_long"),
        (line(verified="perhaps"), "value_invalid"),
    ],
)
def test_each_sort_of_bad_line_has_its_code(raw: bytes, code: str) -> None:
    assert faults(line() + raw + line()) == [(2, code)]


def test_a_byte_order_mark_at_the_beginning_is_no_part_of_the_line() -> None:
    assert faults(b"\xef\xbb\xbf" + line() + b"\xef\xbb\xbf" + line()) == [(2, "not_json")]


def test_an_endless_line_is_refused_without_being_held_in_memory() -> None:
    found = list(read(io.BytesIO(line() + b"x" * (3 * LONGEST_LINE) + b"\n" + line()), Turn))
    assert isinstance(found[1], Fault)
    assert (found[1].line, found[1].code) == (2, "line_too_long")
    assert not isinstance(found[2], Fault)
    assert found[2][0] == 3


def test_empty_lines_are_passed_over_and_still_counted() -> None:
    assert faults(b"\n\n" + line() + b"oops\n") == [(4, "not_json")]


def test_a_message_never_quotes_the_value() -> None:
    (fault,) = [item for item in read(io.BytesIO(line(author="s3cret-robot")), Turn) if isinstance(item, Fault)]
    assert "s3cret" not in fault.message


def test_the_last_line_needs_no_line_break() -> None:
    assert len(list(read(io.BytesIO(line().rstrip()), Turn))) == 1


def test_a_proposal_is_checked_alike() -> None:
    raw = json.dumps({**GOOD, "kind": "semantic"}).encode()
    (fault,) = list(read(io.BytesIO(raw), ProposalIn))
    assert isinstance(fault, Fault)
    assert fault.code in ("field_missing", "field_unknown")
