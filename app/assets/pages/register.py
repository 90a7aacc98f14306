"""Pages of the register."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from flask import Blueprint, Response, current_app, jsonify, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates, names
from app.assets import rules
from app.assets.acts import ASSET_PATH, for_assets
from app.assets.queries import moves
from app.assets.queries import register as queries
from app.assets.schemas.register import ASSET_LIST, asset_query
from app.divisions import Division
from app.paging import AtLeast
from app.records.lists import describe_page, exports, keeps_filters, record_file
from app.versions import version_of, versions_of
from app.web import caching
from app.web.htmx import is_htmx_for
from app.web.list_query import filter_chips, requested_page
from app.web.navigation import Screen, back_link

bp = Blueprint("assets", __name__)
SCREENS = [Screen(Division.ASSETS, "Assets", "assets.assets", key="a")]

# Pages show assets without a value after the others, so they sort any number by each column.
_COLUMNS = [replace(each, indexed=True) for each in ASSET_LIST.columns]
_REGISTER = replace(ASSET_LIST, columns=_COLUMNS)

_LINKED_FILTERS = ("item", "make", "model")
"""The filters that only links from the group view set."""


@for_assets.route(bp, "/assets", "Failed to load assets")
@keeps_filters(ASSET_LIST)
def assets() -> ResponseReturnValue:
    """Show a page of the register."""
    if unchanged := caching.not_modified(version_of(queries.LIST)):
        return unchanged
    query, address = asset_query(request.args), partial(url_for, "assets.assets")
    page = queries.asset_page(query, requested_page())
    found = describe_page(_REGISTER, query, page, address)
    linked = {name: text for name, text in query.filters.items() if name in _LINKED_FILTERS}
    # Too many can't be moved, so they can't be ticked together either.
    is_movable = not isinstance(page.total, AtLeast) and page.total <= rules.MAX_MOVED
    context = {
        **found,
        "linked_filters": linked,
        "has_controls": not linked,
        "chips": filter_chips(address, found["args"], _chip_texts(query.filters)),
        "status_tone": rules.status_tone,
        "matching": page.total if is_movable else 0,
    }
    if is_htmx_for("list"):
        return render_template("assets/_list.html", **context)
    return render_template(
        "assets/assets.html", choices=_choices(query.filters), max_moved=rules.MAX_MOVED, **context
    )


@for_assets.route(bp, "/assets/matching", "Failed to load assets")
def matching() -> Response:
    """Reply with the numbers of the filtered assets, up to as many as can be moved at once."""
    query = asset_query(request.args)
    return jsonify(numbers=queries.matching_numbers(query, rules.MAX_MOVED))


@bp.get("/assets/export")
@for_assets
@exports("assets", "Failed to load assets")
def export() -> Response:
    """Send all filtered assets in the list's order as a file, while they are read."""
    rows = partial(queries.stream_assets, asset_query(request.args))
    return record_file(f"assets_{dates.today()}.csv", ASSET_LIST, rows)


def _chip_texts(filters: Mapping[str, str]) -> dict[str, str]:
    texts = {
        name: f"{name.capitalize()}: {text}"
        if name in _LINKED_FILTERS
        else rules.label_of(name, text)
        for name, text in filters.items()
    }
    return {**texts, "q": f"“{filters.get('q')}”"}


def _choices(filters: Mapping[str, str]) -> list[tuple[str, Sequence[str], str]]:
    """Return each filter's name, options and choice, which is an option too if no asset has it."""
    choices = []
    for name, in_use in queries.values_in_use().items():
        value = filters.get(name, "")
        chosen = next((text for text in in_use if names.key(text) == names.key(value)), value)
        options = in_use if chosen in (*in_use, "", rules.NO_VALUE) else [chosen, *in_use]
        choices.append((name, options, chosen))
    return choices


@for_assets.route(bp, ASSET_PATH, "Failed to load assets")
def asset(number: int) -> ResponseReturnValue:
    """Show the fields of an asset and its moves."""
    back = back_link("/assets") or back_link("/assets/history") or url_for("assets.assets")
    panels = current_app.extensions["panels"]["asset"]
    versions = versions_of((queries.LIST, moves.LIST, *panels))
    if unchanged := caching.not_modified(*versions, dates.today(), back):
        return unchanged
    found = queries.get_asset(number)
    return render_template(
        "assets/asset.html",
        **{name: panel(found.asset_key) for name, panel in panels.items()},
        asset=found,
        page=moves.asset_move_page(found.asset_key, requested_page()),
        back=back,
        status_tone=rules.status_tone,
    )
