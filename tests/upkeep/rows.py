"""Rows of upkeep as they are stored, for tests of what reads them."""

from datetime import UTC, date, datetime
from itertools import count
from typing import Any

from sqlalchemy import func, select

from app.db import db, transaction
from app.defects.models import Defect, OffRoad, Repair, RepairedDefect, RepairPart
from app.defects.rules.fields import DefectState, OffRoadReason
from app.due.models import DueDone, DueItem, DueItemVehicle, DuePlan
from app.due.rules.fields import Anchor, Applies, Blocks, DoneResult, DueKind
from app.fleet.rules.vehicles import UPKEEP, FleetList, plate_key
from app.mileage.models import OdometerReading
from app.mileage.rules import ReadingSource
from app.stock.models import StockOperation
from app.versions import increment_version
from tests.silent_changes import written_directly

LK19 = "LK19 VTE"
AT = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
DAY = date(2026, 3, 4)

_numbers = count(1)


def defect(reg: str = LK19, **values: Any) -> int:
    """Store a defect, closed if it has a closing; return its id."""
    is_closed = values.get("closing") is not None
    name = f"part {next(_numbers)}"
    row = {
        "reg": reg,
        "reg_key": plate_key(reg),
        "fleet_list": FleetList.VEHICLES,
        "part": name,
        "part_key": name,
        "title": "Brakes: fail",
        "state": DefectState.CLOSED if is_closed else DefectState.OPEN,
        "reported_at": AT,
        "day": DAY,
        "closed_at": AT if is_closed else None,
    }
    return _add(Defect(number=_next(Defect), **row | values))


def repair(reg: str = LK19, *, defects: tuple[int, ...] = (), **values: Any) -> int:
    """Store a repair of some defects; return its id."""
    row = {"reg": reg, "reg_key": plate_key(reg), "finished_on": DAY, "recorded_at": AT}
    repair_id = _add(Repair(number=_next(Repair), **row | values))
    for defect_id in defects:
        _add(RepairedDefect(repair_id=repair_id, defect_id=defect_id))
    return repair_id


def part(repair_id: int, pence: int, quantity: int = 1) -> int:
    """Store parts from stock of a repair, under an operation of their own."""
    return _add(
        RepairPart(
            repair_id=repair_id,
            position=next(_numbers),
            operation_id=_add(StockOperation(recorded_at=AT)),
            name="Bulb",
            quantity=quantity,
            pence=pence,
        )
    )


def plan(label: str = "Service", **values: Any) -> int:
    """Store a plan for all vehicles; return its id."""
    row = {
        "label": label,
        "label_key": label.casefold(),
        "kind": DueKind.SERVICE,
        "applies": Applies.ALL,
        "every_months": 12,
        "anchor": Anchor.DONE,
        "blocks": Blocks.NONE,
    }
    return _add(DuePlan(**row | values))


def due_item(reg: str = LK19, *, shared: tuple[str, ...] = (), **values: Any) -> int:
    """Store an item that is due, closed if it has a closing, or one that vehicles share."""
    is_closed = values.get("closing") is not None
    row = {
        "reg": "" if shared else reg,
        "reg_key": None if shared else plate_key(reg),
        "kind": DueKind.MOT,
        "label": "MOT",
        "due_on": DAY,
        "opened_at": AT,
        "closed_at": AT if is_closed else None,
    }
    item_id = _add(DueItem(**row | values))
    for each in shared:
        _add(DueItemVehicle(due_item_id=item_id, reg=each, reg_key=plate_key(each)))
    return item_id


def done(item_id: int, **values: Any) -> int:
    """Store what was done about an item; return its id."""
    item = db.session.get(DueItem, item_id)
    row = {
        "due_item_id": item_id,
        "reg_key": item.reg_key,
        "kind": item.kind,
        "done_on": DAY,
        "result": DoneResult.PASS,
        "recorded_at": AT,
    }
    return _add(DueDone(**row | values))


def off_road(reg: str = LK19, **values: Any) -> int:
    """Store a time off the road; return its id."""
    row = {"reg": reg, "reg_key": plate_key(reg), "since": AT, "reason": OffRoadReason.DEFECT}
    return _add(OffRoad(**row | values))


def reading(miles: int, reg: str = LK19, **values: Any) -> int:
    """Store an odometer reading; return its id."""
    row = {
        "reg": reg,
        "reg_key": plate_key(reg),
        "day": DAY,
        "miles": miles,
        "source": ReadingSource.BY_HAND,
        "recorded_at": AT,
    }
    return _add(OdometerReading(**row | values))


def store(*new: Any) -> None:
    """Store rows as they are."""
    with written_directly(), transaction():
        db.session.add_all(new)


def _next(model: Any) -> int:
    return 1 + (db.session.execute(select(func.max(model.number))).scalar() or 0)


def _add(row: Any) -> int:
    with written_directly(), transaction():
        db.session.add(row)
        db.session.flush()
        increment_version(UPKEEP)
        return getattr(row, "id", 0)
