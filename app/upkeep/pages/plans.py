"""The plans of due items, and their editor, which shows the effects before it saves."""

from flask import render_template
from flask.typing import ResponseReturnValue

from app import dates
from app.fleet.rules.versions import UPKEEP
from app.upkeep.pages.blueprint import bp, for_fleet
from app.upkeep.queries import plans as queries
from app.versions import version_of
from app.web import caching
from app.web.error_pages import failure_message


@bp.get("/fleet/plans")
@for_fleet
@failure_message("Failed to load plans")
def plans() -> ResponseReturnValue:
    """Show the plans with how many open items they have."""
    unchanged = caching.not_modified(version_of(UPKEEP), dates.today())
    if unchanged is not None:
        return unchanged
    return render_template(
        "upkeep/plans.html",
        rows=queries.plan_rows(),
    )
