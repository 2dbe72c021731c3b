"""The default policy, for tests of ranking and recall."""

from __future__ import annotations

from importlib.resources import files

from policies.policy import parse

POLICY = parse(files("policies").joinpath("default.toml").read_text(), "default")
