"""The engine of a process, made on first use."""

from __future__ import annotations

from functools import lru_cache

from sqlalchemy.engine import Engine

from lethe.endpoints import endpoints
from lethe.settings import settings
from lethe.store.database import connect


@lru_cache(maxsize=1)
def engine() -> Engine:
    """Connections under the application's role."""
    return connect(endpoints(settings()).database_url)
