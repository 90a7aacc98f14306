"""Every page is in the table of screens."""

import re

from app.divisions import Division
from tests.look.screens import SCREENS

NOT_SCREENS = {
    "/",
    "/assets/export",
    "/assets/history/export",
    "/assets/matching",
    "/attachments/1/<file_name>",
    "/bookings/all.csv",
    *(f"/export/{division}/<list_key>.csv" for division in Division),
    *(f"/export/{division}/all.zip" for division in Division),
    "/calendars/<token>.ics",
    "/calendars/<token>/<part>.ics",
    "/fleet/costs/costs.csv",
    "/fleet/defects.csv",
    "/fleet/due.csv",
    "/fleet/off-road.csv",
    "/fleet/readings.csv",
    "/fleet/record/fleet.csv",
    "/fleet/record/vehicle.csv",
    "/fleet/repairs.csv",
    "/gpm/deliveries.csv",
    "/keys.csv",
    "/services.csv",
    "/vehicles.csv",
    "/inventory/main.csv",
    "/fleetChecks/briefings",
    "/fleetChecks/reference",
    "/fleet/due/import",
    "/fleet/readings/import",
    "/import/assets/1/refused.csv",
    "/import/assets/sample.csv",
    "/inventory/main/count-sheet.csv",
    "/inventory/main/operations/1",
    "/inventory/main/reference",
    "/gpm/deliveries/new/items",
    "/gpm/history/export",
    "/gpm/inventory",
    "/history/export",
    "/inventory",
    "/inventory/main/add/namesake",
    "/fleetChecksList/vehicle-checks.csv",
    "/fleetChecksList/vehicle-checks.json",
    "/livez",
    "/manifest.webmanifest",
    "/offline",
    "/offline/move-stock",
    "/readyz",
    "/session",
    "/stock/gfm/insight/<question>.csv",
    "/stock/gfm/levels.csv",
    "/stock/gfm/reorder.csv",
    "/sw.js",
    "/teams/rename",
    "/views/menu",
    "/views/tiles",
}
"""Redirects, fragments, data, downloads and health checks.

/offline stands for pages without a connection (tests/journeys/test_offline.py).
"""


REG = "W" * 20
"""The registration in the addresses of screens."""


BOOKABLE = {
    "<any(vehicle, asset):kind>": "vehicle",
    "<any_text:key>": "lk1vte",
    "<target>": "assets",
}
"""What stands in the address of a screen about a thing that can be booked."""


def kind_of(path: str) -> str:
    """Return a path with 1 for each number, main for each site, and one registration."""
    # All questions have one page.
    path = re.sub(r"(?<=/insight/)(<any\([^)]*\):question>|[a-z]+)", "<question>", path)
    numbered = re.sub(
        r"/(\d+|[BO]-\d+|<(?:int\(|row_id:|reference\()[^>]*>)", "/1", path.partition("?")[0]
    )
    named = {"<site>": "main", "<path:reg>": REG, **BOOKABLE}
    for parameter, value in named.items():
        numbered = numbered.replace(parameter, value)
    return numbered


def test_every_page_is_in_the_table_of_screens(app):
    served = {
        kind_of(rule.rule)
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.rule.startswith("/api/")
    }
    listed = {kind_of(screen.path) for screen in SCREENS}
    # GPM's pages of stock are GFM's, without the tabs, and GFM's deliveries look like GPM's.
    twins = {path for path in served - listed if path.startswith("/gpm/inventory/")}
    same = {path for path in twins if path.removeprefix("/gpm") in served}
    same |= {path for path in served if path.startswith("/stock/gpm/")}
    same |= {path for path in served - listed if path.startswith("/gfm/deliveries")}
    assert served - NOT_SCREENS - same == listed
