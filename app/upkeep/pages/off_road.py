"""The board of vehicles off the road, a vehicle's times, and the forms that begin and end one."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.audit.rules import Event
from app.audit.services import record
from app.db import transaction
from app.errors import EditConflict, NotFound
from app.fleet.queries import vehicles as vehicle_queries
from app.fleet.rules.findings import OpenDefect, Severity
from app.fleet.rules.plates import MAX_PLATE_LENGTH, clean_plate, describe_missing, plate_key
from app.fleet.rules.vehicles import FleetList
from app.fleet.rules.versions import UPKEEP
from app.upkeep.forms.off_road import ChangeOffRoadForm, ReturnForm, TakeOffRoadForm
from app.upkeep.models.off_road import OffRoad
from app.upkeep.pages.blueprint import DIVISIONS, bp, for_fleet
from app.upkeep.pages.references import link_defects
from app.upkeep.queries import defects as defect_queries
from app.upkeep.queries import off_road as queries
from app.upkeep.queries.vehicles import is_on_record
from app.upkeep.rules import off_road as rules
from app.upkeep.rules.defect_texts import severity_label
from app.upkeep.rules.kinds import OffRoadReason
from app.upkeep.rules.off_road import BoardFilter, NotRoadworthy, Objection
from app.upkeep.schemas.off_road import CSV_COLUMNS, csv_rows
from app.upkeep.services import off_road as services
from app.upkeep.services.off_road import OffRoadResult
from app.versions import version_of
from app.web import access, caching
from app.web.access import current_user
from app.web.downloads import csv_download
from app.web.error_pages import failure_message
from app.web.form_handling import handle_form, render_dialog, respond_done
from app.web.limits import CostlyRequest, costly
from app.web.navigation import Screen
from app.web.paging import requested_page

SCREENS = [Screen(division, "Off the road", "upkeep.off_road") for division in DIVISIONS]

BOARD_FILTERS = {
    BoardFilter.UNBOOKED: ("not booked in", "No repair waits to be booked in."),
    BoardFilter.LATE: ("back later than expected", "No vehicle is back later than expected."),
}
"""How the board names each filter, and what it says where one leaves no vehicle."""

MAX_PLATES = 300
"""The most registrations that the form suggests."""

OVERRIDE_REQUIRED = "Give a reason to put it back all the same."

ONE_TIME = "/fleet/off-road/<int(max=2147483647):time_id>"


@bp.get("/fleet/off-road")
@for_fleet
@failure_message("Failed to load vehicles")
def off_road() -> ResponseReturnValue:
    """Show the vehicles off the road, the longest first; `?show=` is a filter of the board."""
    today = dates.today()
    lists = vehicle_queries.list_version(FleetList.VEHICLES)
    unchanged = caching.not_modified(version_of(UPKEEP), lists, today)
    if unchanged is not None:
        return unchanged
    sums = queries.board_sums(today)
    board_filter = request.args.get("show", type=BoardFilter)
    total = len(sums.filtered[board_filter]) if board_filter else sums.off_road
    return render_template(
        "upkeep/off_road.html",
        page=queries.board_page(requested_page(), total, today, board_filter),
        board_filter=board_filter,
        filters=BOARD_FILTERS,
        sums=sums,
        vehicles=queries.vehicle_count(),
        step_url=step_url,
        decision_url=decision_url,
        link_defects=link_defects,
    )


@bp.get("/fleet/off-road.csv")
@for_fleet
@costly(CostlyRequest.EXPORTS)
@failure_message("Export failed")
def off_road_csv() -> Response:
    """Export all times off the road."""
    with transaction():
        record(Event.EXPORT, "times off the road")
    return csv_download("off-road.csv", CSV_COLUMNS, csv_rows(queries.all_times()))


@bp.route("/fleet/off-road/new", methods=["GET", "POST"])
@for_fleet
@access.redisplays_form
@failure_message("Update failed")
def take_off_road() -> ResponseReturnValue:
    """Take a vehicle off the road; `?reg=` fills in which."""
    form = TakeOffRoadForm()
    if not form.is_submitted():
        form.reg.data = request.args.get("reg", "")[:MAX_PLATE_LENGTH]
    board = url_for("upkeep.off_road")

    def action() -> OffRoadResult:
        return services.report_off_road(
            form.reg.data,
            OffRoadReason(form.reason.data),
            detail=form.detail.data,
            expected_back=form.expected_back.data,
            by=current_user().user_id,
        )

    def render() -> str:
        plates = vehicle_queries.plates(vehicle_queries.current_list(), limit=MAX_PLATES)
        return render_dialog(
            "upkeep/take_off_road.html", form=form, default_back=board, plates=plates
        )

    def respond(result: OffRoadResult) -> ResponseReturnValue:
        message = f"{result.reg} is off the road."
        if result.was_off_road:
            message = f"{result.reg} was off the road already. The reason was added."
        return respond_done(message, back=form.back_to or board)

    return handle_form(form, OffRoadResult, action, render=render, respond=respond)


@bp.get("/fleet/off-road/<path:reg>")
@for_fleet
@failure_message("Failed to load vehicles")
def vehicle_off_road(reg: str) -> ResponseReturnValue:
    """Show the times that a vehicle was off the road, and what stands against its return."""
    reg_key = plate_key(reg)
    if not is_on_record(reg_key):
        raise NotFound(describe_missing(clean_plate(reg)))
    unchanged = caching.not_modified(version_of(UPKEEP), dates.today())
    if unchanged is not None:
        return unchanged
    times = queries.times_of(reg_key)
    current = next((row.time for row in times if row.time.until is None), None)
    return render_template(
        "upkeep/vehicle_off_road.html",
        reg=times[0].time.reg
        if times
        else vehicle_queries.stored_plate(reg_key) or clean_plate(reg),
        vehicle_id=queries.vehicle_ids([reg_key]).get(reg_key),
        times=times,
        current=queries.board_rows([current], dates.today())[0] if current else None,
        objections=queries.objections_to([reg_key])[reg_key],
        lasts=_lasts,
        labels=rules.REASON_LABELS,
        join_reasons=rules.join_reasons,
        link_defects=link_defects,
        objection_url=objection_url,
    )


@bp.route(f"{ONE_TIME}/change", methods=["GET", "POST"])
@for_fleet
@access.redisplays_form
@failure_message("Update failed")
def change_off_road(time_id: int) -> ResponseReturnValue:
    """Change why a vehicle is off the road, and when it is expected back."""
    time = queries.get_time(time_id)
    form = ChangeOffRoadForm(obj=None if request.method == "POST" else time)
    form.keep_reason(time.reason)
    back = url_for("upkeep.vehicle_off_road", reg=time.reg)

    def action() -> OffRoadResult:
        return services.change_time(
            time_id,
            reason=OffRoadReason(form.reason.data),
            detail=form.detail.data,
            expected_back=form.expected_back.data,
            revision=form.revision.sent,
            by=current_user().user_id,
        )

    def render() -> str:
        current = queries.get_time(time_id)
        has_conflict = isinstance(form.refusal, EditConflict)
        if has_conflict:
            form.revision.data = current.revision
        return render_dialog(
            "upkeep/change_off_road.html",
            form=form,
            default_back=back,
            time=current,
            labels=rules.REASON_LABELS,
            has_conflict=has_conflict,
        )

    return handle_form(
        form,
        OffRoadResult,
        action,
        render=render,
        respond=lambda result: respond_done(f"Saved: {result.reg}.", back=form.back_to or back),
    )


@bp.route(f"{ONE_TIME}/return", methods=["GET", "POST"])
@for_fleet.by_managers
@access.redisplays_form
@failure_message("Update failed")
def return_to_road(time_id: int) -> ResponseReturnValue:
    """Put a vehicle back on the road: a manager's sign-off."""
    form = ReturnForm()
    board = url_for("upkeep.off_road")

    def action() -> OffRoadResult:
        return services.end_time(
            time_id,
            note=form.note.data,
            override_reason=form.override_reason.data,
            by=current_user().user_id,
        )

    def render() -> str:
        time = queries.get_time(time_id)
        is_over = time.until is not None
        is_refused = isinstance(form.refusal, NotRoadworthy)
        # Who had the field of the reason before them reads there what is missing, too.
        if is_refused and form.override_reason.raw_data:
            form.override_reason.errors = [OVERRIDE_REQUIRED]
        return render_dialog(
            "upkeep/return_to_road.html",
            form=form,
            default_back=board,
            time=time,
            lasts=_lasts(time),
            labels=rules.REASON_LABELS,
            objections=() if is_over else queries.objections_to([time.reg_key])[time.reg_key],
            objection_url=objection_url,
            severity_label=severity_label,
            other_defects=[] if is_over else _defects_beside_stops(time.reg_key),
            is_refused=is_refused,
            over=queries.returned_message(time),
        )

    def respond(result: OffRoadResult) -> ResponseReturnValue:
        return respond_done(f"{result.reg} is back on the road.", back=form.back_to or board)

    return handle_form(form, OffRoadResult, action, render=render, respond=respond)


def step_url(row: queries.BoardRow) -> str:
    """Return the address of what a vehicle that is off the road needs next."""
    match row.next_step:
        case rules.NextStep.CHANGE:
            return url_for("upkeep.change_off_road", time_id=row.time.id)
        case rules.NextStep.RETURN:
            return url_for("upkeep.return_to_road", time_id=row.time.id)
        case _:
            return url_for("upkeep.defect", number=row.defects[0].number)


def decision_url(row: queries.BoardRow) -> str:
    """Return the address that decides whether a person may take a vehicle's next step."""
    if row.next_step is rules.NextStep.SIGN_OFF:
        return url_for("upkeep.sign_off_defect", number=row.defects[0].number)
    return step_url(row)


def panel(reg_key: str) -> Mapping[str, Any]:
    """Return what a vehicle's page shows of its times off the road."""
    time = queries.current_times([reg_key]).get(reg_key)
    return {
        "current": queries.board_rows([time], dates.today())[0] if time else None,
        "objections": queries.objections_to([reg_key])[reg_key],
        "has_times": queries.last_time(reg_key) is not None,
        "link_defects": link_defects,
        "objection_url": objection_url,
    }


def objection_url(objection: Objection) -> str:
    """Return the address of what stands against a vehicle's return."""
    if objection.defect is None:
        return url_for("upkeep.due")
    return url_for("upkeep.defect", number=objection.defect)


def _defects_beside_stops(reg_key: str) -> Sequence[OpenDefect]:
    """Return a vehicle's open defects that don't keep it off the road."""
    defects = defect_queries.open_defects([reg_key]).get(reg_key, ())
    return [defect for defect in defects if defect.severity is not Severity.STOP]


def _lasts(time: OffRoad) -> str:
    return rules.describe_days(time.since, time.until, dates.today())
