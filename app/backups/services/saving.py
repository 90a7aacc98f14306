"""Write a backup: the tables as of one moment, then the photos and documents that they name."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from json import loads
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import URL, Connection, NullPool, create_engine

from app.backups import queries, rules
from app.backups.rules import Manifest, StoreSums, TableFile
from app.backups.services import files
from app.backups.services.files import Advance, Bar
from app.backups.services.photos import save_photos
from app.db import db
from app.engines import sqlite_library
from app.errors import Conflict
from app.photos.models import Document, Photo
from app.revisions import VERSION, all_revisions, current_revision
from app.stock.queries.books import sums_by_store


def save(
    place: Path, *, made_at: datetime, keep: int | None, bar: Bar
) -> tuple[Path, Manifest, Sequence[str]]:
    """Back up the installation into a new folder of `place`, then keep the `keep` newest backups.

    No older backup is removed while files are missing, since it may have them. Raises Conflict when
    the tables have another revision or another backup is running, and Unavailable when the photo
    store can't be reached; then no backup is left. Returns the new folder, its manifest, and the
    names of the older backups that were removed.
    """
    with files.lock_place(place):
        with files.unfinished_in(place) as folder:
            manifest = _save_all(folder, next(iter(files.backups_in(place)), None), made_at, bar)
            backup = files.finish(folder, manifest)
        if keep is None or manifest.photos.missing:
            return backup, manifest, ()
        return backup, manifest, files.remove_oldest(place, keep=keep)


def _save_all(folder: Path, earlier: Path | None, made_at: datetime, bar: Bar) -> Manifest:
    for part in rules.PARTS:
        (folder / part).mkdir(mode=0o700)
    with _snapshot(folder) as connection:
        revision = _revision(connection)
        tables = _save_tables(connection, folder, bar)
        stores = store_sums(connection)
    # Outside the snapshot, since files take long and their rows are in the backup already.
    by_name = {table.name: table for table in tables}
    photo_table, document_table = by_name[Photo.__tablename__], by_name[Document.__tablename__]
    with bar("Photos and documents", photo_table.rows + document_table.rows) as advance:
        photos = save_photos(
            _hashes(folder, photo_table), _hashes(folder, document_table), folder, earlier, advance
        )
    return Manifest(made_at, revision, tables, stores, photos, VERSION)


def store_sums(connection: Connection) -> Sequence[StoreSums]:
    """Return the sums of each store in the form of manifests."""
    return [
        StoreSums(**vars(sums) | {"store": f"{sums.store.division}/{sums.store.site}"})
        for sums in sums_by_store(connection)
    ]


def _revision(connection: Connection) -> str:
    current, newest = current_revision(connection), all_revisions()[-1]
    if current != newest:
        raise Conflict(
            f"The database is at revision {current}, this version is for {newest}. Back up with "
            "the version that the database belongs to, or run: flask db upgrade"
        )
    return newest


def _save_tables(connection: Connection, folder: Path, bar: Bar) -> Sequence[TableFile]:
    tables = queries.reflect_tables(connection, queries.included_tables())
    counts = [queries.row_count(connection, table.name) for table in tables]
    saved = []
    with bar("Tables", sum(counts)) as advance:
        for table in tables:
            rows = _count(queries.lines(connection, table), advance)
            count, sha256 = files.write_lines(folder / rules.table_path(table.name), rows)
            last = queries.last_id(connection, table)
            saved.append(TableFile(table.name, count, sha256, last))
    return saved


def _count(lines: Iterable[bytes], advance: Advance) -> Iterator[bytes]:
    for line in lines:
        yield line
        advance(1)


def _hashes(folder: Path, table: TableFile) -> Iterator[str]:
    return (loads(line)["hash"] for line in files.table_lines(folder, table))


@contextmanager
def _snapshot(scratch: Path) -> Iterator[Connection]:
    """Provide a connection to a consistent snapshot of the database, while others write.

    SQLite is first copied into a folder in `scratch`: a long read transaction would keep its
    write-ahead log growing.
    """
    if db.engine.dialect.name == "sqlite":
        with TemporaryDirectory(dir=scratch) as folder:
            copy = Path(folder) / "snapshot.db"
            source: Any
            with (
                closing(db.engine.raw_connection()) as source,
                closing(sqlite_library.connect(copy)) as target,
            ):
                target.execute("PRAGMA synchronous=OFF")
                source.driver_connection.backup(target)
            engine = create_engine(
                URL.create("sqlite", database=str(copy)), module=sqlite_library, poolclass=NullPool
            )
            with engine.connect() as connection:
                yield connection
    else:
        with db.engine.connect().execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        ) as connection:
            yield connection
