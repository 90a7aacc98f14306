"""The tiles of each division."""

from collections.abc import Callable, Sequence

from app import dates
from app.assets.queries import overview as assets
from app.assets.queries import register
from app.assets.queries.register import AssetFilters
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
from app.deliveries import queries as deliveries
from app.divisions import Division, Site
from app.fleet.queries import overview as fleet
from app.fleet.queries import vehicles
from app.stock.queries import overview as stock
from app.upkeep.queries import due, off_road
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
    outlook = reads(deliveries.outlook, dates.today())
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
        "upkeep.off_road": _off_road_tile,
        "upkeep.due": _due_tile,
        "fleet.check_form": _check_form_tile,
        "fleet.checks": _checks_tile,
    },
    Division.ASSETS: {"assets.assets": _assets_tile, "assets.history": _moves_tile},
}
"""The functions that make the tiles of each division, by endpoint, in the order of the tiles.

Screens that have no tile are plain links below them.
"""
