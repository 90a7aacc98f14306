"""Restore a backup into an empty installation, all of it or nothing; check both."""

import hashlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from sqlalchemy import Connection, Table, delete, insert, inspect, text, update
from sqlalchemy.exc import DataError, IntegrityError

from app.audit.models import AuditEntry
from app.audit.services import problems as audit_problems
from app.backups import queries, rules
from app.backups.rules import Manifest, TableFile, row_parser
from app.backups.services.files import Advance, Bar, Damaged, sha256_of, table_lines
from app.backups.services.photos import listed_photos, photo_differences
from app.backups.services.saving import store_sums
from app.db import STREAM_BATCH_SIZE, db
from app.errors import Conflict, Invalid
from app.revisions import REVISION_TABLE, all_revisions, current_revision
from app.stock.queries import books

VERSION_OFFSET = 1_000_000
"""The increase of versions, past any version given out after the backup was made."""

_VERSION_COLUMNS = ("version", "revision", "levels_version")
"""Columns that callers send back to change the current state of a row or list."""


def needs_tables(manifest: Manifest) -> bool:
    """Return whether the backup's tables have to be created before restoring it.

    Raises Conflict when the database is in use, or has other tables.
    """
    revisions = all_revisions()
    if manifest.revision not in revisions:
        raise Conflict(
            f"The backup is of a newer version (revision {manifest.revision}). Update first."
        )
    with db.engine.connect() as connection:
        current = current_revision(connection)
        _check_unused(connection)
        if current is None:
            _check_bare(connection)
    if current is not None and current not in revisions[: revisions.index(manifest.revision) + 1]:
        raise Conflict(
            f"The database is at revision {current}, the backup is of {manifest.revision}. Restore "
            "into a database without tables; they are made by this command."
        )
    return current != manifest.revision


def is_older(manifest: Manifest) -> bool:
    """Return whether the tables have to be upgraded after restoring the backup."""
    return manifest.revision != all_revisions()[-1]


def fill(backup: Path, manifest: Manifest, advance: Advance) -> None:
    """Insert a backup's rows into empty tables of its revision, and compare the result.

    Raises Damaged, and Conflict when the tables aren't empty or a row differs afterwards.
    """
    connection = db.session.connection()
    files = {file.name: file for file in manifest.tables}
    tables = queries.reflect_tables(connection, [*files, *queries.included_tables()])
    if other := files.keys() ^ {table.name for table in tables}:
        raise Invalid(
            f"The backup's tables aren't those of its revision: {', '.join(sorted(other))}"
        )
    if connection.dialect.name == "postgresql":
        listed = ", ".join(files)
        connection.execute(text(f"LOCK TABLE {listed} IN SHARE ROW EXCLUSIVE MODE"))
    _check_unused(connection)
    for table in tables:
        if table.name in queries.FILLED_BY_MIGRATIONS:
            connection.execute(delete(table))
    for table in tables:
        if table.name in queries.FILLED_BY_TRIGGERS:
            connection.execute(delete(table))
        _insert(connection, table, backup, files[table.name], advance)
    for table in tables:
        _compare(connection, table, files[table.name])
        _continue_ids(connection, table, files[table.name].last_id)
        # So a version read after the backup is never current again.
        for column in (column for column in table.columns if column.name in _VERSION_COLUMNS):
            connection.execute(update(table).values({column: column + VERSION_OFFSET}))


def _check_unused(connection: Connection) -> None:
    filled = {*queries.included_tables()} - queries.FILLED_BY_MIGRATIONS
    for name in sorted(filled.intersection(inspect(connection).get_table_names())):
        if queries.row_count(connection, name):
            raise Conflict(
                f"This database is in use ({name} is not empty). Restore into an empty one."
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
    path = rules.table_path(table.name)
    parse = row_parser({column.name: column.type.python_type for column in table.columns})
    lines = table_lines(backup, file)
    try:
        while batch := list(islice(lines, STREAM_BATCH_SIZE)):
            connection.execute(insert(table), list(map(parse, batch)))
            advance(len(batch))
    except (ValueError, TypeError):
        raise Damaged(path, "holds a line that is no row of its table") from None
    except (IntegrityError, DataError) as error:
        reason = str(error.orig).partition("\n")[0]
        raise Damaged(path, f"holds a row that the database refuses ({reason})") from None


def _compare(connection: Connection, table: Table, file: TableFile) -> None:
    digest = hashlib.sha256()
    for line in queries.lines(connection, table):
        digest.update(line)
    if digest.hexdigest() != file.sha256:
        raise Conflict(f"The rows of {table.name} differ after the restore.")


def _continue_ids(connection: Connection, table: Table, last_id: int | None) -> None:
    """Continue a table's ids after the last one given, even if its row was removed."""
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
    elif queries.never_reuses_ids(connection, table.name):
        values = {"name": table.name, "last": last_id}
        connection.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), values)
        connection.execute(text("INSERT INTO sqlite_sequence VALUES (:name, :last)"), values)


def damage(backup: Path, manifest: Manifest, bar: Bar) -> Iterator[str]:
    """Yield a message for each file of a backup that is missing or has changed."""
    with bar("Checking tables", manifest.rows) as advance:
        for table in manifest.tables:
            try:
                for _ in table_lines(backup, table):
                    advance(1)
            except Damaged as error:
                yield error.message
    with bar("Checking photos and documents", manifest.photos.files) as advance:
        try:
            for file in listed_photos(backup, manifest.photos):
                path = rules.photo_path(file.name)
                if not (backup / path).is_file():
                    yield f"{path} is missing."
                elif sha256_of(backup / path) != file.sha256:
                    yield f"{path} is not the file that was written."
                advance(1)
        except Damaged as error:
            yield error.message


def differences(backup: Path, manifest: Manifest, bar: Bar) -> Iterator[str]:
    """Yield a message for each difference to a backup, and for each problem of the ledger."""
    yield from books.ledger_problems()
    yield from audit_problems()
    connection = db.session.connection()
    current = {sums.store: sums for sums in store_sums(connection)}
    for saved in manifest.stores:
        if current.get(saved.store) != saved:
            yield f"{saved.store} is {current.get(saved.store)}, in the backup {saved}"
    if current_revision(connection) == manifest.revision:
        existing = inspect(connection).get_table_names()
        for table in manifest.tables:
            rows = queries.row_count(connection, table.name) if table.name in existing else 0
            # The restore itself adds its entry to the audit trail.
            expected = table.rows + (table.name == AuditEntry.__tablename__)
            if rows != expected:
                yield f"{table.name} has {rows} rows, in the backup {expected}"
    with bar("Verifying photos and documents", manifest.photos.files) as advance:
        yield from photo_differences(backup, manifest.photos, advance)
