"""The page of the dashboard."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, cast

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from app import dates
from app.assets.queries import overview as assets
from app.assets.rules.fields import NO_VALUE
from app.dashboard.pages.needs import needs_of
from app.dashboard.pages.starts import quick_actions, recent_items
from app.dashboard.pages.tiles import other_screens, tiles_of
from app.dashboard.queries import Reads
from app.deliveries import services as deliveries
from app.divisions import SITES, Division
from app.fleet.queries import overview as fleet
from app.fleet.queries import vehicles
from app.stock.queries import overview as stock
from app.stock.queries.recent_items import last_operation
from app.versions import version_of
from app.web import access, caching, rendered
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.htmx import is_htmx_for
from app.web.navigation import Screen

bp = Blueprint("dashboard", __name__)
BLUEPRINTS = (bp,)
SCREENS: list[Screen] = []

Load = Callable[[], dict[str, Any]]


@bp.get("/dashboard")
@access.any_division
@failure_message("Failed to load dashboard")
def show() -> ResponseReturnValue:
    """Show a person's quick actions and waiting work, and the overview of the chosen division."""
    user, reads = current_user(), Reads()
    # The policy lets nobody in who has chosen none.
    division = cast("Division", user.chosen)
    version = _version(division, reads)
    own = reads(last_operation, user.user_id) if division in SITES else None
    until = user.access_until
    if not reads.failed:
        not_modified = caching.not_modified(*version, own, dates.today(), dates.format_time(until))
        if not_modified is not None:
            return not_modified

    def shared(name: str, load: Callable[[Division, Reads], dict[str, Any]]) -> Markup:
        return _part(
            name, (division, dates.today()), version, reads, partial(load, division, reads)
        )

    def personal(name: str, load: Load) -> Markup:
        return _part(name, (division, user.user_id), (*version, own), reads, load)

    context = {
        "start": personal(
            "_start", lambda: {"actions": quick_actions(division, user.user_id, reads)}
        ),
        "needs": shared("_needs", _needs),
        "items": personal("_items", lambda: _items(division, user.user_id, reads))
        if division in SITES
        else None,
        "activity": shared("_activity", _activity),
        "recent": shared("_recent", _recent_activity),
        "places": shared("_places", _places),
        "reads": reads,
        "until": until,
    }
    name = "_work" if is_htmx_for("list") else "show"
    page = render_template(f"dashboard/{name}.html", **context)
    if reads.failed:
        caching.disable_caching()
    return page


class _Incomplete(Exception):
    """A read has failed, so the rendered part can't be kept."""


def _part(
    name: str, key: Sequence[Any], version: Sequence[object], reads: Reads, load: Load
) -> Markup:
    """Return a part of the page, kept for the same version unless a read fails."""
    template = f"dashboard/{name}.html"

    def load_whole() -> dict[str, Any]:
        context = load()
        if reads.failed:
            raise _Incomplete
        return context

    try:
        return rendered.cached(template, *key, version=repr(version), load=load_whole)
    except _Incomplete:
        # The template has escaped it.
        return Markup(render_template(template, **load()))  # noqa: S704


def _version(division: Division, reads: Reads) -> Sequence[object]:
    """Return a version that changes whenever anything on the page changes for everybody."""
    version: list[object] = []
    if division in SITES:
        version.append(reads(stock.site_totals, division))
    if division is Division.GPM:
        version.append(reads(version_of, deliveries.LIST))
    if division is Division.FLEET:
        version.append(reads(fleet.data_versions))
    if division is Division.ASSETS:
        version.append(reads(assets.data_versions))
    return version


def _needs(division: Division, reads: Reads) -> dict[str, Any]:
    return {"needs": needs_of(division, reads)}


def _items(division: Division, user_id: int, reads: Reads) -> dict[str, Any]:
    return {
        "items": recent_items(division, user_id, reads),
        "division": division,
        "has_sites": len(SITES[division]) > 1,
    }


def _activity(division: Division, reads: Reads) -> dict[str, Any]:
    today = dates.today()
    if division in SITES:
        counts = reads(stock.history_counts, division, today)
        return {
            "noun": "Movements",
            "activity": counts and counts[1],
            "endpoint": "stock_history.history",
            "place": {"division": division.value},
        }
    if division is Division.FLEET:
        fleet_list = reads(vehicles.current_list)
        return {
            "noun": "Checks and changes",
            "activity": fleet_list and reads(fleet.activity, fleet_list, today),
            "endpoint": "fleet.checks",
            "place": {},
        }
    return {
        "noun": "Moves",
        "activity": reads(assets.activity, today),
        "endpoint": "assets.history",
        "place": {},
    }


def _places(division: Division, reads: Reads) -> dict[str, Any]:
    context = {"tiles": tiles_of(division, reads), "links": other_screens(division)}
    if division is Division.ASSETS:
        return {**context, "locations": reads(assets.top_locations), "dash": NO_VALUE}
    return context


def _recent_activity(division: Division, reads: Reads) -> dict[str, Any]:
    if division in SITES:
        return {
            "division": division,
            "activity_of": "stock",
            "recent": reads(stock.recent, division),
        }
    if division is Division.FLEET:
        fleet_list = reads(vehicles.current_list)
        recent = fleet_list and reads(fleet.recent_events, fleet_list)
        return {"activity_of": "vehicles", "recent": recent}
    return {"activity_of": "assets", "recent": reads(assets.recent)}
