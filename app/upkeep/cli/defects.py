"""`flask defects`: import and export open defects."""

from pathlib import Path

import click
from flask.cli import AppGroup

from app.audit.rules import Event
from app.audit.services import record
from app.cli.commands import reports_errors
from app.db import transaction
from app.tables.csv_files import write_lines, write_rows
from app.upkeep.queries.defects import stream_open_defects
from app.upkeep.schemas.defect_lines import DEFECT_COLUMNS, defect_rows, read_defects
from app.upkeep.services import defect_lists as services

defects = AppGroup("defects", help="Import and export open defects.")


@defects.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Check the file and print what would change.")
@reports_errors
def import_defects(file: Path, dry_run: bool) -> None:
    """Open the defects in FILE (reg,part,title,severity,day,…). All or nothing is imported.

    A part that has an open defect is left as it is, and so is a row about what was closed since.
    """
    read = read_defects(file)
    with transaction(commit=not dry_run):
        imported = services.import_defects(read, by=None)
    change = imported.change
    for note in imported.notes:
        click.echo(note)
    click.echo(
        f"{file.name}: {change.added} added, {change.unchanged} unchanged."
        + (" Dry run: nothing was written." if dry_run else "")
    )


@defects.command("export")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="A file to write.")
@reports_errors
def export_defects(output: Path | None) -> None:
    """Write the open defects as CSV to standard output or a file."""
    with transaction():
        record(Event.EXPORT, "defects")
    write_lines(write_rows(DEFECT_COLUMNS, defect_rows(stream_open_defects())), output)
