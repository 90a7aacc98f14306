"""The imports of CSV files; a dry run shows a file's effects, and writes nothing."""

from typing import TypeVar

from app.errors import Preview
from app.fleet.acts import for_fleet
from app.lists import ListChange
from app.records.acts import Act, new_record
from app.tables.csv_files import Upload
from app.upkeep.forms.due import CsvForm
from app.upkeep.schemas.files import read_due, read_readings
from app.upkeep.services import lists
from app.upkeep.services.lists import ReadingsImport

Change = TypeVar("Change", ListChange, ReadingsImport)


def import_due(upload: Upload, dry_run: bool, *, by: int) -> ListChange:
    """Add or change items from a file, all or nothing."""
    return _try(lists.import_due(read_due(upload), by=by), dry_run)


def import_readings(upload: Upload, dry_run: bool, *, by: int) -> ReadingsImport:
    """Add readings from a file, all or nothing."""
    return _try(lists.import_readings(read_readings(upload), by=by), dry_run)


def _try(change: Change, dry_run: bool) -> Change:
    if dry_run:
        raise Preview(f"The file is right: {change.summary}. Nothing was written.")
    return change


ACTS = (
    Act(
        "import_due",
        "/fleet/due/import",
        for_fleet.by_managers,
        CsvForm,
        import_due,
        "Imported: {r.summary}.",
        new_record("upkeep.due", style="due.css"),
        failure="Import failed",
    ),
    Act(
        "import_readings",
        "/fleet/readings/import",
        for_fleet.by_managers,
        CsvForm,
        import_readings,
        "Imported: {r.summary}.",
        new_record("upkeep.readings", style="due.css"),
        failure="Import failed",
    ),
)
