"""The check form hands booked vehicles over, and brings them back."""

import json
from datetime import timedelta

import pytest

from app import dates
from app.bookings.queries.bookings import get_booking, vehicle_bookings
from app.bookings.rules import BookingState
from app.fleet.services.upkeep import briefings
from tests.bookings import steps
from tests.bookings.steps import LM, NINE, hours
from tests.fleet.plain_checks import FORM, send

HANDOVER = "Handover of B-0001 (driver, 9:00 to 12:00)"
CHECKS = "/api/fleet/checks"
BRIEFINGS, REFERENCE = "/fleetChecks/briefings", "/fleetChecks/reference"


@pytest.fixture(autouse=True)
def at_nine():
    """Stop the clock at 9:00 of the day of the bookings."""
    with dates.as_of(NINE):
        yield


@pytest.fixture
def book(in_app, driver, vehicle):
    """Add three vans, and return a function that books one."""
    for reg in steps.VANS:
        vehicle(reg, classification="Van")
    return lambda *args, **values: (
        in_app(steps.book, *(args or [hours(9, 12)]), for_name="driver", **values).number
    )


@pytest.fixture
def states(in_app, book):
    """Return a function that returns the state of the first booking, and its vehicle."""

    def read():
        row = get_booking(1)
        return row.state, row.subject

    return lambda: in_app(read)


def bookings_of(call, key="lk19vte"):
    return call("GET", BRIEFINGS).json["briefings"][key]["bookings"]


def offers(page):
    return page.all("[role=radiogroup] .check")


def test_briefings_have_the_bookings_of_today_and_tomorrow(call, book):
    book()
    for day in (1, 2):
        book(hours(9, 12, day=day))
    assert [each["number"] for each in bookings_of(call)] == ["B-0001", "B-0002"]
    assert bookings_of(call)[0] == {
        "number": "B-0001",
        "step": "out",
        "for": "driver",
        "from": "2027-01-12T09:00:00Z",
        "to": "2027-01-12T12:00:00Z",
    }
    assert call("GET", REFERENCE).json["briefings"] == call("GET", BRIEFINGS).json["briefings"]
    assert call("GET", REFERENCE).json["props"]["booking"] is None


def test_what_is_out_stays_in_briefings_until_it_is_back(in_app, call, book):
    def check(step):
        booking = {"number": "B-0001", "step": step}
        sent = {"reg": "LK19 VTE", "odometer": 5, "items": {}, "booking": booking}
        return call("POST", CHECKS, sent).json["messages"]

    book()
    check("out")
    assert [each["step"] for each in bookings_of(call)] == ["back"]
    with dates.as_of(NINE + timedelta(days=3)):
        assert [each.reference for each in in_app(vehicle_bookings, None)["lk19vte"]] == ["B-0001"]
    assert check("back")[-1] == "LK19 VTE is back (B-0001)."
    assert "lk19vte" not in in_app(vehicle_bookings, ["lk19vte"])


@pytest.mark.parametrize("path", [BRIEFINGS, REFERENCE])
def test_what_a_phone_keeps_changes_with_a_booking(call, book, path):
    tag = call("GET", path).headers["ETag"]
    assert call("GET", path, If_None_Match=tag).status_code == 304
    book()
    assert call("GET", path, If_None_Match=tag).status_code == 200


def test_briefings_take_as_many_statements_for_many_bookings_as_for_one(in_app, statements, book):
    book()
    in_app(briefings)
    few = in_app(statements, briefings)
    for day in (1, 2):
        book(hours(9, 12, day=day), LM)
    assert in_app(statements, briefings) == few


@pytest.mark.parametrize(
    ("query", "step"),
    [
        ("booking=B-0001&step=out", {"number": "B-0001", "step": "out"}),
        ("booking=b1&step=back", {"number": "B-0001", "step": "back"}),
        ("booking=B-0001&step=over", None),
        ("booking=D-0001&step=out", None),
        ("", None),
    ],
)
def test_the_form_opens_for_a_booking(driver, query, step):
    page = driver.open(f"/fleetChecks?{query}")
    props = json.loads(page.html.select_one("[data-widget=check-form]")["data-props"])
    assert props["booking"] == step
    plain = page.html.select_one("noscript a")["href"]
    assert (f"booking=B-0001&step={step['step']}" in plain) if step else "booking" not in plain


def test_the_plain_form_hands_over_and_brings_back_what_its_vehicle_is_booked_for(
    driver, book, states
):
    book()
    page = driver.open(f"{FORM}&vehicle=lk19vte")
    assert offers(page) == [HANDOVER, "Only a check"]
    send(driver, page=page)
    assert states() == (BookingState.RESERVED, "LK19 VTE")
    page = driver.open(f"{FORM}&vehicle=lk19vte")
    refused = send(driver, page=page, booking="B-0001 out", **{"items.Mileage": "x"})
    assert refused.html.select_one(".check [checked]")["value"] == "B-0001 out"
    done = send(driver, page=refused)
    assert "LK19 VTE is handed over to driver" in done.text
    assert states() == (BookingState.OUT, "LK19 VTE")
    page = driver.open(f"{FORM}&vehicle=lk19vte")
    assert offers(page) == [HANDOVER.replace("Handover", "Return"), "Only a check"]
    assert "LK19 VTE is back (B-0001)." in send(driver, page=page, booking="B-0001 back").text


def test_a_booking_that_is_over_or_of_tomorrow_is_not_offered(driver, book):
    book()
    book(hours(9, 12, day=1))
    with dates.as_of(NINE + timedelta(hours=4)):
        assert offers(driver.open(f"{FORM}&vehicle=lk19vte")) == []


def test_a_handover_that_was_chosen_for_another_vehicle_is_left_out(driver, book, states):
    book()
    page = driver.open(f"{FORM}&vehicle=LK19+VTE")
    done = send(driver, page=page, booking="B-0001 out", **{"items.LicensePlate": "LM20 ABC"})
    assert done.all("#alerts .warn p") == [
        "The answers about LK19 VTE are not in the check of LM20 ABC."
    ]
    assert states() == (BookingState.RESERVED, "LK19 VTE")


def test_the_booking_of_the_address_may_go_out_with_another_vehicle_of_its_class(
    driver, book, states
):
    book(class_name="Van")
    page = driver.open(f"{FORM}&booking=B-0001&step=out&vehicle=LK19+VTE")
    assert page.all(".form > .notice") == ["Handover of B-0001"]
    assert offers(page) == []
    send(driver, page=page, **{"items.LicensePlate": "LM20 ABC"})
    assert states() == (BookingState.OUT, "LM20 ABC")


def test_the_form_says_when_its_booking_cannot_take_the_step(book, driver):
    number = book(hours(12, 13))
    address = f"/fleetChecks?booking=B-{number:04}&vehicle=LK19 VTE"
    for way in ("", "&plain=1"):
        out, back = (driver.open(f"{address}&step={step}{way}").text for step in ("out", "back"))
        assert "It can be handed over from today 11:00." in out
        assert "The check will count, the handover won’t." in out
        assert "It isn't out. The check will count, the return won’t." in back
        unknown = driver.open(f"/fleetChecks?booking=B-9999&step=out{way}")
        assert "There is no B-9999." in unknown.text
