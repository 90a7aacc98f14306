"""`flask photos`: remove photos and documents that nothing uses."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice

import click
from flask.cli import AppGroup

from app import dates
from app.cli.commands import progress_bar, reports_errors
from app.db import transaction
from app.photos.services.contents import DOCUMENT, PHOTO, ContentKind
from app.photos.services.photo_store import DOCUMENTS, StoredFile, hash_of, photo_store

FILES_PER_BATCH = 500
MAX_AGE_HOURS = 24 * 3650


photos = AppGroup("photos", help="Look after stored photos and documents.")


@photos.command()
@click.option(
    "--older-than",
    "hours",
    default=24,
    show_default=True,
    type=click.IntRange(1, MAX_AGE_HOURS),
    metavar="HOURS",
    help="Keep what was sent since then.",
)
@click.option("--dry-run", is_flag=True, help="Print what would be removed.")
@reports_errors
def sweep(hours: int, dry_run: bool) -> None:
    """Remove photos and documents that were sent but no record has. Run it once a day."""
    before = dates.utc_now() - timedelta(hours=hours)
    uploads = 0
    removed: dict[ContentKind, set[str]] = {PHOTO: set(), DOCUMENT: set()}
    for kind, hashes in removed.items():
        for content_hash in progress_bar(f"{kind.label}s")(kind.unused(before)):
            with transaction(commit=not dry_run):
                uploads_removed, contents_removed = kind.sweep(content_hash, before=before)
            uploads += uploads_removed
            if contents_removed:
                hashes.add(content_hash)
    files, size = 0, 0
    for kind, file in _orphan_files(before, removed):
        if not dry_run:
            with transaction():
                if not kind.delete_orphan_file(file.name):
                    continue
        files, size = files + 1, size + file.size
    click.echo(
        f"{'Would remove' if dry_run else 'Removed'} {uploads} uploads, "
        f"{len(removed[PHOTO])} photos, {len(removed[DOCUMENT])} documents and "
        f"{files} files of {size:,} bytes." + (" Dry run: nothing was removed." if dry_run else "")
    )


def _orphan_files(
    before: datetime, removed: dict[ContentKind, set[str]]
) -> Iterator[tuple[ContentKind, StoredFile]]:
    """Yield unused files from before a time, and files of the removed contents."""
    expected = 2 * PHOTO.count() + DOCUMENT.count()
    files = iter(progress_bar("Files", expected)(photo_store().files()))
    while batch := list(islice(files, FILES_PER_BATCH)):
        for kind, swept in removed.items():
            own = [file for file in batch if file.name.startswith(DOCUMENTS) == (kind is DOCUMENT)]
            hashes = {hash_of(file.name) for file in own}
            existing = kind.existing(hashes) - swept if own else set()
            for file in own:
                if file.modified < before and not kind.is_file_of(file.name, existing):
                    yield kind, file
