"""The JSON calls of the fleet, under /api/fleet, /api/gpm and /api."""

from app.api.openapi import Api
from app.divisions import Division
from app.fleet.api import checks, vehicles
from app.fleet.api.scope import bp, fleet_bp

__all__ = ["checks", "photos", "register_calls", "vehicles"]


def register_calls(api: Api) -> None:
    """Serve the calls; the fleet's history has one address."""
    for division in (Division.FLEET, Division.GPM, None):
        api.register_prefixed(bp, division)
    api.register_prefixed(fleet_bp, Division.FLEET)
