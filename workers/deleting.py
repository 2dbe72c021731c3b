"""What deletions reach in this instance, and the jobs `erase` and `verify`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lethe import clock
from lethe.endpoints import endpoints
from lethe.lifecycle.deletion import working
from lethe.lifecycle.deletion.requests import Reach
from lethe.settings import settings
from workers import parts

if TYPE_CHECKING:
    from workers.jobs import Order


def reach() -> Reach:
    """Everything that the eraser and the verifier have to look at."""
    where = endpoints(settings())
    servers = (where.broker_url, where.cache_url)
    return Reach(parts.engine(), parts.rules(), parts.keys(), settings().home, where.admin_url, servers)


def run_erase(order: Order) -> dict[str, Any]:
    """Erase and verify what is open."""
    return working.run_erase(reach(), order.now, order.tenant, order.dry_run, clock.now)


def run_verify(order: Order) -> dict[str, Any]:
    """Search again for what is erased and not verified yet."""
    return working.run_verify(reach(), order.now, order.tenant, order.dry_run, clock.now)
