"""The page of minimums and targets."""

from collections.abc import Mapping

from flask import Response, request
from flask.typing import ResponseReturnValue

from app.divisions import SITES, Division, Site, Store
from app.records.lists import ListView, exports, keeps_filters, query_file
from app.stock.acts import DESKS
from app.stock.pages.inventory import bp, store_of
from app.stock.schemas.levels import LEVEL_LIST, list_of
from app.web import access
from app.web.error_pages import failure_message


def _store(values: Mapping[str, str], division: str) -> Store:
    return store_of(division, values.get("site") or SITES[Division(division)][0])


@access.division_in_path
@failure_message("Failed to load levels")
@keeps_filters(
    LEVEL_LIST,
    lambda values, division: list_of(_store(values, division)),
    names=("site", *LEVEL_LIST.arguments),
    call="stock_levels",
    implied={"site": Site.MAIN},
)
def show_levels(division: str) -> ResponseReturnValue:
    """Show the minimums of a site's items, with the minimums that their use suggests."""
    store = _store(request.args, division)
    context = {"store": store, "sites": SITES[store.division]}
    return ListView(bp, list_of(store), context, store.place).show()


@access.division_in_path
@exports("levels of {division}", "Failed to load levels")
def export_levels(division: str) -> Response:
    """Send the levels that match as a file."""
    return query_file(list_of(_store(request.args, division)))


access.add_by_division(bp, DESKS, "/levels", show_levels, endpoint="levels")
access.add_by_division(bp, DESKS, "/levels.csv", export_levels, endpoint="levels_csv")
