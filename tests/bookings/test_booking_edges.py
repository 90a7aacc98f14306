"""The edges of bookings: swaps, buffers, what is late or over, and what changed meanwhile."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta

import pytest
from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from app import dates
from app.assets.queries.register import LIST, find_asset, state_of
from app.assets.rules import AssetState
from app.assets.services import register
from app.bookings.models import Booking, BookingLimits
from app.bookings.rules import BookingKind, BookingState, Taken, TimeSpan, parse_time
from app.bookings.services import bookings as services
from app.bookings.services import handover
from app.bookings.services.placing import lock_booking
from app.db import db, table_of, transaction
from app.defects.rules.fields import OffRoadReason
from app.defects.services.off_road import report_off_road
from app.engines import violates
from app.errors import Conflict, EditConflict
from app.events.models import RecordedEvent
from app.events.rules import EventKind
from app.fleet.rules.vehicles import UPKEEP
from app.versions import increment_version, version_of
from tests import factories
from tests.bookings.steps import (
    LK,
    LM,
    LN,
    MANAGER,
    NINE,
    NOW,
    VANS,
    WORKER,
    book,
    booking,
    checked,
    do,
    hours,
    requested,
)
from tests.fleet.threads import wait_for_lock
from tests.silent_changes import written_directly

pytestmark = [pytest.mark.differs_by_engine, pytest.mark.usefixtures("vans")]

ASSET = BookingKind.ASSET


def keep_buffer(minutes):
    with written_directly(), transaction():
        db.session.execute(update(BookingLimits).values(buffer_minutes=minutes))


def generators(quantity):
    """Add a bookable asset; return its number and how it is booked."""
    number = factories.asset("Generator", id="A-1", quantity=quantity)
    do(services.decide_bookable, ASSET, "a-1", is_bookable=True, by=MANAGER)
    return number, {"key": "a-1", "kind": ASSET}


def test_two_vans_swap_when_the_other_one_is_handed_over():
    book(hours(9, 12), LN)
    mine, other = (book(hours(9, 12), class_name="Van") for _ in range(2))
    mine_key, other_key = mine.subject_key, other.subject_key
    sentences = checked(mine, "out", reg=other.subject)
    assert "is handed over" in sentences[0]
    assert (booking(mine).subject_key, booking(other).subject_key) == (other_key, mine_key)
    assert booking(mine).is_single


def test_the_time_between_two_bookings_stays_free():
    keep_buffer(30)
    book(hours(9, 12))
    for period in (hours(12.25, 13), hours(8, 8.75)):
        with pytest.raises(Taken, match=r"from 12:30 this one\."):
            book(period)
    assert [book(hours(*each)).subject_key for each in ((12.5, 13), (8, 8.5))] == [LK, LK]


def test_each_unit_has_the_time_between_two_bookings():
    keep_buffer(60)
    _, generator = generators(2)
    for start, end in ((9, 11.5), (11.75, 12)):
        book(hours(start, end), **generator)
    with pytest.raises(Taken, match="has 0 free then, of 2"):
        book(hours(12.25, 13), **generator)
    assert book(hours(12.5, 13), **generator).number == 3


def test_a_refusal_names_the_day_on_which_the_vehicle_is_back():
    book(hours(9, 33))
    with pytest.raises(Taken, match=r"from Wed 9:00 this one\."):
        book(hours(10, 11))


def test_what_was_booked_before_is_handed_over_though_it_is_not_for_booking_now():
    row = book(hours(9, 12))
    do(services.decide_bookable, BookingKind.VEHICLE, LK, is_bookable=False, by=MANAGER)
    assert "is handed over" in checked(row, "out")[0]


def test_a_booked_vehicle_without_a_class_is_not_another_one():
    for reg in ("AB1 CDE", "AB2 CDE"):
        factories.vehicle(reg)
    row = book(hours(9, 12), "ab1cde")
    assert "is for AB1 CDE, not for AB2 CDE." in checked(row, "out", reg="AB2 CDE")[-1]


def test_a_booking_whose_time_is_over_is_not_handed_over():
    row = book(hours(9, 12))
    for end in (hours(9, 12).end, NINE + timedelta(days=1)):
        assert "The time of B-0001 is over. Book it from now." in checked(row, "out", at=end)[-1]
    assert booking(row).state is BookingState.RESERVED


def test_an_early_handover_reaches_into_no_other_booking():
    book(hours(8, 9))
    row = book(hours(9, 12))
    early = NINE - timedelta(minutes=20)
    assert "LK19 VTE is k.lee's from today 8:00 to 9:00" in checked(row, "out", at=early)[-1]
    assert booking(row).starts_at == NINE


def test_a_key_that_is_not_back_is_not_given_to_the_next_one_on_time():
    first, second = book(hours(9, 12)), book(hours(12, 13))
    checked(first, "out")
    assert "is late: k.lee still has it" in checked(second, "out", at=hours(12, 13).start)[-1]


def test_a_failed_handover_leaves_nothing_of_it():
    """Its first booking in the way has room elsewhere, the second has none."""
    first = book(hours(8.25, 8.75), class_name="Van")
    row = book(hours(9, 12), first.subject_key)
    second = book(hours(8.75, 9), class_name="Van")
    for key in {LK, LM, LN} - {row.subject_key}:
        book(hours(8.75, 9), key)
    sentence = checked(row, "out", at=NINE - timedelta(minutes=30))[-1]
    assert "is k.lee's from today 8:15 to 8:45 (B-0001)" in sentence
    keys = {booking(each).subject_key for each in (first, second, row)}
    assert keys == {row.subject_key}
    row = booking(row)
    assert (row.state, row.starts_at, row.is_single) == (BookingState.RESERVED, NINE, True)
    assert (row.out_at, row.out_check_id, row.look_at) == (None, None, sentence)


def test_a_quantity_counts_what_is_late():
    number, generator = generators(3)
    row = book(hours(9, 12), units=2, **generator)
    do(handover.hand_over, row.number, odometer=None, reason="", by=WORKER, now=NINE)
    state = state_of(find_asset("A-1"))
    with pytest.raises(Conflict, match=r"2 are booked \(B-0001\)"):
        do(
            register.edit_asset,
            number,
            replace(state, quantity=1),
            revision=0,
            by=MANAGER,
            now=NINE + timedelta(hours=5),
        )


def test_a_list_lowers_all_its_quantities_at_once():
    """So that the bookings of all are locked in the order of their keys, as those who book do."""
    for number in (1, 2, 3):
        factories.asset("Generator", id=f"A-{number}", quantity=3)
    lowered = []

    def keep(quantities, *, by):
        lowered.append(quantities)

    with register.quantities_lowered.connected_to(keep):
        left = [AssetState("Generator", f"A-{n}", quantity=5 - n) for n in (2, 3)]
        do(register.replace_assets, left, versions=[version_of(LIST)], by=MANAGER)
    assert lowered == [{"a-1": 0, "a-3": 2}]


def test_a_vehicle_that_should_be_back_already_is_still_off_the_road():
    when = {"expected_back": date(2027, 1, 10), "now": NOW - timedelta(days=2)}
    do(report_off_road, VANS[0], OffRoadReason.SERVICE, detail="", by=MANAGER, **when)
    with pytest.raises(Taken, match="LK19 VTE is off the road, was expected back on 10 Jan"):
        book(hours(9, 10))


def test_the_event_of_a_return_without_a_check_names_none():
    row = book(hours(9, 12))
    checked(row, "out")
    later = NINE + timedelta(hours=1)
    do(handover.take_back, row.number, odometer=None, reason="Phone", by=WORKER, now=later)
    kinds = (EventKind.BOOKING_OUT, EventKind.BOOKING_BACK)
    statement = select(RecordedEvent.after).where(RecordedEvent.kind.in_(kinds))
    events = db.session.scalars(statement.order_by(RecordedEvent.id)).all()
    assert [each["check"] for each in events] == [booking(row).out_check_id, None]


def hand_over(app, number, **values):
    """Return an action that hands a booking over without a check."""

    def action():
        with app.app_context(), dates.as_of(NINE), transaction():
            options = {"odometer": 1000, "reason": "Phone", "by": WORKER} | values
            return handover.hand_over(number, **options).message

    return action


def test_a_handover_waits_for_a_check_that_opened_a_defect(app):
    """Both raise the version of upkeep, and the check locks bookings after it."""
    row = book(hours(9, 12))
    with ThreadPoolExecutor(1) as pool:
        with transaction():
            increment_version(UPKEEP)
            handing = pool.submit(hand_over(app, row.number))
            wait_for_lock(handing)
            lock_booking(row.number)
        assert handing.result() == "Handed over LK19 VTE (B-0001)."


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_a_vehicle_that_changes_while_it_is_handed_over_is_looked_at_again(app):
    van = book(hours(9, 12), class_name="Van")
    with ThreadPoolExecutor(1) as pool:
        with dates.as_of(NOW), transaction():
            services.book([requested(hours(9, 12), van.subject_key)], by=WORKER)
            handing = pool.submit(hand_over(app, van.number))
            wait_for_lock(handing)
        with pytest.raises(EditConflict):
            handing.result()


@pytest.mark.parametrize("way", ["insert", "update"])
def test_the_database_itself_refuses_two_bookings_at_a_time(way):
    first, second = book(hours(9, 12)), book(hours(12, 13))
    rows = table_of(Booking)
    overlapping = {"starts_at": hours(11, 13).start, "number": 99}
    is_second = rows.c.id == second.id
    stored = dict(db.session.execute(select(rows).where(is_second)).one()._mapping)
    del stored["id"]
    change = insert(rows) if way == "insert" else update(rows).where(is_second)
    with written_directly(), pytest.raises(IntegrityError) as refused, transaction():
        db.session.execute(change.values(stored | overlapping))
    assert violates(refused.value, "ex_booking_occupied")
    assert booking(first).period == hours(9, 12)


def london(start, end):
    """Return the period of two London times, those that come twice with their turn."""
    at = [parse_time(*each.split(" ")) for each in (start, end)]
    return TimeSpan(*at)


def test_the_night_on_which_the_clocks_go_back_has_an_hour_more():
    now = NOW.replace(year=2026, month=10, day=20)
    first = london("2026-10-25T01:00 first", "2026-10-25T01:00 second")
    second = london("2026-10-25T01:00 second", "2026-10-25T02:00")
    whole = london("2026-10-25T00:00", "2026-10-25T03:00")
    rows = [book(each, now=now) for each in (first, second)]
    assert [row.ends_at - row.starts_at for row in rows] == [timedelta(hours=1)] * 2
    assert whole.end - whole.start == timedelta(hours=4)
    with pytest.raises(Taken, match=r"LK19 VTE is k.lee's from Sun 1:00 to 1:00 \(B-0001\)"):
        book(whole, now=now)
    out = first.start
    checked(rows[0], "out", at=out)
    late = london("2026-10-25T23:00", "2026-10-26T00:00")
    with pytest.raises(Taken, match="is late"):
        book(late, now=second.start + timedelta(minutes=1))
    next_day = london("2026-10-26T00:00", "2026-10-26T01:00")
    assert book(next_day, now=second.start + timedelta(minutes=1)).subject_key == LK


def test_the_night_on_which_the_clocks_go_forward_has_an_hour_less():
    now = NOW.replace(year=2027, month=3, day=22)
    period = london("2027-03-28T00:30", "2027-03-28T02:30")
    row = book(period, now=now)
    assert row.ends_at - row.starts_at == timedelta(hours=1)
    assert period.describe(now) == "from Sun 0:30 to 2:30"
    touching = london("2027-03-28T02:30", "2027-03-28T04:00")
    assert book(touching, now=now).subject_key == LK
    with pytest.raises(Taken):
        book(london("2027-03-28T00:00", "2027-03-28T02:00"), now=now)
