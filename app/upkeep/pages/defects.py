"""Pages of defects and repairs."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from flask import Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.attachments.queries import attachments_of
from app.errors import Invalid
from app.fleet.rules.vehicles import MAX_PLATES, UPKEEP
from app.fleet.schemas.checks import photo_urls
from app.records.exports import csv_file, exports
from app.records.lists import ListView, list_view
from app.stock.queries import operations
from app.upkeep.acts.defects import REPAIR, why_not_undone
from app.upkeep.pages.blueprint import DIVISIONS, bp, for_fleet
from app.upkeep.queries import defect_list, off_road
from app.upkeep.queries import defects as defect_queries
from app.upkeep.queries import repairs as repair_queries
from app.upkeep.queries.defect_list import NOT_ASSESSED
from app.upkeep.queries.defect_timeline import timeline
from app.upkeep.rules import defects as rules
from app.upkeep.rules.defect_fields import SEVERITY, TABS
from app.upkeep.rules.kinds import DefectState, near_day, weekday
from app.upkeep.rules.readings import NOT_USED
from app.upkeep.schemas.defects import TAB_LISTS
from app.upkeep.schemas.files import DEFECT_FILE
from app.upkeep.schemas.repairs import REPAIR_LIST
from app.upkeep.services import repairs as services
from app.upkeep.services.defects import SUBJECT
from app.versions import version_of
from app.web import caching
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.htmx import is_htmx, is_htmx_for
from app.web.navigation import Screen, back_link

SCREENS = [Screen(division, "Defects", "upkeep.defects") for division in DIVISIONS]


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
        return redirect(url_for("upkeep.defect", number=number))
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
    back = back_link("/fleet/defects") or url_for("upkeep.defects")
    unchanged = caching.not_modified(version_of(UPKEEP), dates.today(), back)
    if unchanged is not None:
        return unchanged
    row, today = defect_queries.get_defect(number), dates.today()
    vehicle_ids = off_road.vehicle_ids([row.reg_key])
    time = off_road.current_times([row.reg_key]).get(row.reg_key)
    return render_template(
        "upkeep/defect.html",
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


def panel(reg_key: str) -> Mapping[str, Any]:
    """Return the defects for a vehicle's page."""
    return {
        **row_context(),
        "rows": defect_list.defects_of_vehicle(reg_key, MAX_OF_VEHICLE),
        "total": defect_list.count_of_vehicle(reg_key),
    }


REPAIR_SCREENS = [Screen(division, "Repairs", "upkeep.repairs") for division in DIVISIONS]


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
        "upkeep/repair.html",
        row=row,
        vehicle_id=off_road.vehicle_ids([row.repair.reg_key]).get(row.repair.reg_key),
        undoings=undoings,
        attachments=attachments_of(services.SUBJECT, [row.repair.id])[row.repair.id],
        may_see=lambda store: store.division in current_user().divisions,
        question=services.mileage_question(row.repair),
        not_used=NOT_USED,
        why_not_undone=why_not_undone(row.repair),
    )
