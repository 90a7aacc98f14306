"""Bookings never overlap; those of a class make room; handovers are checks."""

from datetime import date, timedelta

import pytest

from app.bookings.queries.availability import Occupancy, with_keys
from app.bookings.rules import BookingKind, BookingState, Taken
from app.bookings.services import bookings as services
from app.bookings.services import handover
from app.defects.rules.fields import OffRoadReason
from app.defects.services.off_road import report_off_road
from app.errors import Conflict, Invalid
from app.fleet.rules.findings import Severity
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

pytestmark = [pytest.mark.differs_by_engine, pytest.mark.usefixtures("vans")]


def test_what_is_taken_is_refused_with_who_has_it_and_what_is_free():
    book(hours(9, 12))
    book(hours(11, 15), LM)
    with pytest.raises(Taken) as refused:
        book(hours(11, 13))
    message = "LK19 VTE is k.lee's from Tue 9:00 to 12:00 (B-0001). Free: LN21 XYZ; from 12:00 "
    assert refused.value.message == f"{message}this one."
    assert refused.value.details["free"] == ["LN21 XYZ"]
    assert [each["number"] for each in refused.value.details["conflicts"]] == ["B-0001"]


def test_bookings_that_touch_do_not_overlap():
    book(hours(9, 12))
    assert book(hours(12, 13)).subject == "LK19 VTE"
    assert book(hours(8, 9)).subject == "LK19 VTE"


def test_several_things_are_booked_all_or_none():
    book(hours(9, 12), LM)
    both = [requested(hours(10, 11), LK), requested(hours(10, 11), LM)]
    with pytest.raises(Taken):
        do(services.book, both, by=WORKER)
    assert book(hours(10, 11)).number == 2


def test_a_van_sits_where_its_gap_fits_best():
    book(hours(6, 8), LM)
    book(hours(12, 14), LM)
    assert book(hours(9, 11), class_name="van").subject == "LM20 ABC"


def test_a_van_moves_for_who_wants_that_very_vehicle():
    van = book(hours(9, 12), class_name="Van")
    taken = van.subject_key
    assert book(hours(10, 11), taken).subject_key == taken
    assert booking(van).subject_key != taken
    assert van.what == "a van"


def test_a_van_that_can_go_nowhere_keeps_its_vehicle():
    for key in (LM, LN):
        book(hours(9, 12), key)
    van = book(hours(9, 12), class_name="Van")
    assert van.subject_key == LK
    with pytest.raises(Taken, match=r"LK19 VTE is k.lee's"):
        book(hours(10, 11))
    with pytest.raises(Taken, match="No Van is free from Tue 10:00 to 11:00"):
        book(hours(10, 11), class_name="Van")


def test_extending_is_refused_where_the_next_booking_begins():
    first, _ = book(hours(9, 12)), book(hours(12, 13))
    change = {"revision": first.revision, "by": WORKER}
    with pytest.raises(Taken):
        do(services.change_booking, first.number, period=hours(9, 12.5), **change)
    do(services.change_booking, first.number, period=hours(9, 11), **change)
    assert booking(first).ends_at == hours(9, 11).end


@pytest.mark.parametrize(
    ("period", "message"),
    [
        (hours(9, 9), "It must end after it begins."),
        (hours(9, 9.1), "At least 15 minutes."),
        (hours(9, 9 + 15 * 24), "At most 14 days."),
        (hours(9, 10, day=400), "At most 366 days ahead."),
        (hours(9, 10, day=-2), "It has begun already. Book from now."),
    ],
)
def test_impossible_times_are_refused(period, message):
    with pytest.raises(Invalid) as refused:
        book(period)
    assert refused.value.message == message


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"key": "lk19vtx"}, "LK19VTX is in no list."),
        ({"class_name": "Minibus"}, "There is no Minibus."),
        ({"units": 2}, "There is 1."),
        ({"units": 2, "class_name": "Van"}, "There is 1."),
    ],
)
def test_what_is_not_there_is_refused(values, message):
    with pytest.raises(Invalid) as refused:
        book(hours(9, 10), **values)
    assert refused.value.message == message


def test_a_vehicle_that_is_not_for_booking_is_refused():
    do(services.decide_bookable, BookingKind.VEHICLE, LK, is_bookable=False, by=MANAGER)
    with pytest.raises(Invalid, match=r"LK19 VTE isn't for booking."):
        book(hours(9, 10))


def test_a_booking_that_nobody_takes_is_free_after_an_hour_until_somebody_books_it():
    mine = book(hours(9, 12))
    late = NINE + timedelta(minutes=61)
    other = book(hours(10.5, 11), now=late)
    assert booking(mine).state is BookingState.NO_SHOW
    assert other.state is BookingState.RESERVED
    sentences = checked(mine, "out", at=late)
    assert "The check counts, the handover doesn't." in sentences[-1]
    assert booking(mine).look_at


def test_its_person_may_take_it_late_while_it_is_free():
    mine = book(hours(9, 12))
    late = NINE + timedelta(minutes=90)
    assert "is handed over to k.lee until today 12:00" in checked(mine, "out", at=late)[0]


def test_a_vehicle_that_is_late_is_taken_for_the_rest_of_the_day_and_later_bookings_stay():
    first = book(hours(9, 12))
    tomorrow = book(hours(9, 12, day=1))
    checked(first, "out")
    late = NINE + timedelta(hours=5)
    with pytest.raises(Taken, match=r"is late: k.lee still has it"):
        book(hours(16, 17), now=late)
    assert booking(tomorrow).state is BookingState.RESERVED
    assert book(hours(16, 17, day=1), now=late).subject_key == LK


def test_handover_and_return_are_checks():
    row = book(hours(9, 12))
    checked(row, "out", odometer=1000)
    row = booking(row)
    assert (row.state, row.out_miles, row.out_at) == (BookingState.OUT, 1000, NINE)
    checked(row, "back", at=NINE + timedelta(hours=1), odometer=1040)
    row = booking(row)
    assert (row.state, row.back_miles) == (BookingState.BACK, 1040)
    assert (row.planned_end, row.ends_at) == (hours(9, 12).end, hours(9, 10).end)
    assert book(hours(10, 12)).subject_key == LK


def test_a_handover_begins_the_booking_up_to_an_hour_early():
    row = book(hours(10, 12))
    early = checked(row, "out", at=NINE - timedelta(minutes=5))
    assert "It can be handed over from today 9:00." in early[0]
    checked(row, "out", at=NINE)
    assert booking(row).starts_at == NINE


def test_a_waiting_handover_counts_from_when_it_was_made():
    row = book(hours(9, 12))
    made = NINE + timedelta(minutes=10)
    checked(row, "out", at=NINE + timedelta(hours=3), made_at=made)
    checked(row, "back", at=NINE + timedelta(hours=3), made_at=made + timedelta(hours=1))
    row = booking(row)
    assert (row.out_at, row.back_at) == (made, made + timedelta(hours=1))


def test_another_vehicle_of_the_class_may_be_handed_over_for_a_van():
    van = book(hours(9, 12), class_name="Van")
    other = next(reg for reg in VANS if reg != van.subject)
    checked(van, "out", reg=other)
    assert booking(van).subject == other
    fixed = book(hours(9, 12, day=1), LN)
    assert (
        "is for LN21 XYZ, not for LK19 VTE"
        in checked(fixed, "out", reg=VANS[0], at=NINE + timedelta(days=1))[0]
    )


def test_a_check_without_its_step_counts_and_flags_the_booking():
    row = book(hours(9, 12))
    do(services.cancel_booking, row.number, reason="Not needed", by=WORKER)
    assert "B-0001 was cancelled" in checked(row, "out")[-1]
    assert booking(row).look_at
    other = book(hours(13, 14))
    assert "It isn't out. The check counts, the return doesn't." in checked(other, "back")[-1]
    checked(other, "out", at=NINE + timedelta(hours=4))
    assert "k.lee took it" in checked(other, "out", at=NINE + timedelta(hours=4))[-1]


def test_a_vehicle_off_the_road_is_not_free_unless_it_is_back_before():
    do(
        report_off_road,
        VANS[0],
        OffRoadReason.SERVICE,
        detail="",
        expected_back=date(2027, 1, 12),
        by=MANAGER,
    )
    with pytest.raises(Taken, match="LK19 VTE is off the road, expected back on 12 Jan"):
        book(hours(9, 10))
    assert book(hours(9, 10, day=1)).subject_key == LK


def test_a_stop_defect_keeps_its_vehicle_from_being_booked():
    factories.do(factories.defect, VANS[0], "Brakes", Severity.STOP)
    with pytest.raises(Taken, match="LK19 VTE is off the road: D-0001 is open"):
        book(hours(9, 10))


def test_assets_are_booked_up_to_their_quantity_at_each_moment():
    factories.asset("Generator", id="A-1", quantity=3)
    kind, key = BookingKind.ASSET, "a-1"
    do(services.decide_bookable, kind, key, is_bookable=True, by=MANAGER)

    def take(units, period):
        return do(services.book, [requested(period, key, units=units, kind=kind)], by=WORKER)

    take(2, hours(9, 12))
    take(1, hours(9, 10))
    take(1, hours(10, 12))
    with pytest.raises(Taken, match="has 0 free then, of 3"):
        take(1, hours(9.5, 10.5))
    with pytest.raises(Invalid, match=r"There are 3."):
        take(4, hours(15, 16))


def test_a_handover_without_a_check_says_why():
    row = book(hours(9, 12))
    do(handover.hand_over, row.number, odometer=1234, reason="Phone empty", by=WORKER, now=NINE)
    row = booking(row)
    assert (row.out_reason, row.out_miles) == ("Phone empty", 1234)
    with pytest.raises(Conflict, match=r"k.lee took it at 9:00"):
        do(handover.hand_over, row.number, odometer=None, reason="x", by=WORKER, now=NINE)


def test_free_vehicles_and_refusals_are_made_of_the_same_function():
    book(hours(9, 12))
    found = with_keys(BookingKind.VEHICLE, [LK, LM])
    occupancy = Occupancy(found, hours(11, 13), NOW)
    assert occupancy.obstacles(LM, hours(11, 13)) == []
    assert (
        occupancy.obstacles(LK, hours(11, 13))[0].text
        == "is k.lee's from Tue 9:00 to 12:00 (B-0001)"
    )


def test_a_van_can_be_fixed_to_the_vehicle_that_it_sits_on():
    van = book(hours(9, 12), class_name="Van")
    change = {"reg": van.subject, "revision": van.revision, "by": WORKER}
    do(services.change_booking, van.number, **change)
    assert (booking(van).class_name, booking(van).subject) == ("", van.subject)


def test_of_what_is_out_only_a_later_end_can_change():
    row = book(hours(9, 12))
    checked(row, "out")
    change = {"revision": booking(row).revision, "by": WORKER, "now": NINE + timedelta(hours=1)}
    for period, message in ((hours(8, 12), "only its end"), (hours(9, 9.5), "later than now")):
        with pytest.raises(Invalid, match=message):
            do(services.change_booking, row.number, period=period, **change)
    do(services.change_booking, row.number, period=hours(9, 13), **change)
    assert booking(row).ends_at == hours(9, 13).end


def test_a_check_takes_no_step_of_equipment():
    factories.asset("Generator", id="A-1")
    kind, key = BookingKind.ASSET, "a-1"
    do(services.decide_bookable, kind, key, is_bookable=True, by=MANAGER)
    row = book(hours(9, 12), key, kind=kind)
    assert "There is no B-0001." in checked(row, "out", reg=VANS[0])[-1]
    assert not booking(row).look_at


def test_who_gets_another_vehicle_is_told_at_the_handover():
    van = book(hours(9, 12), class_name="Van")
    other = book(hours(9, 12), class_name="Van")
    sentences = checked(van, "out", reg=other.subject)
    assert f"B-0002 has {booking(other).subject} now." in sentences
    assert booking(other).subject != other.subject
