"""The board of vehicles off the road, a vehicle's times, and the forms that begin and end one."""

from collections.abc import Mapping
from typing import Any

from flask import Response, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup, escape

from app import dates
from app.errors import NotFound
from app.fleet.queries import vehicles as vehicle_queries
from app.fleet.queries.overview import status_totals
from app.fleet.rules.vehicles import UPKEEP, FleetList, clean_plate, describe_missing, plate_key
from app.records.exports import csv_file, exports
from app.upkeep.acts.off_road import objection_url
from app.upkeep.models.defects import OffRoad
from app.upkeep.pages.blueprint import DIVISIONS, bp, for_fleet
from app.upkeep.queries import off_road as queries
from app.upkeep.queries.vehicles import is_on_record
from app.upkeep.rules import off_road as rules
from app.upkeep.rules.kinds import DEFECT_REFERENCE
from app.upkeep.rules.off_road import BoardFilter
from app.upkeep.schemas.off_road import OFF_ROAD_FILE
from app.versions import version_of
from app.web import caching
from app.web.error_pages import failure_message
from app.web.list_query import requested_page
from app.web.navigation import Screen

SCREENS = [Screen(division, "Off the road", "upkeep.off_road") for division in DIVISIONS]

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
    sums = queries.board_sums(today)
    board_filter = request.args.get("show", type=BoardFilter)
    listed = status_totals(vehicle_queries.current_list())
    total = len(sums.filtered[board_filter]) if board_filter else sums.off_road
    return render_template(
        "upkeep/off_road.html",
        page=queries.board_page(requested_page(), total, today, board_filter),
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
    return csv_file("off-road.csv", OFF_ROAD_FILE, queries.all_times())


@bp.get("/fleet/off-road/<path:reg>")
@for_fleet
@failure_message("Failed to load vehicles")
def vehicle_off_road(reg: str) -> ResponseReturnValue:
    """Show a vehicle's times off the road, and the objections to its return."""
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
        lasts=_lasts,
        join_reasons=rules.join_reasons,
        **_standing(reg_key, current),
    )


def step_url(row: queries.BoardRow) -> str:
    """Return the address of the next step of a vehicle off the road."""
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
    """Return the times off the road for a vehicle's page."""
    time = queries.current_times([reg_key]).get(reg_key)
    return {**_standing(reg_key, time), "has_times": queries.last_time(reg_key) is not None}


def _standing(reg_key: str, time: OffRoad | None) -> Mapping[str, Any]:
    return {
        "current": queries.board_rows([time], dates.today())[0] if time else None,
        "objections": queries.objections_to([reg_key])[reg_key],
        "link_defects": link_defects,
        "objection_url": objection_url,
    }


def _lasts(time: OffRoad) -> str:
    return rules.describe_days(time.since, time.until, dates.today())


def link_defects(text: str) -> Markup:
    """Return a text with each number of a defect, such as 'D-0142', as a link to it."""
    parts: list[Markup] = []
    end = 0
    for found in DEFECT_REFERENCE.finditer(text):
        url = url_for("upkeep.defect", number=int(found[0].removeprefix("D-")))
        link = Markup('<a class="reference" href="{}">{}</a>').format(url, found[0])
        parts += [escape(text[end : found.start()]), link]
        end = found.end()
    return Markup("").join([*parts, escape(text[end:])])
