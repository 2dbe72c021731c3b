"""Alembic's entry. Migrations wait briefly for locks and never run for long, so that a busy system is not held up."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import context

from lethe.store.tables import metadata


def include_object(thing: object, name: str | None, sort: str, reflected: bool, compare_to: object) -> bool:
    return not (sort == "table" and reflected and (name or "").startswith("vectors_"))


def run(connection: sa.engine.Connection) -> None:
    connection.execute(sa.text("set lock_timeout = '5s'"))
    connection.execute(sa.text("set statement_timeout = '10min'"))
    context.configure(connection=connection, target_metadata=metadata, include_object=include_object)
    with context.begin_transaction():
        context.run_migrations()


if given := context.config.attributes.get("connection"):
    run(given)
else:
    engine = sa.create_engine(context.config.get_main_option("sqlalchemy.url") or "", poolclass=sa.NullPool)
    with engine.connect() as own:
        run(own)
        own.commit()
