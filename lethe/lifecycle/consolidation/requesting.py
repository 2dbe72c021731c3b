"""Consolidation that a person asks for, and the one that a schedule does."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from uuid import UUID

import sqlalchemy as sa

from lethe.ids import shown
from lethe.lifecycle.consolidation import anew, listing, running, writing
from lethe.lifecycle.consolidation.finding import Asked
from lethe.lifecycle.consolidation.running import Plan
from lethe.lifecycle.forgetting.running import NOTHING, Done, Run, ask, asks_first
from lethe.store import due
from lethe.store.database import tenant_transaction


def on_request(plan: Plan, asked: Asked, since_version: str | None = None) -> listing.Document:
    """Consolidate now; what `lethe consolidate` prints. A run that found nothing is written down, too."""
    taken: list[anew.Taken] = []
    supposed = None
    if since_version is not None:
        taken = anew.to_take_apart(plan.engine, asked, since_version, plan.rules, plan.transform)
        if plan.dry_run:
            supposed = anew.supposed(taken)
        else:
            anew.begin_anew(plan.engine, asked, taken, plan.rules, plan.now)
    outcome = running.consolidate(plan, asked, supposed)
    if not plan.dry_run:
        run = writing.RunOf(asked.tenant, outcome.consolidation, plan.rules, plan.transform, plan.actor, plan.now)
        with tenant_transaction(plan.engine, asked.tenant) as connection:
            writing.write_run(connection, run)
    return listing.document(plan.engine, asked.tenant, outcome, taken, plan.transform, dry_run=plan.dry_run)


def nightly(run: Run, tenant: str, _gone: Mapping[UUID, UUID] = NOTHING) -> Done:
    """One tenant's changes since the last run; nothing where the process was given no model. Raises NotRunning where the model
    does not answer."""
    done = Done()
    if run.embedder is None or not run.rules.merging.enabled:
        return done
    with tenant_transaction(run.engine, tenant) as connection:
        seen = due.marks(connection, tenant, due.CONSOLIDATE, run.now)
    plan = Plan(
        run.engine, run.rules, run.embedder, min(run.now, run.passed), run.actor, run.dry_run,
        lambda count, of: asks_first(run, count, of),
    )  # fmt: skip
    outcome = running.consolidate(plan, Asked(tenant))
    done.due = outcome.looked_at
    done.changed.update(outcome.counts())
    if run.dry_run:
        for each in outcome.made:
            for member in each.group.members if each.refusal is None else ():
                done.would.append(
                    {
                        "tenant": tenant,
                        "memory": shown("mem", member.id),
                        "change": "consolidated",
                        "reason": each.group.sort,
                    }
                )
        return done
    with tenant_transaction(run.engine, tenant) as connection:
        for owner, count, of in outcome.asks:
            row = connection.execute(_OWNER, {"tenant": tenant, "owner": owner}).one()
            done.asks.append(ask("consolidate", tenant, row, count, of))
        named = {"tenant": tenant, "again": max(run.passed, run.now) + due.DAY}
        following = partial(due.earliest, connection, _LEFT, named)
        due.settle(connection, tenant, due.CONSOLIDATE, seen, run.passed, following)
    return done


_OWNER = sa.text("select owner, user_id, project, task from owners where tenant = :tenant and owner = :owner")
_LEFT = sa.text("select cast(:again as timestamptz) where exists (select from unconsolidated where tenant = :tenant)")
