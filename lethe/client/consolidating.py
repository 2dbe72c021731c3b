"""The part of the client by which ops merge memories and take merges back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy.engine import Engine

from lethe import clock
from lethe.rules import Rules
from lethe.settings import Settings


class Consolidating:
    """Consolidate, list the runs, revert. The model is that of the local process."""

    engine: Engine
    rules: Rules
    settings: Settings

    def consolidate(
        self,
        *,
        tenant: str,
        user: str | None = None,
        project: str | None = None,
        dry_run: bool = False,
        since_version: str | None = None,
        tick: Callable[[int, int], None] = lambda done, of: None,
    ) -> dict[str, Any]:
        """Merge what says one thing among what changed: {"consolidation", "groups": [{"inputs", "output", "refused", …}]}.

        `since_version`: take apart what was merged since this policy or transform version came into use, and look at
        everything again. `tick` is told how many changed memories were looked at, of how many.
        """
        from lethe.lifecycle.consolidation.finding import Asked
        from lethe.lifecycle.consolidation.requesting import on_request
        from lethe.lifecycle.consolidation.running import Plan
        from lethe.web.embedding import LocalEmbedder

        embedder = LocalEmbedder(self.settings)
        plan = Plan(self.engine, self.rules.of(tenant), embedder, clock.now(), "operator", dry_run, tick=tick)
        return on_request(plan, Asked(tenant, user, project, again=True), since_version)

    def consolidations(self, *, tenant: str) -> dict[str, Any]:
        """{"consolidations": [{"consolidation", "at", "groups", …}]}: every run, with its versions, inputs and outputs."""
        from lethe.lifecycle.consolidation.listing import consolidations

        return consolidations(self.engine, tenant)

    def revert(self, *, tenant: str, consolidation: str) -> dict[str, Any]:
        """Take a run back: {"restored", "withdrawn", "not_restored": [{"memory", "why"}]}."""
        from lethe.lifecycle.consolidation.reverting import revert

        return revert(self.engine, tenant, consolidation, self.rules.of(tenant), clock.now())
