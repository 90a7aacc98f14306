"""Import open defects from a file."""

from dataclasses import dataclass

from app.audit.services import record_import
from app.errors import QuartermasterError
from app.fleet.rules.plates import plate_key
from app.lists import ListChange
from app.tables.csv_files import Cells, FileLines
from app.upkeep.queries.defects import last_defect
from app.upkeep.rules.defects import part_key
from app.upkeep.services.defects import DefectReport, open_defect
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


def import_defects(file: FileLines[DefectLine], *, by: int | None) -> ListChange:
    """Open the defects of a file; a part that has an open one is left as it is.

    Raises FileErrors with all errors of all rows.
    """
    lines = file.lines
    lock_upkeep([plate_key(line.reg) for line in lines])
    refuse_missing_vehicles(lines)
    added = 0
    for line in lines:
        if not line.row.is_valid:
            continue
        report = line.report
        last = last_defect(plate_key(report.reg), part_key(report.part))
        if last is not None and last.closed_at is None:
            continue
        try:
            open_defect(report, by=by)
            added += 1
        except QuartermasterError as error:
            line.row.refuse(error.field or "part", error.message)
    file.rows.check()
    change = ListChange(added, 0, len(lines) - added)
    record_import("defects", change, by=by)
    return change
