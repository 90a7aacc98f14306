"""`flask history`: import old history, export all history."""

from pathlib import Path

import click
from flask.cli import AppGroup

from app.audit.rules import Event
from app.audit.services import record
from app.cli.commands import progress_bar, reports_errors
from app.db import transaction
from app.divisions import SITES, Division
from app.stock.queries.history_export import stream_history
from app.stock.queries.history_scope import HistoryFilters
from app.stock.schemas.history_files import HISTORY_COLUMNS, export_cells, read_history
from app.stock.services import history as services
from app.tables.csv_files import write_lines, write_rows

history = AppGroup("history", help="Import and export history.")

_division = click.option("--division", required=True, type=click.Choice([d.value for d in SITES]))


@history.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@_division
@click.option("--dry-run", is_flag=True, help="Check the file and print what would be added.")
@reports_errors
def import_history(file: Path, division: str, dry_run: bool) -> None:
    """Add the rows of FILE that aren't in the history yet; amounts in stock stay as they are."""
    owner = Division(division)
    history_file = read_history(file, owner)
    with transaction(commit=not dry_run):
        result = services.add_history(
            owner,
            history_file.rows,
            compare=history_file.columns,
            progress=progress_bar("Importing"),
        )
    click.echo(
        f"{file.name}: {len(history_file.rows)} rows: {result.added} added, "
        f"{result.unchanged} already there." + (" Dry run: nothing was written." if dry_run else "")
    )


@history.command("export")
@_division
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="A file to write.")
@reports_errors
def export_history(division: str, output: Path | None) -> None:
    """Write a division's history as CSV, oldest first, to standard output or a file."""
    with transaction():
        record(Event.EXPORT, f"{division} history")
    rows = stream_history(Division(division), HistoryFilters(), oldest_first=True)
    lines = write_rows(HISTORY_COLUMNS, export_cells(rows))
    write_lines(lines, output)
