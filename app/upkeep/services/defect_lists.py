"""Import open defects from a file."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.audit.services import record_import
from app.errors import QuartermasterError
from app.fleet.queries.vehicles import stored_plate
from app.fleet.rules.plates import plate_key
from app.lists import ListChange
from app.tables.csv_files import FileErrors
from app.upkeep.queries.defects import last_defect
from app.upkeep.rules.defects import part_key
from app.upkeep.services.defects import DefectReport, open_defect
from app.upkeep.services.readings import lock_upkeep


@dataclass(frozen=True)
class DefectLine:
    """A defect of a file, and the row in which it stands, such as 'defects.csv: row 3'."""

    place: str
    report: DefectReport


def import_defects(lines: Sequence[DefectLine], *, by: int | None) -> ListChange:
    """Open the defects of a file; a part that has an open one is left as it is.

    Raises FileErrors with every row that can't be imported.
    """
    lock_upkeep([plate_key(line.report.reg) for line in lines])
    errors = []
    added = 0
    for line in lines:
        report = line.report
        key = plate_key(report.reg)
        if stored_plate(key) is None:
            errors.append(f"{line.place}, reg: There is no vehicle {report.reg}.")
            continue
        last = last_defect(key, part_key(report.part))
        if last is not None and last.closed_at is None:
            continue
        try:
            open_defect(report, by=by)
            added += 1
        except QuartermasterError as error:
            errors.append(f"{line.place}, {error.field or 'part'}: {error.message}")
    if errors:
        raise FileErrors(errors, "Nothing was imported.")
    change = ListChange(added, 0, len(lines) - added)
    record_import("defects", change, by=by)
    return change
