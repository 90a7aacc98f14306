"""Years of a fleet's upkeep, stored at once: what pages cost is measured with little and much."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from app import dates
from app.db import insert_rows, table_of, transaction
from app.fleet.models import Check, Vehicle
from app.fleet.rules.checks import CheckOutcome
from app.fleet.rules.vehicles import FleetList
from app.upkeep.models.defects import Defect
from app.upkeep.models.due import DueDone, DueItem
from app.upkeep.models.readings import OdometerReading
from app.upkeep.models.repairs import Repair, RepairedDefect
from app.upkeep.rules.kinds import (
    Closing,
    DefectState,
    DoneResult,
    DueClosing,
    DueKind,
    ReadingSource,
)

MILES_A_DAY = 40


def plate(number: int) -> str:
    """Return the registration of the vehicle with a number, from 1."""
    return f"BE{number:05} N"


def fill(*, vehicles: int, years: float, checks_a_week: int = 5) -> None:
    """Store vehicles with their checks, readings, a defect with its repair a month, and MOTs.

    The newest defect and MOT of each vehicle are open.
    """
    today = dates.today()
    days = int(365 * years)
    rows: dict[Any, list[dict[str, Any]]] = {
        model: []
        for model in (
            *(Vehicle, Check, OdometerReading, Defect, Repair, RepairedDefect, DueItem, DueDone),
        )
    }
    for number in range(1, vehicles + 1):
        reg = plate(number)
        named = {"reg": reg, "reg_key": reg.replace(" ", "").lower()}
        rows[Vehicle].append(_vehicle(number, named))
        for ago in range(days, -1, -1):
            day = today - timedelta(days=ago)
            miles = 10_000 + MILES_A_DAY * (days - ago)
            if ago % 7 < checks_a_week:
                _add_check(rows, named, day, miles)
            if ago % 30 == 0:
                _add_defect(rows, named, day, miles, is_open=ago == 0)
            if ago % 365 == 0:
                _add_mot(rows, named, day, is_open=ago == 0)
    with transaction():
        for model, values in rows.items():
            if values:
                insert_rows(table_of(model), values)


def _vehicle(number: int, named: dict[str, str]) -> dict[str, Any]:
    return {
        **named,
        "id": number,
        "fleet_list": FleetList.VEHICLES,
        "make": "Ford",
        "model": "Transit",
        "status": "In use",
        "classification": "Van",
        "location": "Depot",
        "revision": 0,
        "search_key": named["reg_key"],
    }


def _add_check(rows: Any, named: dict[str, str], day: date, miles: int) -> None:
    check_id = len(rows[Check]) + 1
    rows[Check].append(
        {
            **named,
            "id": check_id,
            "day": day,
            "odometer": miles,
            "items": {"Tyres": "OK"},
            "notes": "",
            "cost": 500 if check_id % 50 == 0 else 0,
            "form_type": "mixed",
            "form_label": "Mixed",
            "has_damage": False,
            "odometer_fell": False,
            "outcome": CheckOutcome.NIL,
            "outcome_text": "No defects. Kept as a nil-defect report.",
            "search_key": named["reg_key"],
            "submitted_at": _at(day),
            "remark": "",
        }
    )
    rows[OdometerReading].append(
        {
            **named,
            "day": day,
            "miles": miles,
            "source": ReadingSource.CHECK,
            "source_id": check_id,
            "is_accepted": True,
            "recorded_at": _at(day),
            "void_reason": "",
        }
    )


def _add_defect(rows: Any, named: dict[str, str], day: date, miles: int, *, is_open: bool) -> None:
    number = len(rows[Defect]) + 1
    rows[Defect].append(
        {
            **named,
            "id": number,
            "number": number,
            "fleet_list": FleetList.VEHICLES,
            "part": "Brakes",
            "part_key": "brakes",
            "title": "Brakes: worn",
            "detail": "",
            "state": DefectState.OPEN if is_open else DefectState.CLOSED,
            "reported_at": _at(day),
            "day": day,
            "odometer": miles,
            "garage": "",
            "closing": None if is_open else Closing.REPAIRED,
            "closing_reason": "",
            "closed_at": None if is_open else _at(day),
            "revision": 0,
            "search_key": named["reg_key"],
        }
    )
    if is_open:
        return
    repair_id = len(rows[Repair]) + 1
    rows[Repair].append(
        {
            **named,
            "id": repair_id,
            "number": repair_id,
            "garage": "Hartley's Garage",
            "finished_on": day,
            "odometer": miles,
            "invoice_number": "",
            "labour": 4_000,
            "parts": 2_500,
            "other": 0,
            "includes_vat": False,
            "note": "",
            "recorded_at": _at(day),
            "search_key": named["reg_key"],
        }
    )
    rows[RepairedDefect].append({"repair_id": repair_id, "defect_id": number})


def _add_mot(rows: Any, named: dict[str, str], day: date, *, is_open: bool) -> None:
    item_id = len(rows[DueItem]) + 1
    rows[DueItem].append(
        {
            **named,
            "id": item_id,
            "kind": DueKind.MOT,
            "label": "MOT",
            "due_on": day + timedelta(days=20),
            "snooze_reason": "",
            "opened_at": _at(day),
            "closing": None if is_open else DueClosing.DONE,
            "closed_at": None if is_open else _at(day),
            "revision": 0,
        }
    )
    if not is_open:
        rows[DueDone].append(
            {
                "due_item_id": item_id,
                "reg_key": named["reg_key"],
                "kind": DueKind.MOT,
                "done_on": day,
                "result": DoneResult.PASS,
                "certificate_number": "",
                "garage": "",
                "cost": 5_485,
                "note": "",
                "recorded_at": _at(day),
            }
        )


def _at(day: date) -> datetime:
    return datetime.combine(day, time(9), UTC)
