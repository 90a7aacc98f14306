"""The page of a vehicle: values, history, checks and charts."""

from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import select

from app import dates
from app.db import db, transaction
from app.fleet.models import Check, Vehicle, VehicleEvent
from app.fleet.rules.vehicles import VehicleState
from app.fleet.services import vehicles as services
from app.mileage.rules import Doubt, ReadingSource
from app.periods import first_day
from tests import factories
from tests.person import rows
from tests.upkeep.rows import reading

pytestmark = pytest.mark.writes_directly

TODAY = dates.today()


@pytest.fixture
def checked(app):
    """Submit a check of LK19 VTE as the driver."""

    def checked(day=TODAY, odometer=1000, reg="LK19 VTE", **values):
        with app.app_context(), transaction():
            values = {"form_label": "Standard Vehicle Check"} | values
            values |= {"submitted_by": 1, "submitted_at": dates.utc_now(), "search_key": ""}
            about = {"reg": reg, "reg_key": "lk19vte", "items": {}}
            check = Check(day=day, odometer=odometer, **about, **values)
            db.session.add(check)
            db.session.flush()
            return services.record_check(check)

    return checked


def test_the_facts_of_a_vehicle(driver, vehicle):
    values = {"make": "Ford", "model": "Transit", "classification": "Van", "status": "In repair"}
    at = datetime(2026, 1, 5, 9, 30, tzinfo=UTC)
    one = vehicle(**values, location="Workshop", odometer=48210, last_event_at=at)
    page = driver.open(f"/vehicles/{one}")
    assert page.title == "LK19 VTE · Quartermaster"
    assert page.all(".facts dd") == [
        *("Ford Transit", "Van", "In repair", "Workshop", "5 Jan 2026 09:30", "48,210 miles")
    ]
    assert page.all(".facts .badge.warn") == ["In repair"]


def test_the_menu_marks_the_list_that_a_vehicle_belongs_to(driver, vehicle):
    for address in (f"/vehicles/{vehicle()}", "/vehicles/add", "/vehicles"):
        page = driver.open(address)
        assert page.all("nav[aria-label=Screens] [aria-current]") == ["Vehicles"], address


def test_the_list_leads_to_the_vehicle_and_back_as_it_was(driver, vehicle):
    one = vehicle()
    listed = "/vehicles?q=lk19"
    link = driver.open(listed).link("LK19 VTE")
    assert link == f"/vehicles/{one}"
    page = driver.open(link, headers={"Referer": f"http://localhost{listed}"})
    assert page.link("Back") == listed
    assert driver.open(link, headers={"Referer": ""}).link("Back") == "/vehicles"


def test_the_page_links_to_a_new_check_its_checks_and_the_edit_form(driver, vehicle, checked):
    one = vehicle()
    page = driver.open(f"/vehicles/{one}")
    assert "No checks yet." in page.text
    assert page.html.select("svg, figure") == []
    checked()
    page = driver.open(f"/vehicles/{one}")
    assert page.link("New check") == "/fleetChecks?vehicle=LK19+VTE"
    assert page.link("Show in the checks list") == "/fleetChecksList?vehicle=LK19+VTE"
    assert page.link("Edit") == f"/vehicles/{one}/edit"


def test_the_history_has_status_location_user_and_checks(app, driver, vehicle, checked):
    one = vehicle(status="In use", location="Depot", last_event_at=None)
    opened = driver.open(f"/vehicles/{one}/edit")
    checked(day=TODAY - timedelta(3))
    driver.submit(opened, status="Off the road")
    with app.app_context(), transaction():
        revision = db.session.get(Vehicle, one).revision
        moved = VehicleState("", status="Off the road", location="Yard")
        services.edit_vehicle(one, moved, revision=revision, by=None)
    history = [row[1:] for row in rows(driver.open(f"/vehicles/{one}"))]
    assert history == [
        ["Off the road", "Yard", "Terminal", ""],
        ["Off the road", "Depot", "driver", ""],
        ["In use", "Depot", "driver", "Check"],
    ]


def test_a_check_after_an_edit_on_the_same_day_updates_the_odometer(driver, vehicle, checked):
    one = vehicle()
    driver.submit(driver.open(f"/vehicles/{one}/edit"), status="In use")
    # A check belongs to the registration, however that is spaced.
    checked(odometer=700, reg="LK19VTE")
    page = driver.open(f"/vehicles/{one}")
    assert page.all(".facts dd")[-1] == "700 miles"
    assert rows(page)[0][-1] == "Check"
    assert len(rows(page, "#checks tr")) == 1


def test_an_older_check_is_recorded_with_the_status_and_location_of_its_time(
    app, driver, vehicle, checked
):
    one = vehicle(status="In use", location="Depot")
    with app.app_context(), transaction():
        for days, status in ((20, "In repair"), (2, "In use")):
            values = {"fleet_list": "vehicles", "reg": "LK19 VTE", "reg_key": "lk19vte"}
            values |= {"at": dates.utc_now() - timedelta(days), "status": status}
            db.session.add(VehicleEvent(**values, location="Workshop"))
        db.session.get(Vehicle, one).last_event_at = dates.utc_now() - timedelta(2)
    checked(day=TODAY - timedelta(10))
    history = rows(driver.open(f"/vehicles/{one}"))
    assert [row[1:3] for row in history if row[-1] == "Check"] == [["In repair", "Workshop"]]


def test_the_ten_latest_checks_have_their_flags(driver, vehicle, checked):
    one = vehicle()
    for n in range(11):
        checked(day=TODAY - timedelta(20 - n), odometer=1000 + n)
    checked(cost=12345, odometer=900, has_damage=True, odometer_fell=True, form_label="")
    checked(odometer=1500, reviewed_by=1, reviewed_at=dates.utc_now())
    page = driver.open(f"/vehicles/{one}")
    checks = rows(page, "#checks tr")
    assert len(checks) == 10
    today = dates.format_day(TODAY)
    assert checks[0] == ["Standard Vehicle Check", today, "1,500", "", "driver", "Reviewed"]
    assert checks[1] == [
        *("Check", today, "900", "£123.45", "driver", "Damage Odometer fell Not reviewed")
    ]
    assert page.link("Latest 10 of 13: show all") == "/fleetChecksList?vehicle=LK19+VTE"


def test_the_chart_of_the_odometer_leaves_out_readings_that_do_not_count(
    app, driver, vehicle, checked
):
    one = vehicle()
    readings = {
        49_932: {},
        499_320: {"is_accepted": False, "doubt": Doubt.JUMPED},
        5_000: {"void_at": dates.utc_now()},
        50_100: {"doubt": Doubt.FELL},
    }
    for days, (miles, values) in enumerate(readings.items()):
        day = date(2026, 1, 5) + timedelta(days)
        checked(day=day, odometer=miles)
        with app.app_context():
            check = db.session.execute(select(Check.id).filter_by(odometer=miles)).scalar_one()
            source = {"source": ReadingSource.CHECK, "source_id": check}
            reading(miles, day=day, **source, **values)
    caption = driver.open(f"/vehicles/{one}").all("figcaption")[0]
    assert caption == "2 checks: 49,932 miles on 5 Jan 2026, 50,100 on 8 Jan 2026"


def test_the_charts_of_odometer_and_costs_have_a_text(driver, vehicle, checked):
    one = vehicle()
    month = TODAY.replace(day=1)
    checked(day=date(2026, 1, 5), odometer=41000)
    checked(day=month, odometer=48210, cost=60000)
    checked(day=month, odometer=48300, cost=3400)
    page = driver.open(f"/vehicles/{one}")
    when = dates.format_day(month)
    captions = [
        f"3 checks: 41,000 miles on 5 Jan 2026, 48,300 on {when}",
        f"£634.00 {dates.format_day(first_day(TODAY))} to {dates.format_day(TODAY)}",
    ]
    assert page.all("figcaption") == captions
    pictures = page.html.select("svg[role=img]")
    assert pictures[0]["aria-label"].startswith("Odometer at 3 checks: 41,000 miles")
    assert pictures[1].title.get_text() == "Costs by month and kind"
    assert pictures[1].desc.get_text().startswith("£634.00 in all, most from 1 ")
    texts = [[text.get_text() for text in picture.select("text")] for picture in pictures]
    miles = ["40,000", "42,000", "44,000", "46,000", "48,000", "50,000"]
    assert texts[0] == [*miles, "5 Jan 2026", when]
    assert texts[1][:5] == ["£0", "£200", "£400", "£600", "£800"]
    assert not page.html.select("[style]")
    months = rows(page, ".figures table tbody tr")
    assert len(months) == 12
    assert months[-1] == [f"{month:%b %Y}", "£634.00", "£634.00"]


def test_25_rows_of_history_are_on_a_page(app, driver, vehicle):
    one = vehicle(vans=True)
    with app.app_context(), transaction():
        events = [services.PastEvent("LK19VTE", location=f"Place {n}") for n in range(30)]
        services.record_van_history(events, by=1)
    first = driver.open(f"/vehicles/{one}")
    assert first.all(".pager p") == ["Page 1 / 2 · Showing 25 of 30"]
    assert rows(first)[0][2] == "Place 29"
    second = driver.open(first.link("Next"))
    assert rows(second)[-1][2] == "Place 0"


def test_an_unchanged_page_is_not_sent_again_until_a_check_is_submitted(driver, vehicle, checked):
    path = f"/vehicles/{vehicle()}"
    tag = driver.open(path).headers["ETag"]
    assert driver.open(path, headers={"If-None-Match": tag}).status == 304
    checked()
    assert driver.open(path, headers={"If-None-Match": tag}).status == 200


def test_a_check_causes_no_edit_conflict(driver, vehicle, checked):
    mine = driver.open(f"/vehicles/{vehicle(status='In use')}/edit")
    checked()
    page = driver.submit(mine, location="Depot")
    assert page.all(".notice.ok") == ["Saved LK19 VTE."]


def test_a_check_of_a_registration_in_both_lists_updates_both(app, in_app, vehicle, checked):
    in_app(factories.user, "driver")
    ids = [vehicle(), vehicle(vans=True)]
    checked(odometer=77)
    with app.app_context():
        assert [db.session.get(Vehicle, one).odometer for one in ids] == [77, 77]
