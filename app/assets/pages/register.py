"""The register, 25 assets at a time, and its export."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import Response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates, names
from app.assets.pages.addresses import bp, for_owner
from app.assets.pages.asked import USUAL, Asked
from app.assets.queries import register as queries
from app.assets.rules.assets import DASH, MOST_MOVED, tone
from app.assets.rules.sorting import Column, Order
from app.assets.schemas.files import ASSET_COLUMNS, asset_rows
from app.divisions import Division
from app.versions import version_of
from app.web import caching
from app.web.downloads import csv_download
from app.web.error_pages import failure_message
from app.web.htmx import is_htmx_for
from app.web.navigation import Screen
from app.web.paging import requested_page

SCREENS = [Screen(Division.ASSETS, "Assets", "assets.assets")]

_COLUMNS = {
    Column.ITEM: ("Item", ""),
    Column.ID: ("ID", ""),
    Column.LOCATION: ("Location", ""),
    Column.STATUS: ("Status", ""),
    Column.CATEGORY: ("Category", ""),
    Column.QUANTITY: ("Quantity", "num"),
    Column.PURCHASE_PRICE: ("Purchase Price", "num"),
    Column.VALUE: ("Value", "num"),
    Column.MAKE: ("Make", ""),
    Column.MODEL: ("Model", ""),
    Column.SERIAL: ("Serial", ""),
    Column.SUPPLIER: ("Supplier", ""),
    Column.PURCHASE_DATE: ("Purchase Date", ""),
}
"""The columns of the register as they are headed, and how their cells stand.

What one looks for first comes first: not all of them fit into a window.
"""

_LIMITS = (Column.ITEM, Column.MAKE, Column.MODEL)
"""What the group view's links limit the register to beside what the filters offer."""


@dataclass(frozen=True)
class SortLink:
    """A column's heading: where it leads, and how the list is sorted by it now."""

    id: str
    url: str
    said: str | None


@dataclass(frozen=True)
class Choice:
    """A filter with what is in use; `chosen` is written as it is offered."""

    name: str
    label: str
    every: str
    none: str
    offered: Sequence[str]
    chosen: str


@bp.get("/assets")
@for_owner
@failure_message("Failed to load assets")
def assets() -> ResponseReturnValue:
    """Show the register, 25 assets at a time."""
    same = caching.not_modified(version_of(queries.LIST))
    if same is not None:
        return same
    asked = Asked.said(request.args)
    context = {
        "asked": asked,
        "page": queries.asset_page(asked.shown, asked.order, requested_page()),
        "columns": [(*_COLUMNS[column], _sort_link(asked, column)) for column in _COLUMNS],
        "limits": [
            (column.value, _COLUMNS[column][0], text)
            for column in _LIMITS
            if (text := getattr(asked.shown, column))
        ],
        "tone": tone,
    }
    if is_htmx_for("list"):
        return render_template("assets/_list.html", is_fragment=True, **context)
    return render_template(
        "assets/assets.html",
        choices=_choices(asked),
        orders=_orders(asked),
        most=MOST_MOVED,
        **context,
    )


@bp.get("/assets/export")
@for_owner
@failure_message("Failed to load assets")
def export() -> Response:
    """Send all assets that the filters show as CSV, in their order, while they are read."""
    asked = Asked.said(request.args)
    rows = asset_rows(queries.asset_rows(asked.shown, asked.order))
    return csv_download(f"assets_{dates.today()}.csv", ASSET_COLUMNS, rows)


def _sort_link(asked: Asked, column: Column) -> SortLink:
    is_current = asked.order.by is column
    order = asked.order.turned() if is_current else Order(column)
    said = "descending" if asked.order.descending else "ascending"
    query: dict[str, Any] = dict(asked.sorted_by(order))
    url = url_for("assets.assets", **query)
    return SortLink(f"by-{column}", url, said if is_current else None)


def _orders(asked: Asked) -> list[tuple[str, str, bool]]:
    """Return every order as (value, label, is current); the usual one needs no value."""
    orders = [Order(column, descending) for column in _COLUMNS for descending in (False, True)]
    return [
        (
            "" if order == USUAL else str(order),
            f"Sort by {_COLUMNS[order.by][0]}, {'descending' if order.descending else 'ascending'}",
            order == asked.order,
        )
        for order in orders
    ]


def _choices(asked: Asked) -> list[Choice]:
    shown, offers = asked.shown, queries.in_use()
    return [
        _choice("location", "Locations", offers.locations, shown.location),
        _choice("category", "Categories", offers.categories, shown.category),
        _choice("supplier", "Suppliers", offers.suppliers, shown.supplier),
        _choice("status", "Statuses", offers.statuses, shown.status),
    ]


def _choice(name: str, many: str, offered: Sequence[str], told: str) -> Choice:
    """Return a filter; one that is limited to what nothing has offers that too."""
    chosen = next((text for text in offered if names.key(text) == names.key(told)), told)
    listed = offered if chosen in (*offered, "", DASH) else [chosen, *offered]
    return Choice(name, name.title(), f"All {many}", f"No {name}", listed, chosen)
