"""The forms of defects and of times off the road."""

from dataclasses import replace
from typing import Any

from wtforms import SelectChoice

from app import dates
from app.attachments.rules import ACCEPTED
from app.errors import Invalid, QuartermasterError
from app.fleet.rules.vehicles import PLATE_REQUIRED, clean_plate
from app.reference_numbers import Series, parse_number
from app.upkeep.rules import off_road
from app.upkeep.rules.defect_fields import (
    BOOKED_FOR,
    DAY,
    GARAGE,
    NOTE,
    NOTE_TEXT,
    SEVERITY,
)
from app.upkeep.rules.defects import ClosingChoice
from app.upkeep.rules.kinds import Closing, OffRoadReason
from app.upkeep.services.defects import DefectReport
from app.web.form_fields import HiddenNumberField, ParsedField, form_field, inputs_of
from app.web.forms import FileForm, FilesField, Form


def parse_defect_number(text: str) -> int:
    """Return the number of a defect that is written as 'D-0142', 'd142' or '142'.

    Raises Invalid for any other text.
    """
    number = parse_number(text, Series.DEFECT)
    if number is None:
        raise Invalid("Enter the number of a defect, such as D-0142.")
    return number


@inputs_of(DefectReport)
class ReportDefectForm(FileForm):
    """A defect that somebody reports without a check."""

    reg = ParsedField("Vehicle", clean_plate, required=PLATE_REQUIRED)
    day = form_field(DAY, default=dates.today)
    files = FilesField("Photos or PDF", accept=ACCEPTED)

    def values(self, **others: Any) -> Any:
        """Return the report, of today unless it has a day."""
        return super().values(day=self.day.data or dates.today(), **others)


class AssessDefectForm(Form):
    """How bad a defect is."""

    severity = form_field(replace(SEVERITY, none="", refusal="Choose how bad it is."))
    note = form_field(NOTE)
    revision = HiddenNumberField()


class BookDefectForm(Form):
    """The garage and day of a defect's repair."""

    garage = form_field(GARAGE)
    booked_for = form_field(BOOKED_FOR)
    note = form_field(NOTE)
    revision = HiddenNumberField()


class NoteDefectForm(FileForm):
    """A note on a defect."""

    text = form_field(NOTE_TEXT)
    files = FilesField("Photos or PDF", accept=ACCEPTED)


@inputs_of(ClosingChoice)
class CloseDefectForm(Form):
    """Why a defect is closed without a repair."""

    duplicate_of = ParsedField("The same as", parse_defect_number)
    revision = HiddenNumberField()

    def values(self, **others: Any) -> Any:
        """Return the closing, without the values of another way to close it."""
        values: ClosingChoice = super().values(**others)
        return replace(
            values,
            duplicate_of=values.duplicate_of if values.closing is Closing.DUPLICATE else None,
            accepted_until=values.accepted_until if values.closing is Closing.ACCEPTED else None,
        )


class SignOffForm(Form):
    """The sign-off of a repaired defect."""

    revision = HiddenNumberField()


class _OffRoadForm(Form):
    # The service checks the reason: a time that a defect began keeps its own.
    reason = form_field(
        off_road.REASON,
        default=OffRoadReason.OTHER,
        choices=[SelectChoice(reason.value, reason.label) for reason in off_road.CHOSEN_REASONS],
    )
    detail = form_field(off_road.DETAIL)
    expected_back = form_field(off_road.EXPECTED_BACK)


class TakeOffRoadForm(_OffRoadForm):
    """A vehicle that is taken off the road by hand."""

    reg = ParsedField("Vehicle", clean_plate, required=PLATE_REQUIRED)


class ChangeOffRoadForm(_OffRoadForm):
    """Another reason, detail or expected return; a defect's reason stays while it is chosen."""

    revision = HiddenNumberField()

    def keep_reason(self, reason: OffRoadReason) -> None:
        """Offer the reason that a time off the road has, whichever that is."""
        if reason not in off_road.CHOSEN_REASONS:
            choice = SelectChoice(reason.value, reason.label)
            self.reason.choices = [choice, *self.reason.choices]


class ReturnForm(Form):
    """The sign-off that puts a vehicle back on the road."""

    note = form_field(off_road.NOTE)
    override_reason = form_field(off_road.OVERRIDE_REASON)

    def refuse(self, error: QuartermasterError) -> None:
        """Attach an error; a missing reason is also named at its field, if that is displayed."""
        super().refuse(error)
        if isinstance(error, off_road.NotRoadworthy) and self.override_reason.raw_data:
            self.override_reason.errors = ["Give a reason to put it back all the same."]
