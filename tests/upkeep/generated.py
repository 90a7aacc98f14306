"""Years of a fleet's upkeep, stored at once: what pages cost is measured with little and much."""

from datetime import date, timedelta
from itertools import count
from typing import Any

from sqlalchemy import update

from app import dates, names
from app.attachments.models import Attachment
from app.db import db, transaction
from app.defects.models import Defect, DefectNote, DefectSighting, OffRoad, Repair, RepairedDefect
from app.defects.rules.fields import Closing, DefectState, OffRoadReason
from app.due.models import DuePlan
from app.events.rules import EventKind
from app.fleet.models import Check, CheckPhoto, Vehicle, VehicleEvent
from app.fleet.rules.checks import CheckOutcome
from app.fleet.rules.findings import Severity, SightingAnswer
from app.fleet.rules.vehicles import FleetList, plate_key
from app.mileage.models import OdometerReading
from app.mileage.rules import Doubt, ReadingSource
from app.number_counter import NumberCounter
from app.photos.models import Photo
from tests.bench.calls import plate
from tests.upkeep.generated_due import PLANS, add_due, add_insurance, plan_values
from tests.upkeep.generated_rows import Rows, at, miles_on

CHECKS_PER_DEFECT = 50
CHECKS_PER_TYPO = 1_000
DAYS_TO_REPAIR = 6
DAYS_OF_REVIEW = 14
"""For how many days a check waits for its review, and a doubtful reading for its decision."""

PARTS = ("Brakes", "Nearside mirror", "Tyres", "Wipers", "Lights")
SEVERITIES = (Severity.STOP, Severity.REPAIR, Severity.ADVISORY, Severity.REPAIR, None)


def fill(*, vehicles: int, years: float, checks_a_week: int = 5, by: int | None = None) -> None:
    """Store vehicles with their daily checks and readings, and what these lead to.

    One check in fifty finds a defect, which is seen again until it is repaired; one defect in five
    takes its vehicle off the road. MOTs, services and inspections are done when they are due, and
    all vehicles share an insurance. Each tenth is off the road. `by` is the account that did it.
    """
    if not vehicles:
        return
    rows = Rows(by)
    today = dates.today()
    days = int(365 * years)
    first = today - timedelta(days=days)
    plans = {kind: rows.add(DuePlan, **plan_values(kind)) for kind in PLANS}
    for number in range(1, vehicles + 1):
        named = {"reg": plate(number), "reg_key": plate_key(plate(number))}
        rows.add(Vehicle, **_vehicle(named, miles_on(today, first)))
        checks = count(number * 7)
        for ago in range(days, -1, -1):
            day = today - timedelta(days=ago)
            if (ago + number) % 7 < checks_a_week:
                _add_check(rows, named, day, miles_on(day, first), next(checks))
        for kind, plan_id in plans.items():
            add_due(rows, named, kind, plan_id, first, number)
        is_off_road = any(row["until"] is None for row in rows.waiting[OffRoad])
        if number % 10 == 1 and not is_off_road:
            rows.add(OffRoad, **named, since=at(today), reason=OffRoadReason.SERVICE)
        rows.store()
    add_insurance(rows, vehicles, today)
    rows.store()
    with transaction():
        # Both series have at most so many.
        db.session.execute(update(NumberCounter).values(last=next(rows.numbers)))


def _vehicle(named: dict[str, str], miles: int) -> dict[str, Any]:
    return {
        **named,
        "fleet_list": FleetList.VEHICLES,
        "make": "Ford",
        "model": "Transit",
        "status": "In use",
        "classification": "Van",
        "location": "Depot",
        "odometer": miles,
        "search_key": _searched(named, "Ford Transit"),
    }


def _add_check(rows: Rows, named: dict[str, str], day: date, miles: int, number: int) -> None:
    """Add a check with its reading; `number` counts the checks of its vehicle."""
    finds_defect = number % CHECKS_PER_DEFECT == 0
    is_reviewed = (dates.today() - day).days > DAYS_OF_REVIEW
    check_id = rows.add(
        Check,
        **named,
        day=day,
        odometer=miles,
        items={"Tyres": "OK", "Lights": "OK", "Brakes": "Fail" if finds_defect else "OK"},
        notes="Nothing to note. " * 3,
        cost=500 if number % 50 == 25 else 0,
        form_type="mixed",
        form_label="Mixed",
        has_damage=finds_defect,
        outcome=CheckOutcome.DEFECTS if finds_defect else CheckOutcome.NIL,
        outcome_text="" if finds_defect else "No defects. Kept as a nil-defect report.",
        search_key=_searched(named, "tyres ok lights ok brakes mixed"),
        submitted_by=rows.by,
        submitted_at=at(day),
        reviewed_by=rows.by if is_reviewed else None,
        reviewed_at=at(day) if is_reviewed else None,
    )
    rows.add(
        VehicleEvent,
        **named,
        fleet_list=FleetList.VEHICLES,
        at=at(day),
        location="Depot",
        status="In use",
        check_id=check_id,
        user_id=rows.by,
    )
    is_typo = number % CHECKS_PER_TYPO == 11
    rows.add(
        OdometerReading,
        **named,
        day=day,
        miles=10 * miles if is_typo else miles,
        source=ReadingSource.CHECK,
        source_id=check_id,
        is_accepted=not is_typo,
        doubt=Doubt.JUMPED if is_typo else None,
        recorded_by=rows.by,
        recorded_at=at(day),
        void_by=rows.by if is_typo and is_reviewed else None,
        void_at=at(day) if is_typo and is_reviewed else None,
    )
    rows.add_event(EventKind.CHECK_SUBMITTED, "check", check_id, day)
    if finds_defect:
        _add_defect(rows, named, day, miles, check_id)


def _add_defect(rows: Rows, named: dict[str, str], day: date, miles: int, check_id: int) -> None:
    """Add a defect of a check with its photo and sightings, repaired unless it is new."""
    number = next(rows.numbers)
    repaired_on = day + timedelta(days=DAYS_TO_REPAIR)
    is_open = repaired_on >= dates.today()
    part, severity = PARTS[number % len(PARTS)], SEVERITIES[number % len(SEVERITIES)]
    defect_id = rows.add(
        Defect,
        **named,
        number=number,
        fleet_list=FleetList.VEHICLES,
        check_id=check_id,
        part=part,
        part_key=names.key(part),
        title=f"{part}: worn",
        severity=severity,
        state=DefectState.OPEN if is_open else DefectState.CLOSED,
        reported_by=rows.by,
        reported_at=at(day),
        day=day,
        odometer=miles,
        closing=None if is_open else Closing.REPAIRED,
        closed_by=None if is_open else rows.by,
        closed_at=None if is_open else at(repaired_on),
        search_key=_searched(named, part),
    )
    photo = f"{number:064x}"
    rows.add(Photo, hash=photo, size=1, width=4, height=3, stored_at=at(day))
    rows.add(CheckPhoto, check_id=check_id, photo_hash=photo, position=0)
    rows.add(Attachment, **_photo_of("defect", defect_id, photo, day, rows.by))
    rows.add(DefectNote, defect_id=defect_id, noted_by=rows.by, noted_at=at(day), text="Ordered.")
    rows.add(
        DefectSighting,
        defect_id=defect_id,
        day=min(day + timedelta(days=1), dates.today()),
        seen_by=rows.by,
        recorded_at=at(day),
        answer=SightingAnswer.YES,
    )
    rows.add_event(EventKind.DEFECT_OPENED, "defect", defect_id, day)
    if severity is Severity.STOP:
        rows.add(
            OffRoad,
            **named,
            since=at(day),
            until=None if is_open else at(repaired_on),
            reason=OffRoadReason.DEFECT,
            defect_id=defect_id,
            opened_by=rows.by,
            closed_by=None if is_open else rows.by,
        )
    if not is_open:
        _add_repair(rows, named, repaired_on, (defect_id, number), photo)


def _add_repair(
    rows: Rows, named: dict[str, str], day: date, defect: tuple[int, int], photo: str
) -> None:
    defect_id, number = defect
    repair_id = rows.add(
        Repair,
        **named,
        number=number,
        garage="Hartley's Garage",
        finished_on=day,
        labour=4_000,
        parts=2_500,
        recorded_by=rows.by,
        recorded_at=at(day),
        search_key=_searched(named, "Hartley's Garage"),
    )
    rows.add(RepairedDefect, repair_id=repair_id, defect_id=defect_id)
    rows.add(Attachment, **_photo_of("repair", repair_id, photo, day, rows.by))
    rows.add_event(EventKind.DEFECT_CLOSED, "defect", defect_id, day)


def _photo_of(kind: str, subject_id: int, photo: str, day: date, by: int | None) -> dict[str, Any]:
    return {
        "subject_kind": kind,
        "subject_id": subject_id,
        "position": 0,
        "photo_hash": photo,
        "name": "photo.jpg",
        "added_by": by,
        "added_at": at(day),
    }


def _searched(named: dict[str, str], text: str) -> str:
    return f"{named['reg_key']}\n{names.key(named['reg'])}\n{names.key(text)}"
