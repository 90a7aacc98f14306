"""Pages of defects, repairs and times off the road."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup, escape

from app import dates
from app.attachments.queries import attachments_of
from app.defects.acts import ACTS, DEFECT, REPAIR, objection_url, why_not_undone
from app.defects.models import Defect, OffRoad
from app.defects.queries import defects as queries
from app.defects.queries import off_road as off_road_queries
from app.defects.queries import repairs
from app.defects.queries.timeline import timeline
from app.defects.rules import defects as rules
from app.defects.rules.fields import DEFECT_REFERENCE, SEVERITY, TABS, DefectState
from app.defects.rules.off_road import BoardFilter, NextStep, describe_days, join_reasons
from app.defects.schemas.defects import DEFECT_FILE, DEFECT_LIST, TAB_LISTS
from app.defects.schemas.repairs import OFF_ROAD_FILE, REPAIR_LIST
from app.defects.services import repairs as services
from app.defects.services.defects import SUBJECT
from app.errors import NotFound
from app.fleet.acts import DIVISIONS, fleet_page, for_fleet
from app.fleet.queries import vehicles
from app.fleet.rules import vehicles as vehicle_rules
from app.fleet.rules.vehicles import MAX_PLATES, UPKEEP, FleetList, plate_key
from app.fleet.schemas.checks import photo_urls
from app.mileage.rules import NOT_USED
from app.records.acts import serve
from app.records.lists import ListView, export_file, exports, file_view, keeps_filters, list_view
from app.stock.queries import operations
from app.versions import version_of
from app.web import caching, rendered
from app.web.access import current_user
from app.web.htmx import is_htmx, is_htmx_for
from app.web.list_query import requested_page
from app.web.navigation import back_link, shared_screens

bp = Blueprint("defects", __name__)
BLUEPRINTS = (bp,)
SCREENS = [
    *shared_screens(DIVISIONS, "Defects", "defects.defects", key="d"),
    *shared_screens(DIVISIONS, "Off the road", "defects.off_road", is_more=True, key="f"),
    *shared_screens(DIVISIONS, "Repairs", "defects.repairs", is_more=True, key="p"),
]

BOARD_FILTERS = {
    BoardFilter.UNBOOKED: ("not booked in", "No repair waits to be booked in."),
    BoardFilter.LATE: ("back later than expected", "No vehicle is back later than expected."),
}
"""The board's name of each filter, and its text without a vehicle."""


@fleet_page(bp, "/fleet/defects", "Failed to load defects")
@keeps_filters(DEFECT_LIST, remembered=(), implied={"state": DefectState.OPEN})
def defects() -> ResponseReturnValue:
    """Show a page of the defects of a tab; a search for a number leads to that defect."""
    tab = _tab(request.args)
    record = TAB_LISTS[tab]
    query = record.parse(request.args)
    search = query.filters.get("q", "")
    number = queries.find_number(search)
    if number is not None and not is_htmx() and not rules.may_be_plate(search):
        return redirect(url_for("defects.defect", number=number))
    version = version_of(UPKEEP)
    if unchanged := caching.not_modified(version, dates.today()):
        return unchanged

    def load() -> Mapping[str, Any]:
        # Nobody scrolls through more; then the registration is typed.
        plates = [] if is_htmx_for("list") else vehicles.last_plates(Defect, MAX_PLATES + 1)
        where = record.where(replace(query, scope=()))
        totals = queries.count_defects(*([*where, *queries.is_in_tab(each)] for each in TABS))
        return {
            "tab": tab,
            "values": query.filters,
            "totals": dict(zip(TABS, totals, strict=True)),
            "matches": totals[TABS.index(tab)],
            "found": number,
            "plates": plates if len(plates) <= MAX_PLATES else None,
            "severities": {
                **{each: each.label for each in SEVERITY.members},
                queries.NOT_ASSESSED: SEVERITY.none,
            },
        }

    page = ListView(bp, record, row_context()).show_query(query, version, load)
    return page, 422 if query.problems else 200


@bp.get("/fleet/defects.csv")
@for_fleet
@exports("defects")
def defects_csv() -> Response:
    """Stream the defects that match the filters as a file."""
    record = TAB_LISTS[_tab(request.args)]
    query = record.parse(request.args)
    query.check()
    return export_file("defects.csv", DEFECT_FILE, queries.all_defects(record.where(query)))


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


@fleet_page(bp, DEFECT, "Failed to load the defect")
def defect(number: int) -> ResponseReturnValue:
    """Show a defect with its standing, its timeline and its actions."""
    back, today = back_link("/fleet/defects") or url_for("defects.defects"), dates.today()
    if unchanged := caching.not_modified(version_of(UPKEEP), today, back):
        return unchanged
    row = queries.get_defect(number)
    return render_template(
        "defects/defect.html",
        **row_context(),
        **vars(queries.listed_defect(row)),
        entries=timeline(row),
        steps=rules.steps(row.state, row.closing),
        describe_severity=rules.describe_severity,
        weekday=partial(dates.weekday, today=today),
        near_day=partial(dates.near_day, today=today),
        photo_urls=photo_urls,
        vehicle_id=vehicles.listed_id(row.reg_key),
        off_road=off_road_queries.current_times([row.reg_key]).get(row.reg_key),
        repeat_of=row.repeat_of_id and queries.defect_by_id(row.repeat_of_id),
        next_defect=queries.next_defect(row) if row.closed_at else None,
        duplicate_of=row.duplicate_of_id and queries.defect_by_id(row.duplicate_of_id),
        attachments=attachments_of(SUBJECT, [row.id]).get(row.id, ()),
        back=back,
    )


def _defects_panel(reg_key: str, _: Mapping[str, Any]) -> Mapping[str, Any]:
    rows = queries.defects_of_vehicle(reg_key, limit=6)
    return {**row_context(), "rows": rows, "total": len(rows)}


list_view(bp, for_fleet, REPAIR_LIST, "/fleet/repairs")


@fleet_page(bp, REPAIR, "Failed to load repairs")
def repair(number: int) -> ResponseReturnValue:
    """Show a repair with its costs, parts and defects."""
    (row,) = repairs.repair_rows([repairs.get_repair(number)])
    undoings = operations.undoings({part.operation_id for part in row.parts})
    if unchanged := caching.not_modified(version_of(UPKEEP), sorted(undoings), dates.today()):
        return unchanged
    return render_template(
        "defects/repair.html",
        row=row,
        vehicle_id=vehicles.listed_id(row.repair.reg_key),
        undoings=undoings,
        attachments=attachments_of(services.SUBJECT, [row.repair.id])[row.repair.id],
        may_see=lambda store: store.division in current_user().divisions,
        question=services.mileage_question(row.repair),
        not_used=NOT_USED,
        why_not_undone=why_not_undone(row.repair),
    )


@fleet_page(bp, "/fleet/off-road", "Failed to load vehicles")
@caching.by_versions(*FleetList, UPKEEP)
@rendered.kept("defects/off_road.html")
def off_road() -> Mapping[str, Any]:
    """Show the vehicles off the road, the longest first; `?show=` is a filter of the board."""
    today = dates.today()
    sums = off_road_queries.board_sums(today)
    board_filter = request.args.get("show", type=BoardFilter)
    return {
        "page": off_road_queries.board_page(sums.times[board_filter], requested_page(), today),
        "board_filter": board_filter,
        "filters": BOARD_FILTERS,
        "sums": sums,
        "vehicles": vehicles.count_listed(),
        "step_url": step_url,
        "link_defects": link_defects,
    }


file_view(
    bp,
    for_fleet,
    "/fleet/off-road.csv",
    "times off the road",
    OFF_ROAD_FILE,
    off_road_queries.all_times,
)


@fleet_page(bp, "/fleet/off-road/<path:reg>", "Failed to load vehicles")
def vehicle_off_road(reg: str) -> ResponseReturnValue:
    """Show a vehicle's times off the road, and the objections to its return."""
    reg_key, today = plate_key(reg), dates.today()
    if not vehicles.is_on_record(reg_key):
        raise NotFound(vehicle_rules.describe_missing(vehicle_rules.clean_plate(reg)))
    if unchanged := caching.not_modified(version_of(UPKEEP), today):
        return unchanged
    times = off_road_queries.times_of(reg_key)
    current = next((row.time for row in times if row.time.until is None), None)
    listed = None if times else vehicles.stored_plate(reg_key)
    return render_template(
        "defects/vehicle_off_road.html",
        reg=times[0].time.reg if times else listed or vehicle_rules.clean_plate(reg),
        vehicle_id=vehicles.listed_id(reg_key),
        times=times,
        lasts=lambda time: describe_days(time.since, time.until, today),
        join_reasons=join_reasons,
        **_standing(reg_key, current),
    )


def step_url(row: off_road_queries.BoardRow) -> str:
    """Return the address of the next step of a vehicle off the road."""
    if row.next_step in (NextStep.BOOK_IN, NextStep.SIGN_OFF):
        page = "defect" if row.next_step is NextStep.BOOK_IN else "sign_off_defect"
        return url_for(f"defects.{page}", number=row.defects[0].number)
    act = "change_off_road" if row.next_step is NextStep.CHANGE else "return_to_road"
    return url_for(f"defects.{act}", time_id=row.time.id)


def _off_road_panel(reg_key: str, panels: Mapping[str, Any]) -> Mapping[str, Any]:
    last = off_road_queries.last_time(reg_key)
    current = last if last and last.until is None else None
    overdue = panels["due"]["objections"]
    return {**_standing(reg_key, current, overdue), "has_times": last is not None}


def _standing(
    reg_key: str, time: OffRoad | None, overdue: off_road_queries.Overdue | None = None
) -> Mapping[str, Any]:
    rows = off_road_queries.board_rows([time], dates.today(), overdue) if time else ()
    stops = {reg_key: rows[0].defects} if rows else None
    return {
        "current": rows[0] if rows else None,
        "objections": off_road_queries.objections_to([reg_key], overdue, stops)[reg_key],
        "link_defects": link_defects,
        "objection_url": objection_url,
    }


def link_defects(text: str) -> Markup:
    """Return a text with each number of a defect, such as 'D-0142', as a link to it."""

    def link(found: re.Match[str]) -> str:
        url = url_for("defects.defect", number=int(found[0].removeprefix("D-")))
        return Markup('<a class="reference" href="{}">{}</a>').format(url, found[0])

    return Markup(DEFECT_REFERENCE.sub(link, escape(text)))  # noqa: S704 (both are escaped)


PANELS = {"defects": _defects_panel, "off_road": _off_road_panel}
"""What a vehicle's page shows by the registration's key, under these names in its template.

They are given what those of the features above show.
"""

serve(bp, *ACTS)
