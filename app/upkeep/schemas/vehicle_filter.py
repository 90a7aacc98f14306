"""The vehicle in the query of a list."""

from dataclasses import dataclass
from typing import Any

from marshmallow import ValidationError, post_load

from app.api.fields import JsonText
from app.api.lists import ListPaging, Paging
from app.api.messages import FullMessage
from app.fleet.rules.plates import MAX_PLATE_LENGTH, plate_key

_NO_VEHICLE = FullMessage("Enter a registration, or leave vehicle out.")


class VehicleFilter(JsonText):
    """A registration that narrows a list; an empty one is refused.

    Who sends it by mistake would take what all vehicles have for that of one.
    """

    def __init__(self, otherwise: str = "all vehicles") -> None:
        metadata = {"description": f"A registration; {otherwise} if missing", "minLength": 1}
        super().__init__(limit=MAX_PLATE_LENGTH, what="Vehicle", load_default="", metadata=metadata)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        text = super()._deserialize(value, *args, **kwargs)
        if not plate_key(text):
            raise ValidationError(_NO_VEHICLE)
        return text


@dataclass(frozen=True)
class VehiclePart:
    """The vehicle whose rows a request lists, '' for all, and which part of them."""

    paging: ListPaging
    reg_key: str


class VehiclePaging(Paging):
    """The vehicle of rows, and the part of the list; without `limit` the whole list is sent."""

    vehicle = VehicleFilter()

    @post_load
    def _paging(self, data: dict[str, Any], **options: Any) -> VehiclePart:
        reg_key = plate_key(data.pop("vehicle"))
        return VehiclePart(super()._paging(data, **options), reg_key)
