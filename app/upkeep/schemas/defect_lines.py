"""CSV files of open defects, to move them from another system."""

from collections.abc import Sequence
from dataclasses import replace

from app.errors import Invalid
from app.fields import Choice, Field
from app.fleet.schemas.vehicles import read_plate
from app.records.record import Column
from app.reference_numbers import Series, parse_reference
from app.tables.cells import cell_reader
from app.tables.csv_files import FileLines, Source, Table
from app.upkeep.models.defects import MAX_TITLE_LENGTH, Defect
from app.upkeep.rules import defect_fields as own
from app.upkeep.rules.kinds import DefectState
from app.upkeep.schemas.defect_files import DEFECT_FILE
from app.upkeep.services.defect_lists import DefectLine
from app.upkeep.services.defects import DefectReport

OPEN_DEFECT_FILE: Sequence[Column[Defect]] = (
    Column("reg", lambda defect: defect.reg),
    Column("part", lambda defect: defect.part),
    Column("title", lambda defect: defect.title),
    Column("severity", lambda defect: defect.severity and defect.severity.value),
    Column("day", lambda defect: defect.day),
    Column("detail", lambda defect: defect.detail),
    Column("odometer", lambda defect: defect.odometer),
)
"""The columns of the file; the last two may be missing."""

_STATE = cell_reader(Choice(kind=DefectState))
_DAY = cell_reader(replace(own.DAY, required="Day is required."))
_STORED_PART = replace(own.PART, limit=MAX_TITLE_LENGTH)
"""The part of a check's defect, which may be longer than what people enter."""


def read_defects(source: Source) -> FileLines[DefectLine]:
    """Read a file of open defects, or what a list of defects was exported as.

    Raises FileErrors for any other file.
    """
    columns = [column.name for column in OPEN_DEFECT_FILE]
    table = Table(
        source,
        columns[:5],
        columns[5:],
        aliases={"since": "day"},
        ignored=[each.name for each in DEFECT_FILE if each.name not in (*columns, "since")],
    )
    lines = []
    for cells in table:
        number = cells.read("number", _number)
        part: Field[str] = own.PART if number is None else _STORED_PART
        report = DefectReport(
            reg=read_plate(cells),
            part=cells.read("part", cell_reader(part), ""),
            title=cells.read("title", cell_reader(own.TITLE), ""),
            severity=cells.read("severity", cell_reader(own.SEVERITY)),
            day=cells.read("day", _DAY),
            detail=cells.read("detail", cell_reader(own.DETAIL), ""),
            odometer=cells.read("odometer", cell_reader(own.ODOMETER)),
        )
        is_closed = cells.read("state", _STATE) is DefectState.CLOSED
        lines.append(DefectLine(cells, report, number, is_closed=is_closed))
    return FileLines(table, lines)


def _number(text: str) -> int | None:
    if not text.strip():
        return None
    reference = parse_reference(text.strip())
    if reference is None or reference.series is not Series.DEFECT:
        raise Invalid(f'"{text[:40]}" is no number of a defect, such as D-0142')
    return reference.number
