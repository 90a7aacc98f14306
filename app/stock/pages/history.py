"""What happened to a division's stock, and to one item; the exports of it."""

from dataclasses import replace
from functools import partial
from typing import Any

from flask import Blueprint, Response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.divisions import SITES, Division, Site
from app.stock.pages.stores import store_of
from app.stock.queries import history as queries
from app.stock.queries import movements
from app.stock.queries.history import HistoryFilter
from app.stock.rules import history as rules
from app.stock.rules.history import Event
from app.stock.schemas.history_files import GPM_COLUMNS, HISTORY_COLUMNS, shown_history
from app.web import access, caching
from app.web.date_filters import parse_date_range, range_links
from app.web.downloads import csv_download
from app.web.error_pages import failure_message
from app.web.forms import new_idempotency_key
from app.web.htmx import is_htmx_for
from app.web.list_query import ListQuery, typed_values
from app.web.navigation import Screen, back_link
from app.web.paging import requested_page

bp = Blueprint("stock_history", __name__)

SCREENS = [
    Screen(division, "History", "stock_history.history", {"division": division.value})
    for division in SITES
]

SITES_OFFERED = {
    Division.GFM: tuple(site.value for site in Site),
    Division.GPM: (*(site.value for site in Site), rules.OTHER_SITE, rules.DASH),
}

ITEM = "/inventory/<site>/items/<int(max=2147483647):item_id>/history"
GFM = {"division": Division.GFM.value}
GPM = {"division": Division.GPM.value}


@bp.get("/history", defaults=GFM)
@bp.get("/gpm/history", defaults=GPM)
@access.division_in_path
@failure_message("Failed to load history")
def history(division: str) -> ResponseReturnValue:
    """Show what happened to a division's stock, 25 rows at a time, newest first."""
    owner = Division(division)
    same = caching.not_modified(*queries.data_versions(owner), dates.today())
    if same is not None:
        return same
    asked = _asked(owner)
    page = None
    if not asked.problems:
        page = queries.history_page(owner, asked.filters, requested_page())
    address = partial(url_for, "stock_history.history", division=division)
    context: dict[str, Any] = {
        "owner": owner,
        "asked": asked,
        "page": page,
        "address": address,
        "file": partial(url_for, "stock_history.export", division=division),
        "ranges": range_links(address, asked.values, asked.filters.start, asked.filters.end),
        "sites": SITES_OFFERED[owner],
    }
    if page and owner is Division.GPM:
        context["units"] = page.units
    status = 422 if asked.problems else 200
    if is_htmx_for("list"):
        return render_template("stock/_history_list.html", is_fragment=True, **context), status
    teams = queries.teams_offered(owner)
    return render_template("stock/history.html", teams=teams, events=list(Event), **context), status


@bp.get("/history/export", defaults=GFM)
@bp.get("/gpm/history/export", defaults=GPM)
@access.division_in_path
@failure_message("Failed to load history")
def export(division: str) -> Response:
    """Send all rows that the filters show as CSV, while they are read."""
    owner = Division(division)
    asked = _asked(owner)
    columns = HISTORY_COLUMNS if owner is Division.GFM else GPM_COLUMNS
    name = "history_export" if owner is Division.GFM else "gpm_history"
    rows = shown_history(owner, queries.history_rows(owner, asked.valid_filters))
    return csv_download(f"{name}_{dates.today()}.csv", columns, rows)


@bp.get(ITEM, defaults=GFM)
@bp.get(f"/gpm{ITEM}", defaults=GPM)
@access.division_in_path
@failure_message("Failed to load history")
def item_history(division: str, site: str, item_id: int) -> ResponseReturnValue:
    """Show what happened to one item, also to one that is no longer in stock."""
    store = store_of(division, site)
    item = movements.item_ever(store, item_id)
    back = back_link("/history") or url_for("stock_history.history", division=division)
    same = caching.not_modified(*queries.data_versions(store.division), dates.today(), back)
    if same is not None:
        return same
    page = movements.movements(item_id, requested_page())
    return render_template(
        "stock/item_history.html",
        store=store,
        item=item,
        page=page,
        chart=movements.amount_over_time(item_id, dates.utc_now()),
        back=back,
        new_idempotency_key=new_idempotency_key,
    )


def _asked(owner: Division) -> ListQuery[HistoryFilter]:
    values = typed_values(request.args, ("q", "event", "team", "site", "from", "to"))
    shown = HistoryFilter(
        search=values.get("q", ""),
        event=next((e for e in Event if e.casefold() == values.get("event", "").casefold()), None),
        team=values.get("team", ""),
        site=values["site"] if values.get("site") in SITES_OFFERED[owner] else "",
    )
    problems: list[str] = []
    if "event" in values and shown.event is None:
        problems.append(f'There is no event "{values["event"][:40]}".')
    if "site" in values and not shown.site:
        problems.append(f'{owner.label} has no site "{values["site"][:40]}".')
    start, end, wrong = parse_date_range(values)
    problems += wrong
    return ListQuery(values, replace(shown, start=start, end=end), tuple(problems))
