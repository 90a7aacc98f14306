"""What is due and what was done as JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from marshmallow import fields, missing, post_load, validate

from app.api.field_rules import NotEmpty
from app.api.fields import json_field, json_moment, json_writer, reply_field
from app.api.lists import ListPaging, Paging
from app.api.messages import FullMessage
from app.api.numbers import DEFECTS
from app.api.schemas import Body, Reply
from app.attachments.queries import AttachmentRow
from app.attachments.schemas import attachment_json, attachments_field, attachments_reply
from app.fields import Field
from app.fleet.rules.plates import clean_plate, plate_key
from app.fleet.schemas.vehicles import Plate
from app.sent_files import SentFile
from app.upkeep.models.due import DueItem
from app.upkeep.queries.done import DoneRow
from app.upkeep.queries.due import DueRow
from app.upkeep.rules import due_fields as own
from app.upkeep.rules.due import DueState
from app.upkeep.rules.kinds import Blocks, DoneResult, DueClosing, DueKind
from app.upkeep.rules.next_due import Proposed
from app.upkeep.schemas.choices import one_of
from app.upkeep.schemas.vehicle_filter import VehicleFilter
from app.upkeep.services.done import DoneChange, DoneValues
from app.upkeep.services.due import DueValues

CLOSED = "closed"
"""The state of an item that isn't open any more."""

DONE_FIELDS: Sequence[Field[Any]] = (
    own.DONE_ON,
    own.DONE_MILES,
    own.NEXT_ON,
    own.NEXT_MILES,
    own.CERTIFICATE,
    own.GARAGE,
    own.COST,
    own.DONE_NOTE,
)
"""The fields of what was done."""

_MOMENT = {"format": "date-time", "example": "2026-01-15T12:50:00Z"}
_NO_MOMENT = {"format": "date-time", "example": None}
_WRITERS: Mapping[str, Any] = {field.name: json_writer(field) for field in DONE_FIELDS}
_REGS = {"example": ["LK19 VTE"]}


_CHANGEABLE = (own.LABEL, own.DUE_ON, own.DUE_MILES)


@dataclass(frozen=True)
class DuePart:
    """Which open items a request lists, '' for all vehicles and kinds, and which part of them."""

    paging: ListPaging
    reg_key: str
    kind: str


class DuePaging(Paging):
    """The filters of items, and the part of the list; without `limit` the whole list is sent."""

    vehicle = VehicleFilter()
    kind = fields.String(validate=validate.OneOf(list(DueKind)))

    @post_load
    def _paging(self, data: dict[str, Any], **options: Any) -> DuePart:
        reg_key, kind = plate_key(data.pop("vehicle")), data.pop("kind", "")
        return DuePart(super()._paging(data, **options), reg_key, kind)


class DueBody(Body):
    """A new item of a vehicle, or one that several share."""

    class Meta(Body.Meta):
        """The name, day and mileage."""

        include: ClassVar = {field.json: json_field(field) for field in _CHANGEABLE}

    regs = fields.List(Plate(), required=True, validate=validate.Length(1, 1000), metadata=_REGS)
    kind = one_of(DueKind, "inspection", required=True)

    @post_load
    def _values(self, data: dict[str, Any], **_: Any) -> DueValues:
        return DueValues(
            [clean_plate(reg) for reg in data["regs"]],
            DueKind(data["kind"]),
            data["label"],
            data["dueOn"],
            data["dueMiles"],
        )


class DueChangeBody(Body):
    """What changes of an item; a field that is missing stays as it is."""

    class Meta(Body.Meta):
        """The name, day and mileage."""

        include: ClassVar = {
            field.json: json_field(field, load_default=missing) for field in _CHANGEABLE
        }

    field_rules = (NotEmpty(FullMessage("Send what changes.")),)

    regs = fields.List(
        Plate(),
        validate=validate.Length(1, 1000),
        metadata=_REGS | {"description": "Which vehicles share it; an item of one stays with it"},
    )

    @post_load
    def _changes(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        values = {field.name: data[field.json] for field in _CHANGEABLE if field.json in data}
        return values | {name: data[name] for name in ("regs",) if name in data}


class SnoozeBody(Body):
    """Until when an item is quiet, and why."""

    class Meta(Body.Meta):
        """The day and the reason."""

        include: ClassVar = {field.json: json_field(field) for field in (own.UNTIL, own.REASON)}


_NEXT_ONE = "As the rules propose it if it is missing, never if it is null"
_NEXT_FIELDS = (own.NEXT_ON, own.NEXT_MILES)


class DoneBody(Body):
    """What was done about an item, and when it is due again."""

    class Meta(Body.Meta):
        """The fields of what was done."""

        include: ClassVar = {field.json: json_field(field) for field in DONE_FIELDS} | {
            field.json: json_field(field, load_default=missing, metadata={"description": _NEXT_ONE})
            for field in _NEXT_FIELDS
        }

    result = one_of(DoneResult, "pass", load_default="pass")
    defects = fields.List(
        fields.String(validate=validate.Length(1, 200), metadata={"example": "Front tyre worn"}),
        load_default=list,
        validate=validate.Length(max=50),
        metadata={"description": "Advisories, or what failed", "example": []},
    )
    attachments = attachments_field()

    @post_load
    def _values(self, data: dict[str, Any], **_: Any) -> tuple[DoneValues, Sequence[SentFile]]:
        named = {field.json: Proposed() for field in _NEXT_FIELDS} | data
        values = DoneValues(
            result=DoneResult(data["result"]),
            defects=tuple(data["defects"]),
            **{field.name: named[field.json] for field in DONE_FIELDS},
        )
        return values, data["attachments"]


class DueReply(Reply):
    """An open item as it stands today."""

    id = fields.Integer(metadata={"example": 12})
    regs = fields.List(fields.String(), metadata=_REGS)
    kind = fields.String(metadata={"enum": list(DueKind), "example": "mot"})
    label = fields.String(metadata={"example": "MOT"})
    dueOn = reply_field(own.DUE_ON)  # noqa: N815 (the API's name)
    dueMiles = reply_field(own.DUE_MILES)  # noqa: N815 (the API's name)
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
    """Return what was done as JSON."""
    return {
        "id": change.done_id,
        "item": change.item_id,
        "result": change.result.value,
        "nextItem": change.next_item_id,
        "defects": list(change.defects),
        "isReadingDoubtful": change.has_doubtful_reading,
    }


class DoneEntryReply(Reply):
    """What was done of an item's kind for its vehicle; taken back if `undoneAt` isn't null."""

    class Meta:
        """The fields of what was done."""

        include: ClassVar = {field.json: reply_field(field) for field in DONE_FIELDS}

    id = fields.Integer(metadata={"example": 7})
    item = fields.Integer(metadata={"example": 12})
    result = fields.String(metadata={"enum": list(DoneResult), "example": "pass"})
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
    values = {field.json: _value(field.name, done) for field in DONE_FIELDS}
    return values | {
        "id": done.id,
        "item": done.due_item_id,
        "result": done.result.value,
        "nextItem": done.next_item_id,
        "defect": defect,
        "recordedBy": row.recorded_by,
        "recordedAt": json_moment(done.recorded_at),
        "undoneBy": row.undone_by,
        "undoneAt": json_moment(done.undone_at) if done.undone_at else None,
        "attachments": [attachment_json(each) for each in attachments],
    }


def due_item_json(
    item: DueItem, row: DueRow, *, closed_by: str, done: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """Return an item with what was done as JSON; a closed one doesn't stand any way today."""
    is_open = item.closed_at is None
    standing = {} if is_open else {"state": CLOSED, "expectedOn": None, "milesLeft": None}
    return {
        **due_json(row),
        **standing,
        "snoozeReason": item.snooze_reason,
        "closing": item.closing,
        "closedBy": closed_by,
        "closedAt": json_moment(item.closed_at) if item.closed_at else None,
        "done": list(done),
    }


def _value(name: str, done: Any) -> Any:
    write, value = _WRITERS[name], getattr(done, name)
    return write(value) if write else value
