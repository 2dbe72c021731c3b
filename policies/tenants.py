"""What a tenant's section of the policy file may set: the keys that the operator's [tenant_limits] name, within their bounds.

A limit names a key, `*` standing for any one part of it: "retention.ttl_days.*" = { min = 1, max = 365 }. Numbers and words have
`min`, `max` and `one_of` (words in the order in which the reference lists them, the strictest last), lists have `within` and
`at_least`; `any = true` sets no bound. In the place of a bound, "policy" is what the operator's own file says of the key, which
is always allowed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from math import isfinite
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from policies.faults import Fault, Path, dotted, line_of, parts, written

LIMITS, SECTIONS = "tenant_limits", "tenants"
POLICY = "policy"
# What holds for the whole instance: one endpoint, one breaker, one rewriting of tables.
INSTANCE = (("deletion", "rewrite_below_mb"), ("llm",))
BUT = (("llm", "tokens_per_day"),)

Tree = Mapping[str, Any]
Sort = Literal["number", "word", "switch", "list"]
_FITTING: Mapping[Sort, frozenset[str]] = {
    "number": frozenset(["min", "max", "one_of", "any"]),
    "word": frozenset(["min", "max", "one_of", "any"]),
    "switch": frozenset(["one_of", "any"]),
    "list": frozenset(["within", "at_least", "any"]),
}
BOUNDS = tuple(sorted(frozenset().union(*_FITTING.values())))


@dataclass(frozen=True, slots=True)
class Key:
    """A key that a policy has. `words`: what it may say, where that is a closed list."""

    path: Path
    sort: Sort
    words: tuple[str, ...]

    def takes(self, value: Any) -> bool:
        """Is the value of the key's sort? (Everything else about it is the policy's own check.)"""
        sorts = {"number": (int, float), "word": (str,), "switch": (bool,), "list": (list,)}
        if isinstance(value, float) and not isfinite(value):
            return False
        return isinstance(value, sorts[self.sort]) and (self.sort == "switch" or not isinstance(value, bool))

    def rank(self, value: Any) -> Any:
        return self.words.index(value) if self.words else value


@dataclass(frozen=True, slots=True)
class Limit:
    """Bounds of the keys that `pattern` names."""

    pattern: Path
    bounds: Tree


def keys(model: type[BaseModel], path: Path = ()) -> Iterator[Key]:
    """Every key of the tables of `model`; a table under names of one's own has `*` in the name's place."""
    for name, field in model.model_fields.items():
        here, sort = (*path, field.alias or name), field.annotation
        if get_origin(sort) is dict:
            here, sort = (*here, "*"), get_args(sort)[-1]
        if isinstance(sort, type) and issubclass(sort, BaseModel):
            yield from keys(sort, here)
        else:
            yield Key(here, _sort(sort), _words(sort))


def limits(given: Any, known: Sequence[Key], ours: Tree, lines: Mapping[Path, int]) -> tuple[list[Limit], list[Fault]]:
    """The limits of a file, and what is wrong with them."""
    if not isinstance(given, dict):
        return [], [Fault(LIMITS, "should be a table of keys and bounds", line_of((LIMITS,), lines))]
    found, faults = [], []
    for name, bounds in given.items():
        limit = Limit(parts(name), bounds)
        if wrong := _wrong(limit, known, ours):
            faults.append(Fault(f"{LIMITS}.{dotted([name])}", wrong, line_of((LIMITS, name), lines)))
        else:
            found.append(limit)
    return found, faults


def beyond(
    tenant: str, section: Tree, known: Sequence[Key], allowed: Sequence[Limit], ours: Tree, lines: Mapping[Path, int]
) -> list[Fault]:
    """What a tenant's section sets and may not; keys that no policy has and values of another sort are left to the policy's check."""
    faults = []
    for path, value in leaves(section):
        key = next((key for key in known if _matches(key.path, path)), None)
        if key is None or not key.takes(value):
            continue
        where = (SECTIONS, tenant, *path)
        if wrong := _beyond(key, path, value, allowed, ours):
            faults.append(Fault(dotted(where), wrong, line_of(where, lines)))
    return faults


def leaves(tree: Tree, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Each value of a tree of tables with its path."""
    for name, value in tree.items():
        if isinstance(value, dict):
            yield from leaves(value, (*path, name))
        else:
            yield (*path, name), value


def at(tree: Tree, path: Path) -> Any:
    """The value at a path; None: there is none."""
    found: Any = tree
    for part in path:
        found = found.get(part) if isinstance(found, dict) else None
    return found


# --- limits -------------------------------------------------------------------------------------------------------


def _wrong(limit: Limit, known: Sequence[Key], ours: Tree) -> str | None:
    named = [key for key in known if _matches(limit.pattern, key.path)] or [
        key for key in known if _matches(key.path, limit.pattern)
    ]
    if not named:
        near = get_close_matches(dotted(limit.pattern), [dotted(key.path) for key in known], n=1)
        return f"names no key that a policy has{f'; did you mean {near[0]}?' if near else ''}"
    if whole := next((key for key in named if _is_instance(key.path)), None):
        return f"{dotted(whole.path)} holds for the whole instance; no tenant can have its own"
    if not isinstance(limit.bounds, dict) or not limit.bounds:
        return "needs bounds, such as { min = 1, max = 30 }, { one_of = [...] } or { any = true }"
    return next((wrong for key in named if (wrong := _unfit(key, limit.bounds, at(ours, key.path)))), None)


def _is_instance(path: Path) -> bool:
    return path not in BUT and any(path[: len(each)] == each for each in INSTANCE)


def _unfit(key: Key, bounds: Tree, ours: Any) -> str | None:
    """What is wrong with bounds of this key."""
    if strange := sorted(set(bounds) - _FITTING[key.sort]):
        return f"{strange[0]} is no bound of {dotted(key.path)}; it can have {', '.join(sorted(_FITTING[key.sort]))}"
    if bounds.get("any", True) is not True:
        return "any can only be true; leave the key out to forbid it"
    for name, bound in bounds.items():
        if name != "any" and bound != POLICY and not _is_bound(key, name, bound):
            return f"{name} should be {_expected(key, name)} (it is {written(bound)})"
    least, most = (ours if bounds.get(name) == POLICY else bounds.get(name) for name in ("min", "max"))
    fixed = POLICY not in (bounds.get("min"), bounds.get("max"))
    if fixed and least is not None and most is not None and key.rank(least) > key.rank(most):
        return f"min {written(least)} is above max {written(most)}"
    return None


def _is_bound(key: Key, name: str, bound: Any) -> bool:
    if name in ("min", "max"):
        return key.takes(bound) and (not key.words or bound in key.words)
    values = bound if isinstance(bound, list) else [None]
    if key.sort == "list":
        return all(isinstance(each, str) and (not key.words or each in key.words) for each in values)
    return all(key.takes(each) and (not key.words or each in key.words) for each in values)


def _expected(key: Key, name: str) -> str:
    one = " or ".join(f'"{word}"' for word in key.words) or {"number": "a number", "switch": "true or false"}.get(
        key.sort, "a text"
    )
    return f'{one if name in ("min", "max") else f"a list of {one}"}, or "{POLICY}"'


# --- sections -----------------------------------------------------------------------------------------------------


def _beyond(key: Key, path: Path, value: Any, allowed: Sequence[Limit], ours: Tree) -> str | None:
    limit = _limit_of(path, allowed)
    if limit is None:
        return f"is the operator's: [{LIMITS}] does not let a tenant set it"
    own = at(ours, path)
    if value == own or (key.words and key.sort == "word" and value not in key.words):
        return None
    for name, bound in limit.bounds.items():
        allows = own if bound == POLICY else bound
        if name != "any" and allows is not None and (wrong := _outside(key, name, allows, value)):
            return f"{wrong} (it is {written(value)}): [{LIMITS}] sets this"
    return None


def _limit_of(path: Path, allowed: Sequence[Limit]) -> Limit | None:
    """The limit of a key: one that names it alone stands above one that names several."""
    named = [limit for limit in allowed if _matches(limit.pattern, path)]
    return min(named, key=lambda limit: limit.pattern.count("*"), default=None)


def _outside(key: Key, name: str, bound: Any, value: Any) -> str | None:
    match name:
        case "min" if key.rank(value) < key.rank(bound):
            return f"may be {written(bound)} at the least" if not key.words else f"may be {_from(key, bound)}"
        case "max" if key.rank(value) > key.rank(bound):
            return f"may be {written(bound)} at the most"
        case "one_of" if value not in bound:
            return f"may be {' or '.join(map(written, bound))}"
        case "within" if more := [each for each in value if each not in bound]:
            return f"may not hold {', '.join(map(written, more))}"
        case "at_least" if less := [each for each in bound if each not in value]:
            return f"must hold {', '.join(map(written, less))}"
    return None


def _from(key: Key, bound: str) -> str:
    return " or ".join(f'"{word}"' for word in key.words[key.words.index(bound) :])


def _matches(pattern: Path, path: Path) -> bool:
    return len(pattern) == len(path) and all(one in ("*", other) for one, other in zip(pattern, path, strict=True))


def _sort(annotation: Any) -> Sort:
    if get_origin(annotation) is tuple:
        return "list"
    sorts = {annotation, *get_args(annotation)}
    if bool in sorts:
        return "switch"
    return "number" if sorts & {int, float} else "word"


def _words(annotation: Any) -> tuple[str, ...]:
    if get_origin(annotation) is Literal:
        return tuple(get_args(annotation))
    return next((words for part in get_args(annotation) if (words := _words(part))), ())
