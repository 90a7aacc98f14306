"""`flask bookings`, `flask verify`, `flask fleet prune` and the calendars of bookings."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select, text

from app import dates
from app.bookings.models import Booking
from app.bookings.queries.bookings import overlap_problems, step_problems
from app.bookings.rules import BookingKind
from app.bookings.services import bookings as services
from app.db import db, transaction
from app.divisions import Division, Role
from app.errors import Invalid
from app.fleet.models import Check
from tests import factories
from tests.bookings.steps import (
    LM,
    LN,
    MANAGER,
    NINE,
    NOW,
    add_vans,
    book,
    checked,
    do,
    hours,
    requested,
)
from tests.person import Person


@pytest.fixture
def run(app, in_app):
    """Return a function that runs a command where bookings have been made."""
    in_app(_make)

    def run(*arguments):
        with dates.as_of(NINE):
            result = app.test_cli_runner().invoke(args=[*arguments])
        assert result.exit_code == 0, result.output
        return result.output

    return run


def _make():
    add_vans()
    first = book(hours(9, 12), purpose="Tools", for_name="Kitchen team")
    checked(first, "out", odometer=1000)
    checked(first, "back", odometer=1040, at=NINE + timedelta(hours=1))
    book(hours(14, 15), LM)


def test_bookings_are_listed_by_day_and_state(run):
    listed = run("bookings", "list").splitlines()
    row = "B-0001\t2027-01-12 09:00\t2027-01-12 12:00\tLK19 VTE\tKitchen team\tBack"
    assert listed[1:] == [row]
    assert run("bookings", "list", "--state", "reserved").startswith("B-0002\t")
    assert run("bookings", "list", "--from", "2027-01-13") == ""


def test_the_file_has_planned_and_real_times(run):
    head, _, row = run("bookings", "export").splitlines()
    assert head == (
        "number,subject,class,units,from,to,state,for,purpose,outAt,outMiles,backAt,backMiles,"
        "condition,outReason,backReason,cancelReason"
    )
    assert row == (
        "B-0001,LK19 VTE,Van,1,2027-01-12 09:00,2027-01-12 12:00,Back,Kitchen team,Tools,"
        "2027-01-12 09:00,1000,2027-01-12 10:00,1040,,,,"
    )


def test_limits_are_set_by_class_and_hold(run, in_app):
    assert "Vehicle: 0 minutes between two, at most 336 hours" in run("bookings", "rule", "vehicle")
    changed = run("bookings", "rule", "vehicle", "--class", "VAN", "--longest-hours", "2")
    assert "VAN: 0 minutes between two, at most 2 hours" in changed
    with pytest.raises(Invalid, match=r"At most 2 hours\."):
        in_app(book, hours(16, 19))


@pytest.mark.writes_directly
@pytest.mark.differs_by_engine
def test_overlaps_and_steps_without_a_reason_are_found(app, context):
    _make()
    assert [*overlap_problems(), *step_problems()] == []
    third = book(hours(14, 16))
    with transaction():
        values = {"key": LM, "number": third.number}
        change = "UPDATE booking SET subject_key = :key, is_single = :no WHERE number = :number"
        db.session.execute(text(change), {**values, "no": False})
        db.session.execute(text("UPDATE booking SET back_check_id = NULL WHERE number = 1"))
    assert list(overlap_problems()) == ["LK19 VTE: B-0003 overlaps B-0002"]
    assert list(step_problems()) == ["B-0001 of LK19 VTE is back without a check or a reason"]


def test_old_bookings_go_with_their_checks_and_those_out_stay_with_them(app, in_app):
    in_app(_make)
    later = NINE + timedelta(days=900)

    def take():
        row = book(hours(16, 18), LM)
        checked(row, "out", odometer=2000, at=NINE + timedelta(hours=7))
        book(hours(9, 10), LN)
        factories.asset("Generator", id="A-1")
        kind = BookingKind.ASSET
        do(services.decide_bookable, kind, "a-1", is_bookable=True, by=MANAGER)
        do(services.book, [requested(hours(9, 10), "a-1", kind=kind)], by=MANAGER)

    in_app(take)
    with dates.as_of(later):
        result = app.test_cli_runner().invoke(args=["fleet", "prune", "--older-than", "15m"])
    # The newest reading in use keeps its check.
    assert "1 checks" in result.output
    assert "4 bookings" in result.output
    with app.app_context():
        assert db.session.scalars(select(Booking.number)).all() == [3]
        assert db.session.scalar(select(func.count(Check.id))) == 2


def test_the_calendars_of_a_person_and_of_the_desk(app, in_app):
    in_app(_make)
    person = Person(app)
    with dates.as_of(NOW):
        in_app(factories.user, "g.pm", Division.GPM, roles=(Role.VIEWER,))
        in_app(book, hours(9, 10, day=1), for_name="g.pm")
        person.sign_in("g.pm")
        page = person.submit(person.open("/fleet/due/calendar"))
    addresses = {
        label.get_text().strip(): label.find("input")["value"]
        for label in page.html.select("label")
    }
    assert list(addresses) == ["What is due", "My bookings", "All bookings"]

    def read(about):
        path = addresses[about].partition("localhost")[2]
        with dates.as_of(NOW):
            reply = app.test_client().get(path)
        assert reply.status_code == 200
        return [line for line in reply.text.splitlines() if line[:7] in ("SUMMARY", "DTSTART")]

    own = ["DTSTART:20270113T090000Z", "SUMMARY:LK19 VTE: g.pm (B-0003)"]
    assert read("My bookings") == own
    assert read("All bookings") == [
        "DTSTART:20270112T140000Z",
        "SUMMARY:LM20 ABC: k.lee (B-0002)",
        *own,
    ]
    unknown = addresses["My bookings"].partition("localhost")[2].replace("bookings", "others")
    assert app.test_client().get(unknown).status_code == 404
