"""A foreign writer that keeps everybody else from writing."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from app.engines import sqlite_library
from tests.databases import connect


@contextmanager
def blocked_writers(url: str) -> Iterator[None]:
    """Lock the database, or the table of items, against all other writers; reading goes on."""
    if url.startswith("sqlite"):
        file = url.removeprefix("sqlite:///")
        with closing(sqlite_library.connect(file, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield
            connection.execute("ROLLBACK")
        return
    with connect(url) as connection:
        connection.execute("LOCK TABLE item IN EXCLUSIVE MODE")
        yield
        connection.rollback()
