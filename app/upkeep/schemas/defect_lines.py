"""CSV files of open defects, to move them from another system."""

from collections.abc import Iterable, Iterator, Sequence

from app.errors import Invalid
from app.fields import Day, Lines, Text, WholeNumber
from app.fleet.rules.findings import Severity
from app.fleet.rules.plates import clean_plate
from app.tables.cells import cell_reader
from app.tables.csv_files import FileLines, Source, Table, escape, unescape
from app.upkeep.models.defects import MAX_TITLE_LENGTH, Defect
from app.upkeep.rules.defects import MAX_TEXT_LENGTH
from app.upkeep.services.defect_lists import DefectLine
from app.upkeep.services.defects import DefectReport

DEFECT_COLUMNS = ("reg", "part", "title", "severity", "day", "detail", "odometer")
"""The columns of the file; the last two may be missing."""

_PART = Text(
    name="part", label="Part", limit=MAX_TITLE_LENGTH, required="Which part? Such as Brakes."
)
_TITLE = Text(
    name="title", label="Title", limit=MAX_TITLE_LENGTH, required="What is wrong with it?"
)
_DAY = Day(name="day", label="Day", required="Day is required.")
_DETAIL = Lines(name="detail", label="Detail", limit=MAX_TEXT_LENGTH)
_ODOMETER = WholeNumber(name="odometer", label="Mileage")


def read_defects(source: Source) -> FileLines[DefectLine]:
    """Read a file of open defects. Raises FileErrors for one that isn't such a file."""
    table = Table(source, DEFECT_COLUMNS[:5], DEFECT_COLUMNS[5:])
    lines = []
    for cells in table:
        report = DefectReport(
            reg=cells.read("reg", lambda text: clean_plate(unescape(text)), ""),
            part=cells.read("part", cell_reader(_PART), ""),
            title=cells.read("title", cell_reader(_TITLE), ""),
            severity=cells.read("severity", _severity),
            day=cells.read("day", cell_reader(_DAY)),
            detail=cells.read("detail", lambda text: _DETAIL.parse(unescape(text)), ""),
            odometer=cells.read("odometer", cell_reader(_ODOMETER)),
        )
        lines.append(DefectLine(cells, report))
    return FileLines(table, lines)


def defect_rows(defects: Iterable[Defect]) -> Iterator[Sequence[object]]:
    """Yield defects as the rows of a file that can be imported."""
    for defect in defects:
        yield (
            escape(defect.reg),
            escape(defect.part),
            escape(defect.title),
            defect.severity.value if defect.severity else "",
            defect.day.isoformat(),
            escape(defect.detail),
            "" if defect.odometer is None else defect.odometer,
        )


def _severity(text: str) -> Severity | None:
    stripped = text.strip().lower()
    if not stripped:
        return None
    try:
        return Severity(stripped)
    except ValueError:
        raise Invalid(f'"{text[:40]}" is none of {", ".join(Severity)}') from None
