"""The props of the widgets of stock, as their pages hand them over."""

from typing import Any

from marshmallow import fields, validate

from app.api import replies
from app.api.replies import Reply
from app.api.schemas import OfflineReference, WidgetProps
from app.divisions import SITES, Site, Store

_ONE_SITE = validate.OneOf([site.value for site in Site])


class _StockProps(Reply):
    """Who works on which store, and on which day."""

    user = replies.number()
    division = replies.choice(SITES)
    site = fields.String(validate=_ONE_SITE)
    today = fields.Date(metadata={"description": "The day in London"})
    back = replies.text(description="The page to return to")


class _TeamProps(_StockProps):
    teams = replies.texts()
    delivery_teams = replies.texts(description="The user's last teams, of deliveries first")
    withdrawal_teams = replies.texts(description="The user's last teams, of withdrawals first")


class StockCountProps(_StockProps, WidgetProps):
    """The props of the stock check."""

    site_label = replies.text()
    today_text = replies.text()
    sheet = replies.text(description="The URL of the sheet to print")
    sheet_csv = replies.text(description="The URL of the sheet to fill in")


class SiteChoice(Reply):
    """A site that can be chosen."""

    value = fields.String(validate=_ONE_SITE)
    label = replies.text()


class StockReference(_TeamProps, OfflineReference, WidgetProps):
    """What the stock list and the dialogs of its items show without a connection."""

    division_label = replies.text()
    site_label = replies.text()
    destinations = replies.rows(
        SiteChoice, description="The other sites, to which stock is transferred"
    )
    rows = fields.List(
        fields.Tuple((fields.Integer(), fields.String()) * 3),
        metadata={"description": "Id, name, amount, category, unit price in pence, unit; by name"},
    )
    count = fields.Nested(
        StockCountProps,
        allow_none=True,
        metadata={"description": "The props of the stock check, null while it is switched off"},
    )


class BulkUpdateProps(_TeamProps, WidgetProps):
    """The props of the bulk update."""

    sites = replies.rows(SiteChoice)
    result_url = replies.text(
        description="The URL of an operation's result, with {id} for its number"
    )


def site_choices(store: Store) -> list[dict[str, Any]]:
    """Return the sites of a store's division as choices."""
    return [{"value": site, "label": site.label} for site in SITES[store.division]]
