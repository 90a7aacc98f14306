"""The dashboard: where a division's people start."""

from collections.abc import Callable, Sequence

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from app import dates
from app.dashboard.queries import Reads
from app.dashboard.rules import Figures, delivery_figures, history_figures, stock_figures
from app.deliveries import queries as deliveries
from app.divisions import SITES, Division, Site
from app.stock.queries import history, overview
from app.web import access, caching
from app.web.access import viewer
from app.web.error_pages import says_on_failure
from app.web.navigation import Screen, screens_of

bp = Blueprint("dashboard", __name__)
BLUEPRINTS = (bp,)
SCREENS: list[Screen] = []

Tile = tuple[Screen, Figures | None]


@bp.get("/dashboard")
@access.any_division
@says_on_failure("Failed to load dashboard")
def show() -> ResponseReturnValue:
    """Show the chosen division at a glance."""
    reads = Reads()
    division, until = viewer().chosen, viewer().access_until
    version = _version(division, reads)
    if not reads.failed:
        same = caching.unchanged(*version, dates.today(), dates.format_time(until))
        if same is not None:
            return same
    screens = screens_of(division)
    keeper = division if division in SITES else None
    page = render_template(
        "dashboard/show.html",
        tiles=_tiles(screens, reads),
        links=[screen for screen in screens if screen.endpoint not in TILES],
        keeps_stock=keeper is not None,
        activity=reads(overview.activity, keeper, dates.today()) if keeper else None,
        recent=reads(overview.recent, keeper) if keeper else None,
        until=until,
        reads=reads,
    )
    if reads.failed:
        caching.forget()
    return page


def _version(division: Division | None, reads: Reads) -> Sequence[object]:
    """Return what is another one after every change of what the page shows."""
    version: list[object] = []
    if division in SITES:
        version.append(reads(history.data_versions, division))
    if division is Division.GPM:
        version.append(reads(deliveries.outlook, dates.today()))
    return version


def _tiles(screens: Sequence[Screen], reads: Reads) -> Sequence[Tile]:
    order = list(TILES)
    shown = sorted(
        (screen for screen in screens if screen.endpoint in TILES),
        key=lambda screen: order.index(screen.endpoint),
    )
    return [(screen, TILES[screen.endpoint](screen, reads)) for screen in shown]


def _of_site(screen: Screen, reads: Reads) -> Figures | None:
    totals = reads(overview.site_totals, screen.division)
    if totals is None:
        return None
    total = totals[Site(screen.values["site"])]
    return stock_figures(total.items, total.units, total.value)


def _of_deliveries(_screen: Screen, reads: Reads) -> Figures | None:
    found = reads(deliveries.outlook, dates.today())
    return delivery_figures(found.pending, found.overdue) if found else None


def _of_history(screen: Screen, reads: Reads) -> Figures | None:
    entries = reads(overview.entry_count, screen.division)
    return None if entries is None else history_figures(entries)


TILES: dict[str, Callable[[Screen, Reads], Figures | None]] = {
    "stock.inventory": _of_site,
    "deliveries.deliveries": _of_deliveries,
    "stock_history.history": _of_history,
}
"""What the tile of a screen says, by its endpoint and in the order of the tiles.

A screen that isn't here is a plain link below them.
"""
