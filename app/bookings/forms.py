"""The forms of bookings."""

from dataclasses import replace
from functools import partial
from typing import Any

from flask import request
from wtforms import Field, SelectMultipleField

from app import dates
from app.bookings import rules
from app.bookings.rules import (
    BookingKind,
    BookingRequest,
    ComesTwice,
    Condition,
    TimeSpan,
    parse_time,
)
from app.fields import Choice, Flag, Text
from app.fleet.rules.vehicles import MAX_PLATE_LENGTH, plate_key
from app.web.form_fields import ParsedField, RevisionForm, form_field
from app.web.forms import Form


class TimeField(ParsedField):
    """A London time; one that comes twice is asked about by the radios of `turn_name`."""

    def __init__(self, label: str, **options: Any) -> None:
        super().__init__(
            label,
            lambda text: parse_time(text, self.turn),
            required="Enter a day and a time.",
            format=lambda at: f"{at.astimezone(dates.LONDON):%Y-%m-%dT%H:%M}",
            attributes=lambda: {"type": "datetime-local"},
            **options,
        )
        self.turn_name = f"{self.name}_turn"
        self.turn = request.values.get(self.turn_name, "")

    @property
    def comes_twice(self) -> bool:
        """Return whether to ask which of two times it is, or to show the answer."""
        return bool(self.turn) or ComesTwice.message in self.errors


class PeriodForm(RevisionForm):
    """A form with a time to book; its button 'show' asks what is free then."""

    starts = TimeField("From", name="from")
    ends = TimeField("To", name="to")
    purpose = form_field(
        rules.PURPOSE, description="If you like.", render_kw={"autocomplete": "off"}
    )
    error_field_names = {"from": "starts", "to": "ends", "reg": "vehicle", "for": "for_name"}  # noqa: RUF012

    def __init__(self, **options: Any) -> None:
        """Bind the form; one that only asks what is free has its errors, too."""
        super().__init__(**options)
        self.is_draft = self.is_submitted() and "show" in request.form
        if self.is_draft:
            self.validate()

    @property
    def period(self) -> TimeSpan:
        """Return the time of a valid form."""
        return TimeSpan(self.starts.data, self.ends.data)

    @property
    def has_period(self) -> bool:
        """Return whether something can be free then: it has both ends, in order."""
        start, end = self.starts.data, self.ends.data
        return bool(start and end and start < end)


def _ticked(label: str, name: str) -> Field:
    return SelectMultipleField(label, name=name, choices=[], validate_choice=False)


class BookForm(PeriodForm):
    """What to book: ticked vehicles, classes and equipment, each a booking of its own."""

    classes = _ticked("Any", "class")
    vehicles = _ticked("Vehicle", "vehicle")
    assets = _ticked("Equipment", "asset")
    units = form_field(rules.UNITS)
    for_name = form_field(
        rules.FOR_NAME,
        description="You, unless you name somebody.",
        render_kw={"autocomplete": "off"},
    )

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the things to book."""
        about = {"purpose": self.purpose.data, "for_name": self.for_name.data}
        make = partial(BookingRequest, period=self.period, **about)
        vehicle, asset = BookingKind.VEHICLE, partial(make, kind=BookingKind.ASSET)
        return {
            "things": [
                *(make(kind=vehicle, class_name=name) for name in filter(None, self.classes.data)),
                *(
                    make(kind=vehicle, subject_key=plate_key(reg), subject=reg)
                    for reg in filter(None, self.vehicles.data)
                ),
                *(asset(subject_key=key, units=self.units.data) for key in self.assets.data),
            ]
        }


class ChangeBookingForm(PeriodForm):
    """Another time, vehicle or purpose of a booking."""

    vehicle = form_field(Text(name="vehicle", limit=MAX_PLATE_LENGTH))

    def values(self, **_: Any) -> dict[str, Any]:
        """Return what was sent."""
        changed = {"reg": self.vehicle.data, "purpose": self.purpose.data}
        return {"period": self.period, **changed}


class CancelBookingForm(RevisionForm):
    """Why a booking is cancelled."""

    reason = form_field(rules.REASON)


class HandOverBookingForm(Form):
    """A handover without a check."""

    odometer = form_field(rules.MILES, description="If you know it.")
    reason = form_field(replace(rules.REASON, label="Why without a check", required=None))


class TakeBackForm(HandOverBookingForm):
    """A return without a check."""

    condition = form_field(Choice(name="condition", kind=Condition, default=Condition.FINE))


class BookableForm(Form):
    """Whether a thing can be booked."""

    is_bookable = form_field(Flag(name="is_bookable", label="It can be booked"))
