"""Plans as JSON."""

from collections.abc import Collection, Mapping
from typing import Any

from marshmallow import fields, missing, validate

from app.api.field_rules import NotEmpty
from app.api.fields import state_json
from app.api.messages import FullMessage
from app.api.schemas import Body, Reply, body_of, reply_of
from app.fleet.rules.plates import plate_key
from app.fleet.schemas.vehicles import Plate
from app.upkeep.queries.plans import PlanRow
from app.upkeep.rules.plans import PlanDraft

_REGS = {"description": "Where it applies to vehicles", "example": ["LK19 VTE"]}


@body_of(PlanDraft)
class PlanBody(Body):
    """A plan; `firstDueOn` is for the vehicles of which nothing is known."""

    regs = fields.List(
        Plate(), load_default=list, validate=validate.Length(max=5000), metadata=_REGS
    )

    def values(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the plan's values, the vehicles by their keys."""
        values = super().values(data)
        if "regs" in values:
            values["regs"] = {plate_key(reg): reg for reg in values["regs"]}
        return values


class PlanChangeBody(PlanBody):
    """What changes of a plan; a field that is missing stays as it is."""

    field_rules = (NotEmpty(FullMessage("Send what changes.")),)

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:  # noqa: ARG002
        """Take a field's default away: without the field nothing changes."""
        field_obj.load_default = missing

    def made(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values that change."""
        return self.values(data)


@reply_of(PlanDraft, without=("first_due_on",))
class PlanReply(Reply):
    """A plan, and how many open items it has."""

    id = fields.Integer(metadata={"example": 3})
    label = fields.String(metadata={"example": "8-weekly inspection"})
    classification = fields.String(metadata={"example": ""})
    regs = fields.List(fields.String(), metadata=_REGS)
    isActive = fields.Boolean(metadata={"example": True})  # noqa: N815 (the API's name)
    openItems = fields.Integer(metadata={"example": 14})  # noqa: N815 (the API's name)


class PlanChangeReply(PlanReply):
    """A plan that was saved, and what that did to items."""

    effects = fields.String(metadata={"example": "Makes 14 items, the first on 3 Dec 2026."})


def plan_json(row: PlanRow, regs: Collection[str]) -> dict[str, Any]:
    """Return a plan as JSON; `regs` are the vehicles that it was made for, if it names them."""
    plan = row.plan
    return {
        **state_json(PlanDraft, plan),
        "id": plan.id,
        "regs": list(regs),
        "isActive": plan.is_active,
        "openItems": row.open_items,
    }
