"""The JSON bodies of stock."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from marshmallow import ValidationError, fields, post_load, validate

from app.api.field_rules import NotEmpty, RequiredByKind
from app.api.fields import Day, Flag, Pounds, Text, WholeNumber
from app.api.messages import FullMessage
from app.api.schemas import Body
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
    category = Text(
        limit=MAX_CATEGORY_LENGTH,
        what="Category",
        load_default="",
        metadata={"example": "Seasonal"},
    )
    unitPrice = Pounds(load_default=0, metadata={"example": 2.1})  # noqa: N815 (a JSON name)
    unit = Text(limit=MAX_UNIT_LENGTH, what="Unit", load_default="", metadata={"example": "pcs"})

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
    field_rules: ClassVar = [NotEmpty("Must change something.")]
    example: ClassVar = {"unitPrice": 2.25}

    item = _name(
        validate=validate.Length(min=1, error=FullMessage("Item name is required")),
        metadata={"example": "HAND WARMER UNION JACK"},
    )
    amount = _amount(metadata={"example": 79})
    category = Text(limit=MAX_CATEGORY_LENGTH, what="Category", metadata={"example": "Seasonal"})
    unitPrice = Pounds(metadata={"example": 2.1})  # noqa: N815 (a JSON name)
    unit = Text(limit=MAX_UNIT_LENGTH, what="Unit", metadata={"example": "pcs"})

    @post_load
    def _change(self, data: dict[str, Any], **_: Any) -> Change:
        return Change(
            0,
            name=data.get("item"),
            amount=data.get("amount"),
            category=data.get("category"),
            unit_price=data.get("unitPrice"),
            unit=data.get("unit") or None,
        )


@dataclass(frozen=True)
class _OpFields(RequiredByKind):
    """The fields that each type needs; a set of an amount also needs the expected amount."""

    def json_schema(self) -> dict[str, Any]:
        """Return the rule as JSON Schema."""
        others = {kind: names for kind, names in self.required.items() if kind != OpType.SET}
        set_fields = self.required[OpType.SET]
        sets_amount = {"required": ["amount"]}
        expected = {"data": sets_amount, "expected": {"type": "integer"}}
        return {
            "oneOf": [
                *RequiredByKind(self.kind, others, self.message).json_schema()["oneOf"],
                self.case([OpType.SET], (*set_fields, "expected"), expected),
                self.case([OpType.SET], set_fields, {"data": {"not": sets_amount}}),
            ]
        }

    def check(self, values: Mapping[str, Any]) -> None:
        """Check that the fields are there."""
        super().check(values)
        change = values.get("data")
        if values.get("expected") is None and change is not None and change.amount is not None:
            raise ValidationError("Must be the amount that this set is based on.", "expected")


class OpBody(Body):
    """One operation: inc and dec (id, delta), add (item), set (id, data), remove (id).

    `expected` is the amount that the operation is based on; if it has changed, the reply is 409.
    """

    aliases: ClassVar = {"name": "id"}
    field_rules: ClassVar = [
        _OpFields(
            "type",
            {
                OpType.INC: ("id", "delta"),
                OpType.DEC: ("id", "delta"),
                OpType.ADD: ("item",),
                OpType.SET: ("id", "data"),
                OpType.REMOVE: ("id",),
            },
            "An op of type {kind} needs {field}.",
        )
    ]
    example: ClassVar = {
        "type": "dec",
        "id": "HAND WARMER UNION JACK",
        "delta": 3,
        "expected": 79,
    }

    type = fields.Enum(OpType, by_value=True, required=True, metadata={"example": "inc"})
    id = _name(
        metadata={
            "description": "The item's name",
            "example": "HAND WARMER UNION JACK",
            "minLength": 1,
        }
    )
    delta = _amount(
        metadata={
            "description": "The quantity; 0 only in a stock check, where the amount was right",
            "example": 3,
        }
    )
    expected = _amount(allow_none=True, metadata={"example": 79})
    item = fields.Nested(ItemBody)
    data = fields.Nested(ItemChange)

    @post_load
    def _op(self, data: dict[str, Any], **_: Any) -> Op:
        kind: OpType = data["type"]
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
        metadata = {
            "description": "Its name, or in a body an object that has it as `name` or `id`",
            "example": "Kitchen",
        }
        super().__init__(limit=MAX_TEAM_LENGTH, what="Team", load_default="", metadata=metadata)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(value, dict):
            value = value.get("name") or value.get("id")
        return super()._deserialize(value, *args, **kwargs)


class PatchBody(Body):
    """A set of operations that apply together or not at all."""

    aliases: ClassVar = {"date": "ts"}

    ops = fields.List(fields.Nested(OpBody), required=True, validate=validate.Length(1, _MAX_LINES))
    reason = Text(
        limit=MAX_REASON_LENGTH,
        what="Reason",
        load_default="",
        metadata={"example": "Damaged in store"},
    )
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

    name = _name(required=True, metadata={"example": "HAND WARMER UNION JACK"})
    qty = WholeNumber(
        required=True,
        validate=[
            validate.Range(min=1, error=FullMessage("Quantity must be at least 1")),
            validate.Range(max=MAX_AMOUNT),
        ],
        metadata={"example": 3},
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
            validate.Length(min=1, error=FullMessage("Add at least one item.")),
            validate.Length(max=_MAX_LINES),
        ],
    )
    date = Day(
        required=True,
        error_messages={"required": FullMessage("Please pick a date.")},
        metadata={"example": "2026-01-15"},
    )


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
    team = _Team()
    autoCreate = Flag(  # noqa: N815 (a JSON name)
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
