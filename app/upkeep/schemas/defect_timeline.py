"""The timeline of a defect as JSON."""

from typing import Any

from marshmallow import fields

from app.api.fields import json_moment
from app.api.numbers import REPAIRS
from app.api.schemas import Reply
from app.fleet.rules.findings import Severity, SightingAnswer
from app.reference_numbers import ReferenceNumber, Series
from app.upkeep.queries.defect_timeline import Happening, TimelineEntry
from app.upkeep.rules.kinds import Closing
from app.upkeep.schemas.defects import DefectReply

_DAY = {"format": "date", "example": None}


class HappeningReply(Reply):
    """Something that happened to a defect; what doesn't apply to it is null or empty."""

    what = fields.String(metadata={"enum": list(Happening), "example": "seen"})
    at = fields.String(metadata={"format": "date-time", "example": "2026-01-15T12:50:00Z"})
    by = fields.List(
        fields.String(),
        metadata={"description": "Several for sightings that tell the same", "example": ["r.amos"]},
    )
    days = fields.List(
        fields.String(),
        metadata={"description": "When it was reported or seen", "example": ["2026-01-15"]},
    )
    text = fields.String(
        metadata={
            "description": "The note, what was seen, or the files",
            "example": "Glass loose",
        }
    )
    checkId = fields.Integer(allow_none=True, metadata={"example": 1042})  # noqa: N815
    answer = fields.String(
        allow_none=True, metadata={"enum": [*SightingAnswer, None], "example": "yes"}
    )
    severity = fields.String(
        allow_none=True,
        metadata={
            "enum": [*Severity, None],
            "description": "Of an assessment, or stop where it was seen to be one",
            "example": None,
        },
    )
    isBeforeRepair = fields.Boolean(  # noqa: N815
        metadata={"description": "Seen before it was repaired or closed", "example": False}
    )
    garage = fields.String(metadata={"example": ""})
    bookedFor = fields.String(allow_none=True, metadata=_DAY)  # noqa: N815
    repair = REPAIRS.reply(
        "Of what was reported, the repair whose undo opened the defect", allow_none=True
    )
    closing = fields.String(allow_none=True, metadata={"enum": [*Closing, None], "example": None})


class DefectItemReply(DefectReply):
    """A defect with what happened to it, the newest first."""

    timeline = fields.List(fields.Nested(HappeningReply))


def happening_json(entry: TimelineEntry) -> dict[str, Any]:
    """Return an entry of a defect's timeline as JSON."""
    repair = entry.repair.number if entry.repair else entry.undone
    return {
        "what": entry.happening.value,
        "at": json_moment(entry.at),
        "by": list(entry.who),
        "days": [day.isoformat() for day in entry.days],
        "text": entry.text,
        "checkId": entry.check_id,
        "answer": entry.answer,
        "severity": entry.severity,
        "isBeforeRepair": entry.is_before_repair,
        "garage": entry.garage,
        "bookedFor": entry.booked_for.isoformat() if entry.booked_for else None,
        "repair": None if repair is None else str(ReferenceNumber(Series.REPAIR, repair)),
        "closing": entry.closing,
    }
