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
from app.errors import Conflict, EditConflict, Invalid
from app.events.rules import OTHER_FIELDS, EventKind
from app.events.services import ChangedSubject
from app.fleet.queries.vehicles import lock_records, lock_vehicle
from app.fleet.rules.vehicles import clean_plate, describe_missing, plate_key
from app.fleet.services.changes import record_changes

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
    """Take a vehicle off the road, and return its time off the road.

    A vehicle off the road stays so, and gains the further reason.
    """
    vehicle = lock_vehicle(reg)
    current = _lock_current(vehicle.reg_key)
    if current:
        merged = rules.merge_reasons(current.reason, current.detail, reason, detail)
        values = {
            "reason": merged[0],
            "detail": merged[1],
            "defect_id": current.defect_id or defect_id,
            "expected_back": current.expected_back or expected_back,
        }
        _change(current, values, by=by)
        return current
    time = OffRoad(
        reg=vehicle.reg,
        reg_key=vehicle.reg_key,
        since=dates.utc_now(),
        reason=reason,
        detail=detail,
        defect_id=defect_id,
        expected_back=expected_back,
        opened_by=by,
        status_before=vehicle.status,
    )
    db.session.add(time)
    db.session.flush()
    after = {
        "reg": time.reg,
        "reason": reason.value,
        "defectId": defect_id,
        "expectedBack": _json_value(expected_back),
    }
    record_changes(
        EventKind.VEHICLE_OFF_ROAD, SUBJECT, [ChangedSubject(time.id, after=after)], by=by
    )
    return time


@dataclass(frozen=True)
class OffRoadResult:
    """A vehicle's time off the road that began, changed or ended.

    `was_off_road` is whether it was off the road before, so that only its reason was added.
    """

    time_id: int
    reg: str
    was_off_road: bool = False


def report_off_road(
    reg: str, reason: OffRoadReason, *, detail: str, expected_back: date | None, by: int
) -> OffRoadResult:
    """Take a listed vehicle off the road by hand.

    Raises Invalid for another vehicle, and if it is expected back before today.
    """
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
    """Change the reason, detail and expected return of a time that lasts.

    Raises NotFound, Conflict once the vehicle is back on the road, and EditConflict when somebody
    else changed it since `revision`.
    """
    time = _lock_time(time_id)
    rules.check_reason(reason, current=time.reason)
    if time.revision != revision:
        raise EditConflict("time off the road")
    values = {"reason": reason, "detail": detail, "expected_back": expected_back}
    _change(time, values, by=by)
    return OffRoadResult(time.id, time.reg)


def end_time(time_id: int, *, note: str, override_reason: str, by: int) -> OffRoadResult:
    """Put the vehicle of a time off the road back on the road, as `return_to_road` does."""
    time = _lock_time(time_id)
    return_to_road(time.reg, note=note, override_reason=override_reason, by=by)
    return OffRoadResult(time.id, time.reg)


def return_to_road(reg: str, *, note: str, override_reason: str, by: int) -> OffRoad:
    """Put a vehicle back on the road, and return the time that ended.

    Raises NotRoadworthy for objections without a reason to override them, Conflict if it is on the
    road already, and Invalid for a needless override.
    """
    reg_key = plate_key(reg)
    lock_records([reg_key])
    time = _lock_current(reg_key)
    if time is None:
        raise _not_off_road(reg, reg_key)
    objections = queries.objections_to([reg_key])[reg_key]
    if objections and not override_reason:
        raise rules.NotRoadworthy(time.reg, objections)
    if override_reason and not objections:
        raise Invalid(
            "Nothing stands against it: leave the reason to override empty.", "override_reason"
        )
    time.objections = "\n".join(objection.text for objection in objections)
    time.override_reason = override_reason
    time.note = note
    texts = time.objections.splitlines()
    _close(time, by, {"overridden": bool(objections), "objections": texts})
    return time


def close_for_vehicles_left(reg_keys: Collection[str], *, by: int | None) -> None:
    """End the times off the road of vehicles that are in no list any more."""
    lock_records(reg_keys)
    for reg_key in sorted(reg_keys):
        time = _lock_current(reg_key)
        if time:
            time.note = "The vehicle left the list."
            _close(time, by, {"vehicleLeft": True})


def _lock_current(reg_key: str) -> OffRoad | None:
    statement = select(OffRoad).filter_by(reg_key=reg_key, until=None).with_for_update()
    return db.session.execute(statement).scalar_one_or_none()


def _lock_time(time_id: int) -> OffRoad:
    """Lock a current time off the road; raises NotFound, and Conflict that names its end."""
    time = queries.get_time(time_id)
    lock_records([time.reg_key])
    db.session.refresh(time, with_for_update=True)
    if time.until is not None:
        raise Conflict(queries.returned_message(time))
    return time


def _not_off_road(reg: str, reg_key: str) -> Conflict:
    last = queries.last_time(reg_key)
    if last is None or last.until is None:
        return Conflict(f"{clean_plate(reg)} isn't off the road.")
    return Conflict(queries.returned_message(last))


def _close(time: OffRoad, by: int | None, after: Mapping[str, Any]) -> None:
    time.until = dates.utc_now()
    time.closed_by = by
    time.signed_as = usernames([by])[by]
    time.revision += 1
    record_changes(
        EventKind.VEHICLE_RETURNED, SUBJECT, [ChangedSubject(time.id, after=after)], by=by
    )


def _change(time: OffRoad, values: Mapping[str, Any], *, by: int | None) -> None:
    """Change the values of a time off the road; unchanged ones are no change."""
    changed = {name: new for name, new in values.items() if getattr(time, name) != new}
    if not changed:
        return
    before = _recorded(time, changed)
    for name, new in changed.items():
        setattr(time, name, new)
    time.revision += 1
    after = _recorded(time, changed)
    if "detail" in changed:
        after[OTHER_FIELDS] = ["detail"]
    change = ChangedSubject(time.id, before, after)
    record_changes(EventKind.VEHICLE_OFF_ROAD_CHANGED, SUBJECT, [change], by=by)


def _recorded(time: OffRoad, names: Collection[str]) -> dict[str, Any]:
    """Return the values that an event may have; its detail may name people."""
    return {name: _json_value(getattr(time, name)) for name in names if name != "detail"}


def _json_value(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value
