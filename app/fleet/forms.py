"""The forms of the fleet."""

from app.fleet.rules.checks import MAX_REMARK_LENGTH
from app.fleet.rules.plates import PLATE_REQUIRED, clean_plate
from app.fleet.rules.vehicles import (
    MAX_CLASSIFICATION_LENGTH,
    MAX_LOCATION_LENGTH,
    MAX_MAKE_LENGTH,
    MAX_STATUS_LENGTH,
    VehicleState,
)
from app.web.form_fields import HiddenNumberField, ParsedField, TextField
from app.web.forms import Form


class _VehicleForm(Form):
    make = TextField("Make", limit=MAX_MAKE_LENGTH)
    model = TextField("Model", limit=MAX_MAKE_LENGTH)
    classification = TextField("Classification", limit=MAX_CLASSIFICATION_LENGTH)
    status = TextField("Status", limit=MAX_STATUS_LENGTH)
    location = TextField("Location", limit=MAX_LOCATION_LENGTH)

    def state(self, reg: str = "") -> VehicleState:
        """Return the submitted values; an empty status means Unknown."""
        return VehicleState(
            reg=reg,
            make=self.make.data,
            model=self.model.data,
            status=self.status.data,
            classification=self.classification.data,
            location=self.location.data,
        )


class AddVehicleForm(_VehicleForm):
    """The form of a new vehicle."""

    reg = ParsedField("Reg", clean_plate, required=PLATE_REQUIRED)


class EditVehicleForm(_VehicleForm):
    """The form of an existing vehicle, whose registration can't be changed."""

    revision = HiddenNumberField()


class ReviewCheckForm(Form):
    """The form that reviews a check."""

    remark = TextField("Remark", limit=MAX_REMARK_LENGTH)
