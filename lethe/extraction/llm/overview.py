"""What `lethe status` tells of the model's extractor: its breaker, what waits and why, and whose budget is used up."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.extraction.llm.budget import used_today
from lethe.extraction.llm.extractor import LlmExtractor
from lethe.extraction.llm.failures import BudgetExhausted
from lethe.store.database import transaction

MOST_TENANTS = 20


def overview(engine: Engine, extractor: LlmExtractor, now: datetime) -> dict[str, Any]:
    """{"name", "endpoint", "breaker": {"state", "failures", "failure", "open_until"}, "waiting": [{"failure", "turns",
    "tenants"}], "budget": {"tokens_per_day", "exhausted": [{"tenant", "used"}]}}."""
    with transaction(engine) as connection:
        waiting = [dict(row) for row in connection.execute(_WAITING).mappings()]
        named = {"failure": BudgetExhausted.code, "most": MOST_TENANTS}
        spent = list(connection.execute(_TENANTS, named).scalars())
    return {
        "name": extractor.name,
        "endpoint": extractor.breaker.endpoint,
        "breaker": extractor.breaker.state(engine, now),
        "waiting": waiting,
        "budget": {
            "tokens_per_day": extractor.limits.tokens_per_day,
            "exhausted": [{"tenant": tenant, "used": used_today(engine, tenant, now)} for tenant in spent],
        },
    }


_WAITING = sa.text("""
select failure, count(*) as turns, count(distinct tenant) as tenants from work
where stage = 'extract' and quarantined_at is null and failure is not null group by 1 order by 1
""")
_TENANTS = sa.text("""
select distinct tenant from work
where stage = 'extract' and quarantined_at is null and failure = :failure order by 1 limit :most
""")
