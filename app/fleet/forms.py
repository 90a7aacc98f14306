"""The forms of the fleet: shape only, the rules judge what they mean."""

from app.fleet.rules.checks import LONGEST_REMARK
from app.fleet.rules.plates import PLATE_REQUIRED, clean_plate
from app.fleet.rules.vehicles import (
    LONGEST_CLASSIFICATION,
    LONGEST_LOCATION,
    LONGEST_MAKE,
    LONGEST_STATUS,
    VehicleState,
)
from app.web.form_fields import HiddenNumberField, ParsedField, TextField
from app.web.forms import Form


class _VehicleForm(Form):
    make = TextField("Make", limit=LONGEST_MAKE)
    model = TextField("Model", limit=LONGEST_MAKE)
    classification = TextField("Classification", limit=LONGEST_CLASSIFICATION)
    status = TextField("Status", limit=LONGEST_STATUS)
    location = TextField("Location", limit=LONGEST_LOCATION)

    def state(self, reg: str = "") -> VehicleState:
        """Return the vehicle as typed; a status left empty is Unknown."""
        return VehicleState(
            reg=reg,
            make=self.make.data,
            model=self.model.data,
            status=self.status.data,
            classification=self.classification.data,
            location=self.location.data,
        )


class AddVehicleForm(_VehicleForm):
    """A vehicle that is new."""

    reg = ParsedField("Reg", clean_plate, required=PLATE_REQUIRED)


class EditVehicleForm(_VehicleForm):
    """What a vehicle is; its registration stays."""

    revision = HiddenNumberField()


class ReviewForm(Form):
    """What somebody remarks who has looked at a check."""

    remark = TextField("Remark", limit=LONGEST_REMARK)
