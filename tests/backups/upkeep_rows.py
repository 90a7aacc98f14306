"""Upkeep of the installation that backups are tested with: a row in each of its tables."""

from datetime import timedelta

from app import dates
from app.bookings.rules import BookingKind, BookingRequest, TimeSpan
from app.bookings.services.bookings import book, decide_bookable
from app.db import transaction
from app.defects.rules.fields import RepairValues, StockPart
from app.defects.services.decisions import note_defect
from app.defects.services.repairs import record_repair
from app.due.rules.fields import Applies, DueKind
from app.due.services.due import make_calendar
from app.fleet.rules.findings import BookingStep, HandoverStep, Severity
from app.fleet.rules.vehicles import plate_key
from tests import factories
from tests.factories import GUILDFORD
from tests.upkeep import due_steps
from tests.upkeep.due_steps import REG, VANS


def fill_upkeep(by: int) -> None:
    """Report, note and repair defects, and make plans and items that are due and done."""
    today = dates.today()
    for reg in VANS[1:]:
        factories.vehicle(reg)
    factories.item("Bulb", 5, store=GUILDFORD)
    factories.defect(REG, "Brakes", Severity.STOP)
    mirror = factories.defect(REG, "Mirror “日本”").number
    factories.defect(REG, "Mirror “日本”")
    with transaction():
        note_defect(mirror, "Holds with tape\u2028for now", by=by)
    values = RepairValues(
        reg=REG, defects=[mirror], finished_on=today, stock_parts=[StockPart(GUILDFORD, "Bulb", 1)]
    )
    with transaction():
        record_repair(values, by=by)
    due_steps.save(by, applies=Applies.VEHICLES, regs=[REG])
    shared = due_steps.add(by, today, kind=DueKind.INSURANCE, regs=VANS)
    due_steps.done(by, shared, done_on=today)
    with transaction():
        make_calendar("secret", by=by)
    fill_bookings(VANS[1], by)


def fill_bookings(reg: str, by: int) -> None:
    """Book a vehicle twice, one time after the other, and hand it over by a check."""
    start, hour = dates.utc_now().replace(second=0, microsecond=0), timedelta(hours=1)
    key = plate_key(reg)
    first, _ = [
        factories.do(book, [BookingRequest(BookingKind.VEHICLE, period, key)], by=by).number
        for period in (TimeSpan(start, start + hour), TimeSpan(start + hour, start + 2 * hour))
    ]
    factories.check(reg, by=by, booking=BookingStep(first, HandoverStep.OUT))
    factories.do(decide_bookable, BookingKind.VEHICLE, key, is_bookable=True, by=by)
