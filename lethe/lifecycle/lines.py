"""Reading JSON lines from a file or stream: each bad line is refused by itself, with its number and a code."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, TypeVar

from pydantic import BaseModel, ValidationError

LONGEST_LINE = 4 << 20
CODES = {
    "missing": "field_missing",
    "extra_forbidden": "field_unknown",
    "enum": "value_unknown",
    "timezone_aware": "naive_timestamp",
    "too_short": "text_empty",
    "too_long": "text_too_long",
    "datetime_parsing": "timestamp_invalid",
    "datetime_from_date_parsing": "timestamp_invalid",
    "datetime_type": "timestamp_invalid",
}
HINTS = {
    "naive_timestamp": "give the time with an offset, such as 2026-02-01T09:42:00+01:00",
    "timestamp_invalid": "give the time as ISO 8601 with an offset, such as 2026-02-01T09:42:00+01:00",
    "field_missing": "give this field",
    "field_unknown": "leave this field out; the contract does not know it",
}

Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Fault:
    """A line that cannot be used; lines count from 1."""

    line: int
    code: str
    message: str

    def as_dict(self) -> dict[str, Any]:
        return {"line": self.line, "code": self.code, "message": self.message}


def read(stream: BinaryIO, model: type[Model]) -> Iterator[tuple[int, Model] | Fault]:
    """Each line as (line, record) or as a Fault; empty lines are passed over. Memory stays bounded by the longest line."""
    for number, raw in _lines(stream):
        if raw is None:
            yield Fault(number, "line_too_long", f"The line is longer than {LONGEST_LINE} bytes; split it.")
        elif raw.strip():
            yield parse(number, raw.removeprefix(BOM_UTF8) if number == 1 else raw, model.model_validate)


def parse(number: int, raw: bytes, build: Callable[[Any], Model]) -> tuple[int, Model] | Fault:
    """One line as (line, record) or as a Fault."""
    try:
        found = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError:
        return Fault(number, "not_utf8", "The line is not valid UTF-8.")
    except (ValueError, RecursionError):
        return Fault(number, "not_json", "The line is not JSON; write one object a line.")
    if not isinstance(found, dict):
        return Fault(number, "not_an_object", "The line is JSON but no object.")
    try:
        return number, build(found)
    except ValidationError as fault:
        return Fault(number, *explain(fault))


def explain(fault: ValidationError) -> tuple[str, str]:
    """The code and a sentence for the first thing that is wrong; never the value, which may be private."""
    first = fault.errors(include_input=False, include_url=False)[0]
    place = ".".join(map(str, first["loc"]))
    message = first["msg"].removeprefix("Value error, ")
    if first["type"] == "value_error":
        code, _, rest = message.partition(": ")
        if code == "scope_missing":
            return code, f"{rest}."
        if code == "timestamp_invalid":
            return code, f"{place}: {rest}."
        code = "nul_byte" if "NUL" in message else "lone_surrogate" if "surrogate" in message else "value_invalid"
        return code, f"{place}: {message}."
    code = CODES.get(first["type"], "value_invalid")
    if code == "value_unknown" and place == "author":
        code = "author_unknown"
    if code == "text_too_long" and place == "recalled":
        code = "list_too_long"
    hint = HINTS.get(code)
    return code, f"{place}: {message}" + (f"; {hint}." if hint else ".")


def _lines(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """(number, bytes) of each line; None in place of one that is too long, which is read to its end and dropped."""
    number = 0
    while chunk := stream.readline(LONGEST_LINE + 1):
        number += 1
        if len(chunk) <= LONGEST_LINE or chunk.endswith(b"\n"):
            yield number, chunk
            continue
        while chunk and not chunk.endswith(b"\n"):
            chunk = stream.readline(LONGEST_LINE)
        yield number, None
