"""The JSON calls of the fleet, under /api/fleet, /api/gpm and /api."""

from app.api.openapi import Api
from app.divisions import Division
from app.fleet.acts import DIVISIONS
from app.fleet.api import checks, vehicles
from app.fleet.api.scope import bp, fleet_bp

__all__ = ["checks", "register_calls", "vehicles"]


def register_calls(api: Api) -> None:
    """Serve the calls; the fleet's history has one address."""
    api.register_prefixed(bp, *DIVISIONS, None)
    api.register_prefixed(fleet_bp, Division.FLEET)
