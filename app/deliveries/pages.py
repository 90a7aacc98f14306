"""The pages of deliveries: their list, and their acts."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.accounts import queries as accounts
from app.deliveries import queries, services
from app.deliveries.acts import ACTS, for_gpm, offers
from app.deliveries.rules import DeliveryStatus, store_of
from app.deliveries.schemas import status_list
from app.divisions import Division
from app.records.acts import serve
from app.records.lists import find_page
from app.stock.queries import history as stock_history
from app.versions import version_of
from app.web import caching, rendered
from app.web.error_pages import failure_message
from app.web.navigation import Screen
from app.web.remembered import remembers_filters

bp = Blueprint("deliveries", __name__, url_prefix="/gpm/deliveries")
BLUEPRINTS = (bp,)
SCREENS = [Screen(Division.GPM, "Deliveries", "deliveries.deliveries")]

ITEM_PANELS = {
    services.LIST: lambda store, item: queries.on_order(store.division, [item.id]).get(item.id, ())
}
"""What an item's page shows of its deliveries, under the name of their list."""

serve(bp, *ACTS)


@bp.get("/new/items")
@for_gpm
@failure_message("Failed to load inventory")
def order_offers() -> str:
    """Offer the items that match the typed words, and show the item's stock."""
    return render_template("deliveries/_offers.html", **offers(request.args.get("item", "")))


@bp.get("")
@for_gpm
@failure_message("Failed to load deliveries")
@remembers_filters("q")
def deliveries() -> ResponseReturnValue:
    """Show the deliveries of a status, 25 rows per page."""
    today = dates.today()
    sent = request.args.get("status", "").strip().casefold()
    status = DeliveryStatus(sent) if sent in list(DeliveryStatus) else DeliveryStatus.PENDING
    # Undo in the history of stock changes what a delivered row links to.
    is_delivered = status is DeliveryStatus.DELIVERED
    stock = tuple(stock_history.list_versions(Division.GPM)) if is_delivered else ()
    version = version_of(services.LIST)
    not_modified = caching.not_modified(version, *stock, today)
    if not_modified is not None:
        return not_modified
    record = status_list(status)
    query = record.parse(request.args)

    def load() -> Mapping[str, Any]:
        totals = queries.status_totals(record.where(replace(query, scope=())))
        address = partial(_address, status=status)
        found = find_page(record, query, version, address, totals[status])
        rows = found["page"].rows
        return {
            **found,
            "status": status,
            "values": query.filters,
            "totals": totals,
            "stock_links": queries.stock_links(rows),
            "store_of": store_of,
            "usernames": accounts.usernames(row.cancelled_by for row in rows),
            "address": lambda **changes: address(**{**query.filters, **changes}),
            "days_late": lambda row: (today - row.due_on).days,
        }

    # A delivered row has a form to undo it, with the person's token.
    is_kept = not (is_delivered or query.problems)
    return rendered.page("deliveries/deliveries.html", load, is_kept=is_kept)


def _address(**arguments: Any) -> str:
    """Return the address of the list; pending deliveries are listed without a status."""
    is_pending = arguments.get("status") == DeliveryStatus.PENDING
    values = {**arguments, "status": ""} if is_pending else arguments
    return url_for("deliveries.deliveries", **{n: v for n, v in values.items() if v})
