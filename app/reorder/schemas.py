"""The reorder list as JSON and as a file."""

from marshmallow import fields, validate

from app.api import replies
from app.api.fields import json_field
from app.api.schemas import Body, body_of
from app.divisions import Site
from app.fields import Choice
from app.records.record import Column, columns_at
from app.reorder.rules import Proposal
from app.reorder.services import OrderLine
from app.stock.rules.items import UNIT_PRICE

MAX_LINES = 500
"""How many lines are ordered at once."""

REORDER_FILE: list[Column[Proposal]] = [
    Column("item", lambda row: row.position.name),
    Column("from", lambda row: row.from_site),
    *columns_at("supplier", "quantity"),
    Column("here", lambda row: row.position.amount),
    *columns_at("position.on_order", "position.minimum", "position.days_left"),
    Column("cost", lambda row: row.cost, field=UNIT_PRICE),
    Column("why", lambda row: row.why),
]


@body_of(OrderLine)
class ReorderLineBody(Body):
    """A quantity of an item, and the amounts that it is based on."""


class ReorderLineReply(replies.Reply):
    """A line of the reorder list: what to take of an item, from where and why."""

    item = replies.text("GLASS CLOCHE", "position.name")
    from_site = replies.choice(Site, "northern", data_key="from", null=True)
    supplier = replies.text("")
    quantity = replies.number(6)
    why = replies.text("Below 12: 6 here. Northern has 14 more than it needs.")
    here = replies.number(6, "position.amount")
    on_order = replies.number(0, "position.on_order")
    available = replies.number(20)
    minimum = replies.number(12, "position.minimum")
    days_left = replies.number(9, "position.days_left", null=True)
    cost = replies.pounds(0, description="What the supplier gets, by the item's price")


class MadeReply(replies.Reply):
    """The numbers of the orders, and the operations of the transfers."""

    orders = replies.texts(["O-0031"])
    transfers = replies.field(fields.List, [912], inner=[fields.Integer()])


class ReorderQuery(Body):
    """The site of a reorder list."""

    site = json_field(
        Choice(name="site", label="Site", kind=Site, default=Site.MAIN, example="main")
    )


class ReorderBody(ReorderQuery):
    """Lines of a site's reorder list with their quantities; 0 leaves a line out, but not all."""

    lines = fields.List(
        fields.Nested(ReorderLineBody), required=True, validate=validate.Length(1, MAX_LINES)
    )
