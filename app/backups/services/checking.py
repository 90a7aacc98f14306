"""Whether a backup is what was written, and what came back is what it holds."""

from collections.abc import Iterator
from pathlib import Path

from app.backups import queries
from app.backups.rules import folders as names
from app.backups.rules.manifest import Manifest
from app.backups.services.files import Damaged, Lines, read_lines, sha256_of
from app.backups.services.photos import listed_photos, lost_photos
from app.backups.services.progress import Advance, Bar
from app.backups.services.saving import store_sums
from app.db import db
from app.revisions import current_revision
from app.stock.queries import books


def damage(backup: Path, manifest: Manifest, bar: Bar) -> Iterator[str]:
    """Say which files of a backup are missing or aren't what was written."""
    with bar("Checking tables", manifest.rows) as advance:
        for table in manifest.tables:
            path = names.table_path(table.name)
            yield from _damage_of_lines(backup, path, Lines(table.rows, table.sha256), advance)
    with bar("Checking photos", manifest.photos.files) as advance:
        yield from _damage_of_photos(backup, manifest, advance)


def _damage_of_lines(backup: Path, path: str, expected: Lines, advance: Advance) -> Iterator[str]:
    try:
        for _ in read_lines(backup, path, expected):
            advance(1)
    except Damaged as found:
        yield found.message


def _damage_of_photos(backup: Path, manifest: Manifest, advance: Advance) -> Iterator[str]:
    try:
        for file in listed_photos(backup, manifest.photos):
            path = names.photo_path(file.name)
            if not (backup / path).is_file():
                yield f"{path} is missing."
            elif sha256_of(backup / path) != file.sha256:
                yield f"{path} is not the file that was written."
            advance(1)
    except Damaged as found:
        yield found.message


def differences(backup: Path, manifest: Manifest, bar: Bar) -> Iterator[str]:
    """Say where this installation isn't what a backup holds, or its books aren't right."""
    yield from books.ledger_problems()
    connection = db.session.connection()
    found = {sums.store: sums for sums in store_sums(connection)}
    for saved in manifest.stores:
        if found.get(saved.store) != saved:
            yield f"{saved.store} is {found.get(saved.store)}, in the backup {saved}"
    if current_revision(connection) == manifest.revision:
        counts = {table.name: table.rows for table in manifest.tables}
        for table in queries.described(connection, list(counts)):
            rows = queries.row_count(connection, table)
            if rows != counts[table.name]:
                yield f"{table.name} has {rows} rows, in the backup {counts[table.name]}"
    with bar("Verifying photos", manifest.photos.files) as advance:
        yield from lost_photos(backup, manifest.photos, advance)
