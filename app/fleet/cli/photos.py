"""`flask photos`: what nobody's check needs is removed."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice

import click
from flask.cli import AppGroup

from app import dates
from app.cli.commands import progress_bar, reports_errors
from app.db import transaction
from app.fleet.queries import photos as queries
from app.fleet.services import photos as services
from app.fleet.services.photo_store import StoredFile, photo_store

FILES_AT_A_TIME = 500
LONGEST_AGE = 24 * 3650


photos = AppGroup("photos", help="Look after stored photos.")


@photos.command()
@click.option(
    "--older-than",
    "hours",
    default=24,
    show_default=True,
    type=click.IntRange(1, LONGEST_AGE),
    metavar="HOURS",
    help="Leave what was sent since.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be removed.")
@reports_errors
def sweep(hours: int, dry_run: bool) -> None:
    """Remove photos that were sent but that no check names. Run it once a day."""
    before = dates.utc_now() - timedelta(hours=hours)
    uploads, gone = 0, set()
    for photo_hash in progress_bar("Photos")(queries.unneeded(before)):
        with transaction(keep=not dry_run):
            forgotten = services.forget(photo_hash, before=before)
        uploads += forgotten.uploads
        if forgotten.photos:
            gone.add(photo_hash)
    files, size = 0, 0
    for file in _left_over(before, gone):
        if not dry_run:
            with transaction():
                if not services.discard_file(file.name, file.photo):
                    continue
        files, size = files + 1, size + file.size
    click.echo(
        f"{'Would remove' if dry_run else 'Removed'} {uploads} uploads, {len(gone)} photos and "
        f"{files} files of {size:,} bytes." + (" Dry run: nothing was removed." if dry_run else "")
    )


def _left_over(before: datetime, gone: set[str]) -> Iterator[StoredFile]:
    """Yield the older files of a store that belong to no photo, or only to those that are gone."""
    expected = 2 * queries.photo_count()
    listed = iter(progress_bar("Files", expected)(photo_store().files()))
    while some := list(islice(listed, FILES_AT_A_TIME)):
        known = queries.stored(file.photo for file in some) - gone
        for file in some:
            if file.modified < before and not services.is_file_of(file.name, known):
                yield file
