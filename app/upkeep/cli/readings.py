"""`flask readings`: import and export odometer readings, and add missing ones of checks."""

from pathlib import Path

import click
from flask.cli import AppGroup

from app.audit.rules import Event
from app.audit.services import record
from app.cli.commands import reports_errors
from app.db import transaction
from app.tables.csv_files import write_lines, write_rows
from app.upkeep.queries.reading_lists import all_readings
from app.upkeep.schemas.files import READING_COLUMNS, read_readings, reading_rows
from app.upkeep.services import reading_lists as services

readings = AppGroup("readings", help="Import and export odometer readings.")


@readings.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Check the file and print what would change.")
@reports_errors
def import_readings(file: Path, dry_run: bool) -> None:
    """Add the readings in FILE (reg,day,miles) that aren't there. All or nothing is imported."""
    read = read_readings(file)
    with transaction(commit=not dry_run):
        done = services.import_readings(read, by=None)
    click.echo(
        f"{file.name}: {done.summary}." + (" Dry run: nothing was written." if dry_run else "")
    )


@readings.command("export")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="A file to write.")
@reports_errors
def export_readings(output: Path | None) -> None:
    """Write the readings that aren't void as CSV to standard output or a file."""
    with transaction():
        record(Event.EXPORT, "readings")
    write_lines(write_rows(READING_COLUMNS, reading_rows(all_readings())), output)


@readings.command("rebuild")
@reports_errors
def rebuild() -> None:
    """Add the readings of checks that have none, as an update under load may leave them."""
    added = 0
    while True:
        with transaction():
            part = services.rebuild_readings()
        added += part
        if not part:
            break
    click.echo(f"{added} readings added.")
