"""The tables' revision: which one they have, and which ones the program knows."""

from collections.abc import Sequence

from alembic.script import ScriptDirectory
from flask import current_app
from sqlalchemy import Connection, String, column, inspect, select, table

REVISION_TABLE = "alembic_version"
"""Where a database says its tables' revision; it may be there, and empty, without them."""


def current_revision(connection: Connection) -> str | None:
    """Return the revision of a database's tables, None where it has none."""
    # Alembic's own way of asking writes two lines into the log each time.
    if not inspect(connection).has_table(REVISION_TABLE):
        return None
    statement = select(column("version_num", String)).select_from(table(REVISION_TABLE))
    return connection.execute(statement).scalar()


def all_revisions() -> Sequence[str]:
    """Return the revisions that the program can make, the oldest first."""
    scripts = ScriptDirectory(current_app.extensions["migrate"].directory)
    return [script.revision for script in scripts.walk_revisions()][::-1]
