"""What a repair does to the defects that it mends, and what undoing it does."""

from collections.abc import Sequence

from app.events.rules import EventKind
from app.fleet.queries.vehicles import stored_plate
from app.fleet.rules.findings import Severity
from app.upkeep.models.defects import Defect
from app.upkeep.models.repairs import Repair
from app.upkeep.queries import defects as queries
from app.upkeep.rules import defects as rules
from app.upkeep.rules.kinds import Closing, DefectState
from app.upkeep.services.defects import (
    DefectReport,
    check_not_closed,
    insert_defect,
    record_change,
    stop_vehicle,
)


def mark_repaired(defects: Sequence[Defect], *, repair: Repair, by: int | None) -> None:
    """Mark locked defects as mended by a repair: they wait for their sign-off.

    Raises Conflict for one that is repaired or closed already.
    """
    for defect in defects:
        check_not_closed(defect)
        before = defect.state
        defect.state = rules.state_after_repair(before, defect.reference)
        after = {"state": defect.state, "repair": repair.number}
        record_change(
            EventKind.DEFECT_REPAIRED, defect, before={"state": before}, after=after, by=by
        )


def mark_unrepaired(defects: Sequence[Defect], *, repair: Repair, by: int | None) -> None:
    """Open locked defects again whose repair was taken back.

    One that another repair mended stays as it is. For one that was signed off, which is never
    opened again, a new one is opened. All have a new revision, since it happened to them.
    """
    for defect in defects:
        before = defect.state
        is_mended = queries.standing_repair(defect, but=repair.id) is not None
        is_open_again = before is DefectState.REPAIRED and not is_mended
        if is_open_again:
            defect.state = rules.state_without_repair(
                is_booked=bool(defect.garage), is_assessed=defect.assessed_at is not None
            )
        after = {"state": defect.state, "repair": repair.number}
        record_change(
            EventKind.DEFECT_UNREPAIRED, defect, before={"state": before}, after=after, by=by
        )
        if is_open_again and defect.severity is Severity.STOP:
            stop_vehicle(defect, by=by)
        elif defect.closing is Closing.REPAIRED and not is_mended:
            _open_anew(defect, repair, by)


def _open_anew(closed: Defect, repair: Repair, by: int | None) -> None:
    """Open a defect that names a closed one and its repair.

    Not where its part has an open one or was mended again since, nor once its vehicle has left
    the lists.
    """
    last = queries.last_defect(closed.reg_key, closed.part_key)
    is_open = last is not None and last.closed_at is None
    if is_open or queries.is_mended_later(closed) or stored_plate(closed.reg_key) is None:
        return
    why = f"{repair.reference}, which mended {closed.reference}, was undone."
    detail = "\n".join(filter(None, (why, closed.detail)))
    report = DefectReport(
        closed.reg, closed.title, closed.part, closed.severity, closed.day, detail
    )
    insert_defect(report, last, by, undone=repair)
