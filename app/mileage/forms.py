"""The forms of odometer readings."""

from wtforms import BooleanField

from app import dates
from app.fleet.rules.vehicles import PLATE_REQUIRED, clean_plate
from app.mileage import rules as fields
from app.web.form_fields import ParsedField, form_field
from app.web.forms import Form


class AddReadingForm(Form):
    """A reading that is added by hand."""

    reg = ParsedField("Vehicle", clean_plate, required=PLATE_REQUIRED)
    miles = form_field(fields.MILES)
    day = form_field(fields.READ_ON, default=dates.today)


class AcceptReadingForm(Form):
    """The decision to use a doubtful reading."""

    void_others = BooleanField("Void the readings that contradict it")


class VoidReadingForm(Form):
    """The decision not to use a reading."""

    reason = form_field(fields.VOID_REASON)
