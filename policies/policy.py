"""The policy: every threshold, half-life, time to live, quota and switch, read from one TOML file.

`parse` raises `PolicyFault` with every fault of the file, each with the key that it is about and its line.
docs/policy.md explains the keys; policies/default.toml sets each of them.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, TypedDict

from pydantic import Field, ValidationError

from lethe.errors import PolicyFault
from lethe.records import Author, Basis, Cardinality, Kind, Proposal, Sensitivity
from policies import tenants
from policies.faults import TOO_DEEP, Fault, Path, describe, dotted, line_of, lines_of_keys, syntax_fault, written
from policies.sections import PolicyFile


class Policy(PolicyFile):
    """A policy in force. `version` names the file and a hash of what it says: "default@3fa9c1".

    `tenants`: what holds for those with a section of their own, as whole policies: "default@3fa9c1+91bb02". `overrides`: of
    such a policy, the keys that the tenant's section sets.
    """

    name: str
    version: str
    tenants: dict[str, Policy] = Field(default_factory=dict)
    overrides: tuple[str, ...] = ()

    def of(self, tenant: str) -> Policy:
        """What holds for a tenant; this policy where the tenant has no section that says otherwise."""
        return self.tenants.get(tenant, self)

    def as_toml_dict(self) -> dict[str, Any]:
        """The content as plain values, in the order of the file."""
        ours = {"name", "version", "tenants", "overrides"}
        return self.model_dump(mode="json", by_alias=True, exclude=ours, exclude_none=True)

    def written(self) -> list[tuple[str, str]]:
        """Each key with its value, as TOML writes them."""
        return [(dotted(path), written(value)) for path, value in tenants.leaves(self.as_toml_dict())]

    def cardinality(self, predicate: str) -> Cardinality | None:
        """What the policy says of the predicate; None: nothing. What a tool is the authority on has one value at a time."""
        rule = self.predicates.get(predicate)
        if rule and rule.cardinality:
            return Cardinality(rule.cardinality)
        if predicate in self.conflict.single_valued:
            return Cardinality.SINGLE
        if predicate in self.conflict.many_valued:
            return Cardinality.MANY
        return Cardinality.SINGLE if self.is_authoritative(predicate) else None

    def is_high_consequence(self, predicate: str) -> bool:
        """Does a conflict about this predicate go to review?"""
        rule = self.predicates.get(predicate)
        if rule and rule.consequence:
            return rule.consequence == "high"
        return predicate in self.conflict.high_consequence

    def is_authoritative(self, predicate: str) -> bool:
        """Is a verified tool the authority about this predicate, above what a person says?"""
        rule = self.predicates.get(predicate)
        if rule and rule.authoritative is not None:
            return rule.authoritative
        return predicate in self.conflict.authoritative

    def needs_second_session(self, proposal: Proposal) -> bool:
        """Must another session say the same before this is kept? What a tool vouched for needs no second one."""
        if proposal.author is Author.TOOL and proposal.verified:
            return False
        return (
            proposal.kind.value in self.stability.second_session_kinds
            and proposal.basis.value in self.stability.second_session_bases
        )

    def hold_for(self) -> timedelta:
        """How long a held proposal waits, between times of observation."""
        return timedelta(days=self.admission.hold_days)

    def confidence(self, basis: Basis, stated: float, independent: int) -> float:
        """Confidence of a memory in 0..1: the proposal's own, at most the prior of its basis; every further independent
        piece of evidence closes `gain` of what is missing to `most`."""
        start = min(stated, float(getattr(self.confidence_rules.prior, basis.value)))
        rules = self.confidence_rules
        missing = max(0.0, rules.most - start) * (1 - rules.gain) ** max(0, independent - 1)
        return round(max(start, rules.most - missing), 4)

    def uses(self, kind: Kind, sensitivity: Sensitivity) -> tuple[str, ...]:
        """What a memory of this kind may be used for."""
        return tuple(getattr(getattr(self.allowed_uses, sensitivity.value), kind.value, ()))


class _Row(TypedDict):
    line: int | None
    key: str
    message: str


def parse(text: str, name: str, base: str = "") -> Policy:
    """The policy that a file's text means. `base`: text of a complete file whose keys stand where `text` has none.

    Raises PolicyFault with every fault, one a line: "line 12: recall.k: must be at most 200 (it is 500)".
    """
    content, found = _read(text, base)
    if content is None:
        raise PolicyFault(f"{name}: " + "\n".join(map(str, found)))
    version = f"{name}@{_hash(content.file)}"
    own = {
        tenant: _policy(section.file, name, f"{version}+{_hash(section.file)}", overrides=section.keys)
        for tenant, section in content.tenants.items()
        if section.file != content.file
    }
    return _policy(content.file, name, version, tenants=own)


def _policy(content: PolicyFile, name: str, version: str, **more: Any) -> Policy:
    values = {field.alias or key: getattr(content, key) for key, field in PolicyFile.model_fields.items()}
    return Policy(name=name, version=version, **values, **more)


def _hash(content: PolicyFile) -> str:
    canonical = json.dumps(content.model_dump(mode="json"), sort_keys=True)
    return hashlib.sha256(canonical.encode()).hexdigest()[:6]


def faults(text: str, base: str = "") -> list[_Row]:
    """Every fault of a file's text; none: `parse` takes it."""
    return [{"line": each.line, "key": each.key, "message": each.message} for each in _read(text, base)[1]]


@dataclass(frozen=True, slots=True)
class _Content:
    """What a file says: of everybody, and of each tenant with a section, which keys that section sets."""

    file: PolicyFile
    keys: tuple[str, ...] = ()
    tenants: Mapping[str, _Content] = field(default_factory=dict)


def _read(text: str, base: str) -> tuple[_Content | None, list[Fault]]:
    try:
        return _content(text, base)
    except RecursionError:
        return None, [Fault("", TOO_DEEP)]


def _content(text: str, base: str) -> tuple[_Content | None, list[Fault]]:
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        return None, [syntax_fault(text, str(fault))]
    lines = lines_of_keys(text)
    below = tomllib.loads(base)
    limits = tree.pop(tenants.LIMITS, below.pop(tenants.LIMITS, {}))  # a file's own limits stand for all of those below
    given = tree.pop(tenants.SECTIONS, {})
    ours = _over(below, tree)
    content, found = _validated(ours, lines)
    known = list(tenants.keys(PolicyFile))
    allowed, wrong = tenants.limits(limits, known, ours, lines)
    found += wrong
    own: dict[str, _Content] = {}
    if not isinstance(given, dict):
        found.append(Fault(tenants.SECTIONS, "should be a table for each tenant", line_of((tenants.SECTIONS,), lines)))
    elif content is not None:
        for tenant, section in given.items():
            made, wrong = _section(tenant, section, allowed, known, ours, lines)
            found += wrong
            if made is not None:
                own[tenant] = made
    return (None if content is None or found else _Content(content, tenants=own)), found


def _section(
    tenant: str,
    section: Any,
    allowed: list[tenants.Limit],
    known: list[tenants.Key],
    ours: dict[str, Any],
    lines: Mapping[Path, int],
) -> tuple[_Content | None, list[Fault]]:
    """A tenant's section over the operator's keys, and what is wrong with it."""
    where = (tenants.SECTIONS, tenant)
    if not isinstance(section, dict) or not tenant:
        return None, [Fault(dotted(where), "should be a table under a tenant's name", line_of(where, lines))]
    content, found = _validated(_over(ours, section), lines, where)
    found += tenants.beyond(tenant, section, known, allowed, ours, lines)
    keys = tuple(dotted(path) for path, _ in tenants.leaves(section))
    return (None if content is None else _Content(content, keys)), found


def _validated(
    tree: dict[str, Any], lines: Mapping[Path, int], within: Path = ()
) -> tuple[PolicyFile | None, list[Fault]]:
    try:
        return PolicyFile.model_validate_json(json.dumps(tree, default=str), strict=True), []
    except ValidationError as invalid:
        return None, [describe(error, lines, PolicyFile, within) for error in invalid.errors(include_url=False)]


def _over(base: dict[str, Any], top: dict[str, Any]) -> dict[str, Any]:
    """Tables are merged key by key; any other value of `top` stands for the one below it."""
    merged = dict(base)
    for key, value in top.items():
        below = merged.get(key)
        merged[key] = _over(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return merged
