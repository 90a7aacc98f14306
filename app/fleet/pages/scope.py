"""The blueprint of the fleet's pages."""

from flask import Blueprint

bp = Blueprint("fleet", __name__)
