"""The blueprint of upkeep's calls and their policy: Fleet and GPM share them."""

from app.api.blueprint import Blueprint
from app.divisions import Division
from app.web import access

FLEET_AND_GPM = access.api_call(Division.FLEET, Division.GPM)

bp = Blueprint("upkeep", "Upkeep", "Defects, repairs, vehicles off the road, and what is due.")
"""The calls that have the same address under each prefix."""
