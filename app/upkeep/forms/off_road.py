"""The forms that take a vehicle off the road and put it back."""

from wtforms import SelectChoice

from app.errors import QuartermasterError
from app.fleet.rules.vehicles import PLATE_REQUIRED, clean_plate
from app.upkeep.rules.kinds import OffRoadReason
from app.upkeep.rules.off_road import (
    CHOSEN_REASONS,
    DETAIL,
    EXPECTED_BACK,
    NOTE,
    OVERRIDE_REASON,
    REASON,
    NotRoadworthy,
)
from app.web.form_fields import HiddenNumberField, ParsedField, form_field
from app.web.forms import Form


class _OffRoadForm(Form):
    # The service checks the reason: a time that a defect began keeps its own.
    reason = form_field(
        REASON,
        default=OffRoadReason.OTHER,
        choices=[SelectChoice(reason.value, reason.label) for reason in CHOSEN_REASONS],
    )
    detail = form_field(DETAIL)
    expected_back = form_field(EXPECTED_BACK)


class TakeOffRoadForm(_OffRoadForm):
    """A vehicle that is taken off the road by hand."""

    reg = ParsedField("Vehicle", clean_plate, required=PLATE_REQUIRED)


class ChangeOffRoadForm(_OffRoadForm):
    """Another reason, detail or expected return; a defect's reason stays while it is chosen."""

    revision = HiddenNumberField()

    def keep_reason(self, reason: OffRoadReason) -> None:
        """Offer the reason that a time off the road has, whichever that is."""
        if reason not in CHOSEN_REASONS:
            choice = SelectChoice(reason.value, reason.label)
            self.reason.choices = [choice, *self.reason.choices]


class ReturnForm(Form):
    """The sign-off that puts a vehicle back on the road."""

    note = form_field(NOTE)
    override_reason = form_field(OVERRIDE_REASON)

    def refuse(self, error: QuartermasterError) -> None:
        """Attach an error; a missing reason is also named at its field, if that is displayed."""
        super().refuse(error)
        if isinstance(error, NotRoadworthy) and self.override_reason.raw_data:
            self.override_reason.errors = ["Give a reason to put it back all the same."]
