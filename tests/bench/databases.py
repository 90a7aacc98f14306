"""Filled databases: kept between runs as SQLite files, and copied to PostgreSQL row by row."""

import hashlib
import inspect
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from app import create_app, dates
from app.db import Base
from tests.architecture.tree import ROOT
from tests.assets import generated as assets
from tests.bench import data, upkeep
from tests.bench.data import Size
from tests.databases import connect, migrate, postgresql_copies, settings_for
from tests.upkeep import generated, generated_due, generated_rows

KEPT = ROOT / ".test" / "bench"
ENGINES = ("sqlite", "postgresql")
FILLING = (data, upkeep, assets, generated, generated_due, generated_rows)
"""The modules that decide what the data is."""


def filled_file(size: Size) -> Path:
    """Return a SQLite file with data of a size, filled now unless an earlier run has."""
    kept = KEPT / f"{_key(size)}.db"
    if not kept.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix="qm-bench-") as folder:
            file = Path(folder) / "filled.db"
            url = f"sqlite:///{file}"
            migrate(url, Path(folder))
            begins = time.monotonic()
            data.fill(create_app(settings_for(url, Path(folder))), size)
            with closing(sqlite3.connect(file)) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            print(f"filled {size} in {time.monotonic() - begins:.0f} s", flush=True)
            shutil.move(file, kept)
    return kept


def _key(size: Size) -> str:
    """Return a name for what decides the content: size, schema, the sources here, and the week."""
    # The data ends today, and dashboards show the last weeks.
    week = dates.today().strftime("%G-%V")
    migrations = sorted(file.name for file in (ROOT / "migrations" / "versions").glob("*.py"))
    sources = [inspect.getsource(module) for module in FILLING]
    parts = (size, migrations, sources, week)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


@contextmanager
def filled_copies(engine: str, folder: Path) -> Iterator[Callable[[Size | None], str]]:
    """Yield a function that makes a database of a size, or an empty one, and returns its URL."""
    if engine == "sqlite":
        yield lambda size: _sqlite_copy(size, folder)
        return
    with postgresql_copies(folder) as copies:

        def copy(size: Size | None) -> str:
            url = copies.fresh()
            if size is not None:
                copy_rows(filled_file(size), url)
            return url

        yield copy


def _sqlite_copy(size: Size | None, folder: Path) -> str:
    copy = folder / f"{len(list(folder.glob('*.db')))}.db"
    url = f"sqlite:///{copy}"
    if size is None:
        migrate(url, folder)
    else:
        shutil.copy(filled_file(size), copy)
    return url


def copy_rows(file: Path, url: str) -> None:
    """Copy all rows of a SQLite file into a migrated PostgreSQL database."""
    tables = Base.metadata.sorted_tables
    with closing(sqlite3.connect(file)) as source, connect(url) as target:
        # Triggers would check each row's references, which are those of the file.
        target.execute("SET session_replication_role = replica")
        target.execute(f"TRUNCATE {', '.join(table.name for table in tables)}")
        indexes = _drop_indexes(target)
        for table in tables:
            columns = ", ".join(column.name for column in table.columns)
            with target.cursor().copy(f"COPY {table.name} ({columns}) FROM STDIN") as copy:
                for row in source.execute(f"SELECT {columns} FROM {table.name}"):
                    copy.write_row(row)
            if "id" in table.columns and table.columns["id"].type.python_type is int:
                target.execute(
                    f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), max(id)) "
                    f"FROM {table.name}"
                )
        for definition in indexes:
            target.execute(definition)
        target.commit()
        target.autocommit = True
        # The server for tests doesn't do this by itself.
        target.execute("VACUUM ANALYZE")


def _drop_indexes(target: psycopg.Connection) -> list[str]:
    """Drop the indexes that no constraint needs, and return their definitions."""
    found = target.execute(
        "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND indexname "
        "NOT IN (SELECT conname FROM pg_constraint)"
    ).fetchall()
    for name, _ in found:
        target.execute(f"DROP INDEX {name}")
    return [definition for _, definition in found]
