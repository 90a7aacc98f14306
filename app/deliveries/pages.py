"""The pages of deliveries: their list, and their acts."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from flask import Blueprint, Response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.accounts import queries as accounts
from app.deliveries import queries
from app.deliveries.acts import ACTS, offers
from app.deliveries.forms import store_for
from app.deliveries.rules import DeliveryStatus, list_of
from app.deliveries.schemas import DELIVERY_LIST, status_list
from app.divisions import SITES, Division
from app.records.acts import METHODS, view_of
from app.records.lists import exports, find_page, keeps_filters, query_file
from app.sorting import SORT
from app.stock.queries import history as stock_history
from app.versions import version_of
from app.web import access, caching, rendered
from app.web.error_pages import failure_message
from app.web.navigation import shared_screens

bp = Blueprint("deliveries", __name__)
BLUEPRINTS = (bp,)
SCREENS = shared_screens(SITES, "Deliveries", "deliveries.deliveries", in_path=True, key="e")
PREFIXES = {division: f"/{division}/deliveries" for division in SITES}


@bp.url_value_preprocessor
def _read_division(_: str | None, values: dict[str, Any] | None) -> None:
    if values:
        values["division"] = Division(values["division"])


@bp.url_defaults
def _name_division(_: str, values: dict[str, Any]) -> None:
    here = (request.view_args or {}).get("division")
    values.setdefault("division", here or Division.GPM.value)


ITEM_PANELS = {
    "deliveries": (
        list_of,
        lambda store, item: queries.on_order(store.division, [item.id]).get(item.id, ()),
    )
}
"""What an item's page shows of its deliveries, with the name of their list by division."""


@access.division_in_path
@failure_message("Failed to load inventory")
def order_offers(**_: Any) -> str:
    """Offer the items that match the typed words, and show the item's stock."""
    store = store_for(request.args.get("office"))
    return render_template("deliveries/_offers.html", **offers(store, request.args.get("item", "")))


def _status(values: Mapping[str, str]) -> DeliveryStatus:
    sent = values.get("status", "").strip().casefold()
    return DeliveryStatus(sent) if sent in list(DeliveryStatus) else DeliveryStatus.PENDING


@access.division_in_path
@failure_message("Failed to load deliveries")
@keeps_filters(
    DELIVERY_LIST,
    lambda values, division: status_list(Division(division), _status(values)),
    remembered=("q", SORT),
    implied={"status": DeliveryStatus.PENDING},
)
def deliveries(division: Division) -> ResponseReturnValue:
    """Show the deliveries of a status, 25 rows per page."""
    today = dates.today()
    status = _status(request.args)
    # Undo in the history of stock changes what a delivered row links to.
    is_delivered = status is DeliveryStatus.DELIVERED
    stock = tuple(stock_history.list_versions(division)) if is_delivered else ()
    version = version_of(list_of(division))
    if unchanged := caching.not_modified(version, *stock, today):
        return unchanged
    record = status_list(division, status)
    query = record.parse(request.args)

    def load() -> Mapping[str, Any]:
        totals = queries.status_totals(division, record.where(replace(query, scope=())))
        # Pending deliveries are listed without a status.
        listed = None if status is DeliveryStatus.PENDING else status
        filters: dict[str, Any] = {"status": listed, **query.filters}
        address = partial(url_for, "deliveries.deliveries", **filters)
        found = find_page(record, query, version, address, totals[status])
        rows = found["page"].rows
        return {
            **found,
            "file_address": partial(url_for, "deliveries.deliveries_csv", status=status),
            "status": status,
            "values": query.filters,
            "totals": totals,
            "stock_links": queries.stock_links(rows),
            "division": division,
            "usernames": accounts.usernames(row.cancelled_by for row in rows),
            "days_late": lambda row: (today - row.due_on).days,
        }

    # A delivered row has a form to undo it, with the person's token.
    return rendered.page("deliveries/deliveries.html", load, is_kept=not is_delivered)


@access.division_in_path
@exports("{division} deliveries", "Failed to load deliveries")
def deliveries_csv(division: Division) -> Response:
    """Send the deliveries of a status that match as a file."""
    return query_file(status_list(division, _status(request.args)))


for act in ACTS:
    access.add_by_division(bp, PREFIXES, act.path, view_of(act), methods=METHODS)
access.add_by_division(bp, PREFIXES, "/new/items", order_offers)
access.add_by_division(bp, PREFIXES, "", deliveries)
access.add_by_division(bp, PREFIXES, ".csv", deliveries_csv)
