"""Pages of the register."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Self

from flask import Response, jsonify, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates, names
from app.assets.acts import ASSET_PATH, for_assets
from app.assets.pages.blueprint import bp
from app.assets.queries import moves
from app.assets.queries import register as queries
from app.assets.queries.register import FILTERS, AssetFilters, AssetPage
from app.assets.rules import (
    ASSET_FIELDS,
    MAX_MOVED,
    NO_VALUE,
    REGISTER_COLUMNS,
    VALUE,
    heading_of,
    is_number,
    label_of,
    status_tone,
)
from app.assets.schemas.register import ASSET_FILE
from app.divisions import Division
from app.paging import AtLeast
from app.records.lists import csv_file, exports
from app.sorting import SortOrder
from app.versions import version_of
from app.web import caching
from app.web.error_pages import failure_message
from app.web.htmx import is_htmx_for
from app.web.list_query import Heading, Sorting, filter_chips, requested_page
from app.web.navigation import Screen, back_link
from app.web.remembered import remembers_filters

SCREENS = [Screen(Division.ASSETS, "Assets", "assets.assets")]

_LIST_COLUMNS = (
    "item",
    "id",
    "location",
    "status",
    "category",
    "quantity",
    "purchase_price",
    VALUE,
    "make",
    "model",
    "serial",
    "supplier",
    "purchase_date",
)
"""The columns of the list, in the order of the cells in _list.html.

Narrow windows show only the first ones.
"""

_LINKED_FILTERS = ("item", "make", "model")
"""The filters that only links from the group view set."""


@dataclass(frozen=True)
class RegisterQuery:
    """The filters and the order in the URL of the register."""

    filters: AssetFilters
    order: SortOrder

    @classmethod
    def parse(cls, args: Mapping[str, str]) -> Self:
        """Return the query of these arguments; an unknown order is the default one."""
        return cls(AssetFilters.parse(args), REGISTER_COLUMNS.parse(args.get("sort", "")))

    @property
    def args(self) -> dict[str, str]:
        """Return the query as arguments of an address."""
        is_default = self.order == REGISTER_COLUMNS.default
        return self.filters.args | ({} if is_default else {"sort": str(self.order)})


@dataclass(frozen=True)
class FilterChoice:
    """A filter with its options; `chosen` is spelled like the option."""

    name: str
    label: str
    all_label: str
    none_label: str
    options: Sequence[str]
    chosen: str


@bp.get("/assets")
@for_assets
@failure_message("Failed to load assets")
@remembers_filters(*FILTERS)
def assets() -> ResponseReturnValue:
    """Show a page of the register."""
    not_modified = caching.not_modified(version_of(queries.LIST))
    if not_modified is not None:
        return not_modified
    query = RegisterQuery.parse(request.args)
    page = queries.asset_page(query.filters, query.order, requested_page())
    address = partial(url_for, "assets.assets")
    sorting = Sorting(REGISTER_COLUMNS, query.order, page.total, address, query.filters.args)
    context = {
        "query": query,
        "page": page,
        "sorting": sorting,
        "columns": [_heading(sorting, name) for name in _LIST_COLUMNS],
        "linked_filters": {
            name: text for name, text in query.filters.texts.items() if name in _LINKED_FILTERS
        },
        "has_controls": not any(name in query.filters.texts for name in _LINKED_FILTERS),
        "chips": filter_chips(address, query.args, _chip_texts(query.filters)),
        "status_tone": status_tone,
        "matching": _number_matching(page),
    }
    if is_htmx_for("list"):
        return render_template("assets/_list.html", is_fragment=True, **context)
    return render_template(
        "assets/assets.html",
        choices=_choices(query.filters),
        max_moved=MAX_MOVED,
        **context,
    )


@bp.get("/assets/matching")
@for_assets
@failure_message("Failed to load assets")
def matching() -> Response:
    """Reply with the numbers of the filtered assets, up to as many as can be moved at once."""
    filters = AssetFilters.parse(request.args)
    return jsonify(numbers=queries.matching_numbers(filters, MAX_MOVED))


@bp.get("/assets/export")
@for_assets
@exports("assets", "Failed to load assets")
def export() -> Response:
    """Send all filtered assets in the list's order as CSV, while they are read."""
    query = RegisterQuery.parse(request.args)
    rows = queries.stream_assets(query.filters, query.order)
    return csv_file(f"assets_{dates.today()}.csv", ASSET_FILE, rows)


def _chip_texts(filters: AssetFilters) -> dict[str, str]:
    texts = {
        name: f"{heading_of(name)}: {text}" if name in _LINKED_FILTERS else label_of(name, text)
        for name, text in filters.texts.items()
    }
    return {"q": f"“{filters.search}”", **texts}


def _number_matching(page: AssetPage) -> int:
    """Return how many assets can be ticked at once, 0 if there are too many to be moved."""
    is_exact = not isinstance(page.total, AtLeast)
    return page.total if is_exact and page.total <= MAX_MOVED else 0


def _heading(sorting: Sorting, name: str) -> Heading:
    column = VALUE if name == VALUE else ASSET_FIELDS[name].json
    return sorting.head(column, "num" if is_number(name) else "")


def _choices(filters: AssetFilters) -> list[FilterChoice]:
    in_use = queries.values_in_use()
    return [
        _choice("location", "Locations", in_use.locations, filters.location),
        _choice("category", "Categories", in_use.categories, filters.category),
        _choice("supplier", "Suppliers", in_use.suppliers, filters.supplier),
        _choice("status", "Statuses", in_use.statuses, filters.status),
    ]


def _choice(name: str, plural: str, in_use: Sequence[str], value: str) -> FilterChoice:
    """Return a filter; a value that no asset has is an option too."""
    chosen = next((text for text in in_use if names.key(text) == names.key(value)), value)
    options = in_use if chosen in (*in_use, "", NO_VALUE) else [chosen, *in_use]
    return FilterChoice(name, name.title(), f"All {plural}", f"No {name}", options, chosen)


@bp.get(ASSET_PATH)
@for_assets
@failure_message("Failed to load assets")
def asset(number: int) -> ResponseReturnValue:
    """Show the fields of an asset and its moves."""
    back = back_link("/assets") or back_link("/assets/history") or url_for("assets.assets")
    not_modified = caching.not_modified(version_of(queries.LIST), version_of(moves.LIST), back)
    if not_modified is not None:
        return not_modified
    found = queries.get_asset(number)
    return render_template(
        "assets/asset.html",
        asset=found,
        page=moves.asset_move_page(found.asset_key, requested_page()),
        back=back,
        status_tone=status_tone,
    )
