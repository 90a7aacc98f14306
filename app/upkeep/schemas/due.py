"""JSON of due items and plans."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from marshmallow import fields, missing, post_load, validate

from app.api.field_rules import NotEmpty
from app.api.fields import FullMessage, json_field, json_moment, reply_field, state_json
from app.api.lists import ListPaging, Paging
from app.api.numbers import DEFECTS
from app.api.schemas import Body, Reply, body_of, reply_of
from app.attachments.queries import AttachmentRow
from app.attachments.schemas import attachment_json, attachments_field, attachments_reply
from app.fields import fields_of
from app.fleet.rules.vehicles import plate_key
from app.fleet.schemas.vehicles import Plate
from app.sent_files import SentFile
from app.upkeep.models.due import DueItem
from app.upkeep.queries.done import DoneRow
from app.upkeep.queries.due import DueRow
from app.upkeep.queries.plans import PlanRow
from app.upkeep.rules import next_due as due_fields
from app.upkeep.rules.due import DueGroup, DueState
from app.upkeep.rules.kinds import Blocks, DoneResult, DueClosing, DueKind
from app.upkeep.rules.next_due import Proposed
from app.upkeep.rules.plans import PlanDraft
from app.upkeep.schemas.vehicle_filter import VehicleFilter
from app.upkeep.services.done import DoneChange, DoneValues
from app.upkeep.services.due import DueValues

CLOSED = "closed"
"""The state of an item that isn't open any more."""

_MOMENT = {"format": "date-time", "example": "2026-01-15T12:50:00Z"}
_NO_MOMENT = {"format": "date-time", "example": None}
_REGS = {"example": ["LK19 VTE"]}


@dataclass(frozen=True)
class DuePart:
    """Which open items a request lists, '' for all vehicles and kinds, and which part of them."""

    paging: ListPaging
    reg_key: str
    kind: str
    group: str


class DuePaging(Paging):
    """The filters of items, and the part of the list; without `limit` the whole list is sent."""

    vehicle = VehicleFilter()
    kind = fields.String(validate=validate.OneOf(list(DueKind)))
    group = fields.String(
        validate=validate.OneOf(list(DueGroup)),
        metadata={"description": "How urgent they are", "example": "overdue"},
    )

    @post_load
    def _paging(self, data: dict[str, Any], **options: Any) -> DuePart:
        reg_key, kind = plate_key(data.pop("vehicle")), data.pop("kind", "")
        group = data.pop("group", "")
        return DuePart(super()._paging(data, **options), reg_key, kind, group)


@body_of(DueValues)
class DueBody(Body):
    """A new item of a vehicle, or one that several share."""

    regs = fields.List(Plate(), required=True, validate=validate.Length(1, 1000), metadata=_REGS)


@body_of(DueValues, without=("kind",), load_default=missing)
class DueChangeBody(Body):
    """What changes of an item; a field that is missing stays as it is."""

    field_rules = (NotEmpty(FullMessage("Send what changes.")),)

    regs = fields.List(
        Plate(),
        validate=validate.Length(1, 1000),
        metadata=_REGS | {"description": "Which vehicles share it; an item of one stays with it"},
    )

    def made(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values that change."""
        return self.values(data)


class SnoozeBody(Body):
    """Until when an item is quiet, and why."""

    until = json_field(due_fields.UNTIL)
    reason = json_field(due_fields.REASON)


_NEXT: dict[str, Any] = {
    "load_default": missing,
    "metadata": {"description": "As the rules propose it if it is missing, never if it is null"},
}


@body_of(DoneValues)
class DoneBody(Body):
    """What was done about an item, and when it is due again."""

    nextDueOn = json_field(fields_of(DoneValues)["next_due_on"], **_NEXT)  # noqa: N815 (the API's name)
    nextDueMiles = json_field(fields_of(DoneValues)["next_due_miles"], **_NEXT)  # noqa: N815 (the API's name)
    defects = fields.List(
        fields.String(validate=validate.Length(1, 200), metadata={"example": "Front tyre worn"}),
        load_default=list,
        validate=validate.Length(max=50),
        metadata={"description": "Advisories, or what failed", "example": []},
    )
    attachments = attachments_field()

    def made(self, data: Mapping[str, Any]) -> tuple[DoneValues, Sequence[SentFile]]:
        """Return what was done and its files; what isn't sent of the next item is proposed."""
        proposed = {"next_due_on": Proposed(), "next_due_miles": Proposed()}
        return DoneValues(**proposed | self.values(data)), data["attachments"]


class DueReply(Reply):
    """An open item as it stands today."""

    id = fields.Integer(metadata={"example": 12})
    regs = fields.List(fields.String(), metadata=_REGS)
    kind = fields.String(metadata={"enum": list(DueKind), "example": "mot"})
    label = fields.String(metadata={"example": "MOT"})
    dueOn = reply_field(due_fields.DUE_ON)  # noqa: N815 (the API's name)
    dueMiles = reply_field(due_fields.DUE_MILES)  # noqa: N815 (the API's name)
    state = fields.String(metadata={"enum": list(DueState), "example": "soon"})
    expectedOn = fields.String(  # noqa: N815 (the API's name)
        allow_none=True,
        metadata={
            "description": "When its mileage is reached by the forecast",
            "format": "date",
            "example": "2027-01-12",
        },
    )
    milesLeft = fields.Integer(  # noqa: N815 (the API's name)
        allow_none=True, metadata={"example": 1200}
    )
    forecast = fields.String(metadata={"example": "about 12 Jan, from 8 readings"})
    blocks = fields.String(metadata={"enum": list(Blocks), "example": "block"})
    plan = fields.Integer(allow_none=True, metadata={"example": 3})
    snoozedUntil = fields.String(  # noqa: N815 (the API's name)
        allow_none=True, metadata={"format": "date", "example": None}
    )


def due_json(row: DueRow) -> dict[str, Any]:
    """Return an item as JSON."""
    terms, standing = row.terms, row.standing
    return {
        "id": row.id,
        "regs": list(row.vehicles.values()),
        "kind": terms.kind.value,
        "label": terms.label,
        "dueOn": terms.due_on.isoformat() if terms.due_on else None,
        "dueMiles": terms.due_miles,
        "state": standing.state.value,
        "expectedOn": standing.expected_on.isoformat() if standing.expected_on else None,
        "milesLeft": standing.miles_left,
        "forecast": standing.basis,
        "blocks": terms.blocks.value,
        "plan": row.plan_id,
        "snoozedUntil": terms.snoozed_until.isoformat() if terms.snoozed_until else None,
    }


class DoneReply(Reply):
    """What was done, and the item that follows."""

    id = fields.Integer(metadata={"example": 7})
    item = fields.Integer(metadata={"example": 12})
    result = fields.String(metadata={"enum": list(DoneResult), "example": "pass"})
    nextItem = fields.Integer(  # noqa: N815 (the API's name)
        allow_none=True, metadata={"example": 13}
    )
    defects = fields.List(DEFECTS.reply(), metadata={"example": []})
    isReadingDoubtful = fields.Boolean(metadata={"example": False})  # noqa: N815 (the API's name)


def done_json(change: DoneChange) -> dict[str, Any]:
    """Return done work as JSON."""
    return {
        "id": change.done_id,
        "item": change.item_id,
        "result": change.result.value,
        "nextItem": change.next_item_id,
        "defects": list(change.defects),
        "isReadingDoubtful": change.has_doubtful_reading,
    }


@reply_of(DoneValues)
class DoneEntryReply(Reply):
    """What was done of an item's kind for its vehicle; taken back if `undoneAt` isn't null."""

    id = fields.Integer(metadata={"example": 7})
    item = fields.Integer(metadata={"example": 12})
    nextItem = fields.Integer(  # noqa: N815 (the API's name)
        allow_none=True, metadata={"example": 13}
    )
    defect = DEFECTS.reply("The first defect that it opened", allow_none=True)
    recordedBy = fields.String(metadata={"example": "k.lee"})  # noqa: N815 (the API's name)
    recordedAt = fields.String(metadata=_MOMENT)  # noqa: N815 (the API's name)
    undoneBy = fields.String(metadata={"example": ""})  # noqa: N815 (the API's name)
    undoneAt = fields.String(allow_none=True, metadata=_NO_MOMENT)  # noqa: N815 (the API's name)
    attachments = attachments_reply()


class DueItemReply(DueReply):
    """An item, also one that is closed, with what was done of its kind, the last first."""

    state = fields.String(metadata={"enum": [*DueState, CLOSED], "example": "soon"})
    snoozeReason = fields.String(metadata={"example": ""})  # noqa: N815 (the API's name)
    closing = fields.String(
        allow_none=True,
        metadata={
            "enum": [*DueClosing, None],
            "description": "Why it is closed; null while it is open",
            "example": None,
        },
    )
    closedBy = fields.String(metadata={"example": ""})  # noqa: N815 (the API's name)
    closedAt = fields.String(allow_none=True, metadata=_NO_MOMENT)  # noqa: N815 (the API's name)
    done = fields.List(fields.Nested(DoneEntryReply))


def done_entry_json(
    row: DoneRow, defect: str | None, attachments: Sequence[AttachmentRow]
) -> dict[str, Any]:
    """Return what was done earlier as JSON; `defect` is the number of the one that it opened."""
    done = row.done
    return state_json(DoneValues, done) | {
        "id": done.id,
        "item": done.due_item_id,
        "nextItem": done.next_item_id,
        "defect": defect,
        "recordedBy": row.recorded_by,
        "recordedAt": json_moment(done.recorded_at),
        "undoneBy": row.undone_by,
        "undoneAt": json_moment(done.undone_at),
        "attachments": [attachment_json(each) for each in attachments],
    }


def due_item_json(
    item: DueItem, row: DueRow, *, closed_by: str, done: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """Return an item with its done work as JSON; a closed one has no standing today."""
    is_open = item.closed_at is None
    standing = {} if is_open else {"state": CLOSED, "expectedOn": None, "milesLeft": None}
    return {
        **due_json(row),
        **standing,
        "snoozeReason": item.snooze_reason,
        "closing": item.closing,
        "closedBy": closed_by,
        "closedAt": json_moment(item.closed_at),
        "done": list(done),
    }


_PLAN_REGS = {"description": "Where it applies to vehicles", "example": ["LK19 VTE"]}


@body_of(PlanDraft)
class PlanBody(Body):
    """A plan; `firstDueOn` is for the vehicles of which nothing is known."""

    regs = fields.List(
        Plate(), load_default=list, validate=validate.Length(max=5000), metadata=_PLAN_REGS
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
    regs = fields.List(fields.String(), metadata=_PLAN_REGS)
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
