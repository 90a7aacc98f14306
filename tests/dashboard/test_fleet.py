"""The dashboard of Fleet, and its statements."""

from datetime import timedelta

import pytest

from app import dates
from app.db import db, transaction
from app.divisions import Division
from app.fleet.models import VehicleEvent
from app.fleet.rules.vehicles import FleetList, VehicleState, plate_key
from app.fleet.services.checks import review_check
from app.fleet.services.lists import import_vehicles
from tests import factories
from tests.dashboard.test_pages import rows as logged
from tests.dashboard.test_reads import FAILED, status
from tests.silent_changes import written_directly
from tests.upkeep import rows

TODAY = dates.today()
MONDAY = TODAY - timedelta(days=TODAY.weekday())
KEPT_WELL = ["Off the road 0 vehicles", "Due 0 soon"]
"""The tiles of upkeep when there is nothing to do."""


@pytest.fixture
def past_change(app):
    """Return a function that records a change of a vehicle's status some days ago, at noon."""

    def past_change(days_ago, reg="LK19 VTE", *, vans=False, status="In use", location="Depot"):
        with app.app_context(), written_directly(), transaction():
            db.session.add(
                VehicleEvent(
                    fleet_list=FleetList.VANS if vans else FleetList.VEHICLES,
                    reg=reg,
                    reg_key=plate_key(reg),
                    at=dates.noon_in_london(TODAY - timedelta(days=days_ago)),
                    status=status,
                    location=location,
                )
            )

    return past_change


def test_fleet_sees_its_vehicles_by_status_and_the_checks_of_this_week(app, fleet):
    with app.app_context():
        for number, status in enumerate(
            ["Available", "Available", "In repair", "off the road", "On loan", "Unknown"]
        ):
            factories.vehicle(f"AB{number} CDE", status=status)
        factories.check("AB0 CDE", day=TODAY)
        reviewed = factories.check("AB1 CDE", day=MONDAY)
        factories.check("AB1 CDE", day=MONDAY - timedelta(days=1))
        with transaction():
            review_check(reviewed, remark="", by=1)
    page = fleet.open("/dashboard")
    assert page.all("a.tile") == [
        "Vehicles 6 2 available · 1 in repair · 1 unknown · 1 other",
        *KEPT_WELL,
        "Vehicle Checks 2 checks this week",
        "Checks list 3 checks 2 not reviewed",
    ]
    assert page.all("a.tile .badge.warn") == ["2 not reviewed"]
    tiles = ["/vehicles", "/fleet/off-road", "/fleet/due", "/fleetChecks", "/fleetChecksList"]
    assert [page.link(text) for text in page.all("a.tile")] == tiles
    links = ["Bookings", "Defects", "Repairs", "Readings", "Costs", "DVSA file"]
    assert page.all("nav[aria-label='More screens'] a") == links


def test_fleet_sees_what_is_off_the_road_late_soon_due_and_overdue(app, fleet):
    with app.app_context():
        for reg in ("AB1 CDE", "AB2 CDE"):
            factories.vehicle(reg)
        rows.off_road("AB1 CDE", expected_back=TODAY - timedelta(days=1))
        rows.off_road("AB2 CDE", expected_back=TODAY)
        rows.due_item("AB1 CDE", due_on=TODAY - timedelta(days=1))
        rows.due_item("AB2 CDE", due_on=TODAY + timedelta(days=1))
        rows.due_item("AB2 CDE", label="Service", due_on=TODAY + timedelta(days=300))
    page = fleet.open("/dashboard")
    assert page.all("a.tile")[:3] == [
        "Vehicles 2 2 unknown 2 off the road",
        "Off the road 2 vehicles 1 late",
        "Due 1 soon 1 overdue",
    ]


def test_an_empty_fleet_has_no_recent_activity(fleet):
    page = fleet.open("/dashboard")
    assert page.all("a.tile") == [
        "Vehicles 0",
        *KEPT_WELL,
        "Vehicle Checks 0 checks this week",
        "Checks list 0 checks",
    ]
    assert page.all(".badge") == []
    assert page.all(".empty") == [
        "No recent activity.",
        "Nothing is here yet. Add the first one Bring a list",
    ]
    end = dates.format_day(TODAY)
    assert page.all(".activity :is(h2, .note)") == [
        "Activity (30d) 0",
        f"Checks and changes per day, 30 days to {end}: 0 in all",
    ]


def test_vans_are_counted_if_no_vehicles_exist(in_app, fleet):
    in_app(factories.vehicle, "VAN 1", vans=True, status="In use")
    assert fleet.open("/dashboard").all("a.tile")[0] == "Vehicles 1 1 in use"
    in_app(factories.vehicle, "CAR 1", status="In repair")
    assert fleet.open("/dashboard").all("a.tile")[0] == "Vehicles 1 1 in repair"


def test_activity_counts_checks_and_changes_of_30_days_each_once(app, fleet, past_change):
    with app.app_context():
        factories.vehicle("LK19 VTE")
        # A registration on both lists has a history on each; its checks still count once.
        factories.vehicle("LK19 VTE", vans=True)
        factories.check(day=TODAY)
        factories.check(day=TODAY - timedelta(days=29))
        factories.check(day=TODAY - timedelta(days=30))
        factories.check("HIRED 1", day=TODAY)
    past_change(0)
    past_change(29)
    past_change(30)
    past_change(1, vans=True)
    page = fleet.open("/dashboard")
    end = dates.format_day(TODAY)
    assert page.all(".activity :is(h2, .note)") == [
        "Activity (30d) 5",
        f"Checks and changes per day, 30 days to {end}: "
        f"5 in all, most 3 on {dates.short_day(TODAY)}",
    ]
    first = TODAY - timedelta(days=29)
    assert page.link(f"{dates.short_day(first)}: 2") == f"/fleetChecksList?from={first}&to={first}"
    assert page.link(f"{dates.short_day(TODAY)}: 3")
    assert len(page.all(".activity li")) == 30


def test_the_last_12_checks_and_changes_are_listed_newest_first(app, fleet, past_change):
    with app.app_context():
        vehicle = factories.vehicle("LK19 VTE", status="In repair", location="Garage")
        factories.check(day=TODAY - timedelta(days=1))
        factories.check("HIRED 1", day=TODAY - timedelta(days=3))
    past_change(2, status="Off the road", location="")
    for days in range(4, 16):
        past_change(days, "GO17 NEE")
    page = fleet.open("/dashboard")
    heads = ["Date", "Event", "Vehicle", "Status", "Location", "Who"]
    assert page.all("table.log thead th") == heads
    days = [dates.format_day(TODAY - timedelta(days=n)) for n in range(13)]
    change = "Status or location change"
    found = logged(page)
    assert found[:4] == [
        [days[1], "Check", "LK19 VTE", "In repair", "Garage", "manager"],
        [days[2], change, "LK19 VTE", "Off the road", "–", "Terminal"],
        [days[3], "Check", "HIRED 1", "–", "–", "manager"],
        [days[4], change, "GO17 NEE", "In use", "Depot", "Terminal"],
    ]
    assert [row[0] for row in found] == days[1:13]
    assert page.all("table.log .badge.bad") == ["Off the road"]
    assert page.html.select_one("table.log a")["href"] == f"/vehicles/{vehicle}"
    assert page.all("table.log a") == ["LK19 VTE", "LK19 VTE"]


def test_gpm_has_links_to_the_vehicles_below_its_tiles(in_app, gpm):
    in_app(factories.vehicle)
    in_app(factories.check, day=TODAY)
    page = gpm.open("/dashboard")
    tiles = ["Inventory", "Deliveries", "History"]
    assert [tile.split()[0] for tile in page.all("a.tile")] == tiles
    links = page.all("nav[aria-label='More screens'] a")
    assert {"Vehicles", "Vehicle Checks", "Checks list"} <= set(links)
    assert page.all(".empty") == [
        "No recent activity.",
        "Nothing is here yet. Add the first one Bring a list",
    ]


@pytest.mark.parametrize(
    ("table", "vehicles", "checks", "recent"),
    [
        ("vehicle", "–", ["1 check this week", "1 check"], 0),
        ("vehicle_check", "1 1 unknown", ["1 check this week", "1 check"], 0),
        ("day_count", "1 1 unknown", ["–", "–"], 1),
        ("vehicle_event", "1 1 unknown", ["1 check this week", "1 check"], 0),
    ],
)
def test_the_rest_appears_when_a_table_cannot_be_read(
    app, fleet, break_table, table, vehicles, checks, recent
):
    with app.app_context():
        factories.vehicle()
        check = factories.check(day=TODAY)
        with transaction():
            review_check(check, remark="", by=1)
    break_table(table)
    page = fleet.open("/dashboard")
    assert (page.status, page.alerts) == (200, FAILED)
    form, listed = checks
    assert page.all("a.tile") == [
        *(f"Vehicles {vehicles}", *KEPT_WELL, f"Vehicle Checks {form}", f"Checks list {listed}")
    ]
    assert len(logged(page)) == recent
    assert page.headers["Cache-Control"] == "no-store"


def change_status():
    states = [VehicleState("LK19 VTE", status="In repair")]
    with transaction():
        import_vehicles(FleetList.VEHICLES, states, by=None)


def review():
    with transaction():
        review_check(1, remark="", by=1)


def test_an_unchanged_fleet_is_a_304_until_it_changes(in_app, fleet):
    in_app(factories.vehicle)
    in_app(factories.check, day=TODAY)
    for change in (change_status, review, factories.check):
        tag = fleet.open("/dashboard").headers["ETag"]
        assert status(fleet, tag) == 304
        in_app(change)
        assert status(fleet, tag) == 200


def test_ten_times_the_fleet_takes_no_more_statements(app, fleet, statements):
    def grow(start, end):
        with app.app_context():
            for number in range(start, end):
                factories.vehicle(f"AB{number} CDE", status=f"Status {number}")
                factories.check(f"AB{number} CDE", day=TODAY - timedelta(days=number % 40))

    # What a worker remembers of bookings, which stay as they are, is read once.
    fleet.open("/dashboard")
    grow(0, 4)
    few = statements(lambda: fleet.open("/dashboard"))
    grow(4, 40)
    assert statements(lambda: fleet.open("/dashboard")) == few
    assert few <= 18
    tag = fleet.open("/dashboard").headers["ETag"]
    assert statements(lambda: status(fleet, tag)) == 2


def test_only_the_fleet_sees_the_fleets_dashboard(gfm):
    page = gfm.open("/dashboard")
    assert all("Vehicle" not in text for text in page.all("main a"))
    assert Division.FLEET.label not in page.text
