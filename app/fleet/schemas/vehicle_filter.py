"""The vehicle in the query of a list."""

from dataclasses import dataclass, field
from typing import Any

from marshmallow import ValidationError
from sqlalchemy.orm import InstrumentedAttribute

from app.api.fields import FullMessage, JsonText
from app.errors import Invalid
from app.fleet.queries.vehicles import is_on_record
from app.fleet.rules.vehicles import MAX_PLATE_LENGTH, clean_plate, describe_missing, plate_key
from app.records.filters import Conditions, Filter

_NO_VEHICLE = FullMessage("Enter a registration, or leave vehicle out.")


def vehicle_problem(vehicle: str) -> str:
    """Return the error in a typed registration, or ''; '' is right and filters nothing.

    A vehicle that left the lists is found as long as it has any record.
    """
    if not vehicle:
        return ""
    try:
        reg = clean_plate(vehicle)
    except Invalid as error:
        return error.message
    if is_on_record(plate_key(reg)):
        return ""
    return f"{describe_missing(reg)} Check the number plate."


class VehicleFilter(JsonText):
    """A registration that narrows a list, read as its key; an empty one is refused.

    Who sends it by mistake would take what all vehicles have for that of one.
    """

    def __init__(self, otherwise: str = "all vehicles") -> None:
        metadata = {"description": f"A registration; {otherwise} if missing", "minLength": 1}
        super().__init__(limit=MAX_PLATE_LENGTH, what="Vehicle", load_default="", metadata=metadata)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        key = plate_key(super()._deserialize(value, *args, **kwargs))
        if not key:
            raise ValidationError(_NO_VEHICLE)
        return key


@dataclass(frozen=True, kw_only=True)
class OfVehicle(Filter):
    """A registration. On the list's page it is of a vehicle that anything is on record about."""

    control = "vehicle"

    name: str = "vehicle"
    label: str = "Vehicle"
    column: InstrumentedAttribute[str]
    parameter: Any = field(default_factory=VehicleFilter)

    def check(self, value: str) -> str:
        """Return the error in a typed registration, or ''."""
        return vehicle_problem(value)

    def where(self, value: str, *, by_row: bool = False) -> Conditions:  # noqa: ARG002
        """Return the condition that a row is about the vehicle."""
        return [self.column == plate_key(value)]
