"""`flask photos`: remove photos and documents that nothing uses."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

import click
from flask.cli import AppGroup

from app import dates
from app.cli.commands import progress_bar, reports_errors
from app.db import transaction
from app.documents import queries as document_queries
from app.documents import services as documents
from app.photos import queries as photo_queries
from app.photos.services import photos as photo_services
from app.photos.services.photo_store import StoredFile, photo_store
from app.photos.services.photos import SweepResult

FILES_PER_BATCH = 500
MAX_AGE_HOURS = 24 * 3650


photos = AppGroup("photos", help="Look after stored photos and documents.")


@dataclass(frozen=True)
class _Kind:
    label: str
    unused: Callable[[datetime], Sequence[str]]
    sweep: Callable[..., SweepResult]
    existing: Callable[[set[str]], set[str]]
    is_file_of: Callable[[str, set[str]], bool]
    delete_orphan_file: Callable[[str, str], bool]


_PHOTOS = _Kind(
    "Photos",
    photo_queries.unused_photos,
    photo_services.sweep_photo,
    photo_queries.existing_photos,
    photo_services.is_file_of,
    photo_services.delete_orphan_file,
)
_DOCUMENTS = _Kind(
    "Documents",
    document_queries.unused_documents,
    documents.sweep_document,
    document_queries.existing_documents,
    documents.is_file_of,
    documents.delete_orphan_file,
)


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
    removed: dict[_Kind, set[str]] = {_PHOTOS: set(), _DOCUMENTS: set()}
    for kind, hashes in removed.items():
        for content_hash in progress_bar(kind.label)(kind.unused(before)):
            with transaction(commit=not dry_run):
                result = kind.sweep(content_hash, before=before)
            uploads += result.uploads
            if result.contents:
                hashes.add(content_hash)
    files, size = 0, 0
    for kind, file in _orphan_files(before, removed):
        if not dry_run:
            with transaction():
                if not kind.delete_orphan_file(file.name, file.hash):
                    continue
        files, size = files + 1, size + file.size
    click.echo(
        f"{'Would remove' if dry_run else 'Removed'} {uploads} uploads, "
        f"{len(removed[_PHOTOS])} photos, {len(removed[_DOCUMENTS])} documents and "
        f"{files} files of {size:,} bytes." + (" Dry run: nothing was removed." if dry_run else "")
    )


def _orphan_files(
    before: datetime, removed: dict[_Kind, set[str]]
) -> Iterator[tuple[_Kind, StoredFile]]:
    """Yield unused files from before a time, and files of the removed contents."""
    expected = 2 * photo_queries.photo_count() + document_queries.document_count()
    files = iter(progress_bar("Files", expected)(photo_store().files()))
    while batch := list(islice(files, FILES_PER_BATCH)):
        for kind, hashes in removed.items():
            own = [file for file in batch if file.is_document == (kind is _DOCUMENTS)]
            existing = kind.existing({file.hash for file in own}) - hashes if own else set()
            for file in own:
                if file.modified < before and not kind.is_file_of(file.name, existing):
                    yield kind, file
