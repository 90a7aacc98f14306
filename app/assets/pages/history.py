"""The history of moves, and its export."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from flask import Response, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.assets.acts import for_assets
from app.assets.pages.blueprint import bp
from app.assets.queries import moves as queries
from app.assets.queries import overview
from app.assets.queries.move_filters import MoveFilters
from app.assets.rules.fields import NO_VALUE
from app.assets.rules.sorting import MOVE_ORDERS
from app.assets.schemas.files import MOVE_FILE
from app.divisions import Division
from app.records.exports import csv_file, exports
from app.sorting import SORT
from app.web import caching
from app.web.error_pages import failure_message
from app.web.history_pages import show_history
from app.web.list_query import (
    FilterChip,
    ListQuery,
    filter_chips,
    range_links,
    requested_page,
    typed_values,
)
from app.web.navigation import Screen
from app.web.remembered import remembers_filters
from app.web.sorting import Sorting

FILTERS = ("q", "location", "who", "from", "to")

SCREENS = [Screen(Division.ASSETS, "History", "assets.history")]


@bp.get("/assets/history")
@for_assets
@failure_message("Failed to load history")
@remembers_filters(*FILTERS)
def history() -> ResponseReturnValue:
    """Show a page of the moves, newest first."""
    versions = tuple(overview.data_versions())
    not_modified = caching.not_modified(*versions, dates.today())
    if not_modified is not None:
        return not_modified
    query = _list_query()
    address = partial(url_for, "assets.history")

    def load() -> dict[str, Any]:
        context = {
            "address": address,
            "file": partial(url_for, "assets.export_history"),
            "chips": _chips(query, address),
            "ranges": range_links(address, query.values, query.filters.start, query.filters.end),
        }
        if query.problems:
            return context
        order = MOVE_ORDERS.parse(query.values.get(SORT, ""))
        page = queries.move_page(query.filters, requested_page(), order)
        sorting = Sorting(MOVE_ORDERS, order, page.total, address, query.without_order)
        return {**context, "page": page, "sorting": sorting}

    def load_choices() -> dict[str, Any]:
        return {
            "locations": queries.locations(),
            "movers": queries.movers(),
            "no_value": NO_VALUE,
        }

    return show_history("assets", query, version=versions, load=load, load_choices=load_choices)


@bp.get("/assets/history/export")
@for_assets
@exports("asset moves", "Failed to load history")
def export_history() -> Response:
    """Send all filtered moves as CSV, while they are read."""
    rows = queries.stream_moves(_list_query().valid_filters)
    return csv_file(f"assets_history_{dates.today()}.csv", MOVE_FILE, rows)


def _chips(query: ListQuery[MoveFilters], address: Callable[..., str]) -> Sequence[FilterChip]:
    values, filters = query.values, query.filters
    texts = {
        "q": f"“{values.get('q')}”",
        "location": "No location" if filters.location == NO_VALUE else filters.location,
        "who": f"By {'Terminal' if filters.who == NO_VALUE else filters.who}",
    }
    return filter_chips(address, values, texts, filters.start, filters.end)


def _list_query() -> ListQuery[MoveFilters]:
    values = typed_values(request.args, (*FILTERS, SORT))
    start, end, problems = dates.parse_range(values)
    filters = MoveFilters(
        search=values.get("q", ""),
        location=values.get("location", ""),
        who=values.get("who", ""),
        start=start,
        end=end,
    )
    return ListQuery(values, filters, tuple(problems.values()))
