"""The DVSA file as page, file and JSON."""

import csv
import io
from datetime import timedelta

import pytest

from app import dates
from app.audit.queries import all_entries
from app.divisions import Division, Role
from app.fleet.models import Vehicle
from app.vehicle_file.rules import NOTHING_OPEN
from tests import factories
from tests.person import Caller, table
from tests.upkeep import rows
from tests.upkeep.rows import LK19

TODAY = dates.today()
OTHER = "YD21 HMO"
URL = "/api/fleet/record"


@pytest.fixture
def records(app, driver):
    """Store records of a vehicle, and of one that has left the lists."""
    with app.app_context():
        factories.vehicle(LK19, make="Ford", model="Transit")
        for days, name in ((0, "Jo Marsh"), (0, "Driver"), (3, "")):
            seen = {"odometer": 48_210, "items": {"Name": name}}
            factories.check(LK19, day=TODAY - timedelta(days=days), **seen)
        rows.repair(labour=1_250, finished_on=TODAY, garage="=Kwik Fit")
        rows.defect(OTHER, day=TODAY - timedelta(days=100))
        rows.repair(OTHER, finished_on=TODAY - timedelta(days=1000))
        assert rows.db.session.query(Vehicle).count() == 1
    return driver


def test_a_record_is_one_page_with_its_plate_and_period_over_each_part(records):
    page = records.open("/fleet/record?vehicle=lk19vte")
    assert page.all("h1") == ["DVSA file of LK19 VTE"]
    assert "Ford Transit" in page.text
    [repair] = table(page, "Repairs")
    assert repair[1:] == ["R-0001 =Kwik Fit", "", "=Kwik Fit (Terminal)", "", "£12.50"]
    checks = table(page, "Checks")
    assert [check[3] for check in checks] == ["driver", "Jo Marsh (driver)", "Driver"]
    assert checks[0][4] == "48,210"
    heads = page.all(".paper-only")
    assert heads
    assert all(head.startswith(f"{LK19} · ") for head in heads)
    assert dates.format_day(TODAY) in heads[0]
    assert "None in these months." in page.text
    # Photos of checks stand beside their checks.
    assert page.all("h2")[-1] == "Other photos and documents 0 entries"


def test_a_vehicle_that_left_the_lists_is_found_by_its_registration(records):
    page = records.open(f"/fleet/record?vehicle={OTHER}&months=60")
    assert "Not in the list any more" in page.text
    assert len(table(page, "Defects")) == 1
    assert len(table(page, "Repairs")) == 1
    # It is headed as its record writes it, however it was typed.
    typed = records.open("/fleet/record?vehicle=yd21hmo")
    assert typed.all("h1") == [f"DVSA file of {OTHER}"]
    assert "Repairs 0" in records.open(f"/fleet/record?vehicle={OTHER}").text


def test_a_record_begins_with_what_is_open_on_the_day_it_is_made(records):
    heading = f"Open on {dates.format_day(TODAY)}"
    page = records.open("/fleet/record?vehicle=lk19vte")
    assert page.all("h2")[0] == f"{heading} 0 entries"
    assert NOTHING_OPEN in page.text
    page = records.open(f"/fleet/record?vehicle={OTHER}")
    assert page.all("h2")[0] == f"{heading} 1 entry"
    [defect] = table(page, "Open")
    assert defect[1].startswith("D-0001 Brakes: fail")
    assert defect[2:4] == ["Not assessed, open", ""]
    assert NOTHING_OPEN not in page.text


def test_wrong_months_and_registrations_are_named(records):
    for query, message in (
        ("vehicle=LK19&months=0", "Choose 1 to 60 months."),
        ("vehicle=LK19&months=61", "Choose 1 to 60 months."),
        ("vehicle=LK19&months=x", '"x" is not a whole number'),
        ("vehicle=" + "A" * 21, "Number plate"),
    ):
        page = records.open(f"/fleet/record?{query}")
        assert page.status == 422, query
        assert message in page.text, query
    assert records.open("/fleet/record/vehicle.csv").status == 422


def test_the_file_of_a_vehicle_has_the_entries_of_its_page(records, app):
    reply = records.client.get("/fleet/record/vehicle.csv?vehicle=lk19vte")
    found = list(csv.DictReader(io.StringIO(reply.text)))
    assert [row["record"] for row in found] == ["Nothing open", *["Check"] * 3, "Repair"]
    assert found[-1]["what"] == "'=Kwik Fit"
    assert found[-1]["totalGBP"] == "12.50"
    assert reply.headers["Content-Disposition"].endswith(f"record-lk19vte-{TODAY}.csv")
    with app.app_context():
        assert list(all_entries())[-1].subject == "record of LK19 VTE"


def test_managers_export_the_whole_fleet_with_those_that_left(records, manager, app):
    refused = records.client.get("/fleet/record/fleet.csv")
    assert refused.status_code == 403
    disabled = records.open("/fleet/record").html.select_one("[aria-disabled=true]")
    assert disabled.get_text() == "Whole fleet, CSV"
    assert "Whole fleet" in manager.open("/fleet/record").text
    reply = manager.client.get("/fleet/record/fleet.csv?months=15")
    found = list(csv.DictReader(io.StringIO(reply.text)))
    assert [(row["reg"], row["record"]) for row in found] == [
        (LK19, "Nothing open"),
        *[(LK19, "Check")] * 3,
        (LK19, "Repair"),
        (OTHER, "Open"),
        (OTHER, "Defect"),
    ]
    with app.app_context():
        assert list(all_entries())[-1].subject == "record of the fleet"


@pytest.fixture
def viewer_call(signed_in):
    """Return the API client of a viewer of Fleet."""
    return Caller(signed_in("viewer", Division.FLEET, roles=(Role.VIEWER,)))


def test_a_viewer_reads_the_entries_of_the_file(viewer_call, records, driver):
    found = viewer_call("GET", f"{URL}?vehicle=lk19vte").json
    file = driver.client.get("/fleet/record/vehicle.csv?vehicle=lk19vte").text
    lines = list(csv.DictReader(io.StringIO(file)))
    for name in (
        "reg",
        "date",
        "record",
        "reference",
        "what",
        "outcome",
        "detail",
        "answers",
        "name",
    ):
        assert [row[name] for row in found] == [line[name].lstrip("'") for line in lines], name
    assert [row["record"] for row in found] == ["Nothing open", "Check", "Check", "Check", "Repair"]
    assert [row["odometer"] for row in found] == [None, 48_210, 48_210, 48_210, None]
    repair = found[-1]
    assert (repair["time"], repair["labourGBP"], repair["totalGBP"]) == (None, 12.5, 12.5)
    assert {row["totalGBP"] for row in found[:-1]} == {None}


def test_months_reach_as_far_back_as_they_say(viewer_call, records):
    assert len(viewer_call("GET", f"{URL}?vehicle={OTHER}").json) == 2
    assert len(viewer_call("GET", f"{URL}?vehicle={OTHER}&months=60").json) == 3


def test_managers_read_the_whole_fleet_whole_or_in_parts(call, viewer_call, records):
    refused = viewer_call("GET", URL)
    assert (refused.status_code, refused.json["code"]) == (403, "role_required")
    whole = call("GET", f"{URL}?months=60")
    assert [row["reg"] for row in whole.json] == [LK19] * 5 + [OTHER] * 3
    for limit in (1, 4, 6):
        url, parts = f"{URL}?months=60&limit={limit}", []
        while url:
            part = call("GET", url)
            parts.append(part.json)
            url = part.headers.get("Link", "").partition(">")[0].removeprefix("<")
        assert [len(part) <= limit for part in parts] == [True] * len(parts)
        assert [row for part in parts for row in part] == whole.json


def test_an_unchanged_record_is_not_sent_again(in_app, call, records):
    tag = call("GET", f"{URL}?vehicle={LK19}").headers["ETag"]
    assert call("GET", f"{URL}?vehicle={LK19}", If_None_Match=tag).status_code == 304
    in_app(factories.check, LK19, day=TODAY, odometer=48_300)
    assert len(call("GET", f"{URL}?vehicle={LK19}", If_None_Match=tag).json) == 6


def test_a_call_names_wrong_months_and_registrations(call):
    for query, field, message in (
        ("months=0", "months", "Choose 1 to 60 months."),
        ("months=61", "months", "Choose 1 to 60 months."),
        ("months=x", "months", "Must be a whole number."),
        (f"vehicle={'A' * 21}", "vehicle", "Vehicle must be at most 20 characters"),
        ("from=2026-01-01", "from", "Unknown field."),
    ):
        refused = call("GET", f"{URL}?{query}")
        assert (refused.status_code, refused.json["fields"]) == (422, {field: message}), query
