"""The upkeep of the benchmark's vehicles: defects, repairs, times off the road, and what is due.

Every second row is of the first vehicle, so that what one vehicle has grows too.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from sqlalchemy import insert, update

from app import dates
from app.attachments.models import Attachment
from app.attachments.rules import SUBJECTS
from app.db import db
from app.defects.models import (
    Defect,
    DefectNote,
    DefectSighting,
    OffRoad,
    Repair,
    RepairedDefect,
    RepairPart,
)
from app.defects.rules.fields import Closing, DefectState, OffRoadReason
from app.due.models import DueDone, DueItem, DueItemVehicle, DuePlan
from app.due.rules.fields import Anchor, Applies, Blocks, DoneResult, DueClosing, DueKind
from app.fleet.models import CheckPhoto
from app.fleet.rules.findings import Severity, SightingAnswer
from app.fleet.rules.vehicles import FleetList, plate_key
from app.lists import batches
from app.mileage.models import OdometerReading
from app.mileage.rules import ReadingSource
from app.number_counter import NumberCounter
from app.photos.models import Photo
from tests.bench.calls import plate

STATES = (
    *(DefectState.OPEN, DefectState.ASSESSED, DefectState.BOOKED, DefectState.REPAIRED),
    DefectState.CLOSED,
)
"""Those of defects, in turn: the first is open, and the fourth waits for its sign-off."""


def fill_upkeep(count: int, vehicles: int, checks: int) -> None:
    """Insert `count` rows of each kind, and fewer plans; each second row is of the past.

    There are `vehicles` and `checks` already, and an operation of stock.
    """
    if not count:
        return

    def named(number: int) -> dict[str, str]:
        reg = plate(number // 2 % vehicles if number % 2 else 0)
        return {"reg": reg, "reg_key": plate_key(reg)}

    numbers = range(1, count + 1)
    _insert(Photo, numbers, _photo)
    _insert(Defect, numbers, lambda n: _defect(n) | named(n) | _searched(named(n)))
    _insert(DefectSighting, numbers, _sighting)
    _insert(DefectNote, numbers, lambda n: {"defect_id": n, "noted_at": _at(n), "text": "Booked"})
    _insert(Repair, numbers, lambda n: _repair(n) | named(n) | _searched(named(n)))
    _insert(RepairedDefect, numbers, lambda n: {"repair_id": n, "defect_id": n})
    _insert(RepairPart, numbers, _repair_part)
    for kind in SUBJECTS:
        _insert(Attachment, numbers, lambda n, kind=kind: _attachment(n, kind))
    _insert(CheckPhoto, range(1, min(count, checks) + 1), _check_photo)
    _insert(DuePlan, range(1, 1 + count // 10), _plan)
    _insert(DueItem, numbers, lambda n: _due_item(n) | named(n))
    shared = range(1, 1 + count // 2)
    _insert(DueItemVehicle, shared, lambda n: {"due_item_id": n} | named(n + 1))
    _insert(DueDone, numbers, lambda n: _done(n) | {"reg_key": named(n)["reg_key"]})
    # A vehicle is off the road once at a time.
    current = {named(n)["reg_key"]: n for n in reversed(numbers) if n % 5}
    _insert(OffRoad, numbers, lambda n: _off_road(n, n in current.values()) | named(n))
    _insert(OdometerReading, numbers, lambda n: _reading(n) | named(n))
    db.session.execute(update(NumberCounter).values(last=count))


def _insert(model: Any, numbers: range, row: Callable[[int], dict[str, Any]]) -> None:
    for part in batches(numbers):
        db.session.execute(insert(model), [row(number) for number in part])


def _day(number: int) -> date:
    return dates.today() - timedelta(days=number % 300)


def _at(number: int) -> datetime:
    return datetime.combine(_day(number), time(9), UTC)


def _searched(named: dict[str, str]) -> dict[str, str]:
    return {"search_key": f"{named['reg_key']} brakes"}


def _defect(number: int) -> dict[str, Any]:
    state = STATES[(number - 1) % len(STATES)]
    is_closed = state is DefectState.CLOSED
    return {
        "number": number,
        "fleet_list": FleetList.VEHICLES,
        "part": f"Brake {number}",
        "part_key": f"brake {number}",
        "title": f"Brake {number}: worn",
        "severity": None if state is DefectState.OPEN else Severity.REPAIR,
        "state": state,
        "reported_at": _at(number),
        "day": _day(number),
        "odometer": number,
        "closing": Closing.REPAIRED if is_closed else None,
        "closed_at": _at(number) if is_closed else None,
    }


def _photo(number: int) -> dict[str, Any]:
    return {"hash": f"{number:064x}", "size": 1, "width": 4, "height": 3, "stored_at": _at(number)}


def _attachment(number: int, kind: str) -> dict[str, Any]:
    return {
        "subject_kind": kind,
        "subject_id": number,
        "position": 0,
        "photo_hash": f"{number:064x}",
        "name": "photo.jpg",
        "added_at": _at(number),
    }


def _check_photo(number: int) -> dict[str, Any]:
    return {"check_id": number, "photo_hash": f"{number:064x}", "position": 0}


def _repair_part(number: int) -> dict[str, Any]:
    return {
        "repair_id": number,
        "position": 0,
        "operation_id": 1,
        "name": "Bulb",
        "quantity": 1,
        "pence": 250,
    }


def _sighting(number: int) -> dict[str, Any]:
    return {
        "defect_id": number,
        "day": _day(number),
        "recorded_at": _at(number),
        "answer": next(iter(SightingAnswer)),
    }


def _repair(number: int) -> dict[str, Any]:
    return {
        "number": number,
        "garage": "Hartley's Garage",
        "finished_on": _day(number),
        "odometer": number,
        "labour": 4_000,
        "recorded_at": _at(number),
    }


def _plan(number: int) -> dict[str, Any]:
    return {
        "label": f"Inspection {number}",
        "label_key": f"inspection {number}",
        "kind": DueKind.INSPECTION,
        "applies": Applies.ALL,
        "every_days": 56,
        "anchor": Anchor.DONE,
        "blocks": Blocks.NONE,
    }


def _due_item(number: int) -> dict[str, Any]:
    """Return one that is open, or done if its number is even."""
    is_closed = number % 2 == 0
    return {
        "kind": DueKind.MOT,
        "label": "MOT",
        "due_on": dates.today() + timedelta(days=number % 90 - 30),
        "opened_at": _at(number),
        "closing": DueClosing.DONE if is_closed else None,
        "closed_at": _at(number) if is_closed else None,
    }


def _done(number: int) -> dict[str, Any]:
    return {
        "due_item_id": number,
        "kind": DueKind.MOT,
        "done_on": _day(number),
        "result": DoneResult.PASS,
        "cost": 5_485,
        "recorded_at": _at(number),
    }


def _off_road(number: int, is_current: bool) -> dict[str, Any]:
    return {
        "since": _at(number),
        "until": None if is_current else _at(number) + timedelta(hours=9),
        "reason": OffRoadReason.DEFECT,
        "defect_id": number,
    }


def _reading(number: int) -> dict[str, Any]:
    """Return one that waits to be accepted if its number is odd."""
    return {
        "day": _day(number),
        "miles": 10_000 + number,
        "source": ReadingSource.BY_HAND,
        "is_accepted": number % 2 == 0,
        "recorded_at": _at(number),
    }
