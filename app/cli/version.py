"""`flask version`: the releases of the product and of its foundations."""

import platform
from importlib.metadata import version as version_of

import click
from flask.cli import with_appcontext

from app.db import db
from app.engines import SQLITE_VERSION
from app.revisions import VERSION


@click.command()
@with_appcontext
def version() -> None:
    """Print the release of the product, and those of Python, Flask and the database library."""
    is_sqlite = db.engine.dialect.name == "sqlite"
    database = f"SQLite {SQLITE_VERSION}" if is_sqlite else f"psycopg {version_of('psycopg')}"
    click.echo(
        f"Quartermaster {VERSION}, Python {platform.python_version()}, "
        f"Flask {version_of('flask')}, {database}"
    )
