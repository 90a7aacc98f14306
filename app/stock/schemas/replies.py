"""The JSON replies of stock."""

from typing import Any, ClassVar

from marshmallow import fields

from app.api.schemas import ErrorReply, Reply


class ItemReply(Reply):
    """An item of the list; its price is in pounds."""

    item = fields.String(metadata={"example": "HAND WARMER UNION JACK"})
    amount = fields.Integer(metadata={"example": 79})
    category = fields.String(metadata={"example": "Seasonal"})
    unitPrice = fields.Float(metadata={"example": 2.1})  # noqa: N815 (a JSON name)
    unit = fields.String(metadata={"example": "pcs"})


class AmountReply(Reply):
    """An item's amount after a change."""

    item = fields.String(metadata={"example": "HAND WARMER UNION JACK"})
    amount = fields.Integer(metadata={"example": 79})


class PatchReply(Reply):
    """The operation, which can be undone, and the new amounts of its items."""

    operation = fields.Integer(metadata={"example": 1042})
    items = fields.List(fields.Nested(AmountReply))


class StaleAmountReply(Reply):
    """An item whose amount isn't the expected one; `amount` is null if it isn't in stock."""

    id = fields.String(metadata={"example": "HAND WARMER UNION JACK"})
    expected = fields.Integer(allow_none=True, metadata={"example": 79})
    amount = fields.Integer(allow_none=True, metadata={"example": 79})


class PatchConflictReply(ErrorReply):
    """Why no operation was applied; `moved` lists the items whose amount has changed."""

    example: ClassVar = {
        "error": 'Stock changed meanwhile: "HAND WARMER UNION JACK" has 76 now, not 79.',
        "code": "stale_amounts",
        "moved": [{"id": "HAND WARMER UNION JACK", "expected": 79, "amount": 76}],
    }

    moved = fields.List(fields.Nested(StaleAmountReply))


class LineReply(Reply):
    """An item's amount before and after."""

    name = fields.String(metadata={"example": "HAND WARMER UNION JACK"})
    before = fields.Integer(metadata={"example": 79})
    after = fields.Integer(metadata={"example": 76})


class BulkReply(Reply):
    """The operation, which can be undone, and the amounts of its items before and after."""

    operation = fields.Integer(metadata={"example": 1042})
    lines = fields.List(fields.Nested(LineReply))


def item_json(item: Any) -> dict[str, Any]:
    """Return an item of the list as JSON; its price is in pounds."""
    return {
        "item": item.name,
        "amount": item.amount,
        "category": item.category,
        "unitPrice": item.unit_price / 100,
        "unit": item.unit,
    }
