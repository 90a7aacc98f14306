"""Take vehicles off the road, and put them back on it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import select

from app import dates
from app.accounts.queries import usernames
from app.db import db
from app.defects.models import OffRoad
from app.defects.queries import off_road as queries
from app.defects.rules import off_road as rules
from app.defects.rules.fields import OffRoadReason
from app.errors import Conflict, Invalid, check_revision
from app.events.rules import OTHER_FIELDS, EventKind
from app.fleet.queries.vehicles import lock_records, lock_vehicle
from app.fleet.rules.vehicles import clean_plate, describe_missing, plate_key
from app.fleet.services.upkeep import lock_changeable, record_change

SUBJECT = "off_road"


def take_off_road(
    reg: str,
    reason: OffRoadReason,
    *,
    detail: str = "",
    defect_id: int | None = None,
    expected_back: date | None = None,
    by: int | None,
) -> OffRoad:
    """Take a vehicle off the road; one that is off it gains the further reason."""
    vehicle = lock_vehicle(reg)
    time = _lock_current(vehicle.reg_key)
    if time:
        reason, detail = rules.merge_reasons(time.reason, time.detail, reason, detail)
        defect_id = time.defect_id or defect_id
        expected_back = time.expected_back or expected_back
    values: dict[str, Any] = {
        "reason": reason,
        "detail": detail,
        "defect_id": defect_id,
        "expected_back": expected_back,
    }
    if time:
        _change(time, values, by)
        return time
    time = OffRoad(
        **values,
        reg=vehicle.reg,
        reg_key=vehicle.reg_key,
        since=dates.utc_now(),
        opened_by=by,
        status_before=vehicle.status,
    )
    db.session.add(time)
    db.session.flush()
    cause = {"reason": reason, "defectId": defect_id, "expectedBack": expected_back}
    after = {"reg": time.reg, **cause}
    record_change(EventKind.VEHICLE_OFF_ROAD, SUBJECT, time.id, after=after, by=by)
    return time


@dataclass(frozen=True)
class OffRoadResult:
    """A vehicle's time off the road that began, changed, gained a reason or ended."""

    time_id: int
    reg: str
    was_off_road: bool = False


def report_off_road(
    reg: str, reason: OffRoadReason, *, detail: str, expected_back: date | None, by: int
) -> OffRoadResult:
    """Take a listed vehicle off the road by hand; raises Invalid for another, or a past return."""
    vehicle = lock_vehicle(reg)
    if not vehicle.is_listed:
        raise Invalid(describe_missing(vehicle.reg), "reg")
    if expected_back and expected_back < dates.today():
        raise Invalid("It can't be expected back before today.", "expected_back")
    rules.check_reason(reason)
    was_off_road = _lock_current(vehicle.reg_key) is not None
    time = take_off_road(reg, reason, detail=detail, expected_back=expected_back, by=by)
    return OffRoadResult(time.id, time.reg, was_off_road)


def change_time(
    time_id: int,
    *,
    reason: OffRoadReason,
    detail: str,
    expected_back: date | None,
    revision: int,
    by: int,
) -> OffRoadResult:
    """Change a time that lasts; raises NotFound, Conflict for an ended one, and EditConflict."""
    time = _lock_time(time_id)
    rules.check_reason(reason, current=time.reason)
    check_revision("time off the road", time.revision, revision)
    _change(time, {"reason": reason, "detail": detail, "expected_back": expected_back}, by)
    return OffRoadResult(time.id, time.reg)


def end_time(time_id: int, *, note: str, override_reason: str, by: int) -> OffRoadResult:
    """Put the vehicle of a time off the road back on the road, as `return_to_road` does."""
    reg = _lock_time(time_id).reg
    return return_to_road(reg, note=note, override_reason=override_reason, by=by)


def return_to_road(reg: str, *, note: str, override_reason: str, by: int) -> OffRoadResult:
    """Put a vehicle back on the road.

    Raises NotRoadworthy for objections without a reason to override them, Conflict if it is on the
    road already, and Invalid for a needless override.
    """
    reg_key = plate_key(reg)
    lock_records([reg_key])
    time = _lock_current(reg_key)
    if time is None:
        last = queries.last_time(reg_key)
        returned = queries.returned_message(last) if last else ""
        raise Conflict(returned or f"{clean_plate(reg)} isn't off the road.")
    objections = queries.objections_to([reg_key])[reg_key]
    if objections and not override_reason:
        raise rules.NotRoadworthy(time.reg, objections)
    if override_reason and not objections:
        needless = "Nothing stands against it: leave the reason to override empty."
        raise Invalid(needless, "override_reason")
    texts = [objection.text for objection in objections]
    time.objections, time.override_reason, time.note = "\n".join(texts), override_reason, note
    _close(time, by, {"overridden": bool(objections), "objections": texts})
    return OffRoadResult(time.id, time.reg)


def close_for_vehicles_left(reg_keys: Collection[str], *, by: int | None) -> None:
    """End the times off the road of vehicles that are in no list any more."""
    lock_records(reg_keys)
    for time in filter(None, map(_lock_current, sorted(reg_keys))):
        time.note = "The vehicle left the list."
        _close(time, by, {"vehicleLeft": True})


def _lock_current(reg_key: str) -> OffRoad | None:
    current = select(OffRoad).filter_by(reg_key=reg_key, until=None)
    return db.session.scalar(current.with_for_update())


def _lock_time(time_id: int) -> OffRoad:
    time = queries.get_time(time_id)
    lock_changeable(time, queries.returned_message)
    return time


def _close(time: OffRoad, by: int | None, after: Mapping[str, Any]) -> None:
    time.until, time.closed_by, time.signed_as = dates.utc_now(), by, usernames([by])[by]
    time.revision += 1
    record_change(EventKind.VEHICLE_RETURNED, SUBJECT, time.id, after=after, by=by)


def _change(time: OffRoad, values: Mapping[str, Any], by: int | None) -> None:
    """Change the values of a time off the road; unchanged ones are no change."""
    changed = {name: new for name, new in values.items() if getattr(time, name) != new}
    if not changed:
        return
    # The event doesn't have the detail, which may name people.
    before = {name: getattr(time, name) for name in changed if name != "detail"}
    for name, new in changed.items():
        setattr(time, name, new)
    time.revision += 1
    after = {name: changed[name] for name in before}
    if "detail" in changed:
        after[OTHER_FIELDS] = ["detail"]
    kind = EventKind.VEHICLE_OFF_ROAD_CHANGED
    record_change(kind, SUBJECT, time.id, before=before, after=after, by=by)
