"""A store's data for the browser, whose list and stock check open without a connection."""

from functools import partial

from flask import jsonify
from flask.typing import ResponseReturnValue

from app import dates
from app.stock.pages.counts import count_values
from app.stock.pages.stores import store_of, store_props, store_route
from app.stock.queries import levels, team_offers
from app.stock.rules.items import EntryKind
from app.stock.schemas.widgets import StockReference, site_choices
from app.web import access, caching
from app.web.access import current_user, view_only
from app.web.error_pages import failure_message


@store_route("/<site>/reference")
@access.division_in_path
@failure_message("Failed to load inventory")
def reference(division: str, site: str) -> ResponseReturnValue:
    """Send a store's stock, and the choices of its dialogs and its stock check, as JSON."""
    store = store_of(division, site)
    day = dates.today()
    unchanged = caching.not_modified(day, *team_offers.versions(store.division))
    if unchanged is not None:
        return unchanged
    recent = partial(team_offers.recent_teams, store.division, current_user().user_id)
    values = store_props(store) | {
        "divisionLabel": store.division.label,
        "siteLabel": store.site.label,
        "teams": team_offers.suggest_teams(store.division),
        "deliveryTeams": recent(EntryKind.DELIVERY),
        "withdrawalTeams": recent(EntryKind.WITHDRAWAL),
        "destinations": [choice for choice in site_choices(store) if choice["value"] != store.site],
        "viewOnly": view_only(),
        "rows": [tuple(row) for row in levels.all_stock(store)],
        "count": None if levels.hides_count(store) else count_values(store),
    }
    return jsonify(StockReference().dump(values))
