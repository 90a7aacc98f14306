"""The blueprint of the fleet's pages and their divisions: Fleet and GPM share them."""

from flask import Blueprint

from app.divisions import Division
from app.web import access

bp = Blueprint("fleet", __name__)

DIVISIONS = (Division.FLEET, Division.GPM)
for_fleet = access.division(*DIVISIONS)
