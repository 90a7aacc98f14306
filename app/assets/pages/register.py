"""The register as a list, and its export."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from flask import Response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates, names
from app.assets.pages.blueprint import bp, for_assets
from app.assets.queries import register as queries
from app.assets.queries.register import AssetFilters
from app.assets.rules.assets import MAX_MOVED, status_tone
from app.assets.rules.fields import ASSET_FIELDS, NO_VALUE
from app.assets.rules.sorting import DEFAULT_ORDER, SORT_COLUMNS, VALUE, SortOrder, parse_order
from app.assets.schemas.files import ASSET_COLUMNS, asset_rows
from app.audit.rules import Event
from app.audit.services import record
from app.db import transaction
from app.divisions import Division
from app.fields import Pounds, WholeNumber
from app.versions import version_of
from app.web import caching
from app.web.downloads import csv_download
from app.web.error_pages import failure_message
from app.web.htmx import is_htmx_for
from app.web.navigation import Screen
from app.web.paging import requested_page

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
        order = parse_order(args.get("sort", ""), SORT_COLUMNS, DEFAULT_ORDER)
        return cls(AssetFilters.parse(args), order)

    @property
    def args(self) -> dict[str, str]:
        """Return the query as arguments of an address."""
        return self.args_sorted_by(self.order)

    def args_sorted_by(self, order: SortOrder) -> dict[str, str]:
        """Return the arguments with another order."""
        return self.filters.args | ({} if order == DEFAULT_ORDER else {"sort": str(order)})

    def args_without(self, name: str) -> dict[str, str]:
        """Return the arguments without a filter."""
        return {each: text for each, text in self.args.items() if each != name}


@dataclass(frozen=True)
class SortLink:
    """The link of a column's heading; `direction` is set for the column that the list is sorted by.

    It is 'ascending' or 'descending'.
    """

    id: str
    url: str
    direction: str | None


@dataclass(frozen=True)
class Choice:
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
def assets() -> ResponseReturnValue:
    """Show a page of the register."""
    not_modified = caching.not_modified(version_of(queries.LIST))
    if not_modified is not None:
        return not_modified
    query = RegisterQuery.parse(request.args)
    context = {
        "query": query,
        "page": queries.asset_page(query.filters, query.order, requested_page()),
        "columns": [(_heading(n), _css_class(n), _sort_link(query, n)) for n in _LIST_COLUMNS],
        "linked_filters": [
            (name, _heading(name), query.filters.texts[name])
            for name in _LINKED_FILTERS
            if name in query.filters.texts
        ],
        "status_tone": status_tone,
    }
    if is_htmx_for("list"):
        return render_template("assets/_list.html", is_fragment=True, **context)
    return render_template(
        "assets/assets.html",
        choices=_choices(query.filters),
        orders=_orders(query),
        max_moved=MAX_MOVED,
        **context,
    )


@bp.get("/assets/export")
@for_assets
@failure_message("Failed to load assets")
def export() -> Response:
    """Send all filtered assets in the list's order as CSV, while they are read."""
    with transaction():
        record(Event.EXPORT, "assets")
    query = RegisterQuery.parse(request.args)
    rows = asset_rows(queries.stream_assets(query.filters, query.order))
    return csv_download(f"assets_{dates.today()}.csv", ASSET_COLUMNS, rows)


def _heading(name: str) -> str:
    label = "Value" if name == VALUE else ASSET_FIELDS[name].label
    return " ".join(word[0].upper() + word[1:] for word in label.split())


def _css_class(name: str) -> str:
    is_number = name == VALUE or isinstance(ASSET_FIELDS[name], WholeNumber | Pounds)
    return "num" if is_number else ""


def _sort_name(name: str) -> str:
    return VALUE if name == VALUE else ASSET_FIELDS[name].json


def _sort_link(query: RegisterQuery, name: str) -> SortLink:
    by = _sort_name(name)
    is_current = query.order.by == by
    order = query.order.reversed() if is_current else SortOrder(by)
    args: dict[str, Any] = dict(query.args_sorted_by(order))
    url = url_for("assets.assets", **args)
    return SortLink(f"by-{by}", url, query.order.direction if is_current else None)


def _orders(query: RegisterQuery) -> list[tuple[str, str, bool]]:
    """Return all orders as (value, label, is current); the default one has no value."""
    orders = [
        (_heading(name), SortOrder(_sort_name(name), descending))
        for name in _LIST_COLUMNS
        for descending in (False, True)
    ]
    return [
        (
            "" if order == DEFAULT_ORDER else str(order),
            f"Sort by {heading}, {order.direction}",
            order == query.order,
        )
        for heading, order in orders
    ]


def _choices(filters: AssetFilters) -> list[Choice]:
    in_use = queries.values_in_use()
    return [
        _choice("location", "Locations", in_use.locations, filters.location),
        _choice("category", "Categories", in_use.categories, filters.category),
        _choice("supplier", "Suppliers", in_use.suppliers, filters.supplier),
        _choice("status", "Statuses", in_use.statuses, filters.status),
    ]


def _choice(name: str, plural: str, in_use: Sequence[str], value: str) -> Choice:
    """Return a filter; a value that no asset has is an option too."""
    chosen = next((text for text in in_use if names.key(text) == names.key(value)), value)
    options = in_use if chosen in (*in_use, "", NO_VALUE) else [chosen, *in_use]
    return Choice(name, name.title(), f"All {plural}", f"No {name}", options, chosen)
