"""`flask history`: import old history, export all history."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path

import click
from flask.cli import AppGroup

from app.cli.commands import progress_bar
from app.divisions import SITES, Division
from app.records.commands import exports, imports
from app.stock.queries.history_export import stream_history
from app.stock.queries.history_scope import HistoryFilters
from app.stock.schemas.history_files import HISTORY_COLUMNS, export_cells, read_history
from app.stock.services import history as services
from app.tables.csv_files import write_rows

history = AppGroup("history", help="Import and export history.")

_division = click.option("--division", required=True, type=click.Choice([d.value for d in SITES]))


@imports(history, _division)
def import_history(file: Path, division: str, saving: AbstractContextManager[None]) -> str:
    """Add the rows of FILE that aren't in the history yet; amounts in stock stay as they are."""
    owner = Division(division)
    history_file = read_history(file, owner)
    with saving:
        result = services.add_history(
            owner,
            history_file.rows,
            compare=history_file.columns,
            progress=progress_bar("Importing"),
        )
    rows, added, unchanged = len(history_file.rows), result.added, result.unchanged
    return f"{rows} rows: {added} added, {unchanged} already there"


@exports(history, "{division} history", _division)
def export_history(division: str) -> Iterable[str]:
    """Write a division's history as CSV, oldest first, to standard output or a file."""
    rows = stream_history(Division(division), HistoryFilters(), oldest_first=True)
    return write_rows(HISTORY_COLUMNS, export_cells(rows))
