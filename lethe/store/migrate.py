"""Bring a database to the newest schema, under the owner's role."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from lethe.store.database import driver_url

SCRIPTS = Path(__file__).parent / "migrations"
LOCK = 0x6C65746865  # "lethe"


def config(url: str) -> Config:
    """Alembic's configuration, without a file of its own."""
    made = Config()
    made.set_main_option("script_location", str(SCRIPTS))
    made.set_main_option("sqlalchemy.url", driver_url(url).replace("%", "%%"))
    return made


def upgrade(admin_url: str, application_role: str) -> None:
    """Run what is missing, one caller at a time, and let the application role read and write rows (nothing more)."""
    engine = sa.create_engine(driver_url(admin_url), poolclass=sa.NullPool)
    with engine.connect() as connection:
        connection.execute(sa.text("select pg_advisory_lock(:lock)"), {"lock": LOCK})
        connection.commit()
        try:
            made = config(admin_url)
            made.attributes["connection"] = connection
            command.upgrade(made, "head")
            connection.execute(sa.text(_grants(application_role)))
            connection.commit()
        finally:
            connection.rollback()
            connection.execute(sa.text("select pg_advisory_unlock(:lock)"), {"lock": LOCK})
            connection.commit()
    engine.dispose()


def _grants(role: str) -> str:
    quoted = '"' + role.replace('"', '""') + '"'
    return f"""
grant usage on schema public to {quoted};
grant select, insert, update, delete on all tables in schema public to {quoted};
grant usage on all sequences in schema public to {quoted};
revoke insert, update, delete on alembic_version from {quoted};
"""


def is_current(url: str) -> bool:
    """Does the database have the newest schema? Asked under the application's role, which may only look."""
    from alembic.script import ScriptDirectory

    engine = sa.create_engine(driver_url(url), poolclass=sa.NullPool)
    try:
        with engine.connect() as connection:
            found = connection.execute(sa.text("select version_num from alembic_version")).scalar()
    except sa.exc.ProgrammingError:
        return False
    finally:
        engine.dispose()
    return found == ScriptDirectory.from_config(config(url)).get_current_head()
