"""The page of the dashboard."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from app import dates
from app.assets.queries import overview as assets
from app.assets.queries import register
from app.assets.queries.register import AssetFilters
from app.assets.rules.fields import NO_VALUE
from app.dashboard.queries import Reads
from app.dashboard.rules import (
    Figures,
    asset_figures,
    check_figures,
    delivery_figures,
    history_figures,
    stock_figures,
    vehicle_figures,
    weekly_check_figures,
)
from app.deliveries import queries as deliveries
from app.divisions import SITES, Division, Site
from app.fleet.queries import overview as fleet
from app.fleet.queries import vehicles
from app.stock.queries import overview as stock
from app.web import access, caching, rendered
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.navigation import Screen, screens_of

bp = Blueprint("dashboard", __name__)
BLUEPRINTS = (bp,)
SCREENS: list[Screen] = []

TileMaker = Callable[[Screen, Reads], Figures | None]
Tile = tuple[Screen, Figures | None]


@bp.get("/dashboard")
@access.any_division
@failure_message("Failed to load dashboard")
def show() -> ResponseReturnValue:
    """Show the overview of the chosen division."""
    reads = Reads()
    division, until = current_user().chosen, current_user().access_until
    version = _version(division, reads)
    if not reads.failed:
        not_modified = caching.not_modified(*version, dates.today(), dates.format_time(until))
        if not_modified is not None:
            return not_modified
    overview = _part("_overview", division, version, reads, _overview)
    recent = _part("_recent", division, version, reads, _recent_activity)
    page = render_template(
        "dashboard/show.html", overview=overview, recent=recent, until=until, reads=reads
    )
    if reads.failed:
        caching.disable_caching()
    return page


class _Incomplete(Exception):
    """A read has failed, so what is rendered can't be kept."""


def _part(
    name: str,
    division: Division | None,
    version: Sequence[object],
    reads: Reads,
    load: Callable[[Division | None, Reads], dict[str, Any]],
) -> Markup:
    """Return a part of the page, kept for the same version unless a read fails."""
    template = f"dashboard/{name}.html"

    def load_whole() -> dict[str, Any]:
        context = load(division, reads)
        if reads.failed:
            raise _Incomplete
        return context

    try:
        return rendered.cached(
            template, division, dates.today(), version=repr(version), load=load_whole
        )
    except _Incomplete:
        # The template has escaped it.
        return Markup(render_template(template, **load(division, reads)))  # noqa: S704


def _version(division: Division | None, reads: Reads) -> Sequence[object]:
    """Return a version that changes whenever anything on the page changes."""
    version: list[object] = []
    if division in SITES:
        version.append(reads(stock.site_totals, division))
    if division is Division.GPM:
        version.append(reads(deliveries.outlook, dates.today()))
    if division is Division.FLEET:
        version.append(reads(fleet.data_versions))
    if division is Division.ASSETS:
        version.append(reads(assets.data_versions))
    return version


def _overview(division: Division | None, reads: Reads) -> dict[str, Any]:
    """Return the context of a division's tiles, activity and links."""
    screens = screens_of(division)
    makers = TILES.get(division, {}) if division else {}
    context = {
        "tiles": _tiles(screens, makers, reads),
        "links": [screen for screen in screens if screen.endpoint not in makers],
    }
    today = dates.today()
    if division in SITES:
        counts = reads(stock.history_counts, division, today)
        return {**context, "activity_of": "stock", "activity": counts and counts[1]}
    if division is Division.FLEET:
        fleet_list = reads(vehicles.current_list)
        activity = fleet_list and reads(fleet.activity, fleet_list, today)
        return {**context, "activity_of": "vehicles", "activity": activity}
    if division is Division.ASSETS:
        return {
            **context,
            "activity_of": "assets",
            "activity": reads(assets.activity, today),
            "locations": reads(assets.top_locations),
            "dash": NO_VALUE,
        }
    return context


def _recent_activity(division: Division | None, reads: Reads) -> dict[str, Any]:
    """Return the context of a division's latest rows."""
    if division in SITES:
        return {
            "division": division,
            "activity_of": "stock",
            "recent": reads(stock.recent, division),
        }
    if division is Division.FLEET:
        fleet_list = reads(vehicles.current_list)
        recent = fleet_list and reads(fleet.recent_events, fleet_list)
        return {"activity_of": "vehicles", "recent": recent}
    if division is Division.ASSETS:
        return {"activity_of": "assets", "recent": reads(assets.recent)}
    return {}


def _tiles(
    screens: Sequence[Screen], makers: Mapping[str, TileMaker], reads: Reads
) -> Sequence[Tile]:
    order = list(makers)
    tiled = sorted(
        (screen for screen in screens if screen.endpoint in makers),
        key=lambda screen: order.index(screen.endpoint),
    )
    return [(screen, makers[screen.endpoint](screen, reads)) for screen in tiled]


def _site_tile(screen: Screen, reads: Reads) -> Figures | None:
    totals = reads(stock.site_totals, screen.division)
    if totals is None:
        return None
    total = totals[Site(screen.values["site"])]
    return stock_figures(total.items, total.units, total.value)


def _deliveries_tile(_screen: Screen, reads: Reads) -> Figures | None:
    outlook = reads(deliveries.outlook, dates.today())
    return delivery_figures(outlook.pending, outlook.late) if outlook else None


def _history_tile(screen: Screen, reads: Reads) -> Figures | None:
    counts = reads(stock.history_counts, screen.division, dates.today())
    return history_figures(counts[0]) if counts else None


def _vehicles_tile(_screen: Screen, reads: Reads) -> Figures | None:
    fleet_list = reads(vehicles.current_list)
    totals = None if fleet_list is None else reads(fleet.status_totals, fleet_list)
    if totals is None:
        return None
    return vehicle_figures(
        [(total.status, total.vehicles) for total in totals if not total.is_off_the_road],
        sum(total.vehicles for total in totals),
        sum(total.vehicles for total in totals if total.is_off_the_road),
    )


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
        "fleet.check_form": _check_form_tile,
        "fleet.checks": _checks_tile,
    },
    Division.ASSETS: {"assets.assets": _assets_tile, "assets.history": _moves_tile},
}
"""The functions that make the tiles of each division, by endpoint, in the order of the tiles.

Screens that have no tile are plain links below them.
"""
