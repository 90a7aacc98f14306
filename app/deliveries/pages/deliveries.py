"""The list of deliveries."""

from dataclasses import replace
from enum import StrEnum
from functools import partial
from typing import Any, TypeVar

from flask import render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.deliveries import queries, services
from app.deliveries.pages.blueprint import bp, for_gpm
from app.deliveries.queries import DeliveryFilters, DeliveryStatus, PendingOrder
from app.divisions import Division
from app.stock.queries import history as stock_history
from app.versions import version_of
from app.web import caching
from app.web.error_pages import failure_message
from app.web.htmx import is_htmx_for
from app.web.navigation import Screen
from app.web.paging import requested_page

SCREENS = [Screen(Division.GPM, "Deliveries", "deliveries.deliveries")]

Choice = TypeVar("Choice", bound=StrEnum)


@bp.get("")
@for_gpm
@failure_message("Failed to load deliveries")
def deliveries() -> ResponseReturnValue:
    """Show the deliveries of a status, 25 rows per page."""
    today = dates.today()
    args = request.args
    filters = DeliveryFilters(
        status=_choice(DeliveryStatus, args.get("status", ""), DeliveryStatus.PENDING),
        search=args.get("q", "").strip(),
        order=_choice(PendingOrder, args.get("sort", ""), PendingOrder.DUE),
    )
    # Whether a delivery's stock was undone is seen in the versions of the stock.
    is_delivered = filters.status is DeliveryStatus.DELIVERED
    stock = tuple(stock_history.list_versions(Division.GPM)) if is_delivered else ()
    not_modified = caching.not_modified(version_of(services.LIST), *stock, today)
    if not_modified is not None:
        return not_modified
    page = queries.delivery_page(filters, requested_page())
    context = {
        "filters": filters,
        "page": page,
        "undone": queries.undone_stock(page.rows),
        "usernames": queries.usernames_of_cancellations(page.rows),
        "address": partial(_list_address, filters),
        "sort_link": partial(_sort_link, filters),
        "days_late": lambda row: (today - row.due_on).days,
    }
    if is_htmx_for("list"):
        return render_template("deliveries/_list.html", is_fragment=True, **context)
    return render_template("deliveries/deliveries.html", **context)


def _choice(choices: type[Choice], text: str, default: Choice) -> Choice:
    """Return what a text of an address stands for, `default` for anything else."""
    text = text.strip().casefold()
    return choices(text) if text in list(choices) else default


def _sort_link(filters: DeliveryFilters, order: str) -> dict[str, str | None]:
    """Return the link of a heading that sorts the pending deliveries."""
    is_current = filters.order == order
    return {
        "id": f"by-{order}",
        "url": _list_address(filters, order=PendingOrder(order)),
        "direction": "ascending" if is_current else None,
    }


def _list_address(filters: DeliveryFilters, **changes: Any) -> str:
    """Return the address of the list with other filters; a page is given by its number."""
    number = changes.pop("page", 1)
    listed = replace(filters, **changes)
    is_pending = listed.status is DeliveryStatus.PENDING
    return url_for(
        "deliveries.deliveries",
        status=None if is_pending else listed.status,
        q=listed.search or None,
        sort=listed.order if is_pending and listed.order is not PendingOrder.DUE else None,
        page=number if number > 1 else None,
    )
