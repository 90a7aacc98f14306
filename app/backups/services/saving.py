"""A backup is written: the tables as they are at one moment, then the photos that they name."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from json import loads
from pathlib import Path

from sqlalchemy import Connection

from app.backups import queries
from app.backups.rules import folders as names
from app.backups.rules.manifest import Manifest, StoreSums, TableFile
from app.backups.services.files import Lines, read_lines, write_lines
from app.backups.services.folders import (
    backups_in,
    finish,
    held,
    remove_all_but,
    unfinished_in,
)
from app.backups.services.photos import save_photos
from app.backups.services.progress import Advance, Bar
from app.db import snapshot
from app.errors import Conflict
from app.fleet.models import Photo
from app.release import VERSION
from app.revisions import all_revisions, current_revision
from app.stock.queries.books import sums_by_store


@dataclass(frozen=True)
class Saved:
    """A backup that was made, and the names of older ones that were removed."""

    folder: Path
    manifest: Manifest
    removed: Sequence[str]


def save(place: Path, *, made_at: datetime, keep: int | None, bar: Bar) -> Saved:
    """Back up the installation into a new folder of a place, then keep the newest so many.

    While photos are missing no older backup is removed, for it may have them. Raises Conflict
    where the tables aren't those of this version or another backup is being written, Unavailable
    where the photo store is out of reach; then there is no backup.
    """
    with held(place):
        with unfinished_in(place) as folder:
            manifest = _save_all(folder, next(iter(backups_in(place)), None), made_at, bar)
            made = finish(folder, manifest)
        if keep is None or manifest.photos.missing:
            return Saved(made, manifest, ())
        return Saved(made, manifest, remove_all_but(keep, place))


def _save_all(folder: Path, earlier: Path | None, made_at: datetime, bar: Bar) -> Manifest:
    for part in names.PARTS:
        (folder / part).mkdir(mode=0o700)
    with snapshot(folder) as connection:
        revision = _revision(connection)
        tables = _save_tables(connection, folder, bar)
        stores = store_sums(connection)
    # Photos take long, and what the tables say of them is in the backup already.
    named = next(table for table in tables if table.name == Photo.__tablename__)
    with bar("Photos", named.rows) as advance:
        photos = save_photos(_hashes(folder, named), folder, earlier, advance)
    return Manifest(made_at, revision, tables, stores, photos, VERSION)


def store_sums(connection: Connection) -> Sequence[StoreSums]:
    """Return what each store holds, as manifests have it."""
    return [
        StoreSums(
            f"{sums.store.division}/{sums.store.site}",
            sums.items,
            sums.amount,
            sums.entries,
            sums.booked,
        )
        for sums in sums_by_store(connection)
    ]


def _revision(connection: Connection) -> str:
    found, newest = current_revision(connection), all_revisions()[-1]
    if found != newest:
        raise Conflict(
            f"The database is at revision {found}, this version is for {newest}. Back up with the "
            "version that the database belongs to, or run: flask db upgrade"
        )
    return newest


def _save_tables(connection: Connection, folder: Path, bar: Bar) -> Sequence[TableFile]:
    tables = queries.described(connection, queries.kept_tables())
    counts = [queries.row_count(connection, table) for table in tables]
    files = []
    with bar("Tables", sum(counts)) as advance:
        for table in tables:
            rows = _counted(queries.lines(connection, table), advance)
            written = write_lines(folder / names.table_path(table.name), rows)
            last = queries.last_id(connection, table)
            files.append(TableFile(table.name, written.count, written.sha256, last))
    return files


def _counted(lines: Iterable[bytes], advance: Advance) -> Iterator[bytes]:
    for line in lines:
        yield line
        advance(1)


def _hashes(folder: Path, photos: TableFile) -> Iterator[str]:
    path = names.table_path(photos.name)
    for line in read_lines(folder, path, Lines(photos.rows, photos.sha256)):
        yield loads(line)["hash"]
