"""Show how assets moved, 25 rows at a time, newest first."""

from flask.typing import ResponseReturnValue

from app.assets.pages.addresses import bp, for_owner
from app.divisions import Division
from app.web.error_pages import says_on_failure
from app.web.navigation import Screen

SCREENS = [Screen(Division.ASSETS, "History", "assets.history")]


@bp.get("/assets/history")
@for_owner
@says_on_failure("Failed to load assets")
def history() -> ResponseReturnValue:
    """Show how assets moved, 25 rows at a time, newest first."""
    return ""
