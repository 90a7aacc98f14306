"""Check that a backup is intact, and that the restored data equal it."""

from collections.abc import Iterator
from pathlib import Path

from app.audit.models import AuditEntry
from app.audit.services import problems as audit_problems
from app.backups import queries, rules
from app.backups.rules import Manifest
from app.backups.services.files import Advance, Bar, Damaged, LineCount, read_lines, sha256_of
from app.backups.services.photos import listed_photos, photo_differences
from app.backups.services.saving import store_sums
from app.db import db
from app.revisions import current_revision
from app.stock.queries import books

_ADDED_ROWS = {AuditEntry.__tablename__: 1}
"""Rows added by the restore itself: its entry in the audit trail."""


def damage(backup: Path, manifest: Manifest, bar: Bar) -> Iterator[str]:
    """Yield a message for each file of a backup that is missing or has changed."""
    with bar("Checking tables", manifest.rows) as advance:
        for table in manifest.tables:
            path = rules.table_path(table.name)
            yield from _table_damage(backup, path, LineCount(table.rows, table.sha256), advance)
    with bar("Checking photos and documents", manifest.photos.files) as advance:
        yield from _photo_damage(backup, manifest, advance)


def _table_damage(backup: Path, path: str, expected: LineCount, advance: Advance) -> Iterator[str]:
    try:
        for _ in read_lines(backup, path, expected):
            advance(1)
    except Damaged as error:
        yield error.message


def _photo_damage(backup: Path, manifest: Manifest, advance: Advance) -> Iterator[str]:
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
        counts = {
            table.name: table.rows + _ADDED_ROWS.get(table.name, 0) for table in manifest.tables
        }
        for table in queries.reflect_tables(connection, list(counts)):
            rows = queries.row_count(connection, table)
            if rows != counts[table.name]:
                yield f"{table.name} has {rows} rows, in the backup {counts[table.name]}"
    with bar("Verifying photos and documents", manifest.photos.files) as advance:
        yield from photo_differences(backup, manifest.photos, advance)
