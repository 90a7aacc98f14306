"""The stock list of a site."""

from datetime import timedelta
from typing import Any

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.divisions import SITES, Division, Site, Store
from app.stock.pages.results import filter_of, flash_result, say_operation
from app.stock.pages.stores import store_of, store_route
from app.stock.queries import levels, operations
from app.web import access, caching
from app.web.error_pages import failure_message
from app.web.htmx import is_htmx_for
from app.web.navigation import Screen

JUST_NOW = timedelta(minutes=5)

COUNT = "count"
"""What a count is called that was applied as a whole list, so that it has no operation."""

SCREENS = [
    Screen(
        division,
        site.label if len(sites) > 1 else "Inventory",
        "stock.inventory",
        Store(division, site).place,
    )
    for division, sites in SITES.items()
    for site in sites
]


@store_route("")
@access.division_in_path
def start(division: str) -> ResponseReturnValue:
    """Lead to the main site."""
    return redirect(url_for("stock.inventory", division=division, site=Site.MAIN))


@store_route("/<site>")
@access.division_in_path
@failure_message("Failed to load inventory")
def inventory(division: str, site: str) -> ResponseReturnValue:
    """Show a site's stock, 100 rows at a time; an unknown site falls back to main."""
    if site not in SITES[Division(division)]:
        return start(division)
    store = store_of(division, site)
    shown = filter_of(request.args)
    if "done" in request.args:
        return _tell(store, shown, request.args["done"])
    same = caching.not_modified(levels.data_version(store))
    if same is not None:
        return same
    after = request.args.get("after", "")
    page = levels.stock_page(store, shown, after)
    if after and not page.rows and page.total:
        return redirect(url_for("stock.inventory", **store.place, **_query_of(shown)))
    context = {"store": store, "page": page, "shown": shown, "after": after}
    if is_htmx_for("more"):
        return render_template("stock/_rows.html", **context)
    if is_htmx_for("list"):
        return render_template("stock/_list.html", is_fragment=True, **context)
    return render_template(
        "stock/inventory.html",
        sites=SITES[store.division],
        categories=levels.categories(store),
        hides_count=levels.hides_count(store),
        **context,
    )


def _tell(store: Store, shown: levels.StockFilter, operation: str) -> ResponseReturnValue:
    """Say what an operation of a widget did, and show the list."""
    if operation == COUNT:
        flash_result(store, "Stock check applied.", operation=0)
    number = int(operation) if operation.isascii() and operation.isdecimal() else 0
    lines = operations.lines_of(number, store.division) if 0 < number < 2**31 else []
    since = dates.utc_now() - JUST_NOW
    if lines and operations.was_just_done(number, by=access.current_user().user_id, since=since):
        undoable = number if operations.can_be_undone(number, lines) else 0
        flash_result(store, say_operation(lines), undoable)
    return redirect(url_for("stock.inventory", **store.place, **_query_of(shown)))


def _query_of(shown: levels.StockFilter) -> dict[str, Any]:
    return {"q": shown.search or None, "category": shown.category or None}
