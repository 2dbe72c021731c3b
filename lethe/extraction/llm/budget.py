"""The token budget of a tenant and day (UTC). Tokens are set aside before a call, so that workers at the same time cannot
overspend together, and settled with what the call used afterwards. What a dead worker set aside stays spent."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from lethe.extraction.llm.failures import BudgetExhausted
from lethe.store.database import tenant_transaction

LOOK_AGAIN = 900.0  # seconds; the operator may have raised the budget meanwhile


@dataclass(frozen=True, slots=True)
class SetAside:
    """Tokens of a tenant's day that one call holds."""

    tenant: str
    day: date
    tokens: int


def set_aside(engine: Engine, tenant: str, tokens: int, most: int, now: datetime) -> SetAside:
    """Set tokens of today aside; `most` 0: no limit. Raises BudgetExhausted where they go beyond it."""
    today = now.astimezone(UTC).date()
    with tenant_transaction(engine, tenant) as connection:
        taken = connection.execute(_TAKE, {"tenant": tenant, "day": today, "tokens": tokens, "most": most}).first()
    if taken is None:
        fault = BudgetExhausted("The tenant has used its tokens of the day.")
        fault.after = min(LOOK_AGAIN, _until_tomorrow(now))
        raise fault
    return SetAside(tenant, today, tokens)


def settle(connection: Connection, held: SetAside, used: int) -> None:
    """Put what was used in the place of what was set aside."""
    named = {"tenant": held.tenant, "day": held.day, "difference": used - held.tokens}
    connection.execute(_SETTLE, named)


def give_back(engine: Engine, held: SetAside) -> None:
    """Nothing was sent: the tokens are free again."""
    with tenant_transaction(engine, held.tenant) as connection:
        settle(connection, held, 0)


def used_today(engine: Engine, tenant: str, now: datetime) -> int:
    """Tokens that the tenant has used today, those of running calls included."""
    with tenant_transaction(engine, tenant) as connection:
        found = connection.execute(_USED, {"tenant": tenant, "day": now.astimezone(UTC).date()}).scalar()
    return int(found or 0)


def estimated_tokens(text: str) -> int:
    """About how many tokens a text has: one for four bytes of English; other scripts take more bytes a letter and more
    tokens."""
    return len(text.encode()) // 4 + 1


def _until_tomorrow(now: datetime) -> float:
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return (midnight - now).total_seconds()


_TAKE = sa.text("""
insert into llm_budget as b (tenant, day, tokens)
select :tenant, :day, :tokens where :most = 0 or :tokens <= :most
on conflict (tenant, day) do update set tokens = b.tokens + excluded.tokens
  where :most = 0 or b.tokens + excluded.tokens <= :most
returning tokens
""")
_SETTLE = sa.text("""
update llm_budget set tokens = greatest(0, tokens + :difference) where tenant = :tenant and day = :day
""")
_USED = sa.text("select tokens from llm_budget where tenant = :tenant and day = :day")
