"""The dashboard: where a division's people start."""

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from app.web import access, caching
from app.web.error_pages import says_on_failure
from app.web.navigation import Screen

bp = Blueprint("dashboard", __name__)
BLUEPRINTS = (bp,)
SCREENS: list[Screen] = []


@bp.get("/dashboard")
@access.any_division
@says_on_failure("Failed to load dashboard")
def show() -> ResponseReturnValue:
    """Show the links of the chosen division."""
    return caching.unchanged() or render_template("dashboard/show.html")
