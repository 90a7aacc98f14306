"""CSV files of due items and of odometer readings."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from app.errors import Invalid
from app.fleet.rules.plates import clean_plate
from app.tables.cells import cell_reader
from app.tables.csv_files import Cells, FileLines, Source, Table, escape, unescape
from app.upkeep.models.readings import OdometerReading
from app.upkeep.queries.due import DueRow
from app.upkeep.rules.due_fields import DUE_MILES, DUE_ON, KIND, LABEL, MILES, READ_ON
from app.upkeep.rules.due_kinds import check_due
from app.upkeep.rules.kinds import DueKind
from app.upkeep.services.due_lists import DueLine
from app.upkeep.services.reading_lists import ReadingLine

DUE_COLUMNS = ("reg", "kind", "due_on", "due_miles", "label")
READING_COLUMNS = ("reg", "day", "miles")


def read_due(source: Source) -> FileLines[DueLine]:
    """Read a file of due items. Raises FileErrors for any other file."""
    table = Table(source, DUE_COLUMNS[:2], DUE_COLUMNS[2:])
    lines = []
    for cells in table:
        due_on: date | None = cells.read("due_on", cell_reader(DUE_ON))
        due_miles: int | None = cells.read("due_miles", cell_reader(DUE_MILES))
        reg: str = cells.read("reg", _plate, "")
        kind: DueKind = cells.read("kind", cell_reader(KIND), DueKind.OTHER)
        if cells.is_valid:
            _check_due(cells, kind, due_on, due_miles)
        label: str = cells.read("label", cell_reader(LABEL), "")
        lines.append(DueLine(cells, reg, kind, due_on, due_miles, label))
    return FileLines(table, lines)


def due_rows(items: Iterable[DueRow]) -> Iterator[Sequence[object]]:
    """Yield items as the rows of a file, one for each vehicle that shares an item."""
    for item in items:
        terms = item.terms
        day = terms.due_on.isoformat() if terms.due_on else ""
        miles = "" if terms.due_miles is None else terms.due_miles
        for _, reg in sorted(item.vehicles.items()):
            yield escape(reg), terms.kind.value, day, miles, escape(terms.label)


def read_readings(source: Source) -> FileLines[ReadingLine]:
    """Read a file of odometer readings. Raises FileErrors for any other file."""
    table = Table(source, READING_COLUMNS)
    lines = []
    for cells in table:
        reg: str = cells.read("reg", _plate, "")
        day = cells.read("day", cell_reader(READ_ON))
        miles = cells.read("miles", cell_reader(MILES))
        lines.append(ReadingLine(cells, reg, day, miles))
    return FileLines(table, lines)


def reading_rows(readings: Iterable[OdometerReading]) -> Iterator[Sequence[object]]:
    """Yield readings as the rows of a file."""
    for row in readings:
        yield escape(row.reg), row.day.isoformat(), row.miles


def _plate(text: str) -> str:
    return clean_plate(unescape(text))


def _check_due(cells: Cells, kind: DueKind, due_on: date | None, due_miles: int | None) -> None:
    try:
        check_due(kind, due_on, due_miles)
    except Invalid as error:
        cells.refuse(error.field or "due_on", error.message)
