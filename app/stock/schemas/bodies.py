"""The JSON bodies and replies of stock."""

from typing import Any, ClassVar

from marshmallow import ValidationError, fields, post_load, validate

from app.api.fields import Day, Flag, Pounds, Text, WholeNumber
from app.api.openapi import ErrorReply
from app.api.schemas import Body, Reply
from app.divisions import Site
from app.money import MAX_AMOUNT
from app.stock.rules.items import (
    MAX_CATEGORY_LENGTH,
    MAX_NAME_LENGTH,
    MAX_REASON_LENGTH,
    MAX_TEAM_LENGTH,
    MAX_UNIT_LENGTH,
    ItemState,
)
from app.stock.rules.movements import Action, StockLine
from app.stock.rules.operations import Change
from app.stock.rules.patches import Op, OpType
from app.stock.schemas.files import ITEM_ALIASES

_MAX_LINES = 10_000


def _amount(**options: Any) -> WholeNumber:
    return WholeNumber(validate=validate.Range(0, MAX_AMOUNT), **options)


def _name(**options: Any) -> Text:
    return Text(limit=MAX_NAME_LENGTH, what="Item name", **options)


class ItemBody(Body):
    """An item of the list; its name acts as id."""

    aliases: ClassVar = ITEM_ALIASES

    item = _name(required=True, metadata={"example": "HAND WARMER UNION JACK"})
    amount = _amount(required=True, metadata={"example": 79})
    category = Text(limit=MAX_CATEGORY_LENGTH, what="Category", load_default="")
    unitPrice = Pounds(load_default=0, metadata={"example": 2.1})  # noqa: N815 (a JSON name)
    unit = Text(limit=MAX_UNIT_LENGTH, what="Unit", load_default="")

    @post_load
    def _state(self, data: dict[str, Any], **_: Any) -> ItemState:
        return ItemState(
            id=None,
            name=data["item"],
            amount=data["amount"],
            category=data["category"],
            unit_price=data["unitPrice"],
            unit=data["unit"],
        )


class ItemChange(Body):
    """The values that a set changes; the others stay."""

    aliases: ClassVar = ITEM_ALIASES
    constraints: ClassVar = {"minProperties": 1, "example": {"unitPrice": 2.25}}

    item = _name(metadata={"minLength": 1})
    amount = _amount()
    category = Text(limit=MAX_CATEGORY_LENGTH, what="Category")
    unitPrice = Pounds()  # noqa: N815 (a JSON name)
    unit = Text(limit=MAX_UNIT_LENGTH, what="Unit")

    @post_load
    def _change(self, data: dict[str, Any], **_: Any) -> Change:
        if data.get("item") == "":
            raise ValidationError("Item name is required", "item")
        if not data:
            raise ValidationError("Must change something.")
        return Change(
            0,
            name=data.get("item"),
            amount=data.get("amount"),
            category=data.get("category"),
            unit_price=data.get("unitPrice"),
            unit=data.get("unit") or None,
        )


class OpBody(Body):
    """One operation: inc and dec (id, delta), add (item), set (id, data), remove (id).

    `expected` is the amount that the operation is based on; if it has changed, the reply is 409.
    """

    aliases: ClassVar = {"name": "id"}
    constraints: ClassVar = {
        "example": {"type": "dec", "id": "HAND WARMER UNION JACK", "delta": 3, "expected": 79},
        "oneOf": [
            {"properties": {"type": {"enum": ["inc", "dec"]}}, "required": ["id", "delta"]},
            {"properties": {"type": {"enum": ["add"]}}, "required": ["item"]},
            {
                "properties": {
                    "type": {"enum": ["set"]},
                    "data": {"required": ["amount"]},
                    "expected": {"type": "integer"},
                },
                "required": ["id", "data", "expected"],
            },
            {
                "properties": {
                    "type": {"enum": ["set"]},
                    "data": {"not": {"required": ["amount"]}},
                },
                "required": ["id", "data"],
            },
            {"properties": {"type": {"enum": ["remove"]}}, "required": ["id"]},
        ],
    }

    type = fields.Enum(OpType, by_value=True, required=True)
    id = _name(
        metadata={
            "description": "The item's name",
            "example": "HAND WARMER UNION JACK",
            "minLength": 1,
        }
    )
    delta = _amount(
        metadata={
            "description": "The quantity; 0 only in a stock check, where the amount was right"
        }
    )
    expected = _amount(allow_none=True)
    item = fields.Nested(ItemBody)
    data = fields.Nested(ItemChange)

    @post_load
    def _op(self, data: dict[str, Any], **_: Any) -> Op:
        kind: OpType = data["type"]
        needed = {OpType.ADD: "item", OpType.SET: "data", OpType.REMOVE: "id"}.get(kind, "delta")
        for field in {needed, "item" if kind is OpType.ADD else "id"}:
            if field not in data or data[field] == "":
                raise ValidationError(f"An op of type {kind} needs {field}.", field)
        if data.get("expected") is None and "data" in data and data["data"].amount is not None:
            raise ValidationError("Must be the amount that this set is based on.", "expected")
        values = data["item"] if kind is OpType.ADD else data.get("data")
        return Op(
            type=kind,
            name=data["item"].name if kind is OpType.ADD else data["id"],
            delta=data.get("delta", 0),
            expected=data.get("expected"),
            values=values if kind in (OpType.ADD, OpType.SET) else None,
        )


class _Team(Text):
    """A team's name, or an object that has the name as `name` or `id`."""

    def __init__(self) -> None:
        metadata = {"description": "Its name, or in a body an object that has it as `name` or `id`"}
        super().__init__(limit=MAX_TEAM_LENGTH, what="Team", load_default="", metadata=metadata)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(value, dict):
            value = value.get("name") or value.get("id")
        return super()._deserialize(value, *args, **kwargs)


class PatchBody(Body):
    """A set of operations that apply together or not at all."""

    aliases: ClassVar = {"date": "ts"}

    ops = fields.List(fields.Nested(OpBody), required=True, validate=validate.Length(1, _MAX_LINES))
    reason = Text(limit=MAX_REASON_LENGTH, what="Reason", load_default="")
    team = _Team()
    ts = Day(metadata={"description": "The day; today when missing", "example": "2011-12-09"})


class ReasonQuery(PatchBody):
    """What the ledger records about a whole list: its reason, team and day."""

    class Meta(PatchBody.Meta):
        """Leave out the operations."""

        exclude = ("ops",)


class LineBody(Body):
    """A line of a bulk update."""

    aliases: ClassVar = {"item": "name", "id": "name", "amount": "qty"}

    name = _name(required=True)
    qty = WholeNumber(
        required=True,
        validate=[
            validate.Range(min=1, error="Quantity must be at least 1"),
            validate.Range(max=MAX_AMOUNT),
        ],
    )

    @post_load
    def _line(self, data: dict[str, Any], **_: Any) -> StockLine:
        return StockLine(data["name"], data["qty"])


class _LinesBody(Body):
    aliases: ClassVar = {"ts": "date"}

    lines = fields.List(
        fields.Nested(LineBody),
        required=True,
        validate=[
            validate.Length(min=1, error="Add at least one item."),
            validate.Length(max=_MAX_LINES),
        ],
    )
    date = Day(required=True, error_messages={"required": "Please pick a date."})


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

    action = fields.Enum(Action, by_value=True, required=True)
    team = _Team()
    autoCreate = Flag(  # noqa: N815 (a JSON name)
        load_default=True,
        metadata={"description": "Whether a delivery adds items that are missing, without a price"},
    )
    destination = fields.Enum(
        Site,
        by_value=True,
        allow_none=True,
        load_default=None,
        metadata={"description": "The other site, for a transfer"},
    )


class TransferBody(_LinesBody):
    """A transfer of items from one site of GFM to another, in one operation."""

    source = fields.Enum(Site, by_value=True, required=True)
    destination = fields.Enum(Site, by_value=True, required=True)


class ItemReply(Reply):
    """An item of the list; its price is in pounds."""

    item = fields.String()
    amount = fields.Integer()
    category = fields.String()
    unitPrice = fields.Float()  # noqa: N815 (a JSON name)
    unit = fields.String()


class AmountReply(Reply):
    """An item's amount after a change."""

    item = fields.String()
    amount = fields.Integer()


class PatchReply(Reply):
    """The operation, which can be undone, and the new amounts of its items."""

    operation = fields.Integer()
    items = fields.List(fields.Nested(AmountReply))


class StaleAmountReply(Reply):
    """An item whose amount isn't the expected one; `amount` is null if it isn't in stock."""

    id = fields.String(metadata={"example": "HAND WARMER UNION JACK"})
    expected = fields.Integer(allow_none=True)
    amount = fields.Integer(allow_none=True)


class PatchConflictReply(ErrorReply):
    """Why no operation was applied; `moved` lists the items whose amount has changed."""

    constraints: ClassVar = {
        "example": {
            "error": 'Stock changed meanwhile: "HAND WARMER UNION JACK" has 76 now, not 79.',
            "code": "stale_amounts",
            "moved": [{"id": "HAND WARMER UNION JACK", "expected": 79, "amount": 76}],
        }
    }

    moved = fields.List(fields.Nested(StaleAmountReply))


class LineReply(Reply):
    """An item's amount before and after."""

    name = fields.String()
    before = fields.Integer()
    after = fields.Integer()


class BulkReply(Reply):
    """The operation, which can be undone, and the amounts of its items before and after."""

    operation = fields.Integer()
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
