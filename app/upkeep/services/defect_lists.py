"""Import open defects from a file."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import select

from app import names
from app.audit.services import record_import
from app.db import db
from app.errors import QuartermasterError
from app.fleet.queries.vehicles import lock_records
from app.fleet.rules.plates import plate_key
from app.lists import ListChange, batches
from app.tables.csv_files import Cells, FileLines
from app.upkeep.models.defects import Defect
from app.upkeep.rules.defect_texts import severity_label
from app.upkeep.rules.defects import part_key, rank
from app.upkeep.services.defects import Arrival, DefectReport, judge_report, report_defect
from app.upkeep.services.file_vehicles import refuse_missing_vehicles


@dataclass(frozen=True)
class DefectLine:
    """A defect in a file, and its row; `number` is None for a new one."""

    row: Cells
    report: DefectReport
    number: int | None = None
    is_closed: bool = False

    @property
    def reg(self) -> str:
        """Return the registration of its vehicle."""
        return self.report.reg

    @property
    def identity(self) -> tuple[int | None, str, str]:
        """Return the number of its defect, and the keys of its vehicle and part."""
        return self.number, plate_key(self.reg), part_key(self.report.part)


@dataclass(frozen=True)
class ImportedDefects:
    """How many defects a file opened, and the worse severities in it that were left alone."""

    change: ListChange
    notes: Sequence[str]


def import_defects(file: FileLines[DefectLine], *, by: int | None) -> ImportedDefects:
    """Open the new defects of a file; open and known ones stay unchanged.

    Known are defects closed on the day of the report, and exports from here, by number, vehicle and
    part. Raises FileErrors with all errors of all rows.
    """
    lock_records([plate_key(line.reg) for line in file.lines])
    exported = _exported(file.lines)
    lines = [line for line in file.lines if not (line.is_closed or line.identity in exported)]
    refuse_missing_vehicles(lines)
    added = 0
    notes: list[str] = []
    for line in lines:
        if not line.row.is_valid:
            continue
        report = line.report
        last, arrival = judge_report(report)
        if last is not None and (arrival is not Arrival.OPENED or _is_same(report, last)):
            if arrival is Arrival.SEEN and rank(report.severity) > rank(last.severity):
                notes.append(_worse_note(line, last))
            continue
        try:
            report_defect(report, by=by)
            added += 1
        except QuartermasterError as error:
            line.row.refuse(error.field or "part", error.message)
    file.rows.check()
    change = ListChange(added, 0, len(file.lines) - added)
    record_import("defects", change, by=by)
    return ImportedDefects(change, notes)


def _exported(lines: Sequence[DefectLine]) -> Collection[tuple[int | None, str, str]]:
    statement = select(Defect.number, Defect.reg_key, Defect.part_key)
    found: set[tuple[int | None, str, str]] = set()
    for numbers in batches(sorted({line.number for line in lines if line.number is not None})):
        for number, reg_key, key in db.session.execute(statement.where(Defect.number.in_(numbers))):
            found.add((number, reg_key, key))
    return found


def _is_same(report: DefectReport, last: Defect) -> bool:
    """Return whether a defect that was closed on the day of its report is the reported one."""
    return last.day == report.day and names.key(last.title) == names.key(report.title)


def _worse_note(line: DefectLine, last: Defect) -> str:
    severity, other = (severity_label(each.severity).lower() for each in (last, line.report))
    return (
        f"Row {line.row.line}: {last.reference} of {last.reg} is open already and stays as it is: "
        f"{severity}. The row says {other}: assess it."
    )
