"""The JSON calls of upkeep, under /api/fleet, /api/gpm and /api."""

from app.api.openapi import Api
from app.divisions import Division
from app.upkeep.api import defects, due, off_road, readings, record
from app.upkeep.api.scope import bp

__all__ = ["defects", "due", "off_road", "readings", "record", "register_calls"]


def register_calls(api: Api) -> None:
    """Serve the calls."""
    for division in (Division.FLEET, Division.GPM, None):
        api.register_prefixed(bp, division)
