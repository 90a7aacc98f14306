"""The stock list of a site."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

from flask import abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.divisions import SITES, Division, Site, Store
from app.paging import MAX_ID
from app.stock.acts import describe_operation, parse_filters, undo_url
from app.stock.pages.stores import store_of, store_route
from app.stock.queries import levels, operations
from app.stock.queries.levels import StockFilters
from app.stock.rules.sorting import STOCK_ORDERS
from app.web import access, caching, rendered
from app.web.error_pages import failure_message
from app.web.form_handling import flash_message
from app.web.htmx import is_htmx_for
from app.web.list_query import FilterChip, Sorting, filter_chips
from app.web.navigation import Screen
from app.web.remembered import remembers_filters

RECENT = timedelta(minutes=5)
"""How long an operation's message can be shown by its URL."""

WHOLE_COUNT = "count"
"""The value of `done` for a stock check that was applied as a whole list, without operation."""

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
    """Redirect to the main site."""
    return redirect(url_for("stock.inventory", division=division, site=Site.MAIN))


@store_route("/<site>")
@access.division_in_path
@failure_message("Failed to load inventory")
@remembers_filters("q", "category")
def inventory(division: str, site: str) -> ResponseReturnValue:
    """Show a site's stock, 100 rows at a time; an unknown site falls back to main."""
    if site not in SITES[Division(division)]:
        return start(division)
    store = store_of(division, site)
    filters = parse_filters(request.args)
    if "done" in request.args:
        return _show_done(store, filters, request.args["done"])
    state = levels.site_state(store)
    not_modified = caching.not_modified(state.version)
    if not_modified is not None:
        return not_modified
    after = request.args.get("after", "")

    def load_head() -> dict[str, Any]:
        return {
            "store": store,
            "filters": filters,
            "sites": SITES[store.division],
            "categories": levels.categories(store),
            "hides_count": state.hides_count,
            "sorting": _sorting(store, filters),
        }

    def load_rows() -> dict[str, Any]:
        page = levels.load_rows(store, filters, after)
        if after and not page.rows and page.total:
            start_of_list = url_for("stock.inventory", **store.place, **filters.args)
            abort(redirect(start_of_list))
        return {
            "store": store,
            "page": page,
            "filters": filters,
            "after": after,
            "chips": _chips(store, filters),
            "sorting": _sorting(store, filters),
        }

    key = (store, filters, after)
    if is_htmx_for("more"):
        return rendered.cached("stock/_rows.html", *key, version=state.version, load=load_rows)
    if is_htmx_for("list"):
        return rendered.cached("stock/_update.html", *key, version=state.version, load=load_rows)
    return render_template(
        "stock/inventory.html",
        store=store,
        head=rendered.cached(
            "stock/_head.html", store, filters, version=state.version, load=load_head
        ),
        listing=rendered.cached("stock/_listing.html", *key, version=state.version, load=load_rows),
    )


def _show_done(store: Store, filters: StockFilters, done: str) -> ResponseReturnValue:
    """Show the list with a message about a widget's operation, whose id is `done`."""
    if done == WHOLE_COUNT:
        flash_message("Stock check applied.")
    number = int(done) if done.isascii() and done.isdecimal() else 0
    lines = operations.load_lines(number, store.division) if 0 < number <= MAX_ID else []
    since = dates.utc_now() - RECENT
    if lines and operations.is_recent(number, by=access.current_user().user_id, since=since):
        undoable_id = number if operations.is_undoable(number, lines) else 0
        flash_message(describe_operation(lines), undo=undo_url(store, undoable_id))
    return redirect(url_for("stock.inventory", **store.place, **filters.args))


def _chips(store: Store, filters: StockFilters) -> Sequence[FilterChip]:
    texts = {"q": f"“{filters.search}”", "category": filters.category}
    return filter_chips(partial(url_for, "stock.inventory", **store.place), filters.args, texts)


def _sorting(store: Store, filters: StockFilters) -> Sorting:
    address = partial(url_for, "stock.inventory", **store.place)
    values = replace(filters, order=STOCK_ORDERS.default).args
    # Indexes have all its orders, whatever the total.
    return Sorting(STOCK_ORDERS, filters.order, 0, address, values)
