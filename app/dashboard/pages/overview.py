"""The dashboard."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, cast

from flask import Blueprint, render_template, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from app import dates
from app.assets.queries import groups, moves, register
from app.assets.rules import NO_VALUE
from app.dashboard.pages.needs import needs_of
from app.dashboard.queries import ReadFailed, Reads
from app.dashboard.rules import Figures, figures, valued_figures, vehicle_figures
from app.defects.queries import off_road
from app.deliveries import queries as delivery_queries
from app.deliveries.rules import list_of
from app.divisions import SITES, Division, Site, Store
from app.due.queries import due
from app.fleet.queries import overview as fleet
from app.fleet.queries import vehicles
from app.fleet.rules.vehicles import BOOKINGS
from app.stock.queries import overview as stock
from app.stock.queries.history import newest_rows
from app.versions import version_of, versions_of
from app.views.acts import starred_here
from app.web import access, caching, rendered
from app.web.htmx import is_htmx_for
from app.web.navigation import Screen, screens_of


def _site_tile(screen: Screen, reads: Reads) -> Figures:
    total = reads(stock.site_totals, screen.division)[Site(screen.values["site"])]
    return valued_figures(total.items, "item", total.units, "unit", total.value)


def _deliveries_tile(screen: Screen, reads: Reads) -> Figures:
    found = reads(delivery_queries.outlook, screen.division, dates.today())
    return figures(found.pending, "pending", "pending", warned=found.late, warning="late")


def _vehicles_tile(_screen: Screen, reads: Reads) -> Figures:
    totals = reads(fleet.status_totals, reads(vehicles.current_list))
    return vehicle_figures(
        [(total.status, total.vehicles) for total in totals if not total.is_off_the_road],
        sum(total.vehicles for total in totals),
        # The fact, as on the tile beside it: a status is only text sent by a client.
        reads(off_road.board_sums, dates.today()).off_road,
    )


def _off_road_tile(_screen: Screen, reads: Reads) -> Figures:
    sums = reads(off_road.board_sums, dates.today())
    return figures(sums.off_road, "vehicle", warned=sums.late, warning="late")


def _due_tile(_screen: Screen, reads: Reads) -> Figures:
    overdue, soon = due.count_by_state(reads(due.open_items))
    return figures(soon, "soon", "soon", warned=overdue, warning="overdue")


def _check_form_tile(_screen: Screen, reads: Reads) -> Figures:
    totals = reads(fleet.check_totals, dates.today())
    return figures(totals.this_week, "check this week", "checks this week")


def _checks_tile(_screen: Screen, reads: Reads) -> Figures:
    totals = reads(fleet.check_totals, dates.today())
    return figures(totals.all, "check", warned=totals.unreviewed, warning="not reviewed")


def _assets_tile(_screen: Screen, reads: Reads) -> Figures:
    found = reads(register.totals)
    return valued_figures(found.assets, "asset", found.quantity, "piece", found.value)


def _entries_tile(screen: Screen, reads: Reads) -> Figures:
    if screen.division is Division.ASSETS:
        return figures(reads(moves.move_count), "entry", "entries")
    entries, _ = reads(stock.history_counts, screen.division, dates.today())
    return figures(entries, "entry", "entries")


TILES: dict[Division, dict[str, Callable[[Screen, Reads], Figures]]] = {
    **{
        division: {
            "stock.inventory": _site_tile,
            "deliveries.deliveries": _deliveries_tile,
            "stock_history.history": _entries_tile,
        }
        for division in SITES
    },
    Division.FLEET: {
        "fleet.vehicles": _vehicles_tile,
        "defects.off_road": _off_road_tile,
        "due.due": _due_tile,
        "fleet.check_form": _check_form_tile,
        "fleet.checks": _checks_tile,
    },
    Division.ASSETS: {"assets.assets": _assets_tile, "assets.history": _entries_tile},
}
"""What makes the tiles of each division, by endpoint, in their order; other screens are links."""

FIRST_ROWS = {
    Division.FLEET: ("fleet.add_vehicle", "vehicles"),
    Division.ASSETS: ("assets.add_asset", "assets"),
    **{each: ("stock.add_item", f"{each}-{sites[0]}-stock") for each, sites in SITES.items()},
}
"""The page that adds to the first tile's list of each division, and the import into that list."""

MAX_ITEMS = 5

SEARCH = "q"
"""The id of a list's search field: an address that ends with it focuses the field."""


def _recent_items(division: Division, user_id: int, reads: Reads) -> Sequence[stock.RecentItem]:
    return reads.attempt(reads, stock.recent_items, division, user_id, MAX_ITEMS) or []


def _start(division: Division, user_id: int, reads: Reads) -> dict[str, Any]:
    """Return the most frequent actions, at the site of the person's last one, and their pages."""
    if division is Division.FLEET:
        checks, bookings = url_for("fleet.check_form"), url_for("bookings.book")
        return {"actions": [("Check", checks), ("Book", bookings)]}
    if division is Division.ASSETS:
        return {"actions": [("Move", url_for("assets.assets", _anchor=SEARCH))]}
    items = _recent_items(division, user_id, reads)
    store = items[0].store if items else Store(division, SITES[division][0])
    takes, adds = (
        url_for("stock.inventory", **store.place, mode=mode, _anchor=SEARCH)
        for mode in ("dec", "inc")
    )
    # GPM's stock comes with its deliveries.
    arrivals = url_for("deliveries.deliveries") if division is Division.GPM else adds
    actions = [("Withdraw", takes), ("Deliver", arrivals)]
    totals = reads.attempt(reads, stock.site_totals, division)
    if totals and not totals[store.site].hides_count:
        actions.append(("Count", url_for("stock.count", **store.place)))
    return {"actions": actions}


bp = Blueprint("dashboard", __name__)
BLUEPRINTS = (bp,)

Load = Callable[[], dict[str, Any]]


@access.any_division.route(bp, "/dashboard", "Failed to load dashboard")
def show() -> ResponseReturnValue:
    """Show a person's quick actions and waiting work, and the overview of the chosen division."""
    user, reads = access.current_user(), Reads()
    # The policy lets nobody in who has chosen none.
    division = cast("Division", user.chosen)
    version = reads.attempt(_version, division, reads) or ()
    own = reads.attempt(reads, stock.last_operation, user.user_id) if division in SITES else None
    until = user.access_until
    if not reads.failed:
        not_modified = caching.not_modified(*version, own, dates.today(), dates.format_time(until))
        if not_modified is not None:
            return not_modified

    def shared(name: str, load: Callable[[Division, Reads], dict[str, Any]]) -> Markup:
        key = (division, dates.today())
        return _part(name, key, version, reads, partial(load, division, reads))

    def personal(name: str, load: Callable[[Division, int, Reads], dict[str, Any]]) -> Markup:
        own_load = partial(load, division, user.user_id, reads)
        return _part(name, (division, user.user_id), (*version, own), reads, own_load)

    context = {
        "start": personal("_start", _start),
        "needs": shared("_needs", lambda *of: {"needs": needs_of(*of)}),
        "items": personal("_items", _items) if division in SITES else None,
        "activity": shared("_activity", _activity),
        "recent": shared("_recent", _recent),
        "places": shared("_places", _places),
        "starred": starred_here(),
        "reads": reads,
        "until": until,
    }
    name = "_work" if is_htmx_for("list") else "show"
    page = render_template(f"dashboard/{name}.html", **context)
    if reads.failed:
        caching.disable_caching()
    return page


def _part(
    name: str, key: Sequence[Any], version: Sequence[object], reads: Reads, load: Load
) -> Markup:
    """Return a part of the page, kept for the same version unless a read fails."""
    template = f"dashboard/{name}.html"

    def load_whole() -> dict[str, Any]:
        context = load()
        if reads.failed:
            raise ReadFailed
        return context

    try:
        return rendered.cached(template, *key, version=repr(version), load=load_whole)
    except ReadFailed:
        # The template has escaped it.
        return Markup(render_template(template, **reads.attempt(load) or {}))  # noqa: S704


def _version(division: Division, reads: Reads) -> Sequence[object]:
    """Return a version that changes whenever anything on the page changes for everybody."""
    # What is late is a matter of the time, not of data alone.
    minute = dates.utc_now().replace(second=0, microsecond=0)
    if division is Division.FLEET:
        return [reads(fleet.data_versions), minute]
    if division is Division.ASSETS:
        return [reads(versions_of, (register.LIST, moves.LIST, BOOKINGS)), minute]
    return [reads(stock.site_totals, division), reads(version_of, list_of(division))]


def _items(division: Division, user_id: int, reads: Reads) -> dict[str, Any]:
    items = _recent_items(division, user_id, reads)
    return {"items": items, "division": division, "has_sites": len(SITES[division]) > 1}


def _activity(division: Division, reads: Reads) -> dict[str, Any]:
    today = dates.today()
    if division is Division.FLEET:
        activity = reads(fleet.activity, reads(vehicles.current_list), today)
        noun, url = "Checks and changes", url_for("fleet.checks")
    elif division is Division.ASSETS:
        activity = reads(moves.activity, today)
        noun, url = "Moves", url_for("assets.history")
    else:
        _, activity = reads(stock.history_counts, division, today)
        noun, url = "Movements", url_for("stock_history.history", division=division.value)
    return {"activity": activity, "noun": noun, "list_url": url}


def _places(division: Division, reads: Reads) -> dict[str, Any]:
    """Return the tiles of a division in order, without figures if a read fails, and its links."""
    makers, screens = TILES[division], screens_of(division)
    is_assets = division is Division.ASSETS
    locations = reads.attempt(reads, groups.top_locations) if is_assets else None
    tiled = [screen for name in makers for screen in screens if screen.endpoint == name]
    tiles = [(each, reads.attempt(makers[each.endpoint], each, reads)) for each in tiled]
    add, target = FIRST_ROWS[division]
    first = [(each, found) for each, found in tiles if each.endpoint == next(iter(makers))]
    is_empty = all(found and not found.number for _, found in first)
    return {
        "tiles": tiles,
        "begin": (url_for(add, **first[0][0].values), target) if is_empty else None,
        "links": [screen for screen in screens if screen.endpoint not in makers],
        "locations": locations,
        "dash": NO_VALUE,
    }


def _recent(division: Division, reads: Reads) -> dict[str, Any]:
    if division is Division.FLEET:
        recent = reads(fleet.recent_events, reads(vehicles.current_list))
        return {"activity_of": "vehicles", "recent": recent}
    if division is Division.ASSETS:
        return {"activity_of": "assets", "recent": reads(moves.latest_moves)}
    movements = reads(newest_rows, division)
    return {"activity_of": "stock", "recent": movements, "division": division}
