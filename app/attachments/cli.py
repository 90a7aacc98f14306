"""`flask photos`: remove unused photos."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice

import click
from flask.cli import AppGroup

from app import dates
from app.cli.commands import progress_bar, reports_errors
from app.db import transaction
from app.photos import queries
from app.photos.services import photos as services
from app.photos.services.photo_store import StoredFile, photo_store

FILES_PER_BATCH = 500
MAX_AGE_HOURS = 24 * 3650


photos = AppGroup("photos", help="Look after stored photos.")


@photos.command()
@click.option(
    "--older-than",
    "hours",
    default=24,
    show_default=True,
    type=click.IntRange(1, MAX_AGE_HOURS),
    metavar="HOURS",
    help="Keep photos that were sent since then.",
)
@click.option("--dry-run", is_flag=True, help="Print what would be removed.")
@reports_errors
def sweep(hours: int, dry_run: bool) -> None:
    """Remove photos that were sent but are in no check. Run it once a day."""
    before = dates.utc_now() - timedelta(hours=hours)
    uploads, removed = 0, set()
    for photo_hash in progress_bar("Photos")(queries.unused_photos(before)):
        with transaction(commit=not dry_run):
            result = services.sweep_photo(photo_hash, before=before)
        uploads += result.uploads
        if result.photos:
            removed.add(photo_hash)
    files, size = 0, 0
    for file in _orphan_files(before, removed):
        if not dry_run:
            with transaction():
                if not services.delete_orphan_file(file.name, file.photo):
                    continue
        files, size = files + 1, size + file.size
    click.echo(
        f"{'Would remove' if dry_run else 'Removed'} {uploads} uploads, {len(removed)} photos and "
        f"{files} files of {size:,} bytes." + (" Dry run: nothing was removed." if dry_run else "")
    )


def _orphan_files(before: datetime, removed: set[str]) -> Iterator[StoredFile]:
    """Yield the files from before a time that belong to no photo, or to a removed one."""
    expected = 2 * queries.photo_count()
    files = iter(progress_bar("Files", expected)(photo_store().files()))
    while batch := list(islice(files, FILES_PER_BATCH)):
        photos = queries.existing_photos(file.photo for file in batch) - removed
        for file in batch:
            if file.modified < before and not services.is_file_of(file.name, photos):
                yield file
