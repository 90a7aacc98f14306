"""`flask vehicles`: import, export and add."""

from datetime import UTC, datetime

import pytest

from app.db import db
from app.fleet.models import Vehicle, VehicleEvent
from tests.fleet.test_vehicles_api import events

HEADER = "reg,make,model,status,classification,currentLocation,lastEventAt"


@pytest.fixture
def flask(app):
    runner = app.test_cli_runner()

    def run(*arguments):
        result = runner.invoke(args=["vehicles", *arguments])
        return result.exit_code, result.output

    return run


@pytest.fixture
def load(flask, tmp_path):
    def load(content, *options):
        file = tmp_path / "fleet.csv"
        file.write_text(content, encoding="utf-8")
        return flask("import", str(file), *options)

    return load


@pytest.fixture
def listed(app):
    def listed(name="vehicles"):
        with app.app_context():
            found = db.session.query(Vehicle).filter_by(fleet_list=name).order_by(Vehicle.reg_key)
            return [(v.reg, v.make, v.model, v.status, v.classification, v.location) for v in found]

    return listed


def test_an_import_changes_the_listed_vehicles_and_no_others(app, load, listed, vehicle):
    vehicle("OTHER 1", make="Fiat")
    vehicle("LK19 VTE", make="Old", status="In use", location="Depot", odometer=5)
    lines = (HEADER, "lk19vte,Ford,Transit,In repair,Van,Depot,", "NEW 1,,,,,,2026-07-01\n")
    done = load("\n".join(lines))
    assert done == (0, "fleet.csv: 1 added, 1 changed, 0 unchanged.\n")
    assert listed() == [
        ("LK19 VTE", "Ford", "Transit", "In repair", "Van", "Depot"),
        ("NEW 1", "", "", "Unknown", "", ""),
        ("OTHER 1", "Fiat", "", "Unknown", "", ""),
    ]
    assert events(app) == [("vehicles", "LK19 VTE", "In repair", "Depot", None)]
    with app.app_context():
        kept = db.session.query(Vehicle).filter_by(reg_key="lk19vte").one()
        assert (kept.odometer, kept.last_event_at is not None) == (5, True)


def test_values_of_missing_columns_stay_as_they_are(load, listed, vehicle):
    vehicle("A1", make="Ford", model="Focus", status="In use", location="Depot")
    assert load("reg,make\nA1,Fiat\n")[0] == 0
    assert listed() == [("A1", "Fiat", "Focus", "In use", "", "Depot")]


@pytest.mark.parametrize("name", ["vehicles", "vans"])
def test_importing_an_export_changes_nothing(app, flask, load, vehicle, tmp_path, name):
    vans = name == "vans"
    at = datetime(2025, 10, 26, 0, 30, 15, 123, tzinfo=UTC)
    vehicle("=A1", make='Ci"t,r', location="@home", last_event_at=at, vans=vans)
    vehicle("B1", status="In use", vans=vans)
    file = tmp_path / "out.csv"
    assert flask("export", "--list", name, "--output", str(file))[0] == 0
    text = file.read_text()
    assert text.splitlines()[0] == HEADER
    assert "'=A1" in text
    assert "2025-10-26T00:30:15Z" in text
    result = load(text, "--list", name)
    assert result == (0, "fleet.csv: 0 added, 0 changed, 2 unchanged.\n")
    assert events(app) == []
    assert flask("export", "--list", name)[1] == text.replace("\r\n", "\n")


def test_an_imported_event_has_the_time_in_the_file(app, load, vehicle):
    vehicle("A1", status="In use")
    load("reg,status,lastEventAt\nA1,Off the road,2026-07-01 10:30\n")
    with app.app_context():
        (event,) = db.session.query(VehicleEvent).all()
        assert event.at == datetime(2026, 7, 1, 9, 30, tzinfo=UTC)
        assert db.session.query(Vehicle).one().last_event_at == event.at


def test_a_dry_run_prints_what_would_change_and_changes_nothing(app, load, listed):
    code, output = load("reg,status\nA1,In use\n", "--dry-run")
    assert code == 0
    assert "1 added, 0 changed, 0 unchanged. Dry run: nothing was written." in output
    assert (listed(), events(app)) == ([], [])


INVALID_FILES = [
    ("reg\n \n", "row 2, reg: Vehicle number plate is required."),
    ("reg\nA1\nB1\na 1\n", 'row 4, reg: "A 1" is already in row 2'),
    ("reg,make\nA1," + "x" * 61, "row 2, make: Make must be at most 60 characters"),
    ("reg,lastEventAt\nA1,soon", 'row 2, lastEventAt: "soon" is not a date'),
    ("reg,lastEventAt\nA1,2999-01-01", "row 2, lastEventAt: Date can't be in the future."),
    ("make,colour\nFord,red\n", 'row 1: reg is missing, "colour" is unknown'),
]


def test_every_error_names_file_row_and_column_and_nothing_is_imported(load, listed):
    for content, message in INVALID_FILES:
        code, output = load(content)
        assert code == 1, content
        assert "Nothing was imported." in output, content
        assert "fleet.csv: " in output, content
        assert message in output, content
        assert listed() == [], content


def test_a_valid_row_is_not_imported_beside_invalid_ones(load, listed):
    code, output = load("reg,status\nGOOD 1,In use\n,x\nA1," + "y" * 41)
    assert code == 1
    assert "row 3, reg" in output
    assert "row 4, status" in output
    assert listed() == []


def test_a_vehicle_is_added_from_the_terminal(app, flask, listed):
    code, output = flask(
        *("add", "lk19 vte", "--make", "Ford", "--model", "Transit", "--classification", "Van"),
        *("--status", "In use", "--location", "Depot"),
    )
    assert (code, output) == (0, "Added LK19 VTE.\n")
    assert listed() == [("LK19 VTE", "Ford", "Transit", "In use", "Van", "Depot")]
    assert events(app) == [("vehicles", "LK19 VTE", "In use", "Depot", None)]
    again = flask("add", "LK19VTE")
    assert again == (1, "Error: Vehicle LK19 VTE already exists.\n")


def test_an_invalid_value_is_refused_in_one_line(flask, listed):
    for arguments, message in (
        ([" "], "Vehicle number plate is required."),
        (["A1", "--make", "x" * 61], "Make must be at most 60 characters"),
        (["A1", "--location", "x" * 101], "Location must be at most 100 characters"),
    ):
        assert flask("add", *arguments) == (1, f"Error: {message}\n")
        assert listed() == []


def test_a_vehicle_is_added_to_the_vans_if_they_are_the_current_list(flask, listed, vehicle):
    vehicle("VAN 1", vans=True)
    flask("add", "VAN 2")
    assert [row[0] for row in listed("vans")] == ["VAN 1", "VAN 2"]
