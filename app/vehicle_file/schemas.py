"""JSON of the maintenance file and costs."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from marshmallow import ValidationError, fields, post_load, validate

from app import dates
from app.api import replies
from app.api.fields import FullMessage, JsonDay
from app.api.lists import FilteredPaging, QueryCount
from app.api.replies import WRITTEN, Reply
from app.api.schemas import Body
from app.fields import Pounds, WholeNumber
from app.fleet.schemas.vehicles import VehicleFilter
from app.periods import first_day
from app.records.record import Column
from app.vehicle_file.queries.cost_sources import CostFilters
from app.vehicle_file.queries.costs import CostRow, VehicleCost
from app.vehicle_file.rules import (
    MAX_MONTHS,
    MONTHS,
    CostKind,
    RecordEntry,
    RecordKind,
    format_per_mile,
)


class RecordPaging(FilteredPaging):
    """The vehicle and months of a record, and the part of it."""

    vehicle = VehicleFilter("for managers the whole fleet")
    months = QueryCount(
        load_default=None,
        validate=validate.Range(1, MAX_MONTHS, error=FullMessage(MONTHS.minimum_message)),
        metadata={"description": "How many months back; as many as records are kept if missing"},
    )


def _amount(name: str) -> fields.Float:
    def pence(entry: RecordEntry) -> int | None:
        return getattr(entry.amounts, name) if entry.amounts else None

    return replies.pounds(None, pence, null=True, data_key=f"{name}GBP")


def _time(entry: RecordEntry) -> str | None:
    return dates.format_time(entry.at) if entry.at else None


class RecordEntryReply(Reply):
    """One thing on record about a vehicle; the amounts are null where nothing was paid for.

    What is open today stands first, with the day since when.
    """

    reg = replies.text("LK19 VTE")
    date = replies.day("2026-01-15", "day")
    time = replies.text(
        "08:12",
        _time,
        null=True,
        description="In London; null for what was recorded on a later day",
        pattern=r"^\d\d:\d\d$",
    )
    record = replies.choice(RecordKind, "Check", "kind")
    reference = replies.text("1042", description="D-0142, R-0088, or the id of a check")
    what = replies.text("Daily check", "title")
    outcome = replies.text("No defects (nil)")
    detail = replies.text("No defects. Kept as a nil-defect report.")
    answers = replies.text("Lights: OK; Tyres: OK", description="What a check's form says")
    by = replies.text("j.marsh", "who", description="Empty for the terminal")
    name = replies.text("Jo Marsh", description="Of the driver or mechanic, if one was given")
    odometer = replies.number(48210, "miles", null=True)
    vars().update({name: _amount(name) for name in ("labour", "parts", "other", "stock", "total")})
    sha256 = replies.texts([], "files", description="Of its photos and documents")


def _column(name: str, field: fields.Field[Any]) -> Column[RecordEntry]:
    read = field.metadata[WRITTEN][0] or name
    pounds = Pounds() if isinstance(field, fields.Float) else None
    value = read if callable(read) else attrgetter(read)
    return Column(field.data_key or name, value, field=pounds)


RECORD_FILE: Sequence[Column[RecordEntry]] = (
    *(_column(*each) for each in RecordEntryReply._declared_fields.items() if each[0] != "sha256"),
    Column("sha256", lambda entry: " ".join(entry.files)),
)


class CostQuery(Body):
    """The days and the vehicle of a cost report."""

    start = JsonDay(
        data_key="from",
        metadata={"description": "The first day; of the last twelve months if missing"},
    )
    end = JsonDay(data_key="to", metadata={"description": "The last day; today if missing"})
    vehicle = VehicleFilter()

    @post_load
    def _filters(self, data: dict[str, Any], **_: Any) -> CostFilters:
        end = data.get("end") or dates.today()
        start = data.get("start") or first_day(end)
        if start > end:
            raise ValidationError(FullMessage("From is later than to."), "from")
        return CostFilters(start, end, data["vehicle"])


def _cost_pounds(pence: float | None) -> float | None:
    return None if pence is None else round(pence / 100, 3)


class KindCostReply(Reply):
    """The costs of a kind, in pounds."""

    kind = replies.choice(CostKind, "repair")
    pence = replies.pounds(412.5, data_key="costGBP")


class MonthCostReply(KindCostReply):
    """The costs of a kind in a month, in pounds."""

    month = replies.text("2026-10", lambda cost: f"{cost.month:%Y-%m}", pattern=r"^\d{4}-\d\d$")


class VehicleCostReply(Reply):
    """The costs of a vehicle in pounds; the cost of a mile is null without enough readings."""

    reg = replies.text("LK19 VTE")
    pence = replies.pounds(412.5, data_key="costGBP")
    miles = replies.number(3320, null=True)
    per_mile = replies.pounds(0.124, null=True, data_key="perMileGBP", convert=_cost_pounds)


class CostReply(Reply):
    """What vehicles cost; the cost of a mile is that of the vehicles whose miles are known."""

    start = replies.day("2025-12-01", data_key="from")
    end = replies.day("2026-11-22", data_key="to")
    pence = replies.pounds(1412.5, data_key="costGBP")
    miles = replies.number(13320)
    per_mile = replies.pounds(0.106, null=True, data_key="perMileGBP", convert=_cost_pounds)
    kinds = replies.rows(KindCostReply, convert=list)
    months = replies.rows(MonthCostReply)
    vehicles = replies.rows(VehicleCostReply)


COST_FILE: Sequence[Column[CostRow]] = (
    Column("date", lambda cost: cost.day),
    Column("reg", lambda cost: cost.reg),
    Column("kind", lambda cost: cost.kind.label),
    Column("source", lambda cost: cost.source.value),
    Column("number", lambda cost: cost.reference or cost.source_id),
    Column("what", lambda cost: cost.text),
    Column("costGBP", lambda cost: cost.pence, field=Pounds()),
)

_COST, _MILES = Pounds(name="cost"), WholeNumber()

KIND_COLUMNS: Sequence[Column[tuple[CostKind, int]]] = (
    Column("kind", lambda total: total[0].label, heading="Kind"),
    Column("cost", lambda total: total[1], field=_COST, css_class="num amount"),
)

VEHICLE_COLUMNS: Sequence[Column[VehicleCost]] = (
    Column("reg", heading="Vehicle"),
    Column("pence", field=_COST, css_class="num amount"),
    Column("miles", lambda each: _MILES.show(each.miles) or "–", heading="Miles", css_class="num"),
    Column(
        "perMile", lambda each: format_per_mile(each.per_mile), heading="A mile", css_class="num"
    ),
)
