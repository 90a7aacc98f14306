"""Pages of defects, repairs and times off the road."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup, escape

from app import dates
from app.attachments.queries import attachments_of
from app.dates import near_day, weekday
from app.defects.acts import defects as defect_acts
from app.defects.acts import off_road as off_road_acts
from app.defects.acts.defects import REPAIR, why_not_undone
from app.defects.acts.off_road import objection_url
from app.defects.models import OffRoad
from app.defects.queries import defects as defect_queries
from app.defects.queries import lists as defect_list
from app.defects.queries import off_road as off_road_queries
from app.defects.queries import repairs as repair_queries
from app.defects.queries.lists import NOT_ASSESSED
from app.defects.queries.timeline import timeline
from app.defects.rules import defects as rules
from app.defects.rules import off_road as off_road_rules
from app.defects.rules.fields import DEFECT_REFERENCE, SEVERITY, TABS, DefectState
from app.defects.rules.off_road import BoardFilter
from app.defects.schemas.defects import TAB_LISTS
from app.defects.schemas.files import DEFECT_FILE
from app.defects.schemas.off_road import OFF_ROAD_FILE
from app.defects.schemas.repairs import REPAIR_LIST
from app.defects.services import repairs as services
from app.defects.services.defects import SUBJECT
from app.errors import Invalid, NotFound
from app.fleet.acts import DIVISIONS, for_fleet
from app.fleet.queries import vehicles as vehicle_queries
from app.fleet.queries.overview import status_totals
from app.fleet.queries.vehicles import is_on_record
from app.fleet.rules.vehicles import (
    MAX_PLATES,
    UPKEEP,
    FleetList,
    clean_plate,
    describe_missing,
    plate_key,
)
from app.fleet.schemas.checks import photo_urls
from app.mileage.rules import NOT_USED
from app.records.acts import serve
from app.records.lists import ListView, csv_file, exports, list_view
from app.stock.queries import operations
from app.versions import version_of
from app.web import caching
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.htmx import is_htmx, is_htmx_for
from app.web.list_query import requested_page
from app.web.navigation import Screen, back_link

bp = Blueprint("defects", __name__)
BLUEPRINTS = (bp,)
SCREENS = [
    Screen(division, label, endpoint)
    for label, endpoint in (("Defects", "defects.defects"), ("Off the road", "defects.off_road"))
    for division in DIVISIONS
]


@bp.get("/fleet/defects")
@for_fleet
@failure_message("Failed to load defects")
def defects() -> ResponseReturnValue:
    """Show a page of the defects of a tab; a search for a number leads to that defect."""
    tab = _tab(request.args)
    record = TAB_LISTS[tab]
    query = record.parse(request.args)
    search = query.filters.get("q", "")
    number = defect_list.find_number(search)
    if number is not None and not is_htmx() and not defect_list.may_be_plate(search):
        return redirect(url_for("defects.defect", number=number))
    unchanged = caching.not_modified(version_of(UPKEEP), dates.today())
    if unchanged is not None:
        return unchanged
    # Nobody scrolls through more; then the registration is typed.
    plates = [] if is_htmx_for("list") else defect_list.plates_with_defects(MAX_PLATES + 1)
    page = ListView(bp, record, row_context()).render(
        tab=tab,
        values=query.filters,
        totals=defect_list.tab_totals(record.where(replace(query, scope=()))),
        found=number,
        plates=plates if len(plates) <= MAX_PLATES else None,
        severities={**{each: each.label for each in SEVERITY.members}, NOT_ASSESSED: SEVERITY.none},
    )
    return page, 422 if query.problems else 200


@bp.get("/fleet/defects.csv")
@for_fleet
@exports("defects")
def defects_csv() -> Response:
    """Stream the defects that match the filters as CSV."""
    record = TAB_LISTS[_tab(request.args)]
    query = record.parse(request.args)
    for problem in query.problems.values():
        raise Invalid(problem)
    return csv_file("defects.csv", DEFECT_FILE, defect_list.all_defects(record.where(query)))


def row_context() -> Mapping[str, Any]:
    """Return the functions of a row's template."""
    today = dates.today()
    return {
        "severity_label": rules.severity_label,
        "severity_tone": rules.severity_tone,
        "standing": partial(rules.standing_of, today=today),
        "describe_seen": rules.seen_after_repair,
        "age": lambda defect: (today - defect.day).days,
    }


def _tab(args: Mapping[str, str]) -> DefectState:
    text = args.get("state", "").strip()
    return DefectState(text) if text in TABS else DefectState.OPEN


DEFECT = "/fleet/defects/<int(max=999999999):number>"

MAX_OF_VEHICLE = 6
"""The most defects on a vehicle's page."""


@bp.get(DEFECT)
@for_fleet
@failure_message("Failed to load the defect")
def defect(number: int) -> ResponseReturnValue:
    """Show a defect with its standing, its timeline and its actions."""
    back = back_link("/fleet/defects") or url_for("defects.defects")
    unchanged = caching.not_modified(version_of(UPKEEP), dates.today(), back)
    if unchanged is not None:
        return unchanged
    row, today = defect_queries.get_defect(number), dates.today()
    vehicle_ids = off_road_queries.vehicle_ids([row.reg_key])
    time = off_road_queries.current_times([row.reg_key]).get(row.reg_key)
    return render_template(
        "defects/defect.html",
        **row_context(),
        defect=row,
        seen_after_repair=defect_queries.seen_after_repair([row]).get(row.id),
        seen=defect_list.seen_again([row.id])[row.id],
        entries=timeline(row),
        is_undone=row.id in defect_queries.with_undone_repair([row]),
        steps=rules.steps(row.state, row.closing),
        describe_severity=rules.describe_severity,
        weekday=partial(weekday, today=today),
        near_day=partial(near_day, today=today),
        photo_urls=photo_urls,
        vehicle_id=vehicle_ids.get(row.reg_key),
        is_off_road=time is not None,
        off_road=time,
        repeat_of=defect_queries.defect_by_id(row.repeat_of_id) if row.repeat_of_id else None,
        next_defect=defect_queries.next_defect(row) if row.closed_at else None,
        duplicate_of=defect_queries.defect_by_id(row.duplicate_of_id)
        if row.duplicate_of_id
        else None,
        attachments=attachments_of(SUBJECT, [row.id]).get(row.id, ()),
        back=back,
    )


def _defects_panel(reg_key: str) -> Mapping[str, Any]:
    """Return the defects for a vehicle's page."""
    return {
        **row_context(),
        "rows": defect_list.defects_of_vehicle(reg_key, MAX_OF_VEHICLE),
        "total": defect_list.count_of_vehicle(reg_key),
    }


REPAIR_SCREENS = [Screen(division, "Repairs", "defects.repairs") for division in DIVISIONS]

list_view(bp, for_fleet, REPAIR_LIST, "/fleet/repairs")


@bp.get(REPAIR)
@for_fleet
@failure_message("Failed to load repairs")
def repair(number: int) -> ResponseReturnValue:
    """Show a repair with its costs, parts and defects."""
    (row,) = repair_queries.repair_rows([repair_queries.get_repair(number)])
    undoings = operations.undoings({part.operation_id for part in row.parts})
    unchanged = caching.not_modified(version_of(UPKEEP), sorted(undoings), dates.today())
    if unchanged is not None:
        return unchanged
    return render_template(
        "defects/repair.html",
        row=row,
        vehicle_id=off_road_queries.vehicle_ids([row.repair.reg_key]).get(row.repair.reg_key),
        undoings=undoings,
        attachments=attachments_of(services.SUBJECT, [row.repair.id])[row.repair.id],
        may_see=lambda store: store.division in current_user().divisions,
        question=services.mileage_question(row.repair),
        not_used=NOT_USED,
        why_not_undone=why_not_undone(row.repair),
    )


BOARD_FILTERS = {
    BoardFilter.UNBOOKED: ("not booked in", "No repair waits to be booked in."),
    BoardFilter.LATE: ("back later than expected", "No vehicle is back later than expected."),
}
"""The board's name of each filter, and its text without a vehicle."""


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
    sums = off_road_queries.board_sums(today)
    board_filter = request.args.get("show", type=BoardFilter)
    listed = status_totals(vehicle_queries.current_list())
    total = len(sums.filtered[board_filter]) if board_filter else sums.off_road
    return render_template(
        "defects/off_road.html",
        page=off_road_queries.board_page(requested_page(), total, today, board_filter),
        board_filter=board_filter,
        filters=BOARD_FILTERS,
        sums=sums,
        vehicles=sum(each.vehicles for each in listed),
        step_url=step_url,
        decision_url=decision_url,
        link_defects=link_defects,
    )


@bp.get("/fleet/off-road.csv")
@for_fleet
@exports("times off the road")
def off_road_csv() -> Response:
    """Export all times off the road."""
    return csv_file("off-road.csv", OFF_ROAD_FILE, off_road_queries.all_times())


@bp.get("/fleet/off-road/<path:reg>")
@for_fleet
@failure_message("Failed to load vehicles")
def vehicle_off_road(reg: str) -> ResponseReturnValue:
    """Show a vehicle's times off the road, and the objections to its return."""
    reg_key = plate_key(reg)
    if not is_on_record(reg_key):
        raise NotFound(describe_missing(clean_plate(reg)))
    today = dates.today()
    unchanged = caching.not_modified(version_of(UPKEEP), today)
    if unchanged is not None:
        return unchanged
    times = off_road_queries.times_of(reg_key)
    current = next((row.time for row in times if row.time.until is None), None)
    return render_template(
        "defects/vehicle_off_road.html",
        reg=times[0].time.reg
        if times
        else vehicle_queries.stored_plate(reg_key) or clean_plate(reg),
        vehicle_id=off_road_queries.vehicle_ids([reg_key]).get(reg_key),
        times=times,
        lasts=lambda time: off_road_rules.describe_days(time.since, time.until, today),
        join_reasons=off_road_rules.join_reasons,
        **_standing(reg_key, current),
    )


def step_url(row: off_road_queries.BoardRow) -> str:
    """Return the address of the next step of a vehicle off the road."""
    match row.next_step:
        case off_road_rules.NextStep.CHANGE:
            return url_for("defects.change_off_road", time_id=row.time.id)
        case off_road_rules.NextStep.RETURN:
            return url_for("defects.return_to_road", time_id=row.time.id)
        case _:
            return url_for("defects.defect", number=row.defects[0].number)


def decision_url(row: off_road_queries.BoardRow) -> str:
    """Return the address that decides whether a person may take a vehicle's next step."""
    if row.next_step is off_road_rules.NextStep.SIGN_OFF:
        return url_for("defects.sign_off_defect", number=row.defects[0].number)
    return step_url(row)


def _off_road_panel(reg_key: str) -> Mapping[str, Any]:
    """Return the times off the road for a vehicle's page."""
    time = off_road_queries.current_times([reg_key]).get(reg_key)
    return {
        **_standing(reg_key, time),
        "has_times": off_road_queries.last_time(reg_key) is not None,
    }


def _standing(reg_key: str, time: OffRoad | None) -> Mapping[str, Any]:
    return {
        "current": off_road_queries.board_rows([time], dates.today())[0] if time else None,
        "objections": off_road_queries.objections_to([reg_key])[reg_key],
        "link_defects": link_defects,
        "objection_url": objection_url,
    }


def link_defects(text: str) -> Markup:
    """Return a text with each number of a defect, such as 'D-0142', as a link to it."""
    parts: list[Markup] = []
    end = 0
    for found in DEFECT_REFERENCE.finditer(text):
        url = url_for("defects.defect", number=int(found[0].removeprefix("D-")))
        link = Markup('<a class="reference" href="{}">{}</a>').format(url, found[0])
        parts += [escape(text[end : found.start()]), link]
        end = found.end()
    return Markup("").join([*parts, escape(text[end:])])


PANELS = {"defects": _defects_panel, "off_road": _off_road_panel}
"""What a vehicle's page shows by the registration's key, under these names in its template."""

serve(bp, *defect_acts.ACTS, *off_road_acts.ACTS)
