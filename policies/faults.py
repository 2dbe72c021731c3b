"""Faults of a policy file, each with the key that it is about and the line where that key stands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel

_HEADER = re.compile(r"^\s*\[\[?\s*([^\[\]#]+?)\s*\]\]?\s*(?:#.*)?$")
_ENTRY = re.compile(r"^\s*((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"|'[^']*'))*)\s*=")
_PART = re.compile(r"\"([^\"]*)\"|'([^']*)'|([\w-]+|\*)")
_PLACE = re.compile(r"\(at line (\d+), column \d+\)")
_BARE = re.compile(r"^(?:[\w-]+|\*)$")
_REACHES = re.compile(r"\"\"\"|'''")

Path = tuple[str, ...]
TOO_DEEP = "is nested too deeply to be a policy: no table or list of one is more than a few levels deep"


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. `key` is a dotted path; `line` counts from 1, None where the key does not stand in the file."""

    key: str
    message: str
    line: int | None = None

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line else ""
        return f"{place}{self.key}: {self.message}" if self.key else f"{place}{self.message}"


def syntax_fault(text: str, message: str) -> Fault:
    """The fault that a TOML parser met. It stops at the first, so there is one."""
    found = _PLACE.search(message)
    line = int(found.group(1)) if found else text.count("\n") + 1
    last = [path for path, at in lines_of_keys(text).items() if at <= line]
    said = _PLACE.sub("", message).removesuffix("(at end of document)").strip()
    return Fault(dotted(last[-1]) if last else "", f"is not valid TOML: {said}", line)


def describe(error: Mapping[str, Any], lines: Mapping[Path, int], model: type[BaseModel], within: Path = ()) -> Fault:
    """A fault from an error of pydantic. `within`: the table of the file that `model` is the content of."""
    path = tuple(str(part) for part in error["loc"] if not isinstance(part, int))
    return Fault(dotted((*within, *path)), _message(error, path, model), line_of((*within, *path), lines))


def lines_of_keys(text: str) -> dict[Path, int]:
    """The line of each key and table header."""
    lines: dict[Path, int] = {}
    table: Path = ()
    inside: str | None = None  # the delimiter of a string that runs over several lines
    for number, line in enumerate(text.split("\n"), start=1):
        if inside is None:
            if header := _HEADER.match(line):
                table = parts(header.group(1))
                lines.setdefault(table, number)
            elif entry := _ENTRY.match(line):
                lines.setdefault(table + parts(entry.group(1)), number)
        for mark in _REACHES.findall(line):
            inside = mark if inside is None else None if inside == mark else inside
    return lines


def parts(name: str) -> Path:
    """The parts of a dotted name, quoted ones without their quotes."""
    return tuple(next(filter(None, match.groups()), "") for match in _PART.finditer(name))


def dotted(path: Sequence[str]) -> str:
    """A path as TOML writes it."""
    return ".".join(part if _BARE.match(part) else f'"{part}"' for part in path)


def line_of(path: Path, lines: Mapping[Path, int]) -> int | None:
    """Where the key stands, or what holds it."""
    return next((lines[path[:end]] for end in range(len(path), 0, -1) if path[:end] in lines), None)


def _message(error: Mapping[str, Any], path: Path, model: type[BaseModel]) -> str:
    sort, said = error["type"], str(error["msg"]).removeprefix("Value error, ")
    if sort == "json_invalid":  # what TOML could hold JSON could, but for depth
        return TOO_DEEP
    if sort == "missing":
        return "is missing"
    if sort == "extra_forbidden":
        near = get_close_matches(path[-1], _keys(model, path[:-1]), n=1)
        return f"is no key that a policy has{f'; did you mean {dotted([*path[:-1], *near])}?' if near else ''}"
    if sort in ("value_error", "assertion_error"):
        return said
    said = said.removeprefix("Input should be ").removeprefix("Input ")
    return f"should be {said} (it is {_shown(error['input'])})"


def _shown(value: object) -> str:
    text = written(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def written(value: object) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(written, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _keys(model: type[BaseModel], path: Path) -> list[str]:
    """The keys that the table at this path may have."""
    here: Any = model
    for part in path:
        fields = {field.alias or name: field.annotation for name, field in here.model_fields.items()}
        here = fields.get(part)
        if here is None:
            return []
        if args := get_args(here):
            here = args[-1]
        if not (isinstance(here, type) and issubclass(here, BaseModel)):
            return []
    return [field.alias or name for name, field in here.model_fields.items()]
