"""Costs as JSON and as CSV."""

from collections.abc import Sequence
from typing import Any

from marshmallow import ValidationError, fields, post_load, validate

from app import dates
from app.api.fields import JsonDay
from app.api.messages import FullMessage
from app.api.schemas import Body, Reply
from app.fields import Pounds
from app.fleet.rules.plates import plate_key
from app.records.record import Column
from app.upkeep.queries.cost_sources import CostFilters
from app.upkeep.queries.costs import CostReport, CostRow
from app.upkeep.rules import costs as rules
from app.upkeep.rules.costs import CostKind
from app.upkeep.schemas.vehicle_filter import VehicleFilter

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
        "perMileGBP": _pounds(report.per_mile),
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
                "perMileGBP": _pounds(vehicle.per_mile),
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


def _pounds(pence: float | None) -> float | None:
    return None if pence is None else round(pence / 100, 3)
