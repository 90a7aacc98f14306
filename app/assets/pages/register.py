"""Show the register, 25 assets at a time."""

from flask.typing import ResponseReturnValue

from app.assets.pages.addresses import bp, for_owner
from app.divisions import Division
from app.web.error_pages import says_on_failure
from app.web.navigation import Screen

SCREENS = [Screen(Division.ASSETS, "Assets", "assets.assets")]


@bp.get("/assets")
@for_owner
@says_on_failure("Failed to load assets")
def assets() -> ResponseReturnValue:
    """Show the register, 25 assets at a time."""
    return ""


@bp.get("/assets/<int:number>")
@for_owner
@says_on_failure("Failed to load assets")
def asset(number: int) -> ResponseReturnValue:
    """Show an asset."""
    return f"{number}"
