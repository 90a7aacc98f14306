"""The forms of the fleet."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Any

from flask import request

from app import dates, names
from app.errors import Invalid, QuartermasterError
from app.fields import Text
from app.fleet.queries import vehicles
from app.fleet.rules.check_answers import COST, FieldRole, InvalidAnswers, field_roles
from app.fleet.rules.checks import MAX_PHOTO_NAME_LENGTH, MAX_REMARK_LENGTH
from app.fleet.rules.findings import (
    BOOKING,
    DRIVE_REASON,
    STEP,
    BookingStep,
    DriveReason,
    HandoverStep,
    SightingAnswer,
)
from app.fleet.rules.templates import Template
from app.fleet.rules.vehicles import (
    CLASSIFICATION,
    MAX_PLATE_LENGTH,
    PLATE_REQUIRED,
    VehicleState,
    clean_plate,
    plate_key,
)
from app.reference_numbers import Series, parse_number, parse_reference
from app.web.form_fields import HiddenNumberField, ParsedField, form_field, inputs_of
from app.web.forms import FileForm, FilesField, Form

PHOTOS = "photos"
"""The name of the input for photos."""

VEHICLE = "vehicle"
"""The name of the input with the vehicle whose open defects the form shows."""

_ROLES = {"reg": FieldRole.PLATE, "odometer": FieldRole.MILEAGE}
"""The roles of the fields that services name in their errors."""


@inputs_of(VehicleState)
class _VehicleForm(Form):
    classification = form_field(
        CLASSIFICATION, existing=lambda _: vehicles.classifications(), takes_spelling=True
    )

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the vehicle; an empty status means Unknown."""
        return {"new": super().values(reg=self["reg"].data if "reg" in self else "")}


class AddVehicleForm(_VehicleForm):
    """The form of a new vehicle."""

    reg = ParsedField("Reg", clean_plate, required=PLATE_REQUIRED)


class EditVehicleForm(_VehicleForm):
    """The form of an existing vehicle, whose registration can't be changed."""

    revision = HiddenNumberField()


class PlainCheckForm(FileForm):
    """The check form for a browser without scripts, with the fields of a template."""

    photos = FilesField("Photos", name=PHOTOS)

    def __init__(self, template: Template, start: Mapping[str, str], vehicle: str = "") -> None:
        super().__init__()
        self.template = template
        # The button that shows the briefing submits nothing.
        self.is_draft = "briefing" in request.form
        self.ignored: list[str] = []
        self.field_errors: Mapping[str | None, str] = {}
        self._summary: Sequence[tuple[str | None, str]] = ()
        self._by_role = {role: name for name, role in field_roles(template).items()}
        names, is_sent = [field.name for field in template.fields], self.is_submitted()
        sent = {name: request.form.get(input_name(name), "") for name in names}
        self.texts = sent if is_sent else {name: start.get(name, "") for name in names}
        self.cost = request.form.get(COST, "") if is_sent else "0"
        chosen = self._text_of(FieldRole.PLATE) if self.is_draft else request.form.get(VEHICLE, "")
        self.vehicle = vehicle or chosen[:MAX_PLATE_LENGTH]

    @cached_property
    def answers(self) -> Mapping[int, SightingAnswer]:
        """Return the answers about open defects by their numbers."""
        found = {}
        for name, value in request.form.items():
            reference = parse_reference(name)
            is_answer = value in set(SightingAnswer)
            if reference and reference.series is Series.DEFECT and is_answer:
                found[reference.number] = SightingAnswer(value)
        return found

    @property
    def reg(self) -> str:
        """Return the registration of the vehicle that is checked, '' without a valid one."""
        try:
            return clean_plate(self._text_of(FieldRole.PLATE))
        except Invalid:
            return ""

    @property
    def day(self) -> date:
        """Return the day of the check, today without a valid one."""
        try:
            return dates.parse_day(self._text_of(FieldRole.DATE))
        except Invalid:
            return dates.today()

    @property
    def drive_reason(self) -> DriveReason | None:
        """Return why the vehicle is driven while it is off the road."""
        reason = request.form.get(DRIVE_REASON, "")
        return DriveReason(reason) if reason in set(DriveReason) else None

    @cached_property
    def booking(self) -> BookingStep | None:
        """Return the step of a booking for which the form was opened, of whatever vehicle."""
        return booking_step(request.values)

    @property
    def chosen_booking(self) -> BookingStep | None:
        """Return the step that was chosen among the bookings of the vehicle."""
        number, _, step = request.form.get(BOOKING, "").partition(" ")
        return booking_step({BOOKING: number, STEP: step})

    def answers_about(
        self, reg: str
    ) -> tuple[Mapping[int, SightingAnswer], DriveReason | None, BookingStep | None]:
        """Return the answers about a vehicle; answers about another one are ignored."""
        answers = self.answers, self.drive_reason, self.chosen_booking
        if plate_key(reg) == plate_key(self.vehicle) or not any(answers):
            return answers
        self.ignored = [f"The answers about {self.vehicle} are not in the check of {reg}."]
        return {}, None, None

    def refuse(self, error: QuartermasterError) -> None:
        """Attach an error to its fields, or to the form, which shows its vehicle's briefing."""
        self.vehicle = self.reg or self.vehicle
        if not error.fields:
            super().refuse(error)
            return
        self.refusal = error
        self.field_errors = {self._place(name): text for name, text in error.fields.items()}
        self._summary = list(self.field_errors.items())
        if isinstance(error, InvalidAnswers):
            self._summary = error.problems

    def problems(self) -> list[tuple[str | None, str]]:
        """Return the errors as (input's id or None, message), in the order of the form."""
        found = [(name and self.input_id(name), message) for name, message in self._summary]
        return [*super().problems(), *found]

    def failure(self) -> Exception:
        """Return why the form wasn't applied, with its errors by the names that were sent."""
        error = super().failure()
        if isinstance(error, QuartermasterError) and self.field_errors:
            error.fields = {
                input_name(name) if name in self.texts else name: text
                for name, text in self.field_errors.items()
                if name
            }
        return error

    def input_id(self, name: str) -> str:
        """Return the id of a field's input."""
        fields = list(self.texts)
        return f"field-{fields.index(name)}" if name in fields else name

    def _text_of(self, role: FieldRole) -> str:
        return self.texts.get(self._by_role.get(role, ""), "")

    def _place(self, name: str) -> str | None:
        if name.startswith(PHOTOS):
            return PHOTOS
        if name in _ROLES:
            return self._by_role.get(_ROLES[name])
        is_input = name in (*self.texts, COST, DRIVE_REASON) or parse_reference(name)
        return name if is_input else None


def booking_step(values: Mapping[str, str]) -> BookingStep | None:
    """Return the step of a booking that an address or a form names, None for no such step."""
    number = parse_number(values.get(BOOKING, ""), Series.BOOKING)
    step = values.get(STEP)
    if number is None or step not in set(HandoverStep):
        return None
    return BookingStep(number, HandoverStep(step))


def input_name(field_name: str) -> str:
    """Return the name of the input for a template's field."""
    return f"items.{field_name}"


def photo_name(name: str) -> str:
    """Return the name of a sent photo as it is stored, '' for an unprintable one."""
    try:
        return names.clean(name[:MAX_PHOTO_NAME_LENGTH], limit=MAX_PHOTO_NAME_LENGTH)
    except Invalid:
        return ""


class ReviewCheckForm(Form):
    """The form that reviews a check."""

    remark = form_field(Text(name="remark", label="Remark", limit=MAX_REMARK_LENGTH))
