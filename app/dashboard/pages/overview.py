"""The dashboard."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from flask import Blueprint, render_template, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from app import dates
from app.assets.queries import overview as assets
from app.assets.queries import register
from app.assets.queries.register import AssetFilters
from app.assets.rules import NO_VALUE
from app.dashboard.pages.needs import needs_of
from app.dashboard.queries import Reads
from app.dashboard.rules import (
    Figures,
    asset_figures,
    check_figures,
    delivery_figures,
    due_figures,
    history_figures,
    off_road_figures,
    stock_figures,
    vehicle_figures,
    weekly_check_figures,
)
from app.defects.queries import off_road
from app.deliveries import queries as delivery_queries
from app.deliveries import services as delivery_services
from app.divisions import SITES, Division, Site, Store
from app.due.queries import due
from app.fleet.queries import overview as fleet
from app.fleet.queries import vehicles
from app.stock.queries import overview as stock
from app.stock.queries.history import newest_rows
from app.stock.queries.overview import RecentItem, last_operation
from app.versions import version_of
from app.web import access, caching, rendered
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.htmx import is_htmx_for
from app.web.navigation import Screen, screens_of

TileMaker = Callable[[Screen, Reads], Figures | None]
Tile = tuple[Screen, Figures | None]


def tiles_of(division: Division, reads: Reads) -> Sequence[Tile]:
    """Return the tiles of a division in order; a tile whose read fails has no figures."""
    makers = TILES[division]
    order = list(makers)
    tiled = sorted(
        (screen for screen in screens_of(division) if screen.endpoint in makers),
        key=lambda screen: order.index(screen.endpoint),
    )
    return [(screen, makers[screen.endpoint](screen, reads)) for screen in tiled]


def other_screens(division: Division) -> Sequence[Screen]:
    """Return the screens of a division that have no tile."""
    return [screen for screen in screens_of(division) if screen.endpoint not in TILES[division]]


def _site_tile(screen: Screen, reads: Reads) -> Figures | None:
    totals = reads(stock.site_totals, screen.division)
    if totals is None:
        return None
    total = totals[Site(screen.values["site"])]
    return stock_figures(total.items, total.units, total.value)


def _deliveries_tile(_screen: Screen, reads: Reads) -> Figures | None:
    outlook = reads(delivery_queries.outlook, dates.today())
    return delivery_figures(outlook.pending, outlook.late) if outlook else None


def _history_tile(screen: Screen, reads: Reads) -> Figures | None:
    counts = reads(stock.history_counts, screen.division, dates.today())
    return history_figures(counts[0]) if counts else None


def _vehicles_tile(_screen: Screen, reads: Reads) -> Figures | None:
    fleet_list = reads(vehicles.current_list)
    totals = None if fleet_list is None else reads(fleet.status_totals, fleet_list)
    sums = reads(off_road.board_sums, dates.today())
    if totals is None or sums is None:
        return None
    return vehicle_figures(
        [(total.status, total.vehicles) for total in totals if not total.is_off_the_road],
        sum(total.vehicles for total in totals),
        # The fact, as on the tile beside it: a status is only text sent by a client.
        sums.off_road,
    )


def _off_road_tile(_screen: Screen, reads: Reads) -> Figures | None:
    sums = reads(off_road.board_sums, dates.today())
    return off_road_figures(sums.off_road, sums.late) if sums else None


def _due_tile(_screen: Screen, reads: Reads) -> Figures | None:
    items = reads(due.open_items)
    return None if items is None else due_figures(*due.count_by_state(items))


def _check_form_tile(_screen: Screen, reads: Reads) -> Figures | None:
    totals = reads(fleet.check_totals, dates.today())
    return weekly_check_figures(totals.this_week) if totals else None


def _checks_tile(_screen: Screen, reads: Reads) -> Figures | None:
    totals = reads(fleet.check_totals, dates.today())
    return check_figures(totals.all, totals.unreviewed) if totals else None


def _assets_tile(_screen: Screen, reads: Reads) -> Figures | None:
    totals = reads(register.totals, AssetFilters())
    return asset_figures(totals.assets, totals.quantity, totals.value) if totals else None


def _moves_tile(_screen: Screen, reads: Reads) -> Figures | None:
    entries = reads(assets.entry_count)
    return None if entries is None else history_figures(entries)


TILES: dict[Division, dict[str, TileMaker]] = {
    Division.GFM: {"stock.inventory": _site_tile, "stock_history.history": _history_tile},
    Division.GPM: {
        "stock.inventory": _site_tile,
        "deliveries.deliveries": _deliveries_tile,
        "stock_history.history": _history_tile,
    },
    Division.FLEET: {
        "fleet.vehicles": _vehicles_tile,
        "defects.off_road": _off_road_tile,
        "due.due": _due_tile,
        "fleet.check_form": _check_form_tile,
        "fleet.checks": _checks_tile,
    },
    Division.ASSETS: {"assets.assets": _assets_tile, "assets.history": _moves_tile},
}
"""The functions that make the tiles of each division, by endpoint, in the order of the tiles.

Screens that have no tile are plain links below them.
"""


MAX_ITEMS = 5

SEARCH = "q"
"""The id of a list's search field: an address that ends with it focuses the field."""


@dataclass(frozen=True)
class QuickAction:
    """A verb beside the title, and its page."""

    label: str
    url: str


def recent_items(division: Division, user_id: int, reads: Reads) -> Sequence[RecentItem]:
    """Return the items of a division that a user moved last."""
    return reads(stock.recent_items, division, user_id, MAX_ITEMS) or []


def quick_actions(division: Division, user_id: int, reads: Reads) -> Sequence[QuickAction]:
    """Return the most frequent actions of a division, at the site of the person's last one."""
    if division is Division.FLEET:
        return [QuickAction("Check", url_for("fleet.check_form"))]
    if division is Division.ASSETS:
        return [QuickAction("Move", url_for("assets.assets", _anchor=SEARCH))]
    items = recent_items(division, user_id, reads)
    store = items[0].store if items else Store(division, SITES[division][0])
    takes, adds = (
        url_for("stock.inventory", **store.place, mode=mode, _anchor=SEARCH)
        for mode in ("dec", "inc")
    )
    # GPM's stock comes with its deliveries.
    arrivals = url_for("deliveries.deliveries") if division is Division.GPM else adds
    count = QuickAction("Count", url_for("stock.count", **store.place))
    counting = [] if _hides_count(division, store.site, reads) else [count]
    return [QuickAction("Withdraw", takes), QuickAction("Deliver", arrivals), *counting]


def _hides_count(division: Division, site: Site, reads: Reads) -> bool:
    totals = reads(stock.site_totals, division)
    return totals is None or totals[site].hides_count


bp = Blueprint("dashboard", __name__)
BLUEPRINTS = (bp,)
SCREENS: list[Screen] = []

Load = Callable[[], dict[str, Any]]


@bp.get("/dashboard")
@access.any_division
@failure_message("Failed to load dashboard")
def show() -> ResponseReturnValue:
    """Show a person's quick actions and waiting work, and the overview of the chosen division."""
    user, reads = current_user(), Reads()
    # The policy lets nobody in who has chosen none.
    division = cast("Division", user.chosen)
    version = _version(division, reads)
    own = reads(last_operation, user.user_id) if division in SITES else None
    until = user.access_until
    if not reads.failed:
        not_modified = caching.not_modified(*version, own, dates.today(), dates.format_time(until))
        if not_modified is not None:
            return not_modified

    def shared(name: str, load: Callable[[Division, Reads], dict[str, Any]]) -> Markup:
        return _part(
            name, (division, dates.today()), version, reads, partial(load, division, reads)
        )

    def personal(name: str, load: Load) -> Markup:
        return _part(name, (division, user.user_id), (*version, own), reads, load)

    context = {
        "start": personal(
            "_start", lambda: {"actions": quick_actions(division, user.user_id, reads)}
        ),
        "needs": shared("_needs", _needs),
        "items": personal("_items", lambda: _items(division, user.user_id, reads))
        if division in SITES
        else None,
        "activity": shared("_activity", _activity),
        "recent": shared("_recent", _recent_activity),
        "places": shared("_places", _places),
        "reads": reads,
        "until": until,
    }
    name = "_work" if is_htmx_for("list") else "show"
    page = render_template(f"dashboard/{name}.html", **context)
    if reads.failed:
        caching.disable_caching()
    return page


class _Incomplete(Exception):
    """A read has failed, so the rendered part can't be kept."""


def _part(
    name: str, key: Sequence[Any], version: Sequence[object], reads: Reads, load: Load
) -> Markup:
    """Return a part of the page, kept for the same version unless a read fails."""
    template = f"dashboard/{name}.html"

    def load_whole() -> dict[str, Any]:
        context = load()
        if reads.failed:
            raise _Incomplete
        return context

    try:
        return rendered.cached(template, *key, version=repr(version), load=load_whole)
    except _Incomplete:
        # The template has escaped it.
        return Markup(render_template(template, **load()))  # noqa: S704


def _version(division: Division, reads: Reads) -> Sequence[object]:
    """Return a version that changes whenever anything on the page changes for everybody."""
    version: list[object] = []
    if division in SITES:
        version.append(reads(stock.site_totals, division))
    if division is Division.GPM:
        version.append(reads(version_of, delivery_services.LIST))
    if division is Division.FLEET:
        version.append(reads(fleet.data_versions))
    if division is Division.ASSETS:
        version.append(reads(assets.data_versions))
    return version


def _needs(division: Division, reads: Reads) -> dict[str, Any]:
    return {"needs": needs_of(division, reads)}


def _items(division: Division, user_id: int, reads: Reads) -> dict[str, Any]:
    return {
        "items": recent_items(division, user_id, reads),
        "division": division,
        "has_sites": len(SITES[division]) > 1,
    }


def _activity(division: Division, reads: Reads) -> dict[str, Any]:
    today = dates.today()
    if division in SITES:
        counts = reads(stock.history_counts, division, today)
        return {
            "noun": "Movements",
            "activity": counts and counts[1],
            "endpoint": "stock_history.history",
            "place": {"division": division.value},
        }
    if division is Division.FLEET:
        fleet_list = reads(vehicles.current_list)
        return {
            "noun": "Checks and changes",
            "activity": fleet_list and reads(fleet.activity, fleet_list, today),
            "endpoint": "fleet.checks",
            "place": {},
        }
    return {
        "noun": "Moves",
        "activity": reads(assets.activity, today),
        "endpoint": "assets.history",
        "place": {},
    }


def _places(division: Division, reads: Reads) -> dict[str, Any]:
    context = {"tiles": tiles_of(division, reads), "links": other_screens(division)}
    if division is Division.ASSETS:
        return {**context, "locations": reads(assets.top_locations), "dash": NO_VALUE}
    return context


def _recent_activity(division: Division, reads: Reads) -> dict[str, Any]:
    if division in SITES:
        return {
            "division": division,
            "activity_of": "stock",
            "recent": reads(newest_rows, division),
        }
    if division is Division.FLEET:
        fleet_list = reads(vehicles.current_list)
        recent = fleet_list and reads(fleet.recent_events, fleet_list)
        return {"activity_of": "vehicles", "recent": recent}
    return {"activity_of": "assets", "recent": reads(assets.recent)}
