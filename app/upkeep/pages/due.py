"""Due items: the list by urgency, a month as a table, an item, the file of all, and plans."""

from collections.abc import Sequence
from enum import StrEnum
from functools import partial
from typing import TypeVar

from flask import Response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.attachments.queries import attachments_of
from app.errors import Invalid
from app.fleet.rules.versions import UPKEEP
from app.paging import Page, clamp_page
from app.records.exports import csv_file, exports
from app.upkeep.pages.blueprint import DIVISIONS, bp, for_fleet
from app.upkeep.queries import done as done_queries
from app.upkeep.queries import due as queries
from app.upkeep.queries.due import DueRow
from app.upkeep.queries.months import month_of, month_rows
from app.upkeep.queries.off_road import vehicle_ids
from app.upkeep.queries.plans import plan_rows
from app.upkeep.rules.due import DueGroup, describe_reason
from app.upkeep.rules.due_kinds import KINDS
from app.upkeep.rules.kinds import DueKind
from app.upkeep.schemas.files import DUE_FILE, due_lines
from app.upkeep.services.done import SUBJECT as DONE
from app.versions import version_of
from app.web import caching
from app.web.error_pages import failure_message
from app.web.list_query import requested_page
from app.web.navigation import Screen

SCREENS = [Screen(division, "Due", "upkeep.due") for division in DIVISIONS]

Choice = TypeVar("Choice", bound=StrEnum)

ONE_ITEM = "/fleet/due/<row_id:item_id>"
ROWS_OF_GROUP = 25
"""How many items a part of the list has before it is shown by itself."""
ROWS_PER_PAGE = 100
MAX_DONE = 20


@bp.get("/fleet/due")
@for_fleet
@failure_message("Failed to load what is due")
def due() -> ResponseReturnValue:
    """Show due items by urgency, or one part of them a page at a time."""
    today = dates.today()
    unchanged = caching.not_modified(version_of(UPKEEP), today)
    if unchanged is not None:
        return unchanged
    kind, group = _chosen("kind", DueKind), _chosen("group", DueGroup)
    problem = ""
    if kind is None and request.args.get("kind"):
        problem = "There is no such kind. This is all that is due."
    elif group is None and request.args.get("group"):
        problem = "There is no such part of the list. This is all of it."
    rows = queries.open_items(today)
    kinds = [(each, sum(row.terms.kind is each for row in rows)) for each in KINDS]
    chosen = [row for row in rows if kind in (None, row.terms.kind)]
    groups = queries.by_group(chosen)
    overdue, soon = queries.count_by_state(rows)
    return render_template(
        "upkeep/due.html",
        problem=problem,
        kind=kind,
        kinds=[(each, count) for each, count in kinds if count],
        total=len(rows),
        group=group,
        groups=[(each, each.label, groups[each]) for each in DueGroup],
        page=_page(groups[group]) if group else None,
        group_label=group.label if group else "",
        limit=ROWS_OF_GROUP,
        overdue=overdue,
        soon=soon,
        today=today,
        reason_of=partial(describe_reason, today=today),
        address=_address,
    ), 422 if problem else 200


@bp.get("/fleet/due.csv")
@for_fleet
@exports("due")
def due_csv() -> Response:
    """Export due items in the format of the import."""
    return csv_file("due.csv", DUE_FILE, due_lines(queries.open_items()))


@bp.get("/fleet/due/month")
@for_fleet
@failure_message("Failed to load what is due")
def due_month() -> ResponseReturnValue:
    """Show the due items of a month, day by day."""
    today = dates.today()
    unchanged = caching.not_modified(version_of(UPKEEP), today)
    if unchanged is not None:
        return unchanged
    problem = ""
    try:
        month = month_of(request.args.get("month", ""), today)
    except Invalid as error:
        month, problem = month_of("", today), error.message
    return render_template(
        "upkeep/due_month.html",
        problem=problem,
        month=month,
        weeks=month_rows(queries.open_items(today), month),
        today=today,
        limit=ROWS_OF_GROUP,
    ), 422 if problem else 200


@bp.get(ONE_ITEM)
@for_fleet
@failure_message("Failed to load what is due")
def due_item(item_id: int) -> ResponseReturnValue:
    """Show an item with its standing, and the earlier work of its kind on its vehicle."""
    today = dates.today()
    unchanged = caching.not_modified(version_of(UPKEEP), today)
    if unchanged is not None:
        return unchanged
    item = queries.get_item(item_id)
    row = queries.get_row(item_id, today) if item.closed_at is None else None
    shared = queries.shared_vehicles([item_id]).get(item_id, {})
    done = done_queries.history_of(item, MAX_DONE)
    return render_template(
        "upkeep/due_item.html",
        item=item,
        vehicle_id=vehicle_ids([item.reg_key]).get(item.reg_key) if item.reg_key else None,
        row=row,
        shared_by=shared.values(),
        rule=KINDS[item.kind],
        done=done,
        papers=attachments_of(DONE, [each.done.id for each in done]) if done else {},
        today=today,
        reason_of=partial(describe_reason, today=today),
    )


def _page(rows: Sequence[DueRow]) -> Page[DueRow]:
    number, pages = clamp_page(requested_page(), total=len(rows), per_page=ROWS_PER_PAGE)
    first = (number - 1) * ROWS_PER_PAGE
    return Page(rows[first : first + ROWS_PER_PAGE], number, pages, len(rows))


def _chosen(name: str, choices: type[Choice]) -> Choice | None:
    """Return the chosen value of a filter, None for none and for an invalid one."""
    value = request.args.get(name, "")
    return choices(value) if value in set(choices) else None


def _address(
    kind: DueKind | None = None, group: DueGroup | None = None, page: int | None = None
) -> str:
    return url_for("upkeep.due", kind=kind, group=group, page=page)


@bp.get("/fleet/plans")
@for_fleet
@failure_message("Failed to load plans")
def plans() -> ResponseReturnValue:
    """Show the plans with how many open items they have."""
    unchanged = caching.not_modified(version_of(UPKEEP), dates.today())
    if unchanged is not None:
        return unchanged
    return render_template(
        "upkeep/plans.html",
        rows=plan_rows(),
    )
