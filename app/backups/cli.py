"""`flask backup` and `flask restore`."""

from collections.abc import Iterable
from pathlib import Path

import click
from flask import current_app
from flask.cli import with_appcontext
from flask_migrate import upgrade

from app import dates
from app.audit.rules import Event
from app.audit.services import record
from app.backups.rules import Manifest
from app.backups.services import files, photos, restoring, saving
from app.cli.commands import counting_bar, reports_errors
from app.db import transaction
from app.errors import Conflict
from app.last_runs import BACKUP, record_run


@click.command()
@click.argument("place", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--keep",
    type=click.IntRange(min=1),
    metavar="NUMBER",
    help="Then keep only the newest backups; none is removed when a file is missing.",
)
@with_appcontext
@reports_errors
def backup(place: Path, keep: int | None) -> None:
    """Back up database, photos and documents into a new folder in DIR, while people work."""
    now = dates.utc_now()
    folder, manifest, removed = saving.save(place, made_at=now, keep=keep, bar=counting_bar)
    click.echo(f"{folder}: {_contents(manifest)}.")
    for name in removed:
        click.echo(f"{name} removed.")
    _refuse(
        (f"{name} is not in the photo store, or damaged" for name in manifest.photos.missing),
        "The backup holds everything else.",
    )
    record_run(current_app.config["QUARTERMASTER"], BACKUP)


@click.command()
@click.argument(
    "backup", metavar="BACKUP", type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@click.option("--dry-run", is_flag=True, help="Only check the backup; change nothing.")
@click.option(
    "--verify",
    is_flag=True,
    help="Then check the ledger, and compare rows and files with the backup.",
)
@with_appcontext
@reports_errors
def restore(backup: Path, dry_run: bool, verify: bool) -> None:
    """Restore the backup in the folder BACKUP into an empty installation: all of it, or nothing."""
    manifest = files.read_manifest(backup)
    _refuse(restoring.damage(backup, manifest, counting_bar), "Nothing was restored.")
    click.echo(
        f"The backup of {dates.format_local_time(manifest.made_at)} is whole: "
        f"{_contents(manifest)}."
    )
    for name in manifest.photos.missing:
        click.echo(f"Missing when it was made: {name}")
    if dry_run:
        click.echo("Dry run: nothing was written.")
        return
    _restore(backup, manifest)
    if verify:
        problems = restoring.differences(backup, manifest, counting_bar)
        _refuse(problems, "Don't work with what was restored.")
        _print_sums(manifest)


def _restore(backup: Path, manifest: Manifest) -> None:
    needs_tables = restoring.needs_tables(manifest)
    photos.check_store(backup)
    if needs_tables:
        upgrade(revision=manifest.revision)
    with counting_bar("Photos and documents", manifest.photos.files) as advance:
        photos.put_photos(backup, manifest.photos, advance)
    with counting_bar("Tables", manifest.rows) as advance, transaction():
        restoring.fill(backup, manifest, advance)
        if not restoring.is_older(manifest):
            _record(manifest)
    if restoring.is_older(manifest):
        upgrade()
        with transaction():
            _record(manifest)
    click.echo("Restored.")


def _record(manifest: Manifest) -> None:
    made_at = dates.format_machine_time(manifest.made_at)
    record(Event.RESTORE, f"backup of {made_at}", rows=manifest.rows, release=manifest.version)


def _refuse(problems: Iterable[str], consequence: str) -> None:
    count = 0
    for problem in problems:
        click.echo(problem, err=True)
        count += 1
    if count:
        raise Conflict(f"{count} {'problem' if count == 1 else 'problems'}. {consequence}")


def _contents(manifest: Manifest) -> str:
    rows = f"{manifest.rows:,} rows of {len(manifest.tables)} tables"
    files = f"{manifest.photos.files:,} files of photos and documents"
    return f"{rows}, {files} ({manifest.photos.bytes:,} bytes)"


def _print_sums(manifest: Manifest) -> None:
    click.echo("Verified: the same rows and files, the books are right, the same ledger sums:")
    for sums in manifest.stores:
        click.echo(
            f"{sums.store}\t{sums.items:,} items\t{sums.amount:,} in stock\t"
            f"{sums.entries:,} ledger entries\t{sums.booked:,} booked"
        )
