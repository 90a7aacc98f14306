"""What is due, what was done, plans and readings as JSON."""

from collections.abc import Sequence
from typing import Any, ClassVar

from marshmallow import fields, post_load, validate

from app.api.fields import JsonFlag, JsonWholeNumber, json_field, reply_field
from app.api.schemas import Body, Reply
from app.attachments.schemas import attachments_field
from app.fleet.rules.plates import clean_plate
from app.fleet.schemas.vehicles import Plate
from app.money import MAX_AMOUNT
from app.sent_files import SentFile
from app.upkeep.models.readings import OdometerReading
from app.upkeep.queries.due import DueRow
from app.upkeep.queries.plans import PlanRow
from app.upkeep.queries.reading_lists import ReadingRow
from app.upkeep.rules import due_fields as own
from app.upkeep.rules.due import DueState
from app.upkeep.rules.kinds import (
    Anchor,
    Applies,
    Blocks,
    DoneResult,
    DueKind,
    ReadingSource,
)
from app.upkeep.services.done import DoneChange, DoneValues
from app.upkeep.services.due import DueValues

_REGS = {"example": ["LK19 VTE"]}


def _one_of(kind: Any, example: str, **options: Any) -> fields.String:
    values = [each.value for each in kind]
    return fields.String(
        validate=validate.OneOf(values, error=f"Must be one of: {', '.join(values)}."),
        metadata={"enum": values, "example": example},
        **options,
    )


def _revision() -> JsonWholeNumber:
    return JsonWholeNumber(
        required=True,
        validate=validate.Range(0, MAX_AMOUNT),
        metadata={"description": "The revision that this is based on", "example": 0},
    )


class DueBody(Body):
    """A new item of a vehicle, or one that several share."""

    class Meta(Body.Meta):
        """The name, day and mileage."""

        include: ClassVar = {
            field.json: json_field(field) for field in (own.LABEL, own.DUE_ON, own.DUE_MILES)
        }

    regs = fields.List(Plate(), required=True, validate=validate.Length(1, 1000), metadata=_REGS)
    kind = _one_of(DueKind, "mot", required=True)

    @post_load
    def _values(self, data: dict[str, Any], **_: Any) -> DueValues:
        return DueValues(
            [clean_plate(reg) for reg in data["regs"]],
            DueKind(data["kind"]),
            data["label"],
            data["dueOn"],
            data["dueMiles"],
        )


class SnoozeBody(Body):
    """Until when an item is quiet, and why."""

    class Meta(Body.Meta):
        """The day and the reason."""

        include: ClassVar = {field.json: json_field(field) for field in (own.UNTIL, own.REASON)}

    revision = _revision()


class DoneBody(Body):
    """What was done about an item, and when it is due again: null for never."""

    class Meta(Body.Meta):
        """The fields of what was done."""

        include: ClassVar = {
            field.json: json_field(field)
            for field in (
                own.DONE_ON,
                own.DONE_MILES,
                own.NEXT_ON,
                own.NEXT_MILES,
                own.CERTIFICATE,
                own.GARAGE,
                own.COST,
                own.DONE_NOTE,
            )
        }

    result = _one_of(DoneResult, "pass", load_default="pass")
    defects = fields.List(
        fields.String(validate=validate.Length(1, 200), metadata={"example": "Front tyre worn"}),
        load_default=list,
        validate=validate.Length(max=50),
        metadata={"description": "Advisories, or what failed", "example": []},
    )
    revision = _revision()
    attachments = attachments_field()

    @post_load
    def _values(self, data: dict[str, Any], **_: Any) -> tuple[DoneValues, int, Sequence[SentFile]]:
        values = DoneValues(
            done_on=data["doneOn"],
            result=DoneResult(data["result"]),
            done_miles=data["doneMiles"],
            next_due_on=data["nextDueOn"],
            next_due_miles=data["nextDueMiles"],
            certificate_number=data["certificateNumber"],
            garage=data["garage"],
            cost=data["cost"],
            note=data["note"],
            defects=tuple(data["defects"]),
        )
        return values, data["revision"], data["attachments"]


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
    revision = fields.Integer(metadata={"example": 0})


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
        "revision": row.revision,
    }


class DoneReply(Reply):
    """What was done, and the item that follows."""

    id = fields.Integer(metadata={"example": 7})
    item = fields.Integer(metadata={"example": 12})
    result = fields.String(metadata={"enum": list(DoneResult), "example": "pass"})
    nextItem = fields.Integer(  # noqa: N815 (the API's name)
        allow_none=True, metadata={"example": 13}
    )
    defects = fields.List(fields.String(), metadata={"example": []})
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


_PLAN_FIELDS = (
    own.EVERY_MONTHS,
    own.EVERY_DAYS,
    own.EVERY_MILES,
    own.EARLY_WINDOW,
    own.SOON_DAYS,
    own.SOON_MILES,
)


class PlanBody(Body):
    """A plan; `firstDueOn` is for the vehicles of which nothing is known."""

    class Meta(Body.Meta):
        """The name and the numbers."""

        include: ClassVar = {
            field.json: json_field(field)
            for field in (own.PLAN_LABEL, own.CLASSIFICATION, *_PLAN_FIELDS, own.FIRST_DUE)
        }

    kind = _one_of(DueKind, "inspection", required=True)
    applies = _one_of(Applies, "all", required=True)
    regs = fields.List(
        Plate(), load_default=list, validate=validate.Length(max=5000), metadata=_REGS
    )
    anchor = _one_of(Anchor, "done", load_default="done")
    blocks = _one_of(Blocks, "warn", load_default="warn")


class PlanChangeBody(PlanBody):
    """A plan as it is to be, and the revision that this is based on."""

    revision = _revision()


class PlanReply(Reply):
    """A plan, and how many open items it has."""

    class Meta:
        """The numbers."""

        include: ClassVar = {field.json: reply_field(field) for field in _PLAN_FIELDS}

    id = fields.Integer(metadata={"example": 3})
    label = fields.String(metadata={"example": "8-weekly inspection"})
    kind = fields.String(metadata={"enum": list(DueKind), "example": "inspection"})
    applies = fields.String(metadata={"enum": list(Applies), "example": "all"})
    classification = fields.String(metadata={"example": ""})
    anchor = fields.String(metadata={"enum": list(Anchor), "example": "done"})
    blocks = fields.String(metadata={"enum": list(Blocks), "example": "warn"})
    isActive = fields.Boolean(metadata={"example": True})  # noqa: N815 (the API's name)
    openItems = fields.Integer(metadata={"example": 14})  # noqa: N815 (the API's name)
    revision = fields.Integer(metadata={"example": 0})


def plan_json(row: PlanRow) -> dict[str, Any]:
    """Return a plan as JSON."""
    plan = row.plan
    return {
        **{field.json: getattr(plan, field.name) for field in _PLAN_FIELDS},
        "id": plan.id,
        "label": plan.label,
        "kind": plan.kind.value,
        "applies": plan.applies.value,
        "classification": plan.classification,
        "anchor": plan.anchor.value,
        "blocks": plan.blocks.value,
        "isActive": plan.is_active,
        "openItems": row.open_items,
        "revision": plan.revision,
    }


class ReadingBody(Body):
    """An odometer reading."""

    class Meta(Body.Meta):
        """The day and the miles."""

        include: ClassVar = {field.json: json_field(field) for field in (own.READ_ON, own.MILES)}

    reg = Plate()


class VoidBody(Body):
    """Why a reading isn't used."""

    class Meta(Body.Meta):
        """The reason."""

        include: ClassVar = {own.VOID_REASON.json: json_field(own.VOID_REASON)}


class AcceptBody(Body):
    """Whether the readings that contradict an accepted one are void with it."""

    voidOthers = JsonFlag(load_default=False, metadata={"example": False})  # noqa: N815


class ReadingReply(Reply):
    """An odometer reading, and how it stands."""

    id = fields.Integer(metadata={"example": 12})
    reg = fields.String(metadata={"example": "LK19 VTE"})
    day = fields.String(metadata={"format": "date", "example": "2026-01-15"})
    miles = fields.Integer(metadata={"example": 48210})
    source = fields.String(metadata={"enum": list(ReadingSource), "example": "check"})
    state = fields.String(
        metadata={"enum": ["accepted", "doubtful", "void"], "example": "accepted"}
    )
    voidReason = fields.String(metadata={"example": ""})  # noqa: N815 (the API's name)


def reading_json(reading: OdometerReading) -> dict[str, Any]:
    """Return a reading as JSON."""
    return {
        "id": reading.id,
        "reg": reading.reg,
        "day": reading.day.isoformat(),
        "miles": reading.miles,
        "source": reading.source.value,
        "state": ReadingRow(reading, "", "").state,
        "voidReason": reading.void_reason,
    }
