"""A foreign writer that keeps everybody else from writing."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

import psycopg
from sqlalchemy import make_url

from app.engines import sqlite_library


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
    address = make_url(url)
    with psycopg.connect(
        host=address.query["host"], user=address.username, dbname=address.database
    ) as connection:
        connection.execute("LOCK TABLE item IN EXCLUSIVE MODE")
        yield
        connection.rollback()
