"""Times off the road as JSON and as CSV."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import ClassVar

from marshmallow import fields, missing

from app import dates
from app.api import replies
from app.api.fields import json_field
from app.api.replies import Reply
from app.api.schemas import REQUEST_ID, Body, ErrorReply
from app.defects.queries.off_road import TimeRow
from app.defects.rules.fields import OffRoadReason
from app.defects.rules.off_road import (
    CHOSEN_REASONS,
    DETAIL,
    EXPECTED_BACK,
    NOTE,
    OVERRIDE_REASON,
    REASON,
    days_off,
)
from app.fleet.schemas.numbers import DEFECTS
from app.records.record import Column


class TakeOffRoadBody(Body):
    """Why a vehicle is off the road, and when it is expected back."""

    reason = json_field(
        replace(REASON, offered=CHOSEN_REASONS),
        required=True,
        load_default=missing,
        allow_none=False,
    )
    detail = json_field(DETAIL)
    expected_back = json_field(EXPECTED_BACK)


class ReturnBody(Body):
    """The sign-off of a vehicle's return, with the reason where something stands against it."""

    note = json_field(NOTE)
    override_reason = json_field(OVERRIDE_REASON)


class OffRoadReply(Reply):
    """A time off the road; one that lasts has no `until`."""

    id = replies.number(12, "time.id")
    reg = replies.text("LK19 VTE", "time.reg")
    since = replies.moment("2026-01-15T12:50:00Z", "time.since")
    until = replies.moment("2026-01-15T12:50:00Z", "time.until", null=True)
    reason = replies.choice(OffRoadReason, "defect", "time.reason")
    detail = replies.of(DETAIL, "time.detail")
    defect = DEFECTS.reply("The defect that took it off the road", null=True)
    expected_back = replies.of(EXPECTED_BACK, "time.expected_back")
    opened_by = replies.text("j.marsh")
    closed_by = replies.text("k.lee", description="Who signed its return")
    note = replies.of(NOTE, "time.note")
    objections = replies.texts(
        ["D-0142 is open"],
        lambda row: row.time.objections.splitlines(),
        description="What stood against its return",
    )
    override_reason = replies.of(OVERRIDE_REASON, "time.override_reason")


class NotRoadworthyReply(ErrorReply):
    """Why a vehicle can't go back on the road; `objections` lists what stands against it."""

    example: ClassVar = {
        "error": "LK19 VTE can't go back on the road: D-0142 is open.",
        "code": "not_roadworthy",
        "requestId": REQUEST_ID,
        "objections": ["D-0142 is open"],
    }

    objections = fields.List(fields.String(), metadata={"example": ["D-0142 is open"]})


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
