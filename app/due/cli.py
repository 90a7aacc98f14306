"""Commands of due items."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path

from flask.cli import AppGroup

from app.due.queries.due import open_items
from app.due.schemas import DUE_FILE, due_lines, read_due
from app.due.services import imports as services
from app.records.commands import exports, imports
from app.records.record import csv_lines

due = AppGroup("due", help="Import and export what is due.")


@imports(due)
def import_due(file: Path, saving: AbstractContextManager[None]) -> str:
    """Add or change the items in FILE (reg,kind,due_on,due_miles,label).

    All or nothing is imported.
    """
    read = read_due(file)
    with saving:
        return services.import_due(read, by=None).summary


@exports(due, "due")
def export_due() -> Iterable[str]:
    """Write what is due as CSV to standard output or a file."""
    return csv_lines(DUE_FILE, due_lines(open_items()))
