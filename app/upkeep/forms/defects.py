"""The forms that report defects and decide about them."""

from dataclasses import replace
from typing import Any

from app import dates
from app.attachments.rules import ACCEPTED
from app.errors import Invalid
from app.fleet.rules.vehicles import PLATE_REQUIRED, clean_plate
from app.reference_numbers import Series, parse_reference
from app.upkeep.rules.defect_fields import (
    ACCEPTED_UNTIL,
    BOOKED_FOR,
    CLOSING,
    DAY,
    GARAGE,
    NOTE,
    NOTE_TEXT,
    REASON,
    SEVERITY,
)
from app.upkeep.rules.defects import ClosingChoice
from app.upkeep.rules.kinds import Closing
from app.upkeep.services.defect_decisions import Booking
from app.upkeep.services.defect_reports import ReportedByHand
from app.web.form_fields import HiddenNumberField, ParsedField, form_field, inputs_of
from app.web.forms import FileForm, FilesField, Form


def parse_defect_number(text: str) -> int:
    """Return the number of a defect that is written as 'D-0142', 'd142' or '142'.

    Raises Invalid for any other text.
    """
    plain = text.strip()
    reference = parse_reference(f"D{plain}" if plain.isdecimal() else plain)
    if reference is None or reference.series is not Series.DEFECT:
        raise Invalid("Enter the number of a defect, such as D-0142.")
    return reference.number


@inputs_of(ReportedByHand)
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

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the booking and the note."""
        return {
            "booking": Booking(self.garage.data, self.booked_for.data),
            "note": self.note.data,
        }


class NoteDefectForm(FileForm):
    """A note on a defect."""

    text = form_field(NOTE_TEXT)
    files = FilesField("Photos or PDF", accept=ACCEPTED)


class CloseDefectForm(Form):
    """Why a defect is closed without a repair."""

    closing = form_field(CLOSING)
    reason = form_field(REASON)
    duplicate_of = ParsedField("The same as", parse_defect_number)
    accepted_until = form_field(ACCEPTED_UNTIL)
    revision = HiddenNumberField()

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the closing of the defect, with its required values."""
        closing = self.closing.data
        choice = ClosingChoice(
            closing,
            self.reason.data,
            self.duplicate_of.data if closing is Closing.DUPLICATE else None,
            self.accepted_until.data if closing is Closing.ACCEPTED else None,
        )
        return {"choice": choice}


class SignOffForm(Form):
    """The sign-off of a repaired defect."""

    revision = HiddenNumberField()
