"""Repairs and times off the road as JSON, and their lists and CSV files."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, ClassVar

from marshmallow import ValidationError, fields, missing, post_load, validate

from app import dates
from app.api import replies
from app.api.fields import json_field
from app.api.schemas import Body, ErrorReply, body_of, refusal
from app.attachments.schemas import AttachmentReply, attachments_field
from app.defects.models import Repair
from app.defects.queries.off_road import TimeRow
from app.defects.queries.repairs import listed_repairs, named_repairs, repair_rows
from app.defects.rules import off_road as rules
from app.defects.rules.fields import MAX_PARTS, OffRoadReason, RepairValues, StockPart
from app.divisions import STORES, Division, Site, Store
from app.errors import ErrorCode
from app.fields import Pounds
from app.fleet.rules.vehicles import UPKEEP
from app.fleet.schemas.numbers import DEFECTS, REPAIRS, JsonNumber
from app.fleet.schemas.vehicles import PLATE_ALIASES, OfVehicle, Plate
from app.records.filters import OnDays, Search
from app.records.record import Column, Record, columns_at, columns_of
from app.stock.rules.items import NAME, QUANTITY

MAX_DEFECTS = 100


class StockPartBody(Body):
    """A part that a repair takes from stock."""

    division = fields.Enum(Division, by_value=True, required=True, metadata={"example": "gfm"})
    site = fields.Enum(Site, by_value=True, required=True, metadata={"example": "main"})
    item = json_field(NAME)
    quantity = json_field(QUANTITY)

    @post_load
    def _part(self, data: dict[str, Any], **_: Any) -> StockPart:
        store = Store(data["division"], data["site"])
        if store not in STORES:
            raise ValidationError("There is no such stock.", "site")
        return StockPart(store, data["item"], data["quantity"])


@body_of(RepairValues)
class RepairBody(Body):
    """A repair of one vehicle: it mends defects, or its note says what was done."""

    aliases: ClassVar = PLATE_ALIASES

    reg = Plate()
    defects = fields.List(
        JsonNumber(DEFECTS),
        load_default=list,
        validate=validate.Length(max=MAX_DEFECTS),
        metadata={"example": []},
    )
    stock_parts = fields.List(
        fields.Nested(StockPartBody),
        load_default=list,
        validate=validate.Length(max=MAX_PARTS),
        metadata={"description": "Withdrawn from stock with the repair", "example": []},
    )
    attachments = attachments_field()


class StockPartReply(replies.Reply):
    """A part that a repair took from stock; negative where it came back."""

    division = replies.text("gfm", "store.division.value")
    site = replies.text("main", "store.site.value")
    item = replies.of(NAME, "name")
    quantity = replies.number(1)
    price = replies.pounds(22.4, "pence", description="Of all of them")
    operation = replies.number(1042, "operation_id", description="The withdrawal")


@replies.reply_of(RepairValues, at="repair")
class RepairReply(replies.Reply):
    """A repair; one that takes another back has its amounts, negative."""

    number = REPAIRS.reply("", "repair.reference")
    reg = replies.text("LK19 VTE", "repair.reg")
    total = replies.pounds(106.0, description="With the parts from stock")
    defects = replies.field(
        fields.List,
        ["D-0142"],
        lambda row: [defect.reference for defect in row.defects],
        inner=[DEFECTS.reply()],
        description="What it mended, or took back",
    )
    stock_parts = replies.rows(StockPartReply, "parts")
    recorded_by = replies.text("k.lee")
    recorded_at = replies.moment("2026-01-15T12:50:00Z", "repair.recorded_at")
    reverses = REPAIRS.reply(
        "What it takes back", lambda row: row.reverses and row.reverses.reference, null=True
    )
    reversed_by = REPAIRS.reply(
        "What takes it back", lambda row: row.reversed_by and row.reversed_by.reference, null=True
    )
    attachments = replies.rows(AttachmentReply)


class RecordedRepairReply(RepairReply):
    """A repair that was recorded or taken back, with what to look at.

    Such as a mileage that can't be right, or a signed-off defect that stays closed.
    """

    warnings = replies.texts([])


REPAIR_LIST = Record(
    name="repair",
    plural="repairs",
    list_name=UPKEEP,
    model=Repair,
    rows=repair_rows,
    page_rows=listed_repairs,
    filters=[
        Search(
            column=Repair.search_key, refer=named_repairs, hint="Number, vehicle, garage or invoice"
        ),
        OnDays(column=Repair.finished_on),
        OfVehicle(column=Repair.reg_key, on_screen=False),
    ],
    order=[Repair.finished_on.desc(), Repair.id.desc()],
    key=Repair.id,
    newest_first=True,
    columns=[
        Column("number", lambda row: row.repair.reference, heading="Repair"),
        Column("reg", lambda row: row.repair.reg, heading="Vehicle"),
        *columns_of(RepairValues, lambda row: row.repair, invoice_number="Invoice"),
        Column("fromStock", lambda row: row.from_stock, field=Pounds()),
        Column("total", lambda row: row.total, field=Pounds(), heading="Cost"),
        Column("defects", lambda row: " ".join(d.reference for d in row.defects), heading="Mended"),
        Column("recordedBy", lambda row: row.recorded_by),
        Column("reverses", lambda row: row.reverses.reference if row.reverses else None),
    ],
    listed=["number", "finished_on", "reg", "defects", "garage", "invoice_number", "total"],
)


class TakeOffRoadBody(Body):
    """Why a vehicle is off the road, and when it is expected back."""

    reason = json_field(
        replace(rules.REASON, offered=rules.CHOSEN_REASONS),
        required=True,
        load_default=missing,
        allow_none=False,
    )
    detail = json_field(rules.DETAIL)
    expected_back = json_field(rules.EXPECTED_BACK)


class ReturnBody(Body):
    """The sign-off of a vehicle's return, with the reason where something stands against it."""

    note = json_field(rules.NOTE)
    override_reason = json_field(rules.OVERRIDE_REASON)


class OffRoadReply(replies.Reply):
    """A time off the road; one that lasts has no `until`."""

    id = replies.number(12, "time.id")
    reg = replies.text("LK19 VTE", "time.reg")
    since = replies.moment("2026-01-15T12:50:00Z", "time.since")
    until = replies.moment("2026-01-15T12:50:00Z", "time.until", null=True)
    reason = replies.choice(OffRoadReason, "defect", "time.reason")
    detail = replies.of(rules.DETAIL, "time.detail")
    defect = DEFECTS.reply("The defect that took it off the road", null=True)
    expected_back = replies.of(rules.EXPECTED_BACK, "time.expected_back")
    opened_by = replies.text("j.marsh")
    closed_by = replies.text("k.lee", description="Who signed its return")
    note = replies.of(rules.NOTE, "time.note")
    objections = replies.texts(
        ["D-0142 is open"],
        lambda row: row.time.objections.splitlines(),
        description="What stood against its return",
    )
    override_reason = replies.of(rules.OVERRIDE_REASON, "time.override_reason")


class NotRoadworthyReply(ErrorReply):
    """Why a vehicle can't go back on the road; `objections` lists what stands against it."""

    example: ClassVar = refusal(
        "LK19 VTE can't go back on the road: D-0142 is open.",
        ErrorCode.NOT_ROADWORTHY,
        objections=["D-0142 is open"],
    )

    objections = fields.List(fields.String(), metadata={"example": ["D-0142 is open"]})


OFF_ROAD_FILE: Sequence[Column[TimeRow]] = (
    *columns_at("time.reg"),
    Column("since", lambda row: _local(row.time.since)),
    Column("until", lambda row: _local(row.time.until)),
    Column("days", lambda row: rules.days_off(row.time.since, row.time.until, dates.today())),
    Column("reason", lambda row: row.time.reason.label),
    *columns_at("time.detail", "defect", "time.expected_back", "opened_by", "closed_by"),
    *columns_at("time.note", "time.objections", "time.override_reason"),
)


def _local(at: datetime | None) -> str:
    return dates.format_local_time(at.replace(microsecond=0)) if at else ""
