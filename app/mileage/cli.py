"""Commands of odometer readings."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path

import click
from flask.cli import AppGroup

from app.cli.commands import reports_errors
from app.db import transaction
from app.mileage import services
from app.mileage.queries import all_readings
from app.mileage.schemas import READING_FILE, read_readings
from app.records.commands import exports, imports
from app.records.record import csv_lines

readings = AppGroup("readings", help="Import and export odometer readings.")


@imports(readings)
def import_readings(file: Path, saving: AbstractContextManager[None]) -> str:
    """Add the readings in FILE (reg,day,miles) that aren't there. All or nothing is imported."""
    read = read_readings(file)
    with saving:
        return services.import_readings(read, by=None).summary


@exports(readings, "readings")
def export_readings() -> Iterable[str]:
    """Write the readings that aren't void as CSV to standard output or a file."""
    return csv_lines(READING_FILE, all_readings())


@readings.command("rebuild")
@reports_errors
def rebuild() -> None:
    """Add the readings of checks that have none, as an update under load may leave them."""
    added, part = 0, 1
    while part:
        with transaction():
            part = services.rebuild_readings()
        added += part
    click.echo(f"{added} readings added.")
