"""Show what groups of assets come to."""

from flask.typing import ResponseReturnValue

from app.assets.pages.addresses import bp, for_owner
from app.divisions import Division
from app.web.error_pages import says_on_failure
from app.web.navigation import Screen

SCREENS = [Screen(Division.ASSETS, "Groups", "assets.groups")]


@bp.get("/assets/groups")
@for_owner
@says_on_failure("Failed to load assets")
def groups() -> ResponseReturnValue:
    """Show what groups of assets come to."""
    return ""
