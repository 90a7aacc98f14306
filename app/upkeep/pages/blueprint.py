"""The blueprint of upkeep's pages and their divisions: Fleet and GPM share them."""

from flask import Blueprint

from app.divisions import Division
from app.web import access

bp = Blueprint("upkeep", __name__)

DIVISIONS = (Division.FLEET, Division.GPM)
for_fleet = access.division(*DIVISIONS)
