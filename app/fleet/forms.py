"""The forms of the fleet."""

from app.fields import Text
from app.fleet.rules.checks import MAX_REMARK_LENGTH
from app.fleet.rules.plates import PLATE_REQUIRED, clean_plate
from app.fleet.rules.vehicle_fields import (
    CLASSIFICATION,
    LOCATION,
    MAKE,
    MODEL,
    STATUS,
    VEHICLE_FIELDS,
)
from app.fleet.rules.vehicles import VehicleState
from app.web.form_fields import HiddenNumberField, ParsedField, form_field
from app.web.forms import Form


class _VehicleForm(Form):
    make = form_field(MAKE)
    model = form_field(MODEL)
    classification = form_field(CLASSIFICATION)
    status = form_field(STATUS)
    location = form_field(LOCATION)

    def state(self, reg: str = "") -> VehicleState:
        """Return the submitted values; an empty status means Unknown."""
        return VehicleState(reg, **{name: self[name].data for name in VEHICLE_FIELDS})


class AddVehicleForm(_VehicleForm):
    """The form of a new vehicle."""

    reg = ParsedField("Reg", clean_plate, required=PLATE_REQUIRED)


class EditVehicleForm(_VehicleForm):
    """The form of an existing vehicle, whose registration can't be changed."""

    revision = HiddenNumberField()


class ReviewCheckForm(Form):
    """The form that reviews a check."""

    remark = form_field(Text(name="remark", label="Remark", limit=MAX_REMARK_LENGTH))
