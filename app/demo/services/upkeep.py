"""The demo's upkeep: defects, repairs and what is due in every state, through the services."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy import select

from app.attachments.services import PreparedFile, add_attachments
from app.db import db
from app.divisions import Division, Site, Store
from app.fleet.queries import vehicles as fleet
from app.fleet.rules.findings import Severity, SightingAnswer
from app.fleet.rules.plates import plate_key
from app.fleet.rules.vehicles import FleetList, VehicleState
from app.fleet.services.lists import import_vehicles, replace_vehicles
from app.upkeep.models.defects import Defect
from app.upkeep.models.due import DueItem
from app.upkeep.rules.defects import ClosingChoice
from app.upkeep.rules.kinds import Applies, Blocks, Closing, DoneResult, DueKind, OffRoadReason
from app.upkeep.rules.plans import PlanDraft
from app.upkeep.rules.repairs import RepairValues, StockPart
from app.upkeep.services.defect_decisions import (
    Booking,
    assess_defect,
    book_defect,
    close_defect,
    note_defect,
    sign_off_defect,
)
from app.upkeep.services.defects import (
    DefectReport,
    Sighting,
    lock_defects,
    open_defect,
    record_sighting,
)
from app.upkeep.services.done import DoneValues, mark_done
from app.upkeep.services.due import DueValues, add_item, snooze_item
from app.upkeep.services.off_road import take_off_road
from app.upkeep.services.plans import save_plan
from app.upkeep.services.repairs import record_repair, reverse_repair

GARAGE = "Hartley's Garage"
SOLD = "PN12 XKL"
"""A vehicle that has left the list, and is found by its registration."""

GPM_STORE = Store(Division.GPM, Site.MAIN)


@dataclass(frozen=True)
class _Story:
    """The day on which the demo is loaded, and who does everything in it."""

    today: date
    by: int

    def ago(self, days: int) -> date:
        """Return the day so many days ago; negative ones are ahead."""
        return self.today - timedelta(days=days)

    def defect_of(self, reg: str, part: str) -> int:
        """Return the number of a vehicle's last defect of a part, or of damage to one."""
        statement = (
            select(Defect.number)
            .filter_by(reg_key=plate_key(reg))
            .where(Defect.part.startswith(part))
            .order_by(Defect.id.desc())
        )
        return db.session.execute(statement.limit(1)).scalar_one()

    def report(self, reg: str, part: str, title: str, days_ago: int) -> int:
        """Report a defect that isn't assessed, and return its number."""
        report = DefectReport(reg, title, part, None, self.ago(days_ago))
        return open_defect(report, by=self.by).number

    def add(
        self,
        reg: str,
        kind: DueKind,
        days: int | None = None,
        *,
        miles: int | None = None,
        label: str = "",
    ) -> DueItem:
        """Add an item that is due in so many days or at a mileage."""
        due_on = None if days is None else self.ago(-days)
        item = add_item(DueValues([reg], kind, label, due_on, miles), by=self.by)
        return db.session.get_one(DueItem, item.item_id)


def fill_upkeep(papers: Sequence[PreparedFile], *, today: date, by: int) -> None:
    """Decide about what the demo's checks reported, and add repairs and what is due."""
    story = _Story(today, by)
    _decide(story)
    _repair(story, papers)
    _take_off_road(story)
    _sell(story)
    _plan(story)
    _add_due(story)


def _decide(story: _Story) -> None:
    """Book in, accept, close and note defects, and see one again that is no longer there."""
    by = story.by
    windscreen = story.defect_of("LK19 VTE", "Damage")
    assess_defect(windscreen, Severity.REPAIR, by=by)
    booking = Booking("Clearview Glass", story.ago(-2))
    book_defect(windscreen, booking, note="They come to the depot.", by=by)
    scratch = story.defect_of("GJ68 WRP", "Damage")
    assess_defect(scratch, Severity.ADVISORY, by=by)
    accepted = ClosingChoice(Closing.ACCEPTED, "Only the paint", accepted_until=story.ago(-180))
    close_defect(scratch, accepted, by=by)
    dirty = story.defect_of("GJ68 WRP", "Cleanliness")
    close_defect(dirty, ClosingChoice(Closing.NO_FAULT, "Clean when it came back"), by=by)
    seat = story.report("EO17 TUC", "Seats", "Seats: muddy", 3)
    cleanliness = story.defect_of("EO17 TUC", "Cleanliness")
    same = ClosingChoice(Closing.DUPLICATE, duplicate_of=cleanliness)
    close_defect(seat, same, by=by)
    [absent] = lock_defects([story.defect_of("LK21 HNB", "Cleanliness")])
    record_sighting(absent, Sighting(story.ago(1), SightingAnswer.ABSENT), by=by)


def _repair(story: _Story, papers: Sequence[PreparedFile]) -> None:
    """Repair defects: signed off, to be signed off with parts from stock, and taken back."""
    by = story.by
    mirror = story.defect_of("YK16 RJN", "Damage")
    record_repair(
        RepairValues(
            reg="YK16 RJN",
            defects=[mirror],
            finished_on=story.ago(12),
            odometer=82_930,
            garage=GARAGE,
            invoice_number="HG-2071",
            labour=4_500,
            parts=6_150,
        ),
        by=by,
    )
    sign_off_defect(mirror, by=by)
    story.report(
        "YK16 RJN", lock_defects([mirror])[0].part, "Damage: the new wing mirror is loose", 1
    )
    light = story.defect_of("HX18 OLF", "Damage")
    assess_defect(light, Severity.STOP, note="Not after dark, and not on the road.", by=by)
    repair = record_repair(
        RepairValues(
            reg="HX18 OLF",
            defects=[light],
            finished_on=story.ago(1),
            garage=GARAGE,
            invoice_number="HG-2098",
            labour=3_800,
            warranty_until=story.ago(-365),
            stock_parts=[
                StockPart(GPM_STORE, "LED bulb 9 W B22", 2),
                StockPart(GPM_STORE, "Fuse 3 A (pack of 10)", 1),
            ],
        ),
        by=by,
    )
    add_attachments("repair", repair.id, papers, by=by)
    bumper = story.defect_of("KN67 ESV", "Damage")
    assess_defect(bumper, Severity.REPAIR, by=by)
    values = RepairValues(
        reg="KN67 ESV",
        defects=[bumper],
        finished_on=story.ago(2),
        garage="Northway Motors",
        labour=18_000,
        parts=9_900,
    )
    reverse_repair(record_repair(values, by=by).number, by=by)
    note_defect(bumper, "That invoice was for another van. The bumper isn't mended yet.", by=by)


def _take_off_road(story: _Story) -> None:
    """Take vehicles off the road: one that is over its day, one that is declared off the road."""
    take_off_road(
        "SG65 CKB",
        OffRoadReason.ACCIDENT,
        detail="Hit at the depot's gate, with the insurer",
        expected_back=story.ago(3),
        by=story.by,
    )
    take_off_road("GJ68 WRP", OffRoadReason.SORN, detail="Spare until spring", by=story.by)


def _sell(story: _Story) -> None:
    """Let a vehicle with an open defect leave the list."""
    states = [fleet.vehicle_state(each) for each in fleet.all_vehicles(FleetList.VEHICLES)]
    sold = VehicleState(SOLD, "Ford", "Fiesta Van", "Available", "Small van", "Depot")
    import_vehicles(FleetList.VEHICLES, [sold], by=None)
    story.report(SOLD, "Clutch", "Clutch: slips", 30)
    version = fleet.list_version(FleetList.VEHICLES)
    replace_vehicles(FleetList.VEHICLES, states, versions=[version], by=None)


def _plan(story: _Story) -> None:
    """Plan inspections of pickups, and services of vans by months and miles."""
    inspections = PlanDraft(
        "Safety inspection",
        DueKind.INSPECTION,
        Applies.CLASSIFICATION,
        classification="Pickup",
        every_days=70,
        blocks=Blocks.BLOCK,
        first_due_on=story.ago(-5),
    )
    save_plan(inspections, confirmed=None, by=story.by)
    services = PlanDraft(
        "Service A",
        DueKind.SERVICE,
        Applies.CLASSIFICATION,
        classification="Van",
        every_months=12,
        every_miles=12_000,
        first_due_on=story.ago(-60),
    )
    save_plan(services, confirmed=None, by=story.by)


def _add_due(story: _Story) -> None:
    """Add what is overdue, due soon and later, snoozed, asleep, by an unknown mileage, and done."""
    by = story.by
    story.add("GJ70 KDA", DueKind.MOT, -2)
    story.add("LK19 VTE", DueKind.MOT, 6)
    story.add("LK19 VTE", DueKind.TAX, 40)
    story.add("HX18 OLF", DueKind.INSURANCE, 200)
    story.add("GJ68 WRP", DueKind.TAX, -10)
    story.add("SG65 CKB", DueKind.TYRES, miles=34_000)
    story.add("BD69 YGS", DueKind.TYRES, miles=76_000)
    belt = story.add("KN67 ESV", DueKind.OTHER, 4, label="Cam belt")
    snooze_item(
        belt.id, story.ago(-14), reason="The part is on order", revision=belt.revision, by=by
    )
    tested = story.add("HX20 MZE", DueKind.MOT, -9)
    done = DoneValues(
        story.ago(10),
        DoneResult.ADVISORIES,
        done_miles=47_900,
        next_due_on=story.ago(-355),
        certificate_number="4471 2098 1130",
        garage=GARAGE,
        cost=5_485,
        defects=["Front tyre worn close to the limit"],
    )
    mark_done(tested.id, done, revision=tested.revision, by=by)
    tax = story.add("HX20 MZE", DueKind.TAX, -3)
    paid = DoneValues(story.ago(4), next_due_on=story.ago(-361), cost=33_500)
    mark_done(tax.id, paid, revision=tax.revision, by=by)
