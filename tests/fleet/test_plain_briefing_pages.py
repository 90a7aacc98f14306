"""What the check form without scripts says of its vehicle, and its questions about open defects."""

from datetime import timedelta

import pytest

from app import dates
from app.db import transaction
from app.defects.rules.fields import OffRoadReason
from app.defects.services.off_road import take_off_road
from tests import factories
from tests.fleet.plain_checks import FORM, PLAIN, SUBMITTED, described, send

pytestmark = pytest.mark.usefixtures("two_vehicles")


@pytest.fixture
def number(app, two_vehicles):
    """Report a defect of the first vehicle; returns its number."""
    with app.app_context():
        return factories.defect("LK19 VTE", "Mirror").reference


def test_open_defects_of_the_chosen_vehicle_are_answered_without_scripts(driver, checks, number):
    page = driver.open(f"{FORM}&vehicle=lk19vte")
    assert page.all(".open-defect b") == [f"Known: {number} Mirror cracked"]
    assert driver.open(f"{FORM}&vehicle=YD21+HMO").all(".open-defect") == []
    done = send(driver, page=page, **{number: "worse"})
    assert f"Seen again: {number}" in " ".join(done.all("#alerts .ok p"))
    assert checks()[0]["outcome"] == "defects"


def test_answers_about_another_vehicle_than_the_checked_one_are_left_out(driver, checks, number):
    page = driver.open(f"{FORM}&vehicle=LK19+VTE")
    done = send(driver, page=page, **{number: "yes", "items.LicensePlate": "YD21 HMO"})
    assert done.all("#alerts .warn p") == [
        "The answers about LK19 VTE are not in the check of YD21 HMO."
    ]
    assert (checks()[0]["reg"], checks()[0]["outcome"]) == ("YD21 HMO", "nil")


def test_a_refused_check_keeps_the_answers_about_open_defects(driver, number):
    page = driver.open(f"{FORM}&vehicle=LK19+VTE")
    refused = send(driver, page=page, **{number: "gone", "items.Mileage": "x"})
    assert refused.status == 422
    assert refused.html.select_one(".open-defect [checked]")["value"] == "gone"


def test_the_plain_form_says_what_stops_the_vehicle_and_so_does_the_reply(driver):
    page = driver.open(f"{FORM}&form=gardeningVan&vehicle=LK19+VTE")
    assert described(page, "items.Safety")[1] == [
        "Unsafe, Not safe, Fail, Failed: do not drive the vehicle."
    ]
    done = send(driver, page=page, **{"items.Safety": "unsafe"})
    assert done.all("#alerts [role=alert] p") == [
        "Stop: do not drive LK19 VTE. Safety: unsafe (D-0001)."
    ]


def test_the_next_driver_of_a_vehicle_off_the_road_sees_stop_and_is_asked_why_it_is_driven(
    app, driver, checks
):
    with app.app_context(), transaction():
        take_off_road("LK19 VTE", OffRoadReason.ACCIDENT, by=None)
    page = driver.open(f"{FORM}&vehicle=lk19vte")
    today = dates.short_day(dates.today())
    stop = f"Off the road since {today}. Send this check and leave the keys at the desk."
    assert page.all(".form > .stop > *") == ["Stop: do not drive LK19VTE", stop]
    refused = send(driver, page=page)
    question = "Why is it driven? Choose To the garage, To a test or Other."
    assert refused.status == 422
    assert refused.all(".notice.bad li") == [question]
    assert refused.html.select_one(".notice.bad a")["href"] == "#driveReason"
    assert refused.html.find(id="driveReason")["value"] == "garage"
    assert refused.all("[role=radiogroup][aria-invalid] .error") == [question]
    wrong = send(driver, page=refused, driveReason="test", **{"items.Mileage": "x"})
    assert wrong.html.select_one(".briefing [checked]")["value"] == "test"
    other = send(driver, page=wrong, driveReason="test", **{"items.LicensePlate": "YD21 HMO"})
    left_out = "The answers about LK19 VTE are not in the check of YD21 HMO."
    assert other.all("#alerts .warn p") == [left_out]
    send(driver, page=driver.open(f"{FORM}&vehicle=LK19+VTE"), driveReason="test")
    assert [check["driveReason"] for check in checks()] == ["test", None]


def test_an_open_defect_without_an_answer_is_refused_at_its_question(app, driver, checks):
    with app.app_context():
        parts = ("Mirror", "Wiper")
        first, second = (factories.defect("LK19 VTE", part).reference for part in parts)
    page = driver.open(f"{FORM}&vehicle=LK19+VTE")
    refused = send(driver, page=page, **{first: "gone", "items.Mileage": ""})
    question = f"Is {second} still there? Choose Yes, Worse or Gone."
    assert refused.status == 422
    assert refused.all(".notice.bad li") == [question, "Please fill the required fields: Mileage"]
    assert refused.html.select_one(".notice.bad a")["href"] == f"#{second}"
    assert refused.html.find(id=second)["name"] == second
    wrong = refused.html.select("[role=radiogroup][aria-invalid]")
    assert [group.select_one(".error").get_text() for group in wrong] == [question]
    assert f"{second}-error" in wrong[0]["aria-describedby"]
    assert checks() == []
    done = send(driver, page=refused, **{second: "yes"})
    assert done.all("#alerts [role=status] p")[0] == SUBMITTED
    assert len(checks()) == 1


def test_a_check_of_an_earlier_day_asks_of_no_later_defect(driver, checks, number):
    page = driver.open(f"{FORM}&vehicle=LK19+VTE")
    date = next(name for name in page.fields(PLAIN) if name.lower().endswith("date"))
    assert send(driver, page=page).status == 422
    done = send(driver, page=page, **{date: (factories.DAY - timedelta(days=1)).isoformat()})
    assert done.all("#alerts [role=status] p")[0] == SUBMITTED
    assert len(checks()) == 1


def test_the_open_defects_of_a_vehicle_chosen_in_the_form_are_questioned_before_it_is_sent(
    driver, checks, number
):
    refused = send(driver, page=driver.open(f"{FORM}&vehicle=YD21+HMO"))
    assert refused.all(".notice.bad li") == [f"Is {number} still there? Choose Yes, Worse or Gone."]
    assert refused.all(".open-defect b") == [f"Known: {number} Mirror cracked"]
    send(driver, page=refused, **{number: "gone"})
    assert [check["outcome"] for check in checks()] == ["nil"]


def test_a_refused_check_shows_what_is_known_of_the_vehicle_that_was_filled_in(driver, number):
    page = driver.open(f"{FORM}&vehicle=LK19+VTE")
    other = {"items.LicensePlate": "YD21 HMO", "items.Mileage": ""}
    refused = send(driver, page=page, **{number: "yes", **other})
    assert refused.all(".notice.bad li") == ["Please fill the required fields: Mileage"]
    assert refused.all(".open-defect") == []
    done = send(driver, page=refused, **{"items.LicensePlate": "YD21 HMO"})
    assert done.all("#alerts .warn p") == []


def test_a_check_that_is_sent_twice_is_not_questioned_about_what_it_reported(driver, checks):
    page = driver.open(FORM)
    for _ in range(2):
        done = send(driver, page=page, **{"items.Damage": "scratch"})
        assert done.all("#alerts [role=status] p")[0] == SUBMITTED
    assert len(checks()) == 1


def test_the_form_shows_the_briefing_of_its_vehicle_and_submits_nothing(driver, checks):
    send(driver, **{"items.Damage": "Scratch"})
    page = driver.open(f"{FORM}&vehicle=YD21+HMO")
    assert "Known: D-0001" not in page.text
    plates = [select for select in page.html.select("select") if "LK19 VTE" in select.get_text()]
    assert len(plates) == 1
    briefed = send(driver, page=page, briefing="1", **{"items.Notes": "By day"})
    assert briefed.status == 200
    assert "Known: D-0001 Damage: scratch" in briefed.text
    plate = briefed.html.select_one("select[name='items.LicensePlate'] [selected]")
    assert plate.get_text() == "LK19 VTE"
    assert briefed.all("textarea") == ["By day"]
    assert len(checks()) == 1
    done = send(driver, page=briefed, **{"D-0001": "gone"})
    assert "Reported gone: D-0001" in done.text
    assert len(checks()) == 2
