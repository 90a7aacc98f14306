"""A line of history as JSON."""

from typing import Any

from marshmallow import fields

from app.api.schemas import Reply
from app.stock.queries.history_export import HistoryLine
from app.stock.rules import history as rules


class GpmEntryReply(Reply):
    """A line of GPM's history."""

    id = fields.Integer(metadata={"example": 12})
    date = fields.DateTime(metadata={"example": "2011-12-09T12:50:00Z"})
    event = fields.String(
        metadata={"enum": ["Delivery", "Withdrawal", "Other"], "example": "Withdrawal"}
    )
    team = fields.String(
        metadata={
            "description": "Empty if an imported text doesn't name a team",
            "example": "Kitchen",
        }
    )
    item = fields.String(metadata={"example": "HAND WARMER UNION JACK"})
    amount = fields.Integer(metadata={"description": "Signed if the event is Other", "example": 79})
    site = fields.String(metadata={"example": "main"})


class EntryReply(GpmEntryReply):
    """A line of GFM's history; prices are in pounds."""

    unitPrice = fields.Float(metadata={"example": 2.1})  # noqa: N815 (a JSON name)
    totalPrice = fields.Float(metadata={"example": 6.3})  # noqa: N815 (a JSON name)


def entry_json(line: HistoryLine, *, with_prices: bool) -> dict[str, Any]:
    """Return a line of history as JSON; prices are in pounds."""
    id_, at, kind, _, team, item, amount, unit_price, total_price, site, is_imported = line
    entry = {
        "id": id_,
        "date": f"{at.isoformat(timespec='seconds')}Z",
        "event": rules.EVENT_BY_KIND[kind],
        "team": rules.display_team(team, is_imported=is_imported),
        "item": item,
        "amount": amount,
        "site": site or rules.DASH,
    }
    if with_prices:
        entry |= {"unitPrice": unit_price / 100, "totalPrice": total_price / 100}
    return entry
