"""Times off the road as JSON and as CSV."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, ClassVar

from marshmallow import fields, missing

from app import dates
from app.api import replies
from app.api.fields import json_field, json_moment, json_writer
from app.api.replies import Reply
from app.api.schemas import REQUEST_ID, Body, ErrorReply
from app.fleet.schemas.numbers import DEFECTS
from app.records.record import Column
from app.upkeep.queries.off_road import TimeRow
from app.upkeep.rules.kinds import OffRoadReason
from app.upkeep.rules.off_road import (
    CHOSEN_REASONS,
    DETAIL,
    EXPECTED_BACK,
    NOTE,
    OVERRIDE_REASON,
    REASON,
    days_off,
)

_MOMENT = {"format": "date-time", "example": "2026-01-15T12:50:00Z"}


class TakeOffRoadBody(Body):
    """Why a vehicle is off the road, and when it is expected back."""

    reason = json_field(
        replace(REASON, offered=CHOSEN_REASONS),
        required=True,
        load_default=missing,
        allow_none=False,
    )
    detail = json_field(DETAIL)
    expectedBack = json_field(EXPECTED_BACK)  # noqa: N815 (the API's name)


class ReturnBody(Body):
    """The sign-off of a vehicle's return, with the reason where something stands against it."""

    note = json_field(NOTE)
    overrideReason = json_field(OVERRIDE_REASON)  # noqa: N815 (the API's name)


class OffRoadReply(Reply):
    """A time off the road; one that lasts has no `until`."""

    detail = replies.of(DETAIL)
    expectedBack = replies.of(EXPECTED_BACK)  # noqa: N815 (the API's name)
    note = replies.of(NOTE)
    overrideReason = replies.of(OVERRIDE_REASON)  # noqa: N815 (the API's name)
    id = fields.Integer(metadata={"example": 12})
    reg = fields.String(metadata={"example": "LK19 VTE"})
    since = fields.String(metadata=_MOMENT)
    until = fields.String(allow_none=True, metadata=_MOMENT)
    reason = fields.String(
        metadata={"enum": [reason.value for reason in OffRoadReason], "example": "defect"}
    )
    defect = DEFECTS.reply("The defect that took it off the road", null=True)
    openedBy = fields.String(metadata={"example": "j.marsh"})  # noqa: N815 (the API's name)
    closedBy = fields.String(  # noqa: N815 (the API's name)
        metadata={"description": "Who signed its return", "example": "k.lee"}
    )
    objections = fields.List(
        fields.String(),
        metadata={
            "description": "What stood against its return",
            "example": ["D-0142 is open"],
        },
    )


class NotRoadworthyReply(ErrorReply):
    """Why a vehicle can't go back on the road; `objections` lists what stands against it."""

    example: ClassVar = {
        "error": "LK19 VTE can't go back on the road: D-0142 is open.",
        "code": "not_roadworthy",
        "requestId": REQUEST_ID,
        "objections": ["D-0142 is open"],
    }

    objections = fields.List(fields.String(), metadata={"example": ["D-0142 is open"]})


_WRITE_DAY = json_writer(EXPECTED_BACK)


def off_road_json(row: TimeRow) -> dict[str, Any]:
    """Return a time off the road as JSON."""
    time = row.time
    return {
        "id": time.id,
        "reg": time.reg,
        "since": json_moment(time.since),
        "until": json_moment(time.until),
        "reason": time.reason.value,
        "detail": time.detail,
        "defect": row.defect,
        "expectedBack": _WRITE_DAY(time.expected_back) if _WRITE_DAY else None,
        "openedBy": row.opened_by,
        "closedBy": row.closed_by,
        "note": time.note,
        "objections": time.objections.splitlines(),
        "overrideReason": time.override_reason,
    }


OFF_ROAD_FILE: Sequence[Column[TimeRow]] = (
    Column("reg", lambda row: row.time.reg),
    Column("since", lambda row: _local(row.time.since)),
    Column("until", lambda row: _local(row.time.until)),
    Column("days", lambda row: days_off(row.time.since, row.time.until, dates.today())),
    Column("reason", lambda row: row.time.reason.label),
    Column("detail", lambda row: row.time.detail),
    Column("defect", lambda row: row.defect),
    Column("expectedBack", lambda row: row.time.expected_back),
    Column("openedBy", lambda row: row.opened_by),
    Column("closedBy", lambda row: row.closed_by),
    Column("note", lambda row: row.time.note),
    Column("objections", lambda row: row.time.objections),
    Column("overrideReason", lambda row: row.time.override_reason),
)


def _local(at: datetime | None) -> str:
    return dates.format_local_time(at.replace(microsecond=0)) if at else ""
