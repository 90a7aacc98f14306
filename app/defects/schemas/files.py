"""The CSV lines of defects."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

from app import dates
from app.defects.models import MAX_TITLE_LENGTH, Defect
from app.defects.queries.lists import SeenAgain
from app.defects.rules import fields as own
from app.defects.rules.fields import DefectState
from app.defects.services.decisions import DefectLine
from app.defects.services.defects import DefectReport
from app.errors import Invalid
from app.fields import Choice, Field, camel_case
from app.fleet.schemas.vehicles import read_plate
from app.records.record import Column
from app.reference_numbers import ReferenceNumber, Series, parse_reference
from app.tables.csv_files import FileLines, Source, Table, cell_reader

DefectRow = tuple[Any, SeenAgain, Mapping[int | None, str]]
"""The columns of a defect, how often it was seen, and usernames."""


def _of_defect(attribute: str, name: str = "") -> Column[DefectRow]:
    read = attrgetter(attribute)
    return Column(name or camel_case(attribute), lambda row: read(row[0]))


def _user(attribute: str) -> Column[DefectRow]:
    read = attrgetter(attribute)
    return Column(camel_case(attribute), lambda row: row[2][read(row[0])])


DEFECT_FILE: Sequence[Column[DefectRow]] = (
    Column("number", lambda row: ReferenceNumber(Series.DEFECT, row[0].number)),
    _of_defect("reg"),
    _of_defect("part"),
    _of_defect("title"),
    _of_defect("detail"),
    Column("severity", lambda row: own.SEVERITY.show(row[0].severity)),
    Column("state", lambda row: row[0].state.label),
    _of_defect("day", "since"),
    _of_defect("odometer"),
    _user("reported_by"),
    Column("timesSeen", lambda row: row[1].times),
    Column("lastSeen", lambda row: row[1].last_seen(row[0].day)),
    _user("assessed_by"),
    _of_defect("garage"),
    _of_defect("booked_for"),
    Column("closing", lambda row: row[0].closing.label if row[0].closing else ""),
    _of_defect("closing_reason"),
    _of_defect("accepted_until"),
    _user("closed_by"),
    Column(
        "closedAt",
        lambda row: dates.format_local_time(row[0].closed_at) if row[0].closed_at else "",
    ),
)

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
