"""`flask due`: import and export due items."""

from pathlib import Path

import click
from flask.cli import AppGroup

from app.audit.rules import Event
from app.audit.services import record
from app.cli.commands import reports_errors
from app.db import transaction
from app.tables.csv_files import write_lines, write_rows
from app.upkeep.queries.due import open_items
from app.upkeep.schemas.files import DUE_COLUMNS, due_rows, read_due
from app.upkeep.services import due_lists as services

due = AppGroup("due", help="Import and export what is due.")


@due.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Check the file and print what would change.")
@reports_errors
def import_due(file: Path, dry_run: bool) -> None:
    """Add or change the items in FILE (reg,kind,due_on,due_miles,label).

    All or nothing is imported.
    """
    read = read_due(file)
    with transaction(commit=not dry_run):
        change = services.import_due(read, by=None)
    click.echo(
        f"{file.name}: {change.added} added, {change.changed} changed, "
        f"{change.unchanged} unchanged." + (" Dry run: nothing was written." if dry_run else "")
    )


@due.command("export")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="A file to write.")
@reports_errors
def export_due(output: Path | None) -> None:
    """Write what is due as CSV to standard output or a file."""
    with transaction():
        record(Event.EXPORT, "due")
        items = open_items()
    write_lines(write_rows(DUE_COLUMNS, due_rows(items)), output)
