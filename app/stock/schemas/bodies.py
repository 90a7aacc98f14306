"""Stock as JSON holds it, under the seed's field names (seed §3, §7)."""

from typing import Any, ClassVar

from marshmallow import ValidationError, fields, post_load, validate

from app.api.calls import Body, Reply
from app.api.description import ErrorReply
from app.api.fields import Day, Flag, Pounds, Text, WholeNumber
from app.divisions import Site
from app.money import MAX_AMOUNT
from app.stock.rules import operations as rules
from app.stock.rules.bulk import Action, BulkLine
from app.stock.rules.operations import Change, ItemState
from app.stock.rules.patches import Op, OpType
from app.stock.schemas.files import ITEM_ALIASES

_MOST_LINES = 10_000


def _amount(**options: Any) -> WholeNumber:
    return WholeNumber(validate=validate.Range(0, MAX_AMOUNT), **options)


def _name(**options: Any) -> Text:
    return Text(limit=rules.LONGEST_NAME, what="Item name", **options)


class ItemBody(Body):
    """An item of the list; its name acts as id."""

    aliases: ClassVar = ITEM_ALIASES

    item = _name(required=True, metadata={"example": "HAND WARMER UNION JACK"})
    amount = _amount(required=True, metadata={"example": 79})
    category = Text(limit=rules.LONGEST_CATEGORY, what="Category", load_default="")
    unitPrice = Pounds(load_default=0, metadata={"example": 2.1})  # noqa: N815 (the seed's name)
    unit = Text(limit=rules.LONGEST_UNIT, what="Unit", load_default="")

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
    """What a set changes; what isn't named stays."""

    aliases: ClassVar = ITEM_ALIASES
    constraints: ClassVar = {"minProperties": 1, "example": {"unitPrice": 2.25}}

    item = _name(metadata={"minLength": 1})
    amount = _amount()
    category = Text(limit=rules.LONGEST_CATEGORY, what="Category")
    unitPrice = Pounds()  # noqa: N815 (the seed's name)
    unit = Text(limit=rules.LONGEST_UNIT, what="Unit")

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

    `expected` is the amount that the operation is based on; when it moved, the reply is 409.
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
            "description": "By how much; 0 in a stock check alone, for what was counted and right"
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
    """A team's name, or the team itself: an object that has the name (seed §3)."""

    def __init__(self) -> None:
        said = "Its name; in a body an object that has it as `name` or `id` is read too"
        described = {"description": said}
        super().__init__(limit=rules.LONGEST_TEAM, what="Team", load_default="", metadata=described)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(value, dict):
            value = value.get("name") or value.get("id")
        return super()._deserialize(value, *args, **kwargs)


class PatchBody(Body):
    """A set of operations that apply together or not at all."""

    aliases: ClassVar = {"date": "ts"}

    ops = fields.List(
        fields.Nested(OpBody), required=True, validate=validate.Length(1, _MOST_LINES)
    )
    reason = Text(limit=rules.LONGEST_REASON, what="Reason", load_default="")
    team = _Team()
    ts = Day(metadata={"description": "The day; today when missing", "example": "2011-12-09"})


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
    def _line(self, data: dict[str, Any], **_: Any) -> BulkLine:
        return BulkLine(data["name"], data["qty"])


class _LinesBody(Body):
    aliases: ClassVar = {"ts": "date"}

    lines = fields.List(
        fields.Nested(LineBody),
        required=True,
        validate=[
            validate.Length(min=1, error="Add at least one item."),
            validate.Length(max=_MOST_LINES),
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
    autoCreate = Flag(  # noqa: N815 (the seed's style)
        load_default=True,
        metadata={"description": "Let a delivery add items that aren't there, without a price"},
    )
    destination = fields.Enum(
        Site,
        by_value=True,
        allow_none=True,
        load_default=None,
        metadata={"description": "Of a transfer: the other site"},
    )


class TransferBody(_LinesBody):
    """Items that move from one site of GFM to another, in one operation."""

    source = fields.Enum(Site, by_value=True, required=True)
    destination = fields.Enum(Site, by_value=True, required=True)


class ItemReply(Reply):
    """An item of the list; its price is in pounds."""

    item = fields.String()
    amount = fields.Integer()
    category = fields.String()
    unitPrice = fields.Float()  # noqa: N815 (the seed's name)
    unit = fields.String()


class AmountReply(Reply):
    """An item's amount after a change."""

    item = fields.String()
    amount = fields.Integer()


class PatchReply(Reply):
    """The operation, which can be undone, and what its items have now."""

    operation = fields.Integer()
    items = fields.List(fields.Nested(AmountReply))


class MovedReply(Reply):
    """An item whose amount isn't the one that a change was based on; null where it is gone."""

    id = fields.String(metadata={"example": "HAND WARMER UNION JACK"})
    expected = fields.Integer(allow_none=True)
    amount = fields.Integer(allow_none=True)


class PatchConflictReply(ErrorReply):
    """Why no operation was applied; `moved` names the items whose amount has moved."""

    constraints: ClassVar = {
        "example": {
            "error": 'Stock changed meanwhile: "HAND WARMER UNION JACK" has 76 now, not 79.',
            "code": "stale_amounts",
            "moved": [{"id": "HAND WARMER UNION JACK", "expected": 79, "amount": 76}],
        }
    }

    moved = fields.List(fields.Nested(MovedReply))


class LineReply(Reply):
    """An item's amount before and after."""

    name = fields.String()
    before = fields.Integer()
    after = fields.Integer()


class BulkReply(Reply):
    """The operation, which can be undone, and what it did to each item."""

    operation = fields.Integer()
    lines = fields.List(fields.Nested(LineReply))


def item_json(item: Any) -> dict[str, Any]:
    """Return an item of the list under the seed's names."""
    return {
        "item": item.name,
        "amount": item.amount,
        "category": item.category,
        "unitPrice": item.unit_price / 100,
        "unit": item.unit,
    }
