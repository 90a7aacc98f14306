"""The forms that report defects and decide about them."""

from dataclasses import replace
from typing import Any

from app import dates
from app.attachments.rules import ACCEPTED
from app.errors import Invalid
from app.fleet.rules.vehicles import PLATE_REQUIRED, clean_plate
from app.reference_numbers import Series, parse_number
from app.upkeep.rules.defect_fields import (
    BOOKED_FOR,
    DAY,
    GARAGE,
    NOTE,
    NOTE_TEXT,
    SEVERITY,
)
from app.upkeep.rules.defects import ClosingChoice
from app.upkeep.rules.kinds import Closing
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
