"""JSON of movements and patches."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from marshmallow import ValidationError, fields, missing, post_load, validate

from app.api import replies
from app.api.fields import FullMessage, JsonFlag, json_field
from app.api.replies import Reply
from app.api.schemas import Body, ErrorReply, RequiredByKind, refusal
from app.divisions import Site
from app.errors import ErrorCode
from app.stock.rules.items import AMOUNT, DATE, NAME, QUANTITY, REASON
from app.stock.rules.movements import Action, StockLine
from app.stock.rules.patches import Op, OpType
from app.stock.schemas.items import MAX_LINES, AmountReply, ItemBody, ItemChange, TeamField


class LineBody(Body):
    """A line of a bulk update."""

    aliases: ClassVar = {"item": "name", "id": "name", "amount": "qty"}
    state_type: ClassVar = StockLine

    item = json_field(NAME, data_key="name")
    quantity = json_field(QUANTITY, data_key="qty")


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
    new_team = JsonFlag(
        load_default=True,
        metadata={
            "description": "Whether the team may be new: false refuses one that isn't in use but "
            "resembles some that are, with their names in `resembles`",
            "example": True,
        },
    )
    auto_create = JsonFlag(
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


class NewTeamReply(ErrorReply):
    """Why the body was refused; `resembles` are the teams in use that a new one resembles."""

    example: ClassVar = refusal(
        'New team "Kitch"? Or Kitchen', ErrorCode.INVALID, field="team", resembles=["Kitchen"]
    )

    resembles = fields.List(fields.String(), metadata={"example": ["Kitchen"]})


class NotEnoughReply(ErrorReply):
    """Why nothing was moved; `available` is what there is of a single item that has too little."""

    example: ClassVar = refusal(
        'Not enough stock: "HAND WARMER UNION JACK" has 2',
        ErrorCode.NOT_ENOUGH_STOCK,
        field="lines.0.name",
        available=2,
    )

    available = replies.of(replace(AMOUNT, example=2))


class LineReply(Reply):
    """An item's amount before and after."""

    name = replies.of(NAME)
    before = replies.of(AMOUNT)
    after = replies.of(replace(AMOUNT, example=76))


class BulkReply(Reply):
    """The operation, which can be undone, and the amounts of its items before and after."""

    operation = replies.number(1042)
    lines = replies.rows(LineReply, "items")


_ID = replace(NAME, required=None, description="The item's name")
_DELTA = replace(
    QUANTITY,
    minimum=0,
    required=None,
    description="The quantity; 0 only in a stock check, where the amount was right",
)
_EXPECTED = replace(AMOUNT, what="Expected amount", required=None)
_TS = replace(DATE, required=None, description="The day; today when missing", example="2011-12-09")


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
        """Check the fields, and that a new amount comes with the expected one."""
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
    example: ClassVar = {"type": "dec", "id": "HAND WARMER UNION JACK", "delta": 3, "expected": 79}

    type = fields.Enum(OpType, by_value=True, required=True, metadata={"example": "inc"})
    id = json_field(_ID, load_default=missing, metadata={"minLength": 1})
    delta = json_field(_DELTA, load_default=missing, allow_none=False)
    expected = json_field(_EXPECTED, load_default=missing)
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


class PatchBody(Body):
    """A set of operations that apply together or not at all."""

    aliases: ClassVar = {"date": "ts"}

    ops = fields.List(fields.Nested(OpBody), required=True, validate=validate.Length(1, MAX_LINES))
    reason = json_field(REASON, allow_none=True)
    team = TeamField()
    ts = json_field(_TS, load_default=missing, allow_none=False)


class ReasonQuery(PatchBody):
    """What the ledger records about a whole list: its reason, team and day."""

    # An address has no null.
    reason = json_field(REASON)
    team = TeamField(allow_none=False)

    class Meta(PatchBody.Meta):
        """Leave out the operations."""

        exclude = ("ops",)


class PatchReply(Reply):
    """The operation, which can be undone, and the new amounts of its items."""

    operation = replies.number(1042)
    items = replies.rows(AmountReply)


class StaleAmountReply(Reply):
    """An item whose amount isn't the expected one; `amount` is null if it isn't in stock."""

    id = replies.of(NAME)
    expected = replies.of(AMOUNT, null=True)
    amount = replies.of(AMOUNT, null=True)


class PatchConflictReply(NotEnoughReply):
    """Why no operation was applied; `moved` lists the items whose amount has changed."""

    example: ClassVar = refusal(
        'Stock changed meanwhile: "HAND WARMER UNION JACK" has 76 now, not 79.',
        ErrorCode.STALE_AMOUNTS,
        moved=[{"id": "HAND WARMER UNION JACK", "expected": 79, "amount": 76}],
    )

    moved = fields.List(fields.Nested(StaleAmountReply))
