"""The JSON calls about bookings of vehicles and of equipment, and about what is free."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from flask import Response, request

from app import dates
from app.api.blueprint import Blueprint
from app.api.openapi import Api
from app.assets.queries import register
from app.bookings import schemas
from app.bookings.acts import check_own
from app.bookings.models import Booking
from app.bookings.queries.availability import rule_of
from app.bookings.queries.bookings import booking_rows, get_booking, made_with
from app.bookings.queries.offers import offers
from app.bookings.rules import OWNERS, BookingKind, BookingRequest, TimeSpan, free_from
from app.bookings.schemas import BOOKING_LIST, BookedReply, BookingReply
from app.bookings.services import bookings as services
from app.bookings.services import handover
from app.divisions import Division
from app.errors import Conflict, Forbidden, Invalid, NotFound
from app.fleet.queries.vehicles import current_list, list_version
from app.fleet.rules.vehicles import BOOKINGS
from app.fleet.schemas import numbers
from app.idempotency import Stamp
from app.records import calls
from app.records.calls import RECORD_ETAG, Changes, Version
from app.versions import version_of
from app.web import access, rights

Json = dict[str, Any]

BOOKING = "/bookings/<number>"

_NUMBER = [numbers.BOOKINGS.parameter]

_POLICIES = {kind: access.api_call(*owners) for kind, owners in OWNERS.items()}
_FOR_ALL = access.api_call(*(owner for owners in OWNERS.values() for owner in owners))
_FOR_VEHICLES = _POLICIES[BookingKind.VEHICLE]

_ABOUT = "Vehicles and equipment for a time, handed over and taken back."
bp = Blueprint("bookings", "Bookings", _ABOUT, passes_division=True)
availability_bp = Blueprint("availability", "Bookings", _ABOUT)

changes = Changes(bp, _FOR_ALL, BOOKINGS, failures=(Conflict, Forbidden))


def register_calls(api: Api) -> None:
    """Serve the calls about vehicles under /api/fleet, /api/gpm and /api, others for assets."""
    vehicles = (*OWNERS[BookingKind.VEHICLE], None)
    api.register_prefixed(bp, *vehicles, Division.ASSETS)
    api.register_prefixed(availability_bp, *vehicles)


def _kind(division: Division | None) -> BookingKind:
    kind = BookingKind.ASSET if division is Division.ASSETS else BookingKind.VEHICLE
    rights.require(_POLICIES[kind])
    return kind


def _find(number: str, division: Division | None) -> Booking:
    kind = _kind(division)
    row = get_booking(numbers.BOOKINGS.parse_path(number))
    if row.kind is not kind:
        raise NotFound("There is no such booking. Load the list again.")
    return row


def _version(number: str, division: Division | None) -> Version:
    row = _find(number, division)
    return Version(f"booking-{row.number}", row.revision)


def _reply(row: Booking) -> Json:
    return BookingReply.write(*booking_rows([row]))


def _made(rows: Sequence[Booking]) -> Any:
    written = BookingReply.write_all(booking_rows(rows))
    return written if isinstance(request.get_json(), list) else written[0]


@bp.route("/bookings", methods=["GET"])
@_FOR_ALL
@bp.lists(BookingReply, calls.parameters_of(BOOKING_LIST))
def bookings(requested: calls.ListRequest, division: Division | None) -> Response:
    """List the bookings in the order they were made, with the list's ETag if it is whole."""
    is_of_kind = Booking.kind == _kind(division)
    subjects = f"{list_version(current_list())}.{version_of(register.LIST)}"
    return calls.list_response(
        replace(requested, query=replace(requested.query, scope=[is_of_kind])),
        BOOKING_LIST,
        BookingReply.write_all,
        lambda: f"{version_of(BOOKINGS)}.{subjects}",
    )


@changes(
    "/bookings",
    BookingReply,
    schemas.BookingBody,
    status=201,
    takes_several=True,
    replies_alike=True,
    conflict=BookedReply,
    rebuild=lambda booking_id: _made(made_with(booking_id)),
)
def book(things: list[BookingRequest], division: Division | None, *, stamp: Stamp, by: int) -> Any:
    """Book something, or all of a list or nothing of it."""
    kind = _kind(division)
    if any(thing.kind is not kind for thing in things):
        raise Invalid("Book equipment at /api/assets/bookings, and vehicles at /api/bookings.")
    if not things:
        return []
    first = get_booking(services.book(things, by=by, stamp=stamp).number)
    return _made(made_with(first.id))


@bp.route(BOOKING, methods=["GET"], parameters=_NUMBER)
@_FOR_ALL
@bp.response(200, BookingReply, headers=RECORD_ETAG)
def booking(number: str, division: Division | None) -> tuple[Json, Mapping[str, str]]:
    """Return a booking by its number, such as B-0031."""
    return _reply(_find(number, division)), _version(number, division).tag


@changes(
    BOOKING,
    BookingReply,
    schemas.BookingChangeBody,
    method="PATCH",
    version=_version,
    conflict=BookedReply,
    parameters=_NUMBER,
)
def change_booking(
    body: Json, number: str, division: Division | None, *, revision: int, by: int
) -> Json:
    """Change the time, the vehicle or the purpose of a booking that isn't over."""
    row = _find(number, division)
    check_own(row)
    services.change_booking(
        row.number,
        period=TimeSpan(body.get("start", row.starts_at), body.get("end", row.ends_at)),
        reg=body.get("reg", ""),
        purpose=body.get("purpose"),
        revision=revision,
        by=by,
    )
    return _reply(row)


@changes(f"{BOOKING}/cancel", BookingReply, schemas.BookingCancelBody, parameters=_NUMBER)
def cancel_booking(body: Json, number: str, division: Division | None, *, by: int) -> Json:
    """Cancel a booking that nobody has taken."""
    row = _find(number, division)
    check_own(row)
    services.cancel_booking(row.number, **body, by=by)
    return _reply(row)


@changes(
    f"{BOOKING}/out", BookingReply, schemas.BookingOutBody, conflict=BookedReply, parameters=_NUMBER
)
def hand_over_booking(body: Json, number: str, division: Division | None, *, by: int) -> Json:
    """Hand over without a check; the check form and its call do it with one."""
    row = _find(number, division)
    handover.hand_over(row.number, **body, by=by)
    return _reply(row)


@changes(f"{BOOKING}/back", BookingReply, schemas.BookingBackBody, parameters=_NUMBER)
def take_booking_back(body: Json, number: str, division: Division | None, *, by: int) -> Json:
    """Take back without a check; what remains of the time is free."""
    row = _find(number, division)
    handover.take_back(row.number, **body, by=by)
    return _reply(row)


@availability_bp.route("/availability", methods=["GET"])
@_FOR_VEHICLES
@availability_bp.arguments(schemas.AvailabilityQuery, location="query")
@availability_bp.response(200, schemas.AvailabilityReply(many=True))
def availability(query: Json) -> list[Json]:
    """Return which vehicles are free for a time, those first, and why others aren't."""
    now, period, name = dates.utc_now(), TimeSpan(query["start"], query["end"]), query["class_name"]
    rule_of(BookingKind.VEHICLE, name).check(period, now)
    rows = sorted(offers(BookingKind.VEHICLE, period, now, name), key=lambda row: not row.is_free)
    return [
        schemas.AvailabilityReply.write(
            row.subject,
            free=row.is_free,
            why="" if row.is_free else f"{row.subject.label} {row.obstacles[0].text}.",
            until=None if row.is_free else free_from(row.obstacles),
        )
        for row in rows
    ]
