"""CSV files of due items and of odometer readings."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from app.errors import Invalid
from app.fleet.schemas.vehicles import read_plate
from app.records.record import Column
from app.tables.cells import cell_reader
from app.tables.csv_files import Cells, FileLines, Source, Table
from app.upkeep.models.readings import OdometerReading
from app.upkeep.queries.due import DueRow
from app.upkeep.rules.due_fields import DUE_MILES, DUE_ON, KIND, LABEL, MILES, READ_ON
from app.upkeep.rules.due_kinds import check_due
from app.upkeep.rules.kinds import DueKind
from app.upkeep.services.due_lists import DueLine
from app.upkeep.services.reading_lists import ReadingLine

DueOfVehicle = tuple[DueRow, str]
"""An item, and the registration of one of its vehicles."""

DUE_FILE: Sequence[Column[DueOfVehicle]] = (
    Column("reg", lambda line: line[1]),
    Column("kind", lambda line: line[0].terms.kind.value),
    Column("due_on", lambda line: line[0].terms.due_on),
    Column("due_miles", lambda line: line[0].terms.due_miles),
    Column("label", lambda line: line[0].terms.label),
)
READING_FILE: Sequence[Column[OdometerReading]] = (
    Column("reg", lambda reading: reading.reg),
    Column("day", lambda reading: reading.day),
    Column("miles", lambda reading: reading.miles),
)


def read_due(source: Source) -> FileLines[DueLine]:
    """Read a file of due items. Raises FileErrors for any other file."""
    columns = [column.name for column in DUE_FILE]
    table = Table(source, columns[:2], columns[2:])
    lines = []
    for cells in table:
        due_on: date | None = cells.read("due_on", cell_reader(DUE_ON))
        due_miles: int | None = cells.read("due_miles", cell_reader(DUE_MILES))
        reg = read_plate(cells)
        kind: DueKind = cells.read("kind", cell_reader(KIND), DueKind.OTHER)
        if cells.is_valid:
            _check_due(cells, kind, due_on, due_miles)
        label: str = cells.read("label", cell_reader(LABEL), "")
        lines.append(DueLine(cells, reg, kind, due_on, due_miles, label))
    return FileLines(table, lines)


def due_lines(items: Iterable[DueRow]) -> Iterator[DueOfVehicle]:
    """Yield items once for each vehicle that shares them."""
    return ((item, reg) for item in items for _, reg in sorted(item.vehicles.items()))


def read_readings(source: Source) -> FileLines[ReadingLine]:
    """Read a file of odometer readings. Raises FileErrors for any other file."""
    table = Table(source, [column.name for column in READING_FILE])
    lines = []
    for cells in table:
        reg = read_plate(cells)
        day = cells.read("day", cell_reader(READ_ON))
        miles = cells.read("miles", cell_reader(MILES))
        lines.append(ReadingLine(cells, reg, day, miles))
    return FileLines(table, lines)


def _check_due(cells: Cells, kind: DueKind, due_on: date | None, due_miles: int | None) -> None:
    try:
        check_due(kind, due_on, due_miles)
    except Invalid as error:
        cells.refuse(error.field or "due_on", error.message)
