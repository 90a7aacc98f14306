"""Pages of bookings."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial, wraps
from operator import attrgetter
from typing import Any

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from app import dates
from app.accounts.queries import usernames
from app.bookings import acts
from app.bookings.acts import BOOKING, for_bookings, kinds_here, may_change_booking
from app.bookings.models import Booking
from app.bookings.queries import desk as queries
from app.bookings.queries import offers
from app.bookings.queries.availability import is_given_up, is_late, occupied_period, subjects
from app.bookings.queries.bookings import checks_of, may_step, new_defects
from app.bookings.rules import (
    EARLIEST_HANDOVER,
    OWNERS,
    SUBJECT,
    BookingKind,
    BookingState,
    TimeSpan,
    describe_moment,
)
from app.bookings.schemas import BOOKING_LIST
from app.charts import share
from app.directory.acts import time_out
from app.directory.queries import all_keys
from app.directory.rules import DirectoryList
from app.divisions import Division
from app.events.queries import events_of
from app.fleet.acts import for_fleet
from app.fleet.queries.vehicles import ON_SCREENS, listed_id
from app.fleet.rules.vehicles import BOOKINGS, UPKEEP, FleetList, plate_key
from app.fleet.schemas.checks import photo_urls
from app.lists import grouped
from app.paging import page_of
from app.records.acts import serve
from app.records.lists import list_view
from app.versions import versions_of
from app.web import caching
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.list_query import requested_page
from app.web.navigation import shared_screens
from app.web.policies import Policy

bp = Blueprint("bookings", __name__)
BLUEPRINTS = (bp,)

SCREENS, ASSET_SCREENS = (
    shared_screens(owners, "Bookings", "bookings.desk", key="b") for owners in OWNERS.values()
)

MAX_CARDS = 50
"""The most bookings in a part of the desk."""

ROWS_PER_TIMELINE = 40
DAYS = (7, 14)


def _page(path: str, policy: Policy = for_bookings) -> Callable[[Any], Any]:
    """Return a decorator that serves a page; it changes with the minute: late is judged by it."""

    def decorate(view: Callable[..., str]) -> Callable[..., ResponseReturnValue]:
        @wraps(view)
        def show(**where: Any) -> ResponseReturnValue:
            minute = dates.utc_now().replace(second=0, microsecond=0)
            versions = versions_of((BOOKINGS, UPKEEP, *FleetList, DirectoryList.KEYS))
            return caching.not_modified(*versions, minute) or view(**where)

        return bp.get(path)(policy(failure_message("Failed to load bookings")(show)))

    return decorate


@_page("/bookings")
def desk() -> str:
    """Show what goes out and comes back, what is late, and one's own bookings."""
    kinds = kinds_here()
    found = queries.desk(kinds, dates.utc_now(), current_user().user_id)
    context = {"desk": found, "limit": MAX_CARDS, "has_vehicles": BookingKind.VEHICLE in kinds}
    return render_template("bookings/desk.html", **context, **_describers())


def _describers() -> Mapping[str, Any]:
    now = dates.utc_now()
    return {
        "now": now,
        "usual": acts.usual_times(),
        "moment": partial(describe_moment, now=now),
        "is_late": partial(is_late, now=now),
        "is_given_up": partial(is_given_up, now=now),
        "may_step": partial(may_step, now=now),
        "earliest": EARLIEST_HANDOVER,
        "may_change": may_change_booking,
    }


@_page(BOOKING)
def booking(number: int) -> str:
    """Show a booking: what happened, its checks, and who has the key."""
    row, now = acts.read_booking(number), dates.utc_now()
    events = events_of(SUBJECT, [row.id])
    waiting = [row] if row.state is BookingState.RESERVED else []
    return render_template(
        "bookings/booking.html",
        row=row,
        events=events[::-1],
        users=usernames(event.actor_id for event in events),
        checks=checks_of(row),
        new_defects=new_defects(row),
        photo_urls=photo_urls,
        late_now=queries.late_now(row, now) if waiting else None,
        unfit=next(iter(queries.unfit(waiting, now)), None),
        vehicle_id=listed_id(row.subject_key) if row.kind is BookingKind.VEHICLE else None,
        keys=_keys(row.subject) if row.kind is BookingKind.VEHICLE else (),
        time_out=time_out,
        period_of=_period_of,
        **_describers(),
    )


def _period_of(values: Mapping[str, str], at: datetime) -> str:
    ends = [datetime.fromisoformat(values[name]) for name in ("from", "to")]
    return TimeSpan(*ends).describe(at)


def _keys(reg: str) -> Sequence[Any]:
    keys = all_keys() if Division.GPM in current_user().divisions else ()
    return [key for key in keys if plate_key(reg) in plate_key(f"{key.code} {key.name}")]


@_page("/bookings/timeline", for_fleet)
def timeline() -> str:
    """Show the bookings of vehicles side by side, for a week or two from today."""
    now, number = dates.utc_now(), DAYS[request.args.get("days") == str(DAYS[1])]
    found = subjects(BookingKind.VEHICLE, ON_SCREENS).values()
    listed = [each for each in found if each.is_bookable]
    page = page_of(listed, requested_page(), per_page=ROWS_PER_TIMELINE)
    days = offers.days_from(now, number)
    whole = TimeSpan(days[0].start, days[-1].end)
    rows = offers.timeline({each.key: each for each in page.rows}, days, now)
    booked = (bar.booking for row in rows for bar in row.bars)
    bookings = sorted(booked, key=attrgetter("starts_at"))
    return render_template(
        "bookings/timeline.html",
        rows=rows,
        page=page,
        days=[day.last_day for day in days],
        spans=DAYS,
        now_at=share(now, now, whole.start, whole.end)[0],
        by_day=grouped(
            (day.last_day, row)
            for day in days
            for row in bookings
            if occupied_period(row, now).overlaps(day)
        ),
        off_road=grouped((day, row.subject.label) for row in rows for day in row.closed_on),
        **_describers(),
    )


def _panel(kind: BookingKind, key: str, _: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
    found = queries.next_bookings(kind, key)
    return {**found, "usual": acts.usual_times(), "kind": kind, "key": key}


PANELS = {BOOKINGS: partial(_panel, BookingKind.VEHICLE)}
ASSET_PANELS = {BOOKINGS: partial(_panel, BookingKind.ASSET)}
"""What an asset's page shows by the asset's key, under the names of the lists that it reads."""

_LIST = replace(BOOKING_LIST, scope=lambda: [Booking.kind.in_(kinds_here())])
list_view(bp, for_bookings, _LIST, "/bookings/all")

serve(bp, *acts.ACTS)
