"""The blueprints of the fleet's calls."""

from app.api.blueprint import Blueprint

_TITLE = "Fleet"
_DESCRIPTION = "Vehicles and their checks, which Fleet and GPM share."

bp = Blueprint("fleet", _TITLE, _DESCRIPTION)
"""The calls that have the same address under each prefix."""

fleet_bp = Blueprint("fleet_history", _TITLE, _DESCRIPTION, feature="fleet")
"""The calls under /api/fleet alone."""
