"""The history of a division's stock and of one item, and its export."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from flask import Blueprint, Response, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import Select

from app import charts, dates, names
from app.divisions import SITES, Division
from app.records.lists import exports
from app.sorting import SORT
from app.stock.pages.inventory import store_of
from app.stock.queries import history as queries
from app.stock.queries import operations, overview
from app.stock.queries.history_scope import HistoryFilters
from app.stock.rules import history as rules
from app.stock.rules.filters import PRICED, history_orders
from app.stock.rules.history import SITE_CHOICES, HistoryEvent, site_label
from app.stock.schemas import history as schemas
from app.tables.csv_files import write_rows
from app.web import access, caching, list_query
from app.web.downloads import csv_download
from app.web.error_pages import failure_message
from app.web.list_query import show_history
from app.web.navigation import back_link, shared_screens
from app.web.remembered import remembers_filters

bp = Blueprint("stock_history", __name__)

SCREENS = shared_screens(SITES, "History", "stock_history.history", in_path=True, key="h")

BUSIEST_TEAMS = 6

FILTERS = ("q", "event", "team", "site", "from", "to", dates.RANGE)

ITEM = "/inventory/<site>/items/<row_id:item_id>/history"
GFM = {"division": Division.GFM.value}
GPM = {"division": Division.GPM.value}


def _matches(values: Mapping[str, str], division: str) -> Select[int] | None:
    filters = _parse(Division(division), values).valid_filters
    # Words of a history are found in several steps.
    return None if filters.search else queries.matching_entries(Division(division), filters)


@bp.get("/history", defaults=GFM)
@bp.get("/gpm/history", defaults=GPM)
@access.division_in_path
@failure_message("Failed to load history")
@remembers_filters(*FILTERS, call="history", in_use=["team"], matches=_matches)
def history(division: str) -> ResponseReturnValue:
    """Show the history of a division's stock, 25 rows at a time, newest first."""
    owner = Division(division)
    versions = tuple(queries.list_versions(owner))
    if unchanged := caching.not_modified(*versions, dates.today()):
        return unchanged
    query = _parse(owner, request.args)
    address = partial(url_for, "stock_history.history", division=division)

    def load() -> dict[str, Any]:
        page, sorting = None, None
        if not query.problems:
            orders = history_orders(owner)
            page = queries.load_history(owner, query.filters, list_query.requested_page())
            sorting = list_query.Sorting(
                orders, query.filters.order, page.total, address, query.without_order
            )
        weeks = page.weeks if page else ()
        values, filters = query.values, query.filters
        days = filters.start, filters.end
        texts = {
            "q": f"“{values.get('q')}”",
            "event": values.get("event", "").capitalize(),
            "team": f"Team {filters.team}",
            "site": _site_labels(owner).get(filters.site, values.get("site", "")),
        }
        return {
            "owner": owner,
            "days": days,
            "page": page,
            "sorting": sorting,
            "address": address,
            "file": partial(url_for, "stock_history.export", division=division),
            "ranges": list_query.range_links(address, query.values, *days),
            "chips": list_query.filter_chips(address, query.values, texts, *days),
            "team_links": _team_links(owner, query, address),
            "has_units": True,
            "has_prices": owner in PRICED,
            "ticks": charts.scale(max((week.units for week in weeks), default=0)),
        }

    def load_choices() -> dict[str, Any]:
        teams = [team for team, _ in overview.team_counts(owner)]
        return {"teams": teams, "events": list(HistoryEvent), "sites": _site_labels(owner)}

    return show_history(
        "stock", query, owner, version=versions, load=load, load_choices=load_choices
    )


@bp.get("/history/export", defaults=GFM)
@bp.get("/gpm/history/export", defaults=GPM)
@access.division_in_path
@exports("{division} history", "Failed to load history")
def export(division: str) -> Response:
    """Stream all rows that match the filters as a file."""
    owner = Division(division)
    query = _parse(owner, request.args)
    columns = schemas.HISTORY_COLUMNS if owner is Division.GFM else schemas.GPM_COLUMNS
    name = "history_export" if owner is Division.GFM else "gpm_history"
    rows = schemas.display_cells(owner, queries.stream_history(owner, query.valid_filters))
    return csv_download(f"{name}_{dates.today()}.csv", write_rows(columns, rows))


@bp.get(ITEM, defaults=GFM)
@bp.get(f"/gpm{ITEM}", defaults=GPM)
@access.division_in_path
@failure_message("Failed to load history")
def item_history(division: str, site: str, item_id: int) -> ResponseReturnValue:
    """Show the history of one item, also of a removed one."""
    store = store_of(division, site)
    item = operations.get_past_item(store, item_id)
    listed = url_for("stock_history.history", division=division)
    back = back_link(f"/items/{item_id}") or back_link("/history") or listed
    versions = queries.list_versions(store.division)
    if unchanged := caching.not_modified(*versions, dates.today(), back):
        return unchanged
    return render_template(
        "stock/item_history.html",
        store=store,
        item=item,
        page=operations.load_item_history(item_id, list_query.requested_page()),
        chart=operations.amount_over_time(item_id, dates.utc_now()),
        back=back,
    )


def _team_links(
    owner: Division, query: list_query.ListQuery[HistoryFilters], address: Callable[..., str]
) -> Sequence[list_query.FilterChip]:
    """Return links to the busiest teams except a chosen one; they keep the other filters."""
    chosen = names.key(query.filters.team)
    busiest = sorted(overview.team_counts(owner), key=lambda counted: -counted[1])
    return [
        list_query.FilterChip(team, address(**{**query.values, "team": team}))
        for team, _ in busiest[:BUSIEST_TEAMS]
        if names.key(team) != chosen
    ]


def _site_labels(owner: Division) -> dict[str, str]:
    return {
        site: "No site" if site == rules.DASH else site_label(site) for site in SITE_CHOICES[owner]
    }


def _parse(owner: Division, args: Mapping[str, str]) -> list_query.ListQuery[HistoryFilters]:
    values = list_query.typed_values(args, (*FILTERS, SORT))
    filters, problems = schemas.parse_filters(owner, values)
    return list_query.ListQuery(values, filters, problems)
