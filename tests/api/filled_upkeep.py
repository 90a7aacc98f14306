"""Upkeep of a few vehicles: entries in every list that its calls serve."""

from datetime import date

from app import dates
from app.db import db, transaction
from app.defects.rules.fields import OffRoadReason, RepairValues
from app.defects.services.defects import DefectReport, open_defect
from app.defects.services.off_road import return_to_road, take_off_road
from app.defects.services.repairs import record_repair
from app.due.rules.fields import Applies, DueKind
from app.due.rules.plans import PlanDraft
from app.due.services.done import DoneValues, mark_done
from app.due.services.due import DueValues, add_item
from app.due.services.plans import save_plan
from app.fleet.rules.findings import Severity
from app.mileage.models import OdometerReading
from app.mileage.rules import Doubt, ReadingSource
from tests.factories import DAY

IN_USE, DOUBTFUL = 1000, 1001
"""Ids of readings."""

OFF_ROAD = "B1"
"""A vehicle that is off the road, for the second time."""


WAS_DONE = 3
"""An item that is done, by what was done first."""


def fill_upkeep(user: int) -> None:
    """Store defects, repairs, times off the road, what is due, plans and readings."""
    with transaction():
        for part in ("Mirrors", "Wipers", "Seats"):
            open_defect(
                DefectReport("LK19 VTE", part, f"{part} worn", Severity.REPAIR, day=DAY), by=user
            )
        for labour in (3500, 4800):
            done = {"finished_on": dates.today(), "labour": labour, "note": "Oil changed"}
            record_repair(RepairValues(reg="LK19 VTE", **done), by=user)
        record_repair(RepairValues(reg="LK19 VTE", defects=[3], finished_on=dates.today()), by=user)
        take_off_road(OFF_ROAD, OffRoadReason.SERVICE, by=user)
        return_to_road(OFF_ROAD, note="Driven", override_reason="", by=user)
        take_off_road(OFF_ROAD, OffRoadReason.SERVICE, by=user)
    _fill_due(user)
    _fill_readings(user)


def _fill_due(user: int) -> None:
    with transaction():
        for reg, kind in (("LK19 VTE", DueKind.MOT), ("AB12 CDE", DueKind.SERVICE)):
            add_item(DueValues([reg], kind, due_on=date(2026, 1, 3)), by=user)
        tyres = DueValues(["AB12 CDE"], DueKind.TYRES, due_on=date(2026, 1, 3))
        done_on = DoneValues(done_on=dates.today())
        mark_done(add_item(tyres, by=user).item_id, done_on, revision=0, by=user)
    for label in ("Inspection", "LOLER", "Tacho"):
        draft = PlanDraft(label, DueKind.INSPECTION, Applies.ALL, every_months=2)
        with transaction():
            save_plan(draft, confirmed=None, by=user)


def _fill_readings(user: int) -> None:
    with transaction():
        for reading_id, miles in ((IN_USE, 40_000), (DOUBTFUL, 999_999)):
            db.session.add(
                OdometerReading(
                    id=reading_id,
                    reg="B2",
                    reg_key="b2",
                    day=date(2026, 1, 15),
                    miles=miles,
                    source=ReadingSource.BY_HAND,
                    is_accepted=reading_id == IN_USE,
                    doubt=None if reading_id == IN_USE else Doubt.JUMPED,
                    recorded_by=user,
                    recorded_at=dates.utc_now(),
                )
            )
