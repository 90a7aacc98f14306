"""Whom the fleet's pages serve: Fleet, and GPM, which shares its vehicles (design §4)."""

from flask import Blueprint

from app.divisions import Division
from app.web import access

bp = Blueprint("fleet", __name__)

OWNERS = (Division.FLEET, Division.GPM)
for_owners = access.division(*OWNERS)
