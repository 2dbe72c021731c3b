"""The reference part of docs/policy.md, made from the comments of default.toml: `python -m policies.documentation`."""

from __future__ import annotations

import json
import tomllib
from importlib.resources import files
from typing import Any

from policies.faults import lines_of_keys
from policies.tenants import LIMITS

HEADING = "## Every key"


def reference(text: str) -> str:
    """A Markdown table a section: key, default, meaning."""
    lines, parts, tree = text.split("\n"), [HEADING], tomllib.loads(text)
    section: tuple[str, ...] = ()
    for path, number in lines_of_keys(text).items():
        value = _at(tree, path)
        if isinstance(value, dict) and path[:-1] != (LIMITS,):
            section = path
            continue
        if not parts[-1].startswith(f"### {'.'.join(section)}\n"):
            parts.append(f"### {'.'.join(section)}\n\n| key | default | meaning |\n|---|---|---|")
        meaning = _comment_above(lines, number).replace("|", "\\|")
        parts[-1] += f"\n| `{path[-1]}` | `{_shown(value)}` | {meaning} |"
    return "\n\n".join(parts) + "\n"


def _comment_above(lines: list[str], number: int) -> str:
    """The comment that stands directly above line `number`, as one line."""
    found: list[str] = []
    at = number - 2
    while at >= 0 and lines[at].startswith("# "):
        found.insert(0, lines[at].removeprefix("# "))
        at -= 1
    return " ".join(found)


def _at(tree: dict[str, Any], path: tuple[str, ...]) -> Any:
    found: Any = tree
    for part in path:
        found = found[part]
    return found


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    print(reference(files("policies").joinpath("default.toml").read_text()), end="")
