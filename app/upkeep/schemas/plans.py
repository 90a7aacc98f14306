"""Plans as JSON."""

from collections.abc import Collection
from typing import Any, ClassVar

from marshmallow import fields, missing, post_load, validate

from app.api.field_rules import NotEmpty
from app.api.fields import json_field, reply_field
from app.api.messages import FullMessage
from app.api.schemas import Body, Reply
from app.fleet.rules.plates import plate_key
from app.fleet.schemas.vehicles import Plate
from app.upkeep.queries.plans import PlanRow
from app.upkeep.rules import due_fields as own
from app.upkeep.rules.kinds import Anchor, Applies, Blocks, DueKind
from app.upkeep.rules.plans import PlanDraft
from app.upkeep.schemas.choices import one_of

_NUMBERS = (
    own.EVERY_MONTHS,
    own.EVERY_DAYS,
    own.EVERY_MILES,
    own.EARLY_WINDOW,
    own.SOON_DAYS,
    own.SOON_MILES,
)
_TYPED = (own.PLAN_LABEL, own.CLASSIFICATION, *_NUMBERS, own.FIRST_DUE)
_CHOICES = {"kind": DueKind, "applies": Applies, "anchor": Anchor, "blocks": Blocks}
_REGS = {"description": "Where it applies to vehicles", "example": ["LK19 VTE"]}


class PlanBody(Body):
    """A plan; `firstDueOn` is for the vehicles of which nothing is known."""

    class Meta(Body.Meta):
        """The name and the numbers."""

        include: ClassVar = {field.json: json_field(field) for field in _TYPED}

    kind = one_of(DueKind, "inspection", required=True)
    applies = one_of(Applies, "all", required=True)
    regs = fields.List(
        Plate(), load_default=list, validate=validate.Length(max=5000), metadata=_REGS
    )
    anchor = one_of(Anchor, "done", load_default="done")
    blocks = one_of(Blocks, "warn", load_default="warn")

    @post_load
    def _draft(self, data: dict[str, Any], **_: Any) -> PlanDraft:
        return PlanDraft(**_values(data))


class PlanChangeBody(PlanBody):
    """What changes of a plan; a field that is missing stays as it is."""

    field_rules = (NotEmpty(FullMessage("Send what changes.")),)

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:  # noqa: ARG002
        """Take a field's default away: without the field nothing changes."""
        field_obj.load_default = missing

    @post_load
    def _draft(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        return _values(data)


class PlanReply(Reply):
    """A plan, and how many open items it has."""

    class Meta:
        """The numbers."""

        include: ClassVar = {field.json: reply_field(field) for field in _NUMBERS}

    id = fields.Integer(metadata={"example": 3})
    label = fields.String(metadata={"example": "8-weekly inspection"})
    kind = fields.String(metadata={"enum": list(DueKind), "example": "inspection"})
    applies = fields.String(metadata={"enum": list(Applies), "example": "all"})
    classification = fields.String(metadata={"example": ""})
    regs = fields.List(fields.String(), metadata=_REGS)
    anchor = fields.String(metadata={"enum": list(Anchor), "example": "done"})
    blocks = fields.String(metadata={"enum": list(Blocks), "example": "warn"})
    isActive = fields.Boolean(metadata={"example": True})  # noqa: N815 (the API's name)
    openItems = fields.Integer(metadata={"example": 14})  # noqa: N815 (the API's name)


class PlanChangeReply(PlanReply):
    """A plan that was saved, and what that did to items."""

    effects = fields.String(metadata={"example": "Makes 14 items, the first on 3 Dec 2026."})


def plan_json(row: PlanRow, regs: Collection[str]) -> dict[str, Any]:
    """Return a plan as JSON; `regs` are the vehicles that it was made for, if it names them."""
    plan = row.plan
    return {
        **{field.json: getattr(plan, field.name) for field in _NUMBERS},
        "id": plan.id,
        "label": plan.label,
        "kind": plan.kind.value,
        "applies": plan.applies.value,
        "classification": plan.classification,
        "regs": list(regs),
        "anchor": plan.anchor.value,
        "blocks": plan.blocks.value,
        "isActive": plan.is_active,
        "openItems": row.open_items,
    }


def _values(data: dict[str, Any]) -> dict[str, Any]:
    """Return the values of a plan's draft that a body has."""
    values = {field.name: data[field.json] for field in _TYPED if field.json in data}
    values |= {name: kind(data[name]) for name, kind in _CHOICES.items() if name in data}
    if "regs" in data:
        values["regs"] = {plate_key(reg): reg for reg in data["regs"]}
    return values
