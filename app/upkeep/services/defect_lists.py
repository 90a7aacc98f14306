"""Import open defects from a file."""

from collections.abc import Sequence
from dataclasses import dataclass

from app import names
from app.audit.services import record_import
from app.errors import QuartermasterError
from app.fleet.rules.plates import plate_key
from app.lists import ListChange
from app.tables.csv_files import Cells, FileLines
from app.upkeep.models.defects import Defect
from app.upkeep.rules.defect_texts import severity_label
from app.upkeep.rules.defects import rank
from app.upkeep.services.defects import Arrival, DefectReport, judge_report, report_defect
from app.upkeep.services.file_vehicles import refuse_missing_vehicles
from app.upkeep.services.locks import lock_upkeep


@dataclass(frozen=True)
class DefectLine:
    """A defect of a file, and the row in which it stands."""

    row: Cells
    report: DefectReport

    @property
    def reg(self) -> str:
        """Return the registration of its vehicle."""
        return self.report.reg


@dataclass(frozen=True)
class ImportedDefects:
    """How many defects a file opened, and the worse severities in it that were left alone."""

    change: ListChange
    notes: Sequence[str]


def import_defects(file: FileLines[DefectLine], *, by: int | None) -> ImportedDefects:
    """Open the defects of a file; what is open, or was before it was closed, is left as it is.

    Raises FileErrors with all errors of all rows.
    """
    lines = file.lines
    lock_upkeep([plate_key(line.reg) for line in lines])
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
    change = ListChange(added, 0, len(lines) - added)
    record_import("defects", change, by=by)
    return ImportedDefects(change, notes)


def _is_same(report: DefectReport, last: Defect) -> bool:
    """Return whether a defect that was closed on the day of its report is the reported one."""
    return last.day == report.day and names.key(last.title) == names.key(report.title)


def _worse_note(line: DefectLine, last: Defect) -> str:
    severity, other = (severity_label(each.severity).lower() for each in (last, line.report))
    return (
        f"Row {line.row.line}: {last.reference} of {last.reg} is open already and stays as it is: "
        f"{severity}. The row says {other}: assess it."
    )
