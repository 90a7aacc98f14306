"""The forms that take a vehicle off the road and put it back."""

from typing import Any

from wtforms import SelectChoice, SelectField, ValidationError
from wtforms.widgets import TextArea

from app.errors import QuartermasterError
from app.fleet.rules.plates import PLATE_REQUIRED, clean_plate
from app.upkeep.rules.kinds import OffRoadReason
from app.upkeep.rules.off_road import (
    CHOSEN_REASONS,
    DETAIL,
    EXPECTED_BACK,
    NO_SUCH_REASON,
    NOTE,
    OVERRIDE_REASON,
    REASON_LABELS,
    NotRoadworthy,
)
from app.web.form_fields import HiddenNumberField, ParsedField, form_field
from app.web.forms import Form


class _OffRoadForm(Form):
    reason = SelectField(
        "Reason",
        choices=[SelectChoice(reason.value, REASON_LABELS[reason]) for reason in CHOSEN_REASONS],
        default=OffRoadReason.OTHER.value,
        validate_choice=False,
    )
    detail = form_field(DETAIL, widget=TextArea())
    expected_back = form_field(EXPECTED_BACK)

    def validate_reason(self, field: Any) -> None:
        """Refuse a reason that doesn't exist; the service knows which may be chosen."""
        if field.data not in set(OffRoadReason):
            raise ValidationError(NO_SUCH_REASON)

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the values by the names of the fields."""
        return super().values(reason=OffRoadReason(self.reason.data))  # type: ignore[no-any-return]


class TakeOffRoadForm(_OffRoadForm):
    """A vehicle that is taken off the road by hand."""

    reg = ParsedField("Vehicle", clean_plate, required=PLATE_REQUIRED)


class ChangeOffRoadForm(_OffRoadForm):
    """Another reason, detail or expected return; a defect's reason stays while it is chosen."""

    revision = HiddenNumberField()

    def keep_reason(self, reason: OffRoadReason) -> None:
        """Offer the reason that a time off the road has, whichever that is."""
        if reason not in CHOSEN_REASONS:
            choice = SelectChoice(reason.value, REASON_LABELS[reason])
            self.reason.choices = [choice, *self.reason.choices]


class ReturnForm(Form):
    """The sign-off that puts a vehicle back on the road."""

    note = form_field(NOTE, widget=TextArea())
    override_reason = form_field(OVERRIDE_REASON, widget=TextArea())

    def refuse(self, error: QuartermasterError) -> None:
        """Attach an error; who saw the field of the reason reads there what is missing, too."""
        super().refuse(error)
        if isinstance(error, NotRoadworthy) and self.override_reason.raw_data:
            self.override_reason.errors = ["Give a reason to put it back all the same."]
