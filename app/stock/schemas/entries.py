"""A line of history as JSON holds it, under the seed's field names (seed §3)."""

from typing import Any

from marshmallow import fields

from app.api.calls import Reply
from app.stock.queries.history import HistoryRow
from app.stock.rules.history import DASH


class GpmEntryReply(Reply):
    """A line of GPM's history."""

    id = fields.Integer()
    date = fields.DateTime(metadata={"example": "2011-12-09T12:50:00Z"})
    event = fields.String(metadata={"enum": ["Delivery", "Withdrawal", "Other"]})
    team = fields.String(metadata={"description": "Empty where an imported one is not plausible"})
    item = fields.String()
    amount = fields.Integer(metadata={"description": "Signed where the event is Other"})
    site = fields.String()


class EntryReply(GpmEntryReply):
    """A line of GFM's history; prices are in pounds."""

    unitPrice = fields.Float()  # noqa: N815 (the seed's name)
    totalPrice = fields.Float()  # noqa: N815 (the seed's name)


def entry_json(row: HistoryRow, *, with_prices: bool) -> dict[str, Any]:
    """Return a line of history under the seed's names."""
    entry = {
        "id": row.id,
        "date": f"{row.at:%Y-%m-%dT%H:%M:%SZ}",
        "event": row.event.value,
        "team": row.team,
        "item": row.item,
        "amount": row.amount,
        "site": row.site or DASH,
    }
    if with_prices:
        entry |= {"unitPrice": row.unit_price / 100, "totalPrice": row.total_price / 100}
    return entry
