"""The upkeep of vehicles that is there when its screens are looked at, with the longest texts.

Defect 1 is what a check reports, defect 2 keeps its vehicle off the road, repair 1 mends defect 3,
attachment 1 is of defect 2, item 1 is due, done 1 is what was done of another, plan 1 makes items,
and reading 2 is in doubt.
"""

from datetime import timedelta

from app import dates
from app.db import transaction
from app.defects.rules.fields import OffRoadReason, RepairValues
from app.defects.services.defects import DefectReport, open_defect
from app.defects.services.off_road import take_off_road
from app.defects.services.repairs import record_repair
from app.due.rules.fields import Applies, DueKind
from app.due.rules.plans import PlanDraft
from app.due.services.done import DoneValues, mark_done
from app.due.services.due import DueValues, add_item
from app.due.services.plans import save_plan
from app.fleet.rules.findings import Severity
from tests import factories
from tests.attachments.files import invoice

HUGE = 99_999_999

LISTS = {
    "defects": "/fleet/defects",
    "off the road": "/fleet/off-road",
    "due": "/fleet/due",
    "repairs": "/fleet/repairs",
    "readings": "/fleet/readings",
    "plans": "/fleet/plans",
    "due by month": "/fleet/due/month",
}
"""The lists of upkeep."""

PAGES = {
    "defect": "/fleet/defects/2",
    "assess defect": "/fleet/defects/1/assess",
    "book defect": "/fleet/defects/1/book",
    "note of a defect": "/fleet/defects/1/note",
    "close defect": "/fleet/defects/1/close",
    "sign off defect": "/fleet/defects/3/sign-off",
    "report defect": "/fleet/defects/new",
    "times off the road": f"/fleet/off-road/{'W' * 20}",
    "take off the road": "/fleet/off-road/new",
    "change time off the road": "/fleet/off-road/1/change",
    "back on the road": "/fleet/off-road/1/return",
    "remove attachment": "/attachments/1/remove",
    "repair": "/fleet/repairs/1",
    "record repair": f"/fleet/repairs/new?reg={'W' * 20}",
    "undo of a repair": "/fleet/repairs/1/undo",
    "due item": "/fleet/due/1",
    "due item is done": "/fleet/due/1/done",
    "edit due item": "/fleet/due/1/edit",
    "snooze due item": "/fleet/due/1/snooze",
    "withdraw due item": "/fleet/due/1/withdraw",
    "add due item": "/fleet/due/add",
    "undo of what was done": "/fleet/due/done/1/undo",
    "calendar feed": "/fleet/due/calendar",
    "edit plan": "/fleet/plans/1/edit",
    "items of a plan": "/fleet/plans/1/items",
    "withdraw plan": "/fleet/plans/1/withdraw",
    "add plan": "/fleet/plans/add",
    "accept reading": "/fleet/readings/2/accept",
    "void reading": "/fleet/readings/2/void",
    "add reading": "/fleet/readings/add",
}
"""Upkeep's other pages."""


def the_worst_upkeep(reg: str, *, by: int) -> None:
    """Add upkeep of a vehicle."""
    today = dates.today()
    with transaction():
        for part, severity in (("P" * 80, Severity.STOP), ("Mirrors", Severity.REPAIR)):
            report = DefectReport(reg, part, "T" * 160, severity, "d " * 400, today)
            open_defect(report, by=by)
        detail = "Gearbox " * 100
        take_off_road(reg, OffRoadReason.OTHER, detail=detail, expected_back=today, by=by)
        costs = {"labour": HUGE, "parts": HUGE, "other": HUGE, "garage": "G" * 120}
        record_repair(
            RepairValues(reg=reg, defects=[3], finished_on=today, note="n " * 900, **costs), by=by
        )
    factories.attach([invoice("i" * 60 + ".pdf")], by=by, to=2)
    with transaction():
        due = DueValues([reg], DueKind.MOT, due_on=today - timedelta(days=1))
        add_item(due, by=by)
        done = add_item(DueValues([reg], DueKind.OTHER, "L" * 100, due_on=today), by=by)
        mark_done(done.item_id, DoneValues(today, cost=HUGE), revision=0, by=by)
    with transaction():
        save_plan(
            PlanDraft("L" * 100, DueKind.INSPECTION, Applies.ALL, every_months=2),
            confirmed=None,
            by=by,
        )
