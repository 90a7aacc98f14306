"""A backup comes back into an empty installation: all of it, or nothing."""

import hashlib
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from sqlalchemy import Connection, Table, delete, insert, inspect, text, update
from sqlalchemy.exc import DataError, IntegrityError

from app.backups import queries
from app.backups.rules import folders as names
from app.backups.rules.manifest import Manifest, TableFile
from app.backups.rules.rows import RowReader
from app.backups.services.files import Damaged, Lines, read_lines
from app.backups.services.progress import Advance
from app.db import STREAM_BATCH_SIZE, Base, db
from app.errors import Conflict, Invalid
from app.revisions import REVISION_TABLE, all_revisions, current_revision

OUTDATED_BY = 1_000_000
"""How far versions go on, past any that was given out after the backup was made."""

_PROOFS = ("version", "revision")
"""Columns by which callers prove that they have seen a row or list as it is."""


def needs_tables(manifest: Manifest) -> bool:
    """Tell whether the backup's tables have to be made before it can come back.

    Raises Conflict where the database is in use, or has other tables.
    """
    known = all_revisions()
    if manifest.revision not in known:
        raise Conflict(
            f"The backup is of a newer version (revision {manifest.revision}). Update first."
        )
    with db.engine.connect() as connection:
        found = current_revision(connection)
        _check_unused(connection)
        if found is None:
            _check_bare(connection)
    if found is not None and found not in known[: known.index(manifest.revision) + 1]:
        raise Conflict(
            f"The database is at revision {found}, the backup is of {manifest.revision}. Restore "
            "into a database without tables; they are made by this command."
        )
    return found != manifest.revision


def is_older(manifest: Manifest) -> bool:
    """Tell whether the tables have to be updated once the backup is back."""
    return manifest.revision != all_revisions()[-1]


def fill(backup: Path, manifest: Manifest, advance: Advance) -> None:
    """Put a backup's rows into empty tables of its revision, and compare what is there then.

    Raises Damaged, and Conflict where the tables hold something already.
    """
    connection = db.session.connection()
    files = {file.name: file for file in manifest.tables}
    tables = queries.described(connection, [*files, *queries.kept_tables()])
    if other := files.keys() ^ {table.name for table in tables}:
        raise Invalid(
            f"The backup's tables aren't those of its revision: {', '.join(sorted(other))}"
        )
    if connection.dialect.name == "postgresql":
        named = ", ".join(files)
        connection.execute(text(f"LOCK TABLE {named} IN SHARE ROW EXCLUSIVE MODE"))
    _check_unused(connection)
    for table in tables:
        if table.name in queries.SEEDED:
            connection.execute(delete(table))
    for table in tables:
        _insert(connection, table, backup, files[table.name], advance)
    for table in tables:
        _compare(connection, table, files[table.name])
        _count_on(connection, table, files[table.name].last_id)
        _outdate(connection, table)


def _check_unused(connection: Connection) -> None:
    held = [name for name in Base.metadata.tables if name not in queries.LEFT_OUT]
    for table in queries.described(connection, held):
        if table.name not in queries.SEEDED and queries.row_count(connection, table):
            raise Conflict(
                f"This database is in use ({table.name} is not empty). Restore into an empty one."
            )


def _check_bare(connection: Connection) -> None:
    others = sorted({*inspect(connection).get_table_names()} - {REVISION_TABLE})
    if others:
        raise Conflict(
            f"This database has other tables ({', '.join(others)}). Name an empty one in "
            "DATABASE_URL."
        )


def _insert(
    connection: Connection, table: Table, backup: Path, file: TableFile, advance: Advance
) -> None:
    path = names.table_path(table.name)
    reader = RowReader({column.name: column.type.python_type for column in table.columns})
    lines = read_lines(backup, path, Lines(file.rows, file.sha256))
    try:
        for some in _batches(lines):
            connection.execute(insert(table), [reader.row_of(line) for line in some])
            advance(len(some))
    except (ValueError, TypeError):
        raise Damaged(path, "holds a line that is no row of its table") from None
    except (IntegrityError, DataError) as refused:
        said = str(refused.orig).partition("\n")[0]
        raise Damaged(path, f"holds a row that the database refuses ({said})") from None


def _batches(lines: Iterable[bytes]) -> Iterator[list[bytes]]:
    rest = iter(lines)
    while some := list(islice(rest, STREAM_BATCH_SIZE)):
        yield some


def _compare(connection: Connection, table: Table, file: TableFile) -> None:
    digest = hashlib.sha256()
    for line in queries.lines(connection, table):
        digest.update(line)
    if digest.hexdigest() != file.sha256:
        raise Conflict(f"The rows of {table.name} didn't come back as they were.")


def _count_on(connection: Connection, table: Table, last_id: int | None) -> None:
    """Let the next row's number follow the last that was given, also to a row that is gone."""
    if last_id is None:
        return
    (key,) = table.primary_key.columns.keys()
    if connection.dialect.name == "postgresql":
        sequence = queries.sequence_of(connection, table.name, key)
        if sequence is not None:
            connection.execute(
                text("SELECT setval(CAST(:sequence AS regclass), :next, false)"),
                {"sequence": sequence, "next": last_id + 1},
            )
    elif queries.counts_for_good(connection, table.name):
        named = {"name": table.name, "last": last_id}
        connection.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), named)
        connection.execute(text("INSERT INTO sqlite_sequence VALUES (:name, :last)"), named)


def _outdate(connection: Connection, table: Table) -> None:
    """Let nobody change a row or list on the strength of what they saw after the backup."""
    for column in (column for column in table.columns if column.name in _PROOFS):
        connection.execute(update(table).values({column: column + OUTDATED_BY}))
