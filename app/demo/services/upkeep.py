"""The demo's upkeep: defects, repairs and due items in every state, through the services."""

from collections.abc import Sequence
from datetime import date, timedelta

from app import dates
from app.attachments.services import PreparedFile, add_attachments
from app.defects.rules.defects import ClosingChoice
from app.defects.rules.fields import Closing, OffRoadReason, RepairValues, StockPart
from app.defects.services.decisions import note_defect, sign_off_defect
from app.defects.services.defects import DefectReport, lock_defects, record_sighting
from app.defects.services.off_road import take_off_road
from app.defects.services.repairs import record_repair, reverse_repair
from app.demo.services.story import GARAGE, Story, StoryStep
from app.divisions import Division, Site, Store
from app.due.rules.fields import Applies, Blocks, DoneResult, DueKind
from app.due.rules.plans import PlanDraft
from app.due.services.done import DoneValues, mark_done
from app.due.services.due import snooze_item
from app.due.services.plans import save_plan
from app.fleet.queries import vehicles
from app.fleet.rules.findings import Severity, SightingAnswer
from app.fleet.rules.vehicles import FleetList, VehicleState
from app.fleet.services.lists import import_vehicles, replace_vehicles

SOLD = "PN12 XKL"
"""A vehicle that has left the list, and is found by its registration."""

GPM_STORE = Store(Division.GPM, Site.MAIN)

EARLIER_WORK = (
    (330, "LK19 VTE", GARAGE, "Service and two front tyres", 9_800, 16_400, 28_960),
    (300, "BD69 YGS", "Northway Motors", "Service", 11_500, 7_250, 67_010),
    (270, "KN67 ESV", "Northway Motors", "Brake pads, front", 6_200, 5_480, 71_220),
    (220, "YK16 RJN", GARAGE, "Tipper ram resealed", 18_600, 9_240, 76_510),
    (180, "BD22 PFX", "Northway Motors", "Service", 11_500, 7_250, 86_100),
    (150, "HX18 OLF", GARAGE, "Battery", 2_500, 9_600, 30_770),
    (120, "HX20 MZE", GARAGE, "Service", 8_400, 6_120, 45_040),
    (95, "EO17 TUC", GARAGE, "Two rear tyres", 2_000, 13_800, 89_890),
    (70, "BD69 YGS", "Northway Motors", "Tow bar wiring", 7_500, 1_980, 72_530),
    (60, "KN23 AWD", "Northway Motors", "Sliding door rail", 12_000, 8_450, 49_160),
)
"""Earlier work of garages: days ago, vehicle, garage, work, labour, parts, miles."""


def upkeep_steps(papers: Sequence[PreparedFile], *, today: date, by: int) -> Sequence[StoryStep]:
    """Return the steps of upkeep: decisions about defects, repairs, and due items done."""
    story = Story(today, by)
    _work_before(story)
    _plan(story)
    _add_due(story)
    _sell(story)
    _decide(story)
    _repair(story, papers)
    _take_off_road(story)
    return story.steps


def _work_before(story: Story) -> None:
    for days_ago, reg, garage, note, labour, parts, miles in EARLIER_WORK:
        values = RepairValues(
            reg=reg,
            finished_on=story.ago(days_ago),
            odometer=miles,
            garage=garage,
            invoice_number=f"{'HG' if garage == GARAGE else 'NM'}-{2100 - days_ago}",
            labour=labour,
            parts=parts,
            note=note,
        )
        story.on(days_ago, "16:10", record_repair, values, by=story.by)
    story.on(367, "15:20", story.test, "GJ70 KDA", -2, cost=5_485, done_miles=78_420)
    story.on(359, "11:45", story.test, "LK19 VTE", 6, cost=5_485, done_miles=28_470)


def _decide(story: Story) -> None:
    """Book in, accept, close and note defects, and report one as gone and seen again."""
    story.on(34, "09:05", story.assess, "GJ68 WRP", "Damage", Severity.ADVISORY)
    paint = ClosingChoice(Closing.ACCEPTED, "Only the paint", accepted_until=story.ago(-180))
    story.on(34, "09:10", story.close, "GJ68 WRP", "Damage", paint)
    clean = ClosingChoice(Closing.NO_FAULT, "Clean when it came back")
    story.on(33, "08:50", story.close, "GJ68 WRP", "Cleanliness", clean)

    story.on(21, "09:15", story.assess, "LK19 VTE", "Damage", Severity.REPAIR)
    glass = ("Clearview Glass", story.ago(-2), "They come to the depot.")
    story.on(6, "10:30", story.book, "LK19 VTE", "Damage", *glass)

    def same_seat() -> None:
        same = story.defect_of("EO17 TUC", "Cleanliness")
        story.close("EO17 TUC", "Seats", ClosingChoice(Closing.DUPLICATE, duplicate_of=same))

    story.on(3, "12:20", story.report, "EO17 TUC", "Seats", "Seats: muddy")
    story.on(2, "09:00", same_seat)

    def see_nothing() -> None:
        [absent] = lock_defects([story.defect_of("BD69 YGS", "Cleanliness")])
        report = DefectReport(absent.reg, absent.part, absent.title, answer=SightingAnswer.ABSENT)
        record_sighting(absent, report, by=story.by)

    story.on(2, "07:40", see_nothing)


def _repair(story: Story, papers: Sequence[PreparedFile]) -> None:
    """Repair defects: signed off, to be signed off with parts from stock, and taken back."""
    by = story.by
    story.on(24, "09:20", story.assess, "YK16 RJN", "Damage", Severity.REPAIR)
    mirror = (GARAGE, story.ago(12))
    story.on(20, "14:00", story.book, "YK16 RJN", "Damage", *mirror, "Mirror ordered.")
    bill = {"garage": GARAGE, "invoice_number": "HG-2071", "labour": 4_500, "parts": 6_150}
    story.on(12, "15:30", story.mend, "YK16 RJN", "Damage", odometer=82_930, **bill)
    story.on(11, "09:10", lambda: sign_off_defect(story.defect_of("YK16 RJN", "Damage"), by=by))

    def loosen() -> None:
        [mended] = lock_defects([story.defect_of("YK16 RJN", "Damage")])
        story.report("YK16 RJN", mended.part, "Damage: the new wing mirror is loose")

    story.on(1, "13:15", loosen)

    at_night = "Not after dark, and not on the road."
    story.on(5, "10:30", story.assess, "HX18 OLF", "Damage", Severity.STOP, at_night)
    story.on(4, "11:20", story.book, "HX18 OLF", "Damage", GARAGE, story.ago(1))

    def mend_light() -> None:
        light = story.mend(
            "HX18 OLF",
            "Damage",
            garage=GARAGE,
            invoice_number="HG-2098",
            labour=3_800,
            warranty_until=story.ago(-365),
            stock_parts=[
                StockPart(GPM_STORE, "LED bulb 9 W B22", 2),
                StockPart(GPM_STORE, "Fuse 3 A (pack of 10)", 1),
            ],
        )
        add_attachments("repair", light.id, papers, by=by)

    story.on(1, "16:05", mend_light)

    def mend_bumper_by_mistake() -> None:
        bill = story.mend(
            "KN67 ESV", "Damage", garage="Northway Motors", labour=18_000, parts=9_900
        )
        with dates.as_of(dates.utc_now() + timedelta(hours=4)):
            reverse_repair(bill.number, by=by)
            note_defect(
                story.defect_of("KN67 ESV", "Damage"),
                "That invoice was for another van. The bumper isn't mended yet.",
                by=by,
            )

    story.on(8, "09:30", story.assess, "KN67 ESV", "Damage", Severity.REPAIR)
    story.on(2, "11:00", mend_bumper_by_mistake)


def _take_off_road(story: Story) -> None:
    """Take vehicles off the road: one late back, and one declared off the road."""
    crash = {"detail": "Hit at the depot's gate, with the insurer", "expected_back": story.ago(3)}
    accident = ("SG65 CKB", OffRoadReason.ACCIDENT)
    story.on(12, "14:25", take_off_road, *accident, **crash, by=story.by)
    spare = ("GJ68 WRP", OffRoadReason.SORN)
    story.on(5, "15:00", take_off_road, *spare, detail="Spare until spring", by=story.by)


def _sell(story: Story) -> None:
    sold = VehicleState(SOLD, "Ford", "Fiesta Van", "Available", "Small van", "Depot")
    story.on(400, "12:00", import_vehicles, FleetList.VEHICLES, [sold], by=None)
    story.on(32, "17:10", story.report, SOLD, "Clutch", "Clutch: slips")

    def sell() -> None:
        listed = vehicles.all_vehicles(FleetList.VEHICLES)
        kept = [vehicles.vehicle_state(each) for each in listed if each.reg != SOLD]
        version = vehicles.list_version(FleetList.VEHICLES)
        replace_vehicles(FleetList.VEHICLES, kept, versions=[version], by=None)

    story.on(30, "10:00", sell)


def _plan(story: Story) -> None:
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
    story.on(59, "09:30", save_plan, inspections, confirmed=None, by=story.by)
    services = PlanDraft(
        "Service A",
        DueKind.SERVICE,
        Applies.CLASSIFICATION,
        classification="Van",
        every_months=12,
        every_miles=12_000,
        first_due_on=story.ago(-60),
    )
    story.on(59, "09:45", save_plan, services, confirmed=None, by=story.by)


def _add_due(story: Story) -> None:
    """Add due items, soon and later, by day and by mileage, snoozed, asleep, and done."""
    by = story.by

    def add_dates() -> None:
        story.add("LK19 VTE", DueKind.TAX, 40)
        story.add("HX18 OLF", DueKind.INSURANCE, 200)
        story.add("GJ68 WRP", DueKind.TAX, -10)
        story.add("SG65 CKB", DueKind.TYRES, miles=34_000)
        story.add("BD69 YGS", DueKind.TYRES, miles=76_000)
        story.add("KN67 ESV", DueKind.OTHER, 4, label="Cam belt")
        story.add("HX20 MZE", DueKind.MOT, -9)
        story.add("HX20 MZE", DueKind.TAX, -3)

    def snooze_belt() -> None:
        belt = story.item_of("KN67 ESV", DueKind.OTHER)
        snooze_item(
            belt.id, story.ago(-14), reason="The part is on order", revision=belt.revision, by=by
        )

    def test_kangoo() -> None:
        tested = story.item_of("HX20 MZE", DueKind.MOT)
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

    def pay_tax() -> None:
        tax = story.item_of("HX20 MZE", DueKind.TAX)
        paid = DoneValues(story.ago(4), next_due_on=story.ago(-361), cost=33_500)
        mark_done(tax.id, paid, revision=tax.revision, by=by)

    story.on(58, "10:00", add_dates)
    story.on(10, "12:30", test_kangoo)
    story.on(4, "09:40", pay_tax)
    story.on(3, "10:15", snooze_belt)
