"""Which policies were in force: each version once, with its content, so that old decisions can be read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.store.database import transaction


def register(engine: Engine, bodies: Mapping[str, Mapping[str, Any]], now: datetime) -> None:
    """Keep the content of policy versions, {version: content}, when they are first used."""
    with transaction(engine) as connection:
        connection.execute(
            sa.text("""insert into policy_versions (version, body, first_used_at) values (:version, cast(:body as jsonb), :now)
            on conflict do nothing"""),
            [
                {"version": version, "body": json.dumps(dict(body)), "now": now}
                for version, body in sorted(bodies.items())
            ],
        )
