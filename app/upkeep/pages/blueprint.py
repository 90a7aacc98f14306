"""The blueprint of upkeep's pages."""

from flask import Blueprint

from app.fleet.acts import DIVISIONS, for_fleet

__all__ = ["DIVISIONS", "bp", "for_fleet"]

bp = Blueprint("upkeep", __name__)
