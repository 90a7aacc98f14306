"""Bulk updates and transfers as JSON."""

from dataclasses import replace
from typing import Any, ClassVar

from marshmallow import fields, post_load, validate

from app.api.fields import JsonFlag, json_field, reply_field
from app.api.messages import FullMessage
from app.api.schemas import REQUEST_ID, Body, ErrorReply, Reply
from app.divisions import Site
from app.stock.rules.item_fields import AMOUNT, DATE, NAME, QUANTITY
from app.stock.rules.movements import Action, StockLine
from app.stock.schemas.fields import MAX_LINES, TeamField


class LineBody(Body):
    """A line of a bulk update."""

    aliases: ClassVar = {"item": "name", "id": "name", "amount": "qty"}

    name = json_field(NAME)
    qty = json_field(QUANTITY)

    @post_load
    def _line(self, data: dict[str, Any], **_: Any) -> StockLine:
        return StockLine(data["name"], data["qty"])


class _LinesBody(Body):
    aliases: ClassVar = {"ts": "date"}

    lines = fields.List(
        fields.Nested(LineBody),
        required=True,
        validate=[
            validate.Length(min=1, error=FullMessage("Add at least one item.")),
            validate.Length(max=MAX_LINES),
        ],
    )
    date = json_field(DATE)


class BulkBody(_LinesBody):
    """A bulk update: all lines apply, or none."""

    constraints: ClassVar = {
        "anyOf": [
            {"properties": {"action": {"enum": [Action.DELIVERY.value, Action.WITHDRAWAL.value]}}},
            {
                "properties": {
                    "action": {"enum": [Action.TRANSFER.value]},
                    "destination": {"type": "string"},
                },
                "required": ["destination"],
            },
        ]
    }

    action = fields.Enum(Action, by_value=True, required=True, metadata={"example": "withdrawal"})
    team = TeamField()
    autoCreate = JsonFlag(  # noqa: N815 (a JSON name)
        load_default=True,
        metadata={
            "description": "Whether a delivery adds items that are missing, without a price",
            "example": True,
        },
    )
    destination = fields.Enum(
        Site,
        by_value=True,
        allow_none=True,
        load_default=None,
        metadata={"description": "The other site, for a transfer", "example": "guildford"},
    )


class TransferBody(_LinesBody):
    """A transfer of items from one site of GFM to another, in one operation."""

    source = fields.Enum(Site, by_value=True, required=True, metadata={"example": "main"})
    destination = fields.Enum(Site, by_value=True, required=True, metadata={"example": "guildford"})


class NotEnoughReply(ErrorReply):
    """Why nothing was moved; `available` is what there is of a single item that has too little."""

    example: ClassVar = {
        "error": 'Not enough stock: "HAND WARMER UNION JACK" has 2',
        "code": "not_enough_stock",
        "requestId": REQUEST_ID,
        "fields": {"lines.0.name": 'Not enough stock: "HAND WARMER UNION JACK" has 2'},
        "available": 2,
    }

    available = reply_field(replace(AMOUNT, example=2))


class LineReply(Reply):
    """An item's amount before and after."""

    name = reply_field(NAME)
    before = reply_field(AMOUNT)
    after = reply_field(replace(AMOUNT, example=76))


class BulkReply(Reply):
    """The operation, which can be undone, and the amounts of its items before and after."""

    operation = fields.Integer(metadata={"example": 1042})
    lines = fields.List(fields.Nested(LineReply))
