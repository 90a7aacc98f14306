"""`flask repairs`: export repairs."""

from pathlib import Path

import click
from flask.cli import AppGroup

from app.audit.rules import Event
from app.audit.services import record
from app.cli.commands import reports_errors
from app.db import transaction
from app.records.reading import read_all
from app.tables.csv_files import write_lines
from app.upkeep.schemas.repairs import REPAIR_LIST

repairs = AppGroup("repairs", help="Export repairs.")


@repairs.command("export")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="A file to write.")
@reports_errors
def export_repairs(output: Path | None) -> None:
    """Write all repairs with what reverses them as CSV to standard output or a file."""
    with transaction():
        record(Event.EXPORT, "repairs")
        lines = REPAIR_LIST.csv_lines(read_all(REPAIR_LIST))
    write_lines(lines, output)
