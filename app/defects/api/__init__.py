"""The JSON calls about defects, repairs and times off the road."""

from app.api.openapi import Api
from app.defects.api import defects, off_road
from app.defects.api.scope import bp
from app.fleet.acts import DIVISIONS

__all__ = ["defects", "off_road", "register_calls"]


def register_calls(api: Api) -> None:
    """Serve the calls under /api/fleet, /api/gpm and /api."""
    api.register_prefixed(bp, *DIVISIONS, None)
