"""The acts on times off the road: begin one, change it, and end it."""

from collections.abc import Mapping
from typing import Any

from flask import request, url_for

from app import dates
from app.defects.forms import ChangeOffRoadForm, ReturnForm, TakeOffRoadForm
from app.defects.models import OffRoad
from app.defects.queries import defects as defect_queries
from app.defects.queries import off_road as queries
from app.defects.rules import off_road as rules
from app.defects.rules.defects import severity_label
from app.defects.rules.off_road import NotRoadworthy, Objection
from app.defects.services import off_road as services
from app.defects.services.off_road import OffRoadResult
from app.fleet.acts import for_fleet, plates
from app.fleet.rules.findings import Severity
from app.fleet.rules.vehicles import MAX_PLATE_LENGTH
from app.records.acts import Act, Outcome, Target, Then, new_record

TIME = "/fleet/off-road/<row_id:time_id>"


def _current(_: Any, time: OffRoad) -> str:
    expected = dates.format_day(time.expected_back) if time.expected_back else "not known yet"
    detail = "; ".join(time.detail.splitlines()) or "–"
    return f"It is now: {time.reason.label}, {detail}, {expected}."


ON_TIME = Target[OffRoad](
    read=queries.get_time,
    page=lambda time: url_for("defects.vehicle_off_road", reg=time.reg),
    then=Then.RETURN,
    current=_current,
)

ON_RETURN = Target[OffRoad](
    read=queries.get_time,
    page=lambda _: url_for("defects.off_road"),
    then=Then.RETURN,
)


def objection_url(objection: Objection) -> str:
    """Return the address of an objection to a vehicle's return."""
    if objection.defect is None:
        return url_for("due.due")
    return url_for("defects.defect", number=objection.defect)


def _fill_in(form: TakeOffRoadForm, _: None) -> None:
    form.reg.data = request.args.get("reg", "")[:MAX_PLATE_LENGTH]


def _describe(result: OffRoadResult) -> Outcome:
    if result.was_off_road:
        return Outcome(f"{result.reg} was off the road already. The reason was added.")
    return Outcome(f"{result.reg} is off the road.")


def _objections(form: ReturnForm, time: OffRoad) -> Mapping[str, Any]:
    is_over = time.until is not None
    defects = () if is_over else defect_queries.open_defects([time.reg_key]).get(time.reg_key, ())
    return {
        "lasts": rules.describe_days(time.since, time.until, dates.today()),
        "reason": time.reason.label,
        "objections": () if is_over else queries.objections_to([time.reg_key])[time.reg_key],
        "objection_url": objection_url,
        "severity_label": severity_label,
        "other_defects": [each for each in defects if each.severity is not Severity.STOP],
        "is_refused": isinstance(form.refusal, NotRoadworthy),
    }


ACTS = (
    Act(
        "take_off_road",
        "/fleet/off-road/new",
        for_fleet,
        TakeOffRoadForm,
        services.report_off_road,
        _describe,
        new_record("defects.off_road", then=Then.RETURN),
        offer=_fill_in,
        shows=plates,
    ),
    Act(
        "change_off_road",
        f"{TIME}/change",
        for_fleet,
        ChangeOffRoadForm,
        services.change_time,
        "Saved: {r.reg}.",
        ON_TIME,
        offer=lambda form, time: form.process(obj=time),
        shows=lambda form, time: form.keep_reason(time.reason) or {},
    ),
    Act(
        "return_to_road",
        f"{TIME}/return",
        for_fleet.by_managers,
        ReturnForm,
        services.end_time,
        "{r.reg} is back on the road.",
        ON_RETURN,
        over=queries.returned_message,
        shows=_objections,
    ),
)
