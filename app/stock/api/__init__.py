"""The JSON calls of stock: under /api/gfm and /api/gpm, and under /api for either."""

from app.api.openapi import Api
from app.divisions import Division
from app.stock.api import history, inventory
from app.stock.api.scope import site_parameter


def register_calls(api: Api) -> None:
    """Serve the calls; only GPM's list can be named without its site."""
    for division in (Division.GFM, Division.GPM, None):
        parameters = [site_parameter(division)]
        api.register_prefixed(inventory.bp, division, parameters=parameters)
        if division is not Division.GFM:
            api.register_prefixed(inventory.main_bp, division)
        else:
            api.register_prefixed(inventory.transfers_bp, division)
        api.register_prefixed(history.gpm_bp if division is Division.GPM else history.bp, division)
