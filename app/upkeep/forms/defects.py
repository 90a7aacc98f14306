"""The forms that report defects and decide about them."""

from typing import Any

from wtforms import SelectChoice, SelectField, ValidationError
from wtforms.widgets import TextArea

from app import dates
from app.attachments.rules import ACCEPTED
from app.errors import Invalid
from app.fleet.rules.findings import Severity
from app.fleet.rules.plates import PLATE_REQUIRED, clean_plate
from app.reference_numbers import Series, parse_reference
from app.upkeep.rules.defect_fields import (
    ACCEPTED_UNTIL,
    BOOKED_FOR,
    DAY,
    DETAIL,
    GARAGE,
    NOTE,
    NOTE_TEXT,
    PART,
    REASON,
    TITLE,
)
from app.upkeep.rules.defect_texts import CLOSING_LABELS, NOT_ASSESSED, SEVERITY_LABELS
from app.upkeep.rules.defects import CHOSEN_CLOSINGS, ClosingChoice
from app.upkeep.rules.kinds import Closing
from app.upkeep.services.defect_decisions import Booking
from app.upkeep.services.defect_reports import ReportedByHand
from app.web.form_fields import HiddenNumberField, ParsedField, form_field
from app.web.forms import FileForm, FilesField, Form

_SEVERITIES = [SelectChoice(severity.value, label) for severity, label in SEVERITY_LABELS.items()]


def parse_defect_number(text: str) -> int:
    """Return the number of a defect that is written as 'D-0142', 'd142' or '142'.

    Raises Invalid for any other text.
    """
    plain = text.strip()
    reference = parse_reference(f"D{plain}" if plain.isdecimal() else plain)
    if reference is None or reference.series is not Series.DEFECT:
        raise Invalid("Enter the number of a defect, such as D-0142.")
    return reference.number


def _check_choice(field: Any, message: str) -> None:
    """Refuse a value that isn't offered, with a message of its own."""
    if field.data not in [choice.value for choice in field.choices]:
        raise ValidationError(message)


class ReportDefectForm(FileForm):
    """A defect that somebody reports without a check."""

    reg = ParsedField("Vehicle", clean_plate, required=PLATE_REQUIRED)
    part = form_field(PART)
    title = form_field(TITLE)
    severity = SelectField(
        "How bad is it?",
        choices=[SelectChoice("", NOT_ASSESSED), *_SEVERITIES],
        default="",
        validate_choice=False,
    )
    detail = form_field(DETAIL, widget=TextArea())
    day = form_field(DAY, default=dates.today)
    files = FilesField("Photos or PDF", accept=ACCEPTED)

    def validate_severity(self, field: Any) -> None:
        """Refuse a severity that isn't offered."""
        _check_choice(field, "Choose how bad it is from the list.")

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the report."""
        report = ReportedByHand(
            reg=self.reg.data,
            part=self.part.data,
            title=self.title.data,
            severity=Severity(self.severity.data) if self.severity.data else None,
            detail=self.detail.data,
            day=self.day.data or dates.today(),
        )
        return {"report": report}


class AssessDefectForm(Form):
    """How bad a defect is."""

    severity = SelectField("How bad is it?", choices=_SEVERITIES, validate_choice=False)
    note = form_field(NOTE, widget=TextArea())
    revision = HiddenNumberField()

    def validate_severity(self, field: Any) -> None:
        """Refuse a severity that isn't offered."""
        _check_choice(field, "Choose how bad it is.")

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the severity and the note."""
        return {"severity": Severity(self.severity.data), "note": self.note.data}


class BookDefectForm(Form):
    """Where and when a defect is to be repaired."""

    garage = form_field(GARAGE)
    booked_for = form_field(BOOKED_FOR)
    note = form_field(NOTE, widget=TextArea())
    revision = HiddenNumberField()

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the booking and the note."""
        return {
            "booking": Booking(self.garage.data, self.booked_for.data),
            "note": self.note.data,
        }


class NoteDefectForm(FileForm):
    """A note on a defect."""

    text = form_field(NOTE_TEXT, widget=TextArea())
    files = FilesField("Photos or PDF", accept=ACCEPTED)


class CloseDefectForm(Form):
    """Why a defect is closed without a repair."""

    closing = SelectField(
        "How does it close?",
        choices=[
            SelectChoice(closing.value, CLOSING_LABELS[closing]) for closing in CHOSEN_CLOSINGS
        ],
        validate_choice=False,
    )
    reason = form_field(REASON, widget=TextArea())
    duplicate_of = ParsedField("The same as", parse_defect_number)
    accepted_until = form_field(ACCEPTED_UNTIL)
    revision = HiddenNumberField()

    def validate_closing(self, field: Any) -> None:
        """Refuse a closing that isn't offered."""
        _check_choice(field, "Choose how it closes.")

    def values(self, **_: Any) -> dict[str, Any]:
        """Return how the defect closes, with what that closing needs."""
        closing = Closing(self.closing.data)
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
