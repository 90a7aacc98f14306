"""The acts on bookings."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, time, timedelta
from functools import partial, wraps
from typing import Any

from flask import request, url_for
from werkzeug.datastructures import MultiDict

from app import dates
from app.accounts.history import last_change
from app.bookings import forms
from app.bookings.models import Booking
from app.bookings.queries.availability import BookingSubject, Occupancy, of_class
from app.bookings.queries.bookings import get_booking, over_message, why_not_back
from app.bookings.queries.offers import MAX_OFFERS, offers
from app.bookings.rules import (
    OWNERS,
    SUBJECT,
    BookingKind,
    BookingRequest,
    BookingState,
    describe_moment,
)
from app.bookings.services import bookings as services
from app.bookings.services import handover
from app.bookings.services.bookings import BookingResult
from app.bookings.services.placing import find_subject
from app.divisions import Division, Role
from app.errors import RoleRequired
from app.fleet.rules.vehicles import plate_key
from app.idempotency import Stamp
from app.records.acts import Act, Dialog, Outcome, Target, new_record
from app.web import access, rights
from app.web.access import current_user
from app.web.forms import UndoForm

for_bookings = access.division(Division.FLEET, Division.GPM, Division.ASSETS)
POLICIES = {kind: access.division(*owners) for kind, owners in OWNERS.items()}
"""The policy of the bookings of each kind of things."""

BOOKING = "/bookings/<reference(B):number>"


def may_change_booking(row: Booking) -> bool:
    """Return whether the user may change a booking: their own, or as manager any."""
    user, owners = current_user(), OWNERS[row.kind]
    if any(Role.MANAGER in user.roles.get(owner, ()) for owner in owners):
        return True
    is_own = user.user_id in (row.created_by, row.for_user_id)
    return is_own and any(map(rights.works_in, owners))


def check_own(row: Booking) -> None:
    """Raise RoleRequired unless the user of this request may change a booking."""
    if not may_change_booking(row):
        raise RoleRequired(f"{row.reference} is {row.for_name}'s. Ask them or a manager.")


def kinds_here() -> Sequence[BookingKind]:
    """Return the kinds of things of which the user of this request sees bookings."""
    divisions = current_user().divisions
    return [kind for kind, owners in OWNERS.items() if divisions.intersection(owners)]


def read_booking(number: int) -> Booking:
    """Return a booking of a kind of things that belongs to the user's divisions."""
    row = get_booking(number)
    rights.require(POLICIES[row.kind])
    return row


def _read_own(number: int) -> Booking:
    row = read_booking(number)
    check_own(row)
    return row


def _checked(
    service: Callable[..., BookingResult], read: Callable[[int], Booking] = read_booking
) -> Callable[..., BookingResult]:
    @wraps(service)
    def run(number: int, **values: Any) -> BookingResult:
        read(number)
        return service(number, **values)

    return run


def _describe(result: BookingResult) -> Outcome:
    is_one = len(result.numbers) == 1
    page = url_for("bookings.booking", number=result.number) if is_one else url_for("bookings.desk")
    return Outcome(result.message, page, warnings=result.warnings)


def _current(_: Any, row: Booking) -> str:
    values = [row.what, row.period.describe(dates.utc_now()), row.purpose]
    return f"{last_change(SUBJECT, row.id)}. It is now: {', '.join(filter(None, values))}."


_target = partial(
    Target[Booking],
    page=lambda row: url_for("bookings.booking", number=row.number),
    current=_current,
    style="bookings.css",
)


def usual_times() -> Mapping[str, str]:
    """Return the time that a new booking has at first: tomorrow from 9:00 to 12:00."""
    day = dates.today() + timedelta(days=1)
    hours = {"from": time(9), "to": time(12)}
    return {name: f"{datetime.combine(day, hour):%Y-%m-%dT%H:%M}" for name, hour in hours.items()}


def _fill_in(form: forms.BookForm, _: None) -> None:
    given = MultiDict({**usual_times(), **request.args.to_dict(flat=False)})
    if given.get("what") != "class":
        given.poplist("class")
    form.process(given)
    for each in (form.starts, form.ends):
        each.errors = list(each.process_errors)


def _offers(form: forms.BookForm, _: None) -> Mapping[str, Any]:
    kinds, now, args = kinds_here(), dates.utc_now(), request.args
    period = form.period if form.has_period else None
    kind = kinds[-1] if args.get("what") == BookingKind.ASSET else kinds[0]
    limit = "" if args.get("what") == "class" else args.get("class", "")
    return {
        "kind": kind,
        "kinds": kinds,
        "limit": limit,
        "rows": offers(kind, period, now, limit) if period else None,
        "max_offers": MAX_OFFERS,
        "ticked": {
            "class": form.classes.data or (),
            "vehicle": [*map(plate_key, form.vehicles.data or ())],
            "asset": form.assets.data or (),
        },
        "describe": period and period.describe(now),
        "moment": partial(describe_moment, now=now),
        "times": {each.name: each._value() for each in (form.starts, form.ends)},
    }


def _book(*, things: Sequence[BookingRequest], by: int, stamp: Stamp) -> BookingResult:
    for kind in {each.kind for each in things}:
        rights.require(POLICIES[kind])
    return services.book(things, by=by, stamp=stamp)


def _fill_in_change(form: forms.ChangeBookingForm, row: Booking) -> None:
    form.process(obj=row, starts=row.starts_at, ends=row.ends_at)
    form.vehicle.data = request.args.get("vehicle") or (
        row.subject if row.what == row.subject else ""
    )


def _free(form: forms.ChangeBookingForm, row: Booking) -> Mapping[str, Any]:
    if row.kind is BookingKind.ASSET or row.state is not BookingState.RESERVED:
        del form.vehicle
        return {}
    name = find_subject(row.kind, row.subject_key).class_name
    period = form.period if form.has_period else row.period
    vans = Occupancy(of_class(name) if name else {}, period, dates.utc_now())
    free = vans.free(period, but=[row.id])
    return {"free": [each.label for each in free]}


def _fit(form: forms.HandOverBookingForm, row: Booking) -> Mapping[str, Any]:
    if row.kind is BookingKind.ASSET:
        del form.odometer, form.reason
        return {"text": ""}
    if "condition" in form:
        del form.condition
    return {"text": "Use the check form if you can: it shows known defects, and marks new ones."}


def _subject(kind: str, key: str) -> BookingSubject:
    rights.require(POLICIES[BookingKind(kind)].by_managers)
    return find_subject(BookingKind(kind), key)


def _decide_bookable(kind: str, key: str, *, is_bookable: bool, by: int) -> BookingResult:
    subject = _subject(kind, key)
    return services.decide_bookable(subject.kind, key, is_bookable=is_bookable, by=by)


def _to_look_at(number: int) -> Booking:
    row = get_booking(number)
    rights.require(POLICIES[row.kind].by_managers)
    return row


_act = partial(Act[Any], policy=for_bookings, outcome=_describe, on=_target(read=read_booking))
_own = partial(_act, on=_target(read=_read_own))
_step = partial(_act, shows=_fit)

ACTS = (
    _act(
        "book",
        "/bookings/new",
        form=forms.BookForm,
        run=_book,
        on=new_record("bookings.desk", style="bookings.css"),
        offer=_fill_in,
        shows=_offers,
        failure="Failed to book",
        is_page=True,
    ),
    _own(
        "change_booking",
        f"{BOOKING}/change",
        form=forms.ChangeBookingForm,
        run=_checked(services.change_booking, _read_own),
        offer=_fill_in_change,
        over=lambda row: "" if row.state is BookingState.OUT else over_message(row),
        shows=_free,
    ),
    _own(
        "cancel_booking",
        f"{BOOKING}/cancel",
        form=forms.CancelBookingForm,
        run=_checked(services.cancel_booking, _read_own),
        over=over_message,
        dialog=Dialog("Cancel {row.reference}?", "Cancel booking", "{row.what}", danger=True),
    ),
    _step(
        "hand_over",
        f"{BOOKING}/out",
        form=forms.HandOverBookingForm,
        run=_checked(handover.hand_over),
        over=over_message,
        dialog=Dialog("Hand over {row.subject}", "Hand over", "For {row.for_name}", "{text}"),
    ),
    _step(
        "take_back",
        f"{BOOKING}/back",
        form=forms.TakeBackForm,
        run=_checked(handover.take_back),
        over=why_not_back,
        dialog=Dialog("Return {row.subject}", "Return", "Of {row.for_name}", "{text}"),
    ),
    _act(
        "look_at",
        f"{BOOKING}/look",
        policy=for_bookings.by_managers,
        form=UndoForm,
        run=_checked(services.look_at, _to_look_at),
        over=lambda row: "" if row.look_at else f"Somebody has looked at {row.reference}.",
        dialog=Dialog("Looked at {row.reference}?", "Looked at", "{row.subject}", "{row.look_at}"),
    ),
    _act(
        "decide_bookable",
        "/bookings/bookable/<any(vehicle, asset):kind>/<any_text:key>",
        policy=for_bookings.by_managers,
        form=forms.BookableForm,
        run=_decide_bookable,
        outcome=lambda result: Outcome(result.message),
        on=Target[BookingSubject](
            _subject, lambda _: url_for("bookings.desk"), style="bookings.css"
        ),
        offer=lambda form, subject: form.process(data={"is_bookable": subject.is_bookable}),
        dialog=Dialog("Booking of {row.label}", text="Bookings that are made already stay."),
    ),
)
