"""The DVSA file as JSON."""

import csv
import io
from datetime import timedelta

import pytest

from app import dates
from app.divisions import Division, Role
from tests import factories
from tests.person import Caller
from tests.upkeep import rows
from tests.upkeep.rows import LK19

TODAY = dates.today()
OTHER = "YD21 HMO"
URL = "/api/fleet/record"


@pytest.fixture
def records(app):
    """Store records of a vehicle, and of one that has left the lists."""
    with app.app_context():
        factories.vehicle(LK19)
        for days in (0, 0, 3):
            factories.check(LK19, day=TODAY - timedelta(days=days), odometer=48_210)
        rows.repair(labour=1_250, finished_on=TODAY, garage="Kwik Fit")
        rows.defect(OTHER, day=TODAY - timedelta(days=100))
        rows.repair(OTHER, finished_on=TODAY - timedelta(days=1000))


@pytest.fixture
def viewer_call(signed_in):
    """Return the API client of a viewer of Fleet."""
    return Caller(signed_in("viewer", Division.FLEET, roles=(Role.VIEWER,)))


def test_a_viewer_reads_the_entries_of_the_file(viewer_call, records, driver):
    found = viewer_call("GET", f"{URL}?vehicle=lk19vte").json
    file = driver.client.get("/fleet/record/vehicle.csv?vehicle=lk19vte").text
    lines = list(csv.DictReader(io.StringIO(file)))
    for name in ("reg", "date", "record", "reference", "what", "outcome", "detail", "answers"):
        assert [row[name] for row in found] == [line[name] for line in lines], name
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


def test_an_unchanged_record_is_not_sent_again(app, call, records):
    tag = call("GET", f"{URL}?vehicle={LK19}").headers["ETag"]
    assert call("GET", f"{URL}?vehicle={LK19}", If_None_Match=tag).status_code == 304
    with app.app_context():
        factories.check(LK19, day=TODAY, odometer=48_300)
    assert len(call("GET", f"{URL}?vehicle={LK19}", If_None_Match=tag).json) == 6


def test_wrong_months_and_registrations_are_named(call):
    for query, field, message in (
        ("months=0", "months", "Choose 1 to 60 months."),
        ("months=61", "months", "Choose 1 to 60 months."),
        ("months=x", "months", "Must be a whole number."),
        (f"vehicle={'A' * 21}", "vehicle", "Vehicle must be at most 20 characters"),
        ("from=2026-01-01", "from", "Unknown field."),
    ):
        refused = call("GET", f"{URL}?{query}")
        assert (refused.status_code, refused.json["fields"]) == (422, {field: message}), query
