"""Decisions on defects, and their import."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from flask import current_app
from sqlalchemy import select

from app import dates, names
from app.attachments.services import PreparedFile, add_attachments, attach_to_existing
from app.audit.services import record_import
from app.config import Settings
from app.db import db
from app.defects.models import Defect, DefectNote
from app.defects.queries.defects import NoSuchDefect, standing_repair
from app.defects.rules import defects as rules
from app.defects.rules.fields import Closing, DefectState
from app.defects.services import defects
from app.defects.services.defects import SUBJECT, Arrival, DefectReport
from app.defects.services.off_road import return_to_road
from app.errors import Forbidden, Invalid, QuartermasterError, check_revision
from app.events.rules import EventKind
from app.fleet.queries.vehicles import lock_records
from app.fleet.rules.findings import Severity
from app.fleet.rules.vehicles import plate_key
from app.fleet.services.upkeep import refuse_missing_vehicles
from app.lists import ListChange, batches, rows_with
from app.records.targets import Imported
from app.tables.csv_files import Cells, FileLines


@dataclass(frozen=True)
class DefectResult:
    """A defect that was changed, by its number and 'D-0142'; `news` is about its vehicle."""

    number: int
    reference: str
    news: str = ""


def assess_defect(
    number: int, severity: Severity, *, note: str = "", revision: int | None = None, by: int
) -> DefectResult:
    """Set the severity of a defect that isn't closed; a repaired one then isn't mended."""
    defect = _lock(number, revision)
    defect.assessed_by, defect.assessed_at = by, dates.utc_now()
    values = {"severity": severity, "state": rules.state_after_assessment(defect.state)}
    note_id = _add_note(defect, note, by)
    defects.change(EventKind.DEFECT_ASSESSED, defect, values, noteId=note_id, by=by)
    if severity is Severity.STOP:
        defects.stop_vehicle(defect, by=by)
    return DefectResult(defect.number, defect.reference)


def book_defect(
    number: int,
    garage: str,
    booked_for: date | None,
    *,
    note: str = "",
    revision: int | None = None,
    by: int,
) -> DefectResult:
    """Book a defect that isn't repaired in at a garage, or for another day than before."""
    if not garage:
        raise Invalid("Which garage or workshop is it booked in at?", "garage")
    defect = _lock(number, revision)
    rules.check_booking(booked_for, defect.booked_for, dates.today())
    rules.check_unrepaired(defect.state, defect.reference)
    values = {"state": DefectState.BOOKED, "garage": garage, "booked_for": booked_for}
    note_id = _add_note(defect, note, by)
    defects.change(EventKind.DEFECT_BOOKED, defect, values, noteId=note_id, by=by)
    return DefectResult(defect.number, defect.reference)


def note_defect(
    number: int, text: str, files: Sequence[PreparedFile] = (), *, by: int
) -> DefectResult:
    """Add a note to a defect, open or closed, files, or both; raises Invalid for neither."""
    if not text and not files:
        raise Invalid("Write a note, or choose a file.", "text")
    (defect,) = defects.lock_defects([number])
    if text:
        after = {"noteId": _add_note(defect, text, by)}
        add_attachments(SUBJECT, defect.id, files, by=by)
        defects.record_change(EventKind.DEFECT_NOTED, defect, after=after, by=by)
    else:
        attach_to_existing(SUBJECT, defect.id, files, by=by)
    return DefectResult(defect.number, defect.reference)


def close_defect(
    number: int, values: rules.ClosingChoice, *, revision: int | None = None, by: int
) -> DefectResult:
    """Close an unrepaired defect with a reason; a duplicate is a sighting of its original."""
    same_number = number if values.duplicate_of is None else values.duplicate_of
    try:
        locked = {defect.number: defect for defect in defects.lock_defects({number, same_number})}
    except NoSuchDefect as error:
        if error.number == number:
            raise
        raise Invalid(error.message, "duplicate_of") from None
    defect, same = _check_open(locked[number], revision), locked[same_number]
    rules.check_closing(values, defect, dates.today())
    defect.closing_reason = values.reason
    if values.closing is Closing.ACCEPTED:
        defect.accepted_until = values.accepted_until
    if values.closing is Closing.DUPLICATE:
        _check_same(defect, same)
        defect.duplicate_of_id = same.id
        defects.close_as(defect, values.closing, by=by, duplicateOf=same.number)
        _record_duplicate(same, defect, by)
    else:
        defects.close_as(defect, values.closing, by=by, acceptedUntil=defect.accepted_until)
    return DefectResult(defect.number, defect.reference)


def sign_off_defect(
    number: int, *, returns: bool = False, revision: int | None = None, by: int
) -> DefectResult:
    """Sign a repaired defect off, as a manager; with `returns` its vehicle is back on the road.

    Raises NoSuchDefect, Conflict for a defect that isn't repaired or is closed, EditConflict,
    Forbidden for the user who recorded the repair if SIGN_OFF_BY_ANOTHER demands another person,
    and the errors of `return_to_road`.
    """
    defect = _lock(number, revision)
    rules.check_sign_off(defect.state, defect.reference)
    settings: Settings = current_app.config["QUARTERMASTER"]
    repair = standing_repair(defect)
    if settings.sign_off_by_another and repair and repair.recorded_by == by:
        recorded = f"You recorded the repair {repair.reference} of {defect.reference}."
        raise Forbidden(f"{recorded} Another manager signs it off.")
    defects.close_as(defect, Closing.REPAIRED, by=by)
    if not returns:
        return DefectResult(defect.number, defect.reference)
    vehicle = return_to_road(defect.reg, note="", override_reason="", by=by)
    return DefectResult(defect.number, defect.reference, f" {vehicle.reg} is back on the road.")


def close_for_vehicles_left(reg_keys: Collection[str], *, by: int | None) -> None:
    """Close the open defects of vehicles that are in no list any more; all stays readable."""
    for keys in batches(sorted(reg_keys)):
        is_open = (Defect.reg_key.in_(keys), Defect.closed_at.is_(None))
        numbers = db.session.scalars(select(Defect.number).where(*is_open)).all()
        for defect in defects.lock_defects(numbers):
            if defect.closed_at is None:
                defects.close_as(defect, Closing.VEHICLE_LEFT, by=by)


def _lock(number: int, revision: int | None) -> Defect:
    """Lock an open defect; raises NoSuchDefect, Conflict for a closed one, and EditConflict."""
    (defect,) = defects.lock_defects([number])
    return _check_open(defect, revision)


def _check_open(defect: Defect, revision: int | None) -> Defect:
    defects.check_not_closed(defect)
    check_revision("defect", defect.revision, revision)
    return defect


def _check_same(defect: Defect, same: Defect) -> None:
    if same.id == defect.id:
        raise Invalid("A defect can't be a duplicate of itself.", "duplicate_of")
    if same.reg_key != defect.reg_key:
        raise Invalid(f"{same.reference} is a defect of {same.reg}.", "duplicate_of")
    if same.closed_at is not None:
        raise Invalid(f"{same.reference} is closed. Choose an open defect.", "duplicate_of")


def _record_duplicate(same: Defect, closed: Defect, by: int) -> None:
    report = DefectReport(
        reg=same.reg,
        part=same.part,
        title=same.title,
        severity=closed.severity,
        detail=closed.title,
        day=closed.day,
        check_id=closed.check_id,
    )
    by = closed.reported_by or by
    defects.record_sighting(same, report, recorded_at=closed.reported_at, by=by)


def _add_note(defect: Defect, text: str, by: int) -> int | None:
    if not text:
        return None
    note = DefectNote(defect_id=defect.id, noted_by=by, noted_at=dates.utc_now(), text=text)
    db.session.add(note)
    db.session.flush()
    return note.id


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
        return self.number, plate_key(self.reg), rules.part_key(self.report.part)


def import_defects(file: FileLines[DefectLine], *, by: int | None) -> Imported:
    """Open the new defects of a file; open and known ones stay unchanged.

    Known are defects closed on the day of the report, and exports from here, by number, vehicle and
    part. Returns also notes on worse severities that were left alone. Raises FileErrors.
    """
    lock_records([plate_key(line.reg) for line in file.lines])
    added = 0
    notes: list[str] = []
    for line in lines_to_judge(file):
        last, arrival = judge_line(line)
        if last is not None:
            is_worse = rules.rank(line.report.severity) > rules.rank(last.severity)
            if arrival is Arrival.SEEN and is_worse:
                notes.append(_worse_note(line, last))
            continue
        try:
            defects.report_defect(line.report, by=by)
            added += 1
        except QuartermasterError as error:
            line.row.refuse(error.field or "part", error.message)
    file.rows.check()
    record_import("defects", ListChange(added), by=by)
    return Imported(f"{added} added, {len(file.lines) - added} unchanged", notes)


def lines_to_judge(file: FileLines[DefectLine]) -> Sequence[DefectLine]:
    """Return the lines that aren't of an export from here; refuse those of unknown vehicles."""
    stored = select(Defect.number, Defect.reg_key, Defect.part_key)
    numbers = (line.number for line in file.lines if line.number is not None)
    exported = {(*row,) for row in rows_with(stored, Defect.number, numbers)}
    lines = [line for line in file.lines if not (line.is_closed or line.identity in exported)]
    refuse_missing_vehicles(lines)
    return [line for line in lines if line.row.is_valid]


def new_defects(file: FileLines[DefectLine]) -> Sequence[DefectLine]:
    """Return the lines that open a defect, the first of each part."""
    new = [line for line in lines_to_judge(file) if judge_line(line)[0] is None]
    return [*{line.identity[1:]: line for line in reversed(new)}.values()]


def judge_line(line: DefectLine) -> tuple[Defect | None, Arrival]:
    """Return the defect that a line is about, None if it opens one, and the report's result."""
    report = line.report
    last, arrival = defects.judge_report(report)
    is_same = last and (last.day, names.key(last.title)) == (report.day, names.key(report.title))
    return (None if arrival is Arrival.OPENED and not is_same else last), arrival


def _worse_note(line: DefectLine, last: Defect) -> str:
    severity, other = (rules.severity_label(each.severity).lower() for each in (last, line.report))
    return (
        f"Row {line.row.line}: {last.reference} of {last.reg} is open already and stays as it is: "
        f"{severity}. The row says {other}: assess it."
    )
