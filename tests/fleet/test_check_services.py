"""Submitted checks, their vehicles and their reviews."""

from datetime import date, timedelta

import pytest

from app import dates
from app.db import db, transaction
from app.divisions import Division
from app.errors import Conflict, Invalid, NotFound
from app.fleet.models import Check, CheckPhoto, Vehicle, VehicleEvent
from app.fleet.queries import checks as queries
from app.fleet.rules.check_answers import SubmittedCheck
from app.fleet.schemas.lists import CHECK_LIST
from app.fleet.services import checks as services
from app.mileage import services as readings
from app.mileage.queries import reading_of
from app.mileage.rules import ReadingSource
from app.sent_files import SentFile
from app.versions import version_of
from tests import factories
from tests.listing import listed

pytestmark = pytest.mark.usefixtures("context")

DAY = factories.DAY


@pytest.fixture(autouse=True)
def driver(context):
    return factories.user("driver", Division.FLEET)


def submit(reg="LK19 VTE", odometer=48_210, day=DAY, by=1, **values):
    with transaction():
        check = SubmittedCheck(reg=reg, odometer=odometer, day=day, **{"items": {}} | values)
        return services.submit_check(services.plan_check(check, by=by), by=by)


def the_vehicle():
    return db.session.query(Vehicle).one()


def test_a_check_updates_its_vehicles_last_update_and_odometer():
    factories.vehicle(odometer=40_000, status="In use", location="Depot")
    done = submit("lk19vte")
    assert done.warnings == []
    assert the_vehicle().odometer == 48_210
    assert the_vehicle().last_event_at == dates.noon_in_london(DAY)
    event = db.session.query(VehicleEvent).one()
    assert (event.check_id, event.status, event.location) == (done.check_id, "In use", "Depot")
    assert queries.get_check(done.check_id).reg == "LK19 VTE"


def test_a_lower_odometer_is_accepted_with_a_warning():
    factories.vehicle(odometer=48_210)
    assert submit(odometer=48_000).warnings == ["Lower than the last reading, 48,210."]
    assert the_vehicle().odometer == 48_000
    (row,) = listed(CHECK_LIST).rows
    assert row.flags == ["odometer"]


def test_a_mileage_that_was_voided_is_no_last_reading():
    submit(odometer=48_210, day=DAY - timedelta(days=3))
    typo = submit(odometer=480_210, day=DAY - timedelta(days=1))
    with transaction():
        reading = reading_of(ReadingSource.CHECK, typo.check_id)
        readings.void_reading(reading.id, reason="One digit too many", by=1)
    lower = submit(odometer=48_200)
    assert lower.warnings == ["Lower than the last reading, 48,210."]
    assert services.rebuild_check(lower.check_id).warnings == lower.warnings
    assert submit(odometer=48_300).warnings == []


def test_an_older_check_does_not_change_its_vehicle():
    factories.vehicle()
    submit(odometer=48_210)
    assert submit(odometer=47_000, day=DAY - timedelta(days=9)).warnings == []
    assert the_vehicle().odometer == 48_210
    assert the_vehicle().last_event_at == dates.noon_in_london(DAY)


def test_an_older_check_is_compared_with_the_one_before_it():
    submit(odometer=47_000, day=date(2026, 1, 1))
    submit(odometer=48_000, day=date(2026, 1, 9))
    assert submit(odometer=46_000, day=date(2026, 1, 5)).warnings == [
        "Lower than the last reading, 47,000."
    ]


def test_the_check_of_an_unlisted_plate_is_compared_with_the_one_before():
    submit("XX00 NEW", odometer=500)
    assert submit("xx00new", odometer=499).warnings == ["Lower than the last reading, 500."]
    assert submit("YY00 NEW", odometer=1).warnings == []


def test_a_refused_check_leaves_nothing_behind():
    factories.vehicle(odometer=7)
    before = version_of("checks")
    with pytest.raises(Invalid):
        submit(odometer=None)
    with pytest.raises(Invalid, match=r"^Photo 2 was not sent by you\. Send it again\.$"):
        with_photos(factories.user("other", Division.FLEET))
    assert the_vehicle().odometer == 7
    assert db.session.query(Check).count() == 0
    assert version_of("checks") == before


def with_photos(second_by):
    front, back = factories.photo(1, "red"), factories.photo(second_by, "blue")
    return submit(photos=[SentFile("front", front), SentFile("back", back)])


def test_photos_keep_the_order_in_which_they_were_submitted():
    done = with_photos(1)
    assert queries.get_check(done.check_id).photos == ["front", "back"]
    assert [p.position for p in db.session.query(CheckPhoto).order_by(CheckPhoto.id)] == [0, 1]


def test_damage_cost_and_notes_are_stored_and_searchable():
    submit(items={"Damage": "Dent", "Notes": "Long story"}, cost=1250, form_type="mixed")
    (row,) = listed(CHECK_LIST, q="LONG dent driver").rows
    assert row.notes == "Long story"
    assert row.form_label == "Mixed Department Check"
    assert row.flags == ["damage", "cost"]
    assert listed(CHECK_LIST, q="dent scratch").total == 0


def test_a_review_has_its_user_time_and_remark():
    check = factories.check()
    before = version_of("checks")
    reviewer = factories.user("reviewer", Division.FLEET)
    with transaction():
        services.review_check(check, remark="Booked in", by=reviewer)
    review = queries.get_check(check).review
    assert (review.username, review.remark) == ("reviewer", "Booked in")
    assert dates.london_day(review.at) == dates.today()
    assert version_of("checks") == before + 1


def test_a_check_is_reviewed_once():
    check = factories.check()
    other = factories.user("other", Division.FLEET)
    with transaction():
        services.review_check(check, remark="First", by=other)
    message = r"^other reviewed this check on .+ 2\d{3} at \d\d:\d\d\.$"
    with pytest.raises(Conflict, match=message), transaction():
        services.review_check(check, remark="Second", by=1)
    assert queries.get_check(check).review.remark == "First"
    with pytest.raises(NotFound, match=r"^There is no such check\."), transaction():
        services.review_check(99, remark="", by=1)


def test_a_long_list_is_streamed_with_its_photos():
    for n in range(3):
        factories.check(photos=[f"{n}a", f"{n}b"])
    found = [row.photos for row in queries.stream_checks([])]
    assert found == [["2a", "2b"], ["1a", "1b"], ["0a", "0b"]]


@pytest.mark.differs_by_engine
def test_a_review_is_undone_once_and_counted_as_unreviewed(driver):
    check_id = submit().check_id
    for number in (1, 2):
        with transaction():
            done = services.review_check(check_id, remark=f"No. {number}", by=driver)
        assert done.number == number
        with transaction():
            services.undo_review(check_id, number, by=driver)
        with transaction(), pytest.raises(Conflict, match="already been undone"):
            services.undo_review(check_id, number, by=driver)
    row = queries.get_check(check_id)
    assert row.review is None
    undone = [(each.remark, each.undone_by) for each in row.undone_reviews]
    assert undone == [("No. 1", "driver"), ("No. 2", "driver")]
    assert listed(CHECK_LIST, review="unreviewed").total == 1
    assert listed(CHECK_LIST, review="reviewed").total == 0
    with transaction(), pytest.raises(NotFound, match="There is no such review"):
        services.undo_review(check_id, 3, by=driver)
