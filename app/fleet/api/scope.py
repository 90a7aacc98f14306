"""The blueprints of the fleet's calls and their policy: Fleet and GPM share them."""

from app.api.blueprint import Blueprint
from app.divisions import Division
from app.web import access

FLEET_AND_GPM = access.api_call(Division.FLEET, Division.GPM)

_TITLE = "Fleet"
_DESCRIPTION = "Vehicles and their checks, which Fleet and GPM share."

bp = Blueprint("fleet", _TITLE, _DESCRIPTION)
"""The calls that have the same address under each prefix."""

fleet_bp = Blueprint("fleet_history", _TITLE, _DESCRIPTION, feature="fleet")
"""The calls under /api/fleet alone."""
