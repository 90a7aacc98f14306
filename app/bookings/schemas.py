"""Bookings as JSON, and their list with its CSV file."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, ClassVar

from marshmallow import fields, missing

from app import dates, names
from app.api import replies
from app.api.fields import FullMessage, JsonText, json_field, parse_value
from app.api.schemas import Body, ErrorReply, ExactlyOne, NotEmpty, body_of, refusal
from app.assets.rules import ID
from app.bookings import rules
from app.bookings.models import Booking
from app.bookings.queries.bookings import booking_rows, is_of_class
from app.bookings.rules import BookingKind, BookingState, Condition
from app.errors import ErrorCode, Invalid
from app.fields import Choice
from app.fleet.rules.vehicles import BOOKINGS, plate_key
from app.fleet.schemas import numbers
from app.fleet.schemas.vehicles import PLATE_ALIASES, OfVehicle, Plate
from app.records.filters import Matching, OnDays, OneOf
from app.records.record import Column, Record, columns_at
from app.sorting import SortKind, SortOrder


def _local(at: datetime | None) -> str:
    return dates.format_local_time(at) if at else ""


BOOKING_LIST = Record[Any](
    name="booking",
    plural="bookings",
    list_name=BOOKINGS,
    model=Booking,
    rows=booking_rows,
    filters=[
        OnDays(column=Booking.starts_at, is_moment=True, description="When it begins, included"),
        OfVehicle(column=Booking.subject_key, on_screen=False),
        Matching(name="class", example="Van", on_screen=False, conditions=is_of_class),
        OneOf(
            name="state",
            label="State",
            none="All states",
            choices={state.value: state.label for state in BookingState},
            conditions=lambda state: [Booking.state == BookingState(state)],
            refusal="There is no such state.",
        ),
        Matching(
            name="asset",
            example="A/0042",
            on_screen=False,
            conditions=lambda asset, _: [Booking.subject_key == names.key(asset)],
        ),
    ],
    columns=[
        Column("number", lambda row: row.booking.reference, heading="Booking"),
        Column("subject", lambda row: row.booking.subject, heading="What"),
        Column("class", lambda row: row.class_name),
        *columns_at("booking.units"),
        Column(
            "from",
            lambda row: _local(row.booking.starts_at),
            heading="From",
            by=[Booking.starts_at],
            kind=SortKind.DAY,
            indexed=True,
        ),
        Column(
            "to", lambda row: _local(row.booking.planned_end or row.booking.ends_at), heading="To"
        ),
        Column("state", lambda row: row.booking.state.label, heading="State"),
        Column("for", lambda row: row.booking.for_name, heading="For"),
        *columns_at("booking.purpose"),
        Column("outAt", lambda row: _local(row.booking.out_at)),
        *columns_at("booking.out_miles"),
        Column("backAt", lambda row: _local(row.booking.back_at)),
        *columns_at("booking.back_miles"),
        Column("condition", lambda row: row.booking.condition and row.booking.condition.label),
        *columns_at("booking.out_reason", "booking.back_reason", "booking.cancel_reason"),
    ],
    listed=["number", "from", "to", "subject", "for", "state"],
    order=[Booking.starts_at.desc(), Booking.id.desc()],
    default=SortOrder("from", descending=True),
    key=Booking.id,
)
"""All bookings; pages and calls have the conditions of what a user may see of them."""

_TIME = (
    "^2[01][0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9](:00)?(Z|[+-][0-2][0-9]:[0-5][0-9])?$"
)
_FROM, _TO = "2026-11-24T09:00", "2026-11-24T12:00"


class BookingTime(fields.String):
    """A London time such as 2026-11-24T09:00, or a time with an offset; a full minute."""

    def __init__(self, name: str, example: str, **options: Any) -> None:
        about = {
            "pattern": _TIME,
            "example": example,
            "description": "In London, or with an offset",
        }
        super().__init__(data_key=name, metadata=about, **options)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        return parse_value(_parse_time, super()._deserialize(value, *args, **kwargs))


def _parse_time(text: str) -> datetime:
    try:
        return rules.parse_time(text)
    except rules.ComesTwice:
        both = f"{text}+01:00 for the first, {text}+00:00 for the second"
        raise Invalid(f"This time comes twice that night. Send {both}.") from None


@body_of(rules.BookingRequest)
class BookingBody(Body):
    """A booking of a vehicle, of any vehicle of a class, or of equipment by its ID."""

    accepts_single: ClassVar = True
    aliases: ClassVar = PLATE_ALIASES
    example: ClassVar = {"reg": "LK19 VTE", "from": _FROM, "to": _TO}
    field_rules = (
        ExactlyOne(("reg", "class", "asset"), FullMessage("Send one of reg, class and asset.")),
    )

    reg = Plate(required=False)
    asset = JsonText(limit=ID.limit, what="Asset", metadata={"example": "A/0042"})
    start = BookingTime("from", _FROM, required=True)
    end = BookingTime("to", _TO, required=True)

    def made(self, data: Mapping[str, Any]) -> rules.BookingRequest:
        """Return the thing to book of a valid body."""
        subject, kind = data.get("reg", ""), BookingKind.VEHICLE
        key, period = plate_key(subject), rules.TimeSpan(data["start"], data["end"])
        if data.get("asset"):
            subject, kind = data["asset"], BookingKind.ASSET
            key = names.key(subject)
        return rules.BookingRequest(kind, period, key, subject=subject, **self.values(data))


class BookingChangeBody(Body):
    """A change of a booking; a field that is missing stays as it is."""

    aliases: ClassVar = PLATE_ALIASES
    field_rules = (NotEmpty(FullMessage("Send what changes.")),)

    start = BookingTime("from", _FROM)
    end = BookingTime("to", _TO)
    reg = Plate(required=False)
    purpose = json_field(rules.PURPOSE, load_default=missing)


class BookingCancelBody(Body):
    """Why a booking is cancelled."""

    reason = json_field(replace(rules.REASON, example="Not needed any more"))


class BookingOutBody(Body):
    """A handover without a check; a vehicle's needs the reason."""

    odometer = json_field(rules.MILES)
    reason = json_field(replace(rules.REASON, required=None))


class BookingBackBody(BookingOutBody):
    """A return without a check, with the condition of equipment; a vehicle's needs the reason."""

    condition = json_field(Choice(kind=Condition, default=Condition.FINE, example="fine"))


def _user(name: str, example: str | None = "k.lee") -> Any:
    return replies.text(
        example, lambda row: row.users.get(getattr(row.booking, name)) or None, null=True
    )


@replies.reply_of(rules.BookingRequest, at="booking", without=["class_name"])
class BookingReply(replies.Reply):
    """A booking, which is cancelled, but never deleted; `reg` or `asset` is null."""

    number = numbers.BOOKINGS.reply("", "booking.reference")
    reg = replies.text(
        "LK19 VTE",
        lambda row: row.booking.subject if row.booking.kind is BookingKind.VEHICLE else None,
        null=True,
    )
    asset = replies.text(None, null=True, description="The ID of equipment")
    class_name = replies.text(
        "Van", data_key="class", description="Of the vehicle now, or what equipment is"
    )
    any_of_class = replies.flag(
        False,
        lambda row: bool(row.booking.class_name),
        description="Its vehicle may change until it is handed over",
    )
    start = replies.moment("2026-11-24T09:00:00Z", "booking.starts_at", data_key="from")
    end = replies.moment("2026-11-24T12:00:00Z", "booking.ends_at", data_key="to")
    planned_end = replies.moment(
        None,
        "booking.planned_end",
        null=True,
        description="The planned end of one that came back early",
    )
    state = replies.choice(BookingState, "out", "booking.state")
    booked_by = _user("created_by")
    out_at = replies.moment("2026-11-24T09:02:00Z", "booking.out_at", null=True)
    out_by = _user("out_by")
    out_miles = replies.number(48210, "booking.out_miles", null=True)
    out_check = replies.number(1042, "booking.out_check_id", null=True)
    out_reason = replies.text("", "booking.out_reason", description="Why there is no check")
    back_at = replies.moment(None, "booking.back_at", null=True)
    back_by = _user("back_by", None)
    back_miles = replies.number(None, "booking.back_miles", null=True)
    back_check = replies.number(None, "booking.back_check_id", null=True)
    back_reason = replies.text("", "booking.back_reason")
    condition = replies.choice(Condition, None, "booking.condition", null=True)
    cancel_reason = replies.text("", "booking.cancel_reason")
    look_at = replies.text(
        "", "booking.look_at", description="Why a check's handover or return didn't count"
    )


class BookedReply(ErrorReply):
    """Why something isn't free: the bookings in the way, and the free vehicles of its class."""

    example: ClassVar = refusal(
        "LK19 VTE is k.lee's from Tue 9:00 to 12:00 (B-0031). Free: LM20 ABC; from 12:00 this one.",
        ErrorCode.BOOKED,
        conflicts=[
            {"number": "B-0031", "from": "2026-11-24T09:00:00Z", "to": "2026-11-24T12:00:00Z"}
        ],
        free=["LM20 ABC"],
    )

    conflicts = fields.List(fields.Dict(keys=fields.String(), values=fields.String()))
    free = fields.List(fields.String(), metadata={"example": ["LM20 ABC"]})


class AvailabilityQuery(Body):
    """A time, and the class of the vehicles; those of all classes if missing."""

    start = BookingTime("from", _FROM, required=True)
    end = BookingTime("to", _TO, required=True)
    class_name = json_field(rules.CLASS, data_key="class")


class AvailabilityReply(replies.Reply):
    """Whether a vehicle is free, why not, and when it is again if that is certain."""

    reg = replies.text("LK19 VTE", "name")
    class_name = replies.text("Van", data_key="class")
    free = replies.flag(False)
    why = replies.text("LK19 VTE is k.lee's from Tue 9:00 to 12:00 (B-0031).")
    until = replies.moment("2026-11-24T12:00:00Z", null=True)
