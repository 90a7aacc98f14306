"""JSON of the maintenance file and costs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from marshmallow import ValidationError, fields, post_load, validate

from app import dates
from app.api.fields import FullMessage, JsonDay
from app.api.lists import ListPaging, Paging, QueryCount
from app.api.replies import Reply
from app.api.schemas import Body
from app.fields import Pounds
from app.fleet.rules.vehicles import plate_key
from app.records.record import Column
from app.tables.csv_files import escape
from app.upkeep.queries.cost_sources import CostFilters
from app.upkeep.queries.costs import CostReport, CostRow
from app.upkeep.rules import costs as rules
from app.upkeep.rules.costs import CostKind
from app.upkeep.rules.record import MAX_MONTHS, RecordEntry, RecordKind
from app.upkeep.schemas.vehicle_filter import VehicleFilter

_WRONG_MONTHS = FullMessage(f"Choose 1 to {MAX_MONTHS} months.")


@dataclass(frozen=True)
class RecordPart:
    """Which record a request reads, and which part of it; `months` is None for as many as kept."""

    paging: ListPaging
    reg_key: str
    months: int | None


class RecordPaging(Paging):
    """The vehicle and months of a record, and the part of it."""

    vehicle = VehicleFilter("for managers the whole fleet")
    months = QueryCount(
        load_default=None,
        validate=validate.Range(1, MAX_MONTHS, error=_WRONG_MONTHS),
        metadata={"description": "How many months back; as many as records are kept if missing"},
    )

    @post_load
    def _paging(self, data: dict[str, Any], **options: Any) -> RecordPart:
        reg_key, months = plate_key(data.pop("vehicle")), data.pop("months")
        return RecordPart(super()._paging(data, **options), reg_key, months)


def _pounds() -> fields.Float:
    return fields.Float(allow_none=True, metadata={"example": None})


class RecordEntryReply(Reply):
    """One thing on record about a vehicle; the amounts are null where nothing was paid for.

    What is open today stands first, with the day since when.
    """

    reg = fields.String(metadata={"example": "LK19 VTE"})
    date = fields.String(metadata={"format": "date", "example": "2026-01-15"})
    time = fields.String(
        allow_none=True,
        metadata={
            "description": "In London; null for what was recorded on a later day",
            "pattern": r"^\d\d:\d\d$",
            "example": "08:12",
        },
    )
    record = fields.String(metadata={"enum": list(RecordKind), "example": "Check"})
    reference = fields.String(
        metadata={"description": "D-0142, R-0088, or the id of a check", "example": "1042"}
    )
    what = fields.String(metadata={"example": "Daily check"})
    outcome = fields.String(metadata={"example": "No defects (nil)"})
    detail = fields.String(metadata={"example": "No defects. Kept as a nil-defect report."})
    answers = fields.String(
        metadata={"description": "What a check's form says", "example": "Lights: OK; Tyres: OK"}
    )
    by = fields.String(metadata={"description": "Empty for the terminal", "example": "j.marsh"})
    odometer = fields.Integer(allow_none=True, metadata={"example": 48210})
    labourGBP = _pounds()  # noqa: N815 (the API's name)
    partsGBP = _pounds()  # noqa: N815 (the API's name)
    otherGBP = _pounds()  # noqa: N815 (the API's name)
    stockGBP = _pounds()  # noqa: N815 (the API's name)
    totalGBP = _pounds()  # noqa: N815 (the API's name)
    sha256 = fields.List(
        fields.String(),
        metadata={"description": "Of its photos and documents", "example": []},
    )


CSV_COLUMNS = tuple(RecordEntryReply().fields)
"""The columns of the file: the fields of the reply."""

_AMOUNTS = [name for name in CSV_COLUMNS if name.endswith("GBP")]


def entry_json(entry: RecordEntry) -> dict[str, Any]:
    """Return an entry of a record as JSON, in the order of the columns."""
    amounts = entry.amounts
    return {
        "reg": entry.reg,
        "date": entry.day.isoformat(),
        "time": dates.format_time(entry.at) if entry.at else None,
        "record": entry.kind.value,
        "reference": entry.reference,
        "what": entry.title,
        "outcome": entry.outcome,
        "detail": entry.detail,
        "answers": entry.answers,
        "by": entry.who,
        "odometer": entry.miles,
        **{
            name: getattr(amounts, name.removesuffix("GBP")) / 100 if amounts else None
            for name in _AMOUNTS
        },
        "sha256": list(entry.files),
    }


def csv_rows(entries: Iterable[RecordEntry]) -> Iterator[Sequence[str]]:
    """Yield entries as rows of a CSV file; several hashes are separated by spaces."""
    return ([_cell(value) for value in entry_json(entry).values()] for entry in entries)


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return escape(value)
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, list):
        return " ".join(value)
    return "" if value is None else str(value)


_KINDS = [kind.value for kind in CostKind]


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
        start = data.get("start") or rules.first_day(end)
        if start > end:
            raise ValidationError(FullMessage("From is later than to."), "from")
        return CostFilters(start, end, plate_key(data["vehicle"]))


class KindCostReply(Reply):
    """The costs of a kind, in pounds."""

    kind = fields.String(validate=validate.OneOf(_KINDS), metadata={"example": "repair"})
    costGBP = fields.Float(metadata={"example": 412.5})  # noqa: N815 (the API's name)


class MonthCostReply(KindCostReply):
    """The costs of a kind in a month, in pounds."""

    month = fields.String(metadata={"pattern": r"^\d{4}-\d\d$", "example": "2026-10"})


class VehicleCostReply(Reply):
    """The costs of a vehicle in pounds; the cost of a mile is null without enough readings."""

    reg = fields.String(metadata={"example": "LK19 VTE"})
    costGBP = fields.Float(metadata={"example": 412.5})  # noqa: N815 (the API's name)
    miles = fields.Integer(allow_none=True, metadata={"example": 3320})
    perMileGBP = fields.Float(  # noqa: N815 (the API's name)
        allow_none=True, metadata={"example": 0.124}
    )


class CostReply(Reply):
    """What vehicles cost; the cost of a mile is that of the vehicles whose miles are known."""

    start = fields.String(data_key="from", metadata={"format": "date", "example": "2025-12-01"})
    end = fields.String(data_key="to", metadata={"format": "date", "example": "2026-11-22"})
    costGBP = fields.Float(metadata={"example": 1412.5})  # noqa: N815 (the API's name)
    miles = fields.Integer(metadata={"example": 13320})
    perMileGBP = fields.Float(  # noqa: N815 (the API's name)
        allow_none=True, metadata={"example": 0.106}
    )
    kinds = fields.List(fields.Nested(KindCostReply))
    months = fields.List(fields.Nested(MonthCostReply))
    vehicles = fields.List(fields.Nested(VehicleCostReply))


def report_json(report: CostReport, filters: CostFilters) -> dict[str, Any]:
    """Return a report as JSON."""
    return {
        "start": filters.start.isoformat(),
        "end": filters.end.isoformat(),
        "costGBP": report.pence / 100,
        "miles": report.miles,
        "perMileGBP": _cost_pounds(report.per_mile),
        "kinds": [
            {"kind": kind.value, "costGBP": pence / 100}
            for kind, pence in rules.kind_costs(report.months)
        ],
        "months": [
            {"month": f"{cost.month:%Y-%m}", "kind": cost.kind.value, "costGBP": cost.pence / 100}
            for cost in report.months
        ],
        "vehicles": [
            {
                "reg": vehicle.reg,
                "costGBP": vehicle.pence / 100,
                "miles": vehicle.miles,
                "perMileGBP": _cost_pounds(vehicle.per_mile),
            }
            for vehicle in report.vehicles
        ],
    }


COST_FILE: Sequence[Column[CostRow]] = (
    Column("date", lambda cost: cost.day),
    Column("reg", lambda cost: cost.reg),
    Column("kind", lambda cost: cost.kind.label),
    Column("source", lambda cost: cost.source.value),
    Column("number", lambda cost: cost.reference or cost.source_id),
    Column("what", lambda cost: cost.text),
    Column("costGBP", lambda cost: cost.pence, field=Pounds()),
)


def _cost_pounds(pence: float | None) -> float | None:
    return None if pence is None else round(pence / 100, 3)
