"""The running release, and the Alembic revisions of the database's tables and of the program.

Revisions are read without Alembic, which no worker needs otherwise.
"""

import logging
import re
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from flask import Flask
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import Connection, String, column, inspect, select, table
from werkzeug.local import LocalProxy

VERSION = version("quartermaster")
"""The number in setup.cfg, which `flask version`, the API description and backups show."""

MIGRATIONS = Path(__file__).resolve().parent.parent / "migrations"

REVISION_TABLE = "alembic_version"
"""Alembic's table; it can exist and be empty in a database without our tables."""

_SEARCH = re.compile(r"_search(_(data|idx|content|docsize|config))?$|_trigram$")
"""Names of indexes of trigrams: tables in SQLite, with tables of their own, indexes elsewhere."""

_ASSIGNMENT = re.compile(r'^(revision|down_revision) = (?:"(\w+)"|None)$', re.MULTILINE)


def init_app(app: Flask, db: SQLAlchemy) -> None:
    """Let Flask-Migrate set itself up when it is first used: Alembic is imported with it."""

    def migrate() -> object:
        from flask_migrate import Migrate

        Migrate(app, db, directory=str(MIGRATIONS), render_as_batch=False)
        return app.extensions["migrate"]

    app.extensions["migrate"] = LocalProxy(migrate)
    # It names each of its plugins when it is imported.
    logging.getLogger("alembic.runtime.plugins").setLevel(logging.WARNING)


def current_revision(connection: Connection) -> str | None:
    """Return the revision of a database's tables, None without any."""
    # Alembic's MigrationContext writes two lines to the log each time.
    if not inspect(connection).has_table(REVISION_TABLE):
        return None
    statement = select(column("version_num", String)).select_from(table(REVISION_TABLE))
    return connection.execute(statement).scalar()


def all_revisions() -> Sequence[str]:
    """Return the revisions of the migration scripts, oldest first."""
    following = dict(map(_down_revision_and_revision, MIGRATIONS.glob("versions/*.py")))
    revisions: list[str] = []
    revision = following.get(None)
    while revision is not None:
        revisions.append(revision)
        revision = following.get(revision)
    return tuple(revisions)


def _down_revision_and_revision(script: Path) -> tuple[str | None, str]:
    values = dict(_ASSIGNMENT.findall(script.read_text()))
    return values["down_revision"] or None, values["revision"]


def is_modelled(_object: object, name: str | None, *_: object) -> bool:
    """Return whether models describe a table or index, for `flask db migrate`; not for searches."""
    return _SEARCH.search(name or "") is None
