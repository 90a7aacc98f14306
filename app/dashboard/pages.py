"""The dashboard: where a division's people start."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

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
from app.stock.queries import history
from app.stock.queries import overview as stock
from app.web import access, caching
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
    """Show the chosen division at a glance."""
    reads = Reads()
    division, until = current_user().chosen, current_user().access_until
    version = _version(division, reads)
    if not reads.failed:
        same = caching.not_modified(*version, dates.today(), dates.format_time(until))
        if same is not None:
            return same
    screens = screens_of(division)
    makers = TILES.get(division, {}) if division else {}
    page = render_template(
        "dashboard/show.html",
        tiles=_tiles(screens, makers, reads),
        links=[screen for screen in screens if screen.endpoint not in makers],
        until=until,
        reads=reads,
        **_lately(division, reads),
    )
    if reads.failed:
        caching.disable_caching()
    return page


def _version(division: Division | None, reads: Reads) -> Sequence[object]:
    """Return what is another one after every change of what the page shows."""
    version: list[object] = []
    if division in SITES:
        version.append(reads(history.list_versions, division))
    if division is Division.GPM:
        version.append(reads(deliveries.outlook, dates.today()))
    if division is Division.FLEET:
        version.append(reads(fleet.data_versions))
    if division is Division.ASSETS:
        version.append(reads(assets.data_versions))
    return version


def _lately(division: Division | None, reads: Reads) -> dict[str, Any]:
    """Return what happened in a division lately, and to what."""
    today = dates.today()
    if division in SITES:
        return {
            "happens_to": "stock",
            "activity": reads(stock.activity, division, today),
            "recent": reads(stock.recent, division),
        }
    if division is Division.FLEET:
        shown = reads(vehicles.current_list)
        return {
            "happens_to": "vehicles",
            "activity": shown and reads(fleet.activity, shown, today),
            "recent": shown and reads(fleet.recent_events, shown),
        }
    if division is Division.ASSETS:
        return {
            "happens_to": "assets",
            "places": reads(assets.top_locations),
            "dash": NO_VALUE,
            "activity": reads(assets.activity, today),
            "recent": reads(assets.recent),
        }
    return {"happens_to": "", "activity": None, "recent": None}


def _tiles(
    screens: Sequence[Screen], makers: Mapping[str, TileMaker], reads: Reads
) -> Sequence[Tile]:
    order = list(makers)
    shown = sorted(
        (screen for screen in screens if screen.endpoint in makers),
        key=lambda screen: order.index(screen.endpoint),
    )
    return [(screen, makers[screen.endpoint](screen, reads)) for screen in shown]


def _of_site(screen: Screen, reads: Reads) -> Figures | None:
    totals = reads(stock.site_totals, screen.division)
    if totals is None:
        return None
    total = totals[Site(screen.values["site"])]
    return stock_figures(total.items, total.units, total.value)


def _of_deliveries(_screen: Screen, reads: Reads) -> Figures | None:
    found = reads(deliveries.outlook, dates.today())
    return delivery_figures(found.pending, found.overdue) if found else None


def _of_history(screen: Screen, reads: Reads) -> Figures | None:
    entries = reads(stock.count_entries, screen.division)
    return None if entries is None else history_figures(entries)


def _of_vehicles(_screen: Screen, reads: Reads) -> Figures | None:
    shown = reads(vehicles.current_list)
    totals = None if shown is None else reads(fleet.status_totals, shown)
    if totals is None:
        return None
    return vehicle_figures(
        [(total.status, total.vehicles) for total in totals if not total.is_off_the_road],
        sum(total.vehicles for total in totals),
        sum(total.vehicles for total in totals if total.is_off_the_road),
    )


def _of_check_form(_screen: Screen, reads: Reads) -> Figures | None:
    found = reads(fleet.check_totals, dates.today())
    return weekly_check_figures(found.this_week) if found else None


def _of_checks(_screen: Screen, reads: Reads) -> Figures | None:
    found = reads(fleet.check_totals, dates.today())
    return check_figures(found.all, found.unreviewed) if found else None


def _of_assets(_screen: Screen, reads: Reads) -> Figures | None:
    found = reads(register.totals, AssetFilters())
    return asset_figures(found.assets, found.quantity, found.value) if found else None


def _of_moves(_screen: Screen, reads: Reads) -> Figures | None:
    entries = reads(assets.entry_count)
    return None if entries is None else history_figures(entries)


TILES: dict[Division, dict[str, TileMaker]] = {
    Division.GFM: {"stock.inventory": _of_site, "stock_history.history": _of_history},
    Division.GPM: {
        "stock.inventory": _of_site,
        "deliveries.deliveries": _of_deliveries,
        "stock_history.history": _of_history,
    },
    Division.FLEET: {
        "fleet.vehicles": _of_vehicles,
        "fleet.check_form": _of_check_form,
        "fleet.checks": _of_checks,
    },
    Division.ASSETS: {"assets.assets": _of_assets, "assets.history": _of_moves},
}
"""What the tile of a division's screen says, by its endpoint and in the order of the tiles.

A screen that isn't here is a plain link below them.
"""
