"""Alembic revisions: that of the database's tables, and those of the program."""

from collections.abc import Sequence

from alembic.script import ScriptDirectory
from flask import current_app
from sqlalchemy import Connection, String, column, inspect, select, table

REVISION_TABLE = "alembic_version"
"""Alembic's table; it can exist and be empty in a database without our tables."""


def current_revision(connection: Connection) -> str | None:
    """Return the revision of a database's tables, None without any."""
    # Alembic's MigrationContext writes two lines to the log each time.
    if not inspect(connection).has_table(REVISION_TABLE):
        return None
    statement = select(column("version_num", String)).select_from(table(REVISION_TABLE))
    return connection.execute(statement).scalar()


def all_revisions() -> Sequence[str]:
    """Return the revisions of the migration scripts, oldest first."""
    scripts = ScriptDirectory(current_app.extensions["migrate"].directory)
    return [script.revision for script in scripts.walk_revisions()][::-1]


def is_modelled(_object: object, name: str | None, *_: object) -> bool:
    """Tell Alembic whether the models describe a table or index; those of searches aren't.

    Without it `flask db migrate` would drop them.
    """
    return "_search" not in (name or "") and not (name or "").endswith("_trigram")
