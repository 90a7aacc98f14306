"""Vehicle states, their events, and charts."""

from datetime import UTC, date, datetime, timedelta

import pytest

from app.fleet.rules import charts
from app.fleet.rules.vehicles import (
    VehicleState,
    merge_state,
    needs_event,
    set_event_time,
    status_tone,
    statuses,
)

AT = datetime(2026, 3, 1, 9, 30, 15, 700, tzinfo=UTC)
NOW = datetime(2026, 3, 2, 8, tzinfo=UTC)


def test_a_new_vehicle_without_values_has_status_unknown():
    made = merge_state(VehicleState("LK19 VTE"))
    assert (made.status, made.location, made.make) == ("Unknown", "", "")
    assert not needs_event(made, None)


def test_missing_values_stay_and_an_empty_status_becomes_unknown():
    before = merge_state(VehicleState("A1", "Ford", "Transit", "In use", "Van", "Depot", 10, AT))
    after = merge_state(VehicleState("A1", model="Custom", status=""), before)
    assert (after.make, after.model, after.status) == ("Ford", "Custom", "Unknown")
    assert after.location == "Depot"
    assert (after.odometer, after.last_event_at) == (10, AT)


def test_the_same_time_without_its_fraction_is_no_change():
    before = merge_state(VehicleState("A1", last_event_at=AT))
    same = VehicleState("A1", last_event_at=AT.replace(microsecond=0))
    assert merge_state(same, before) == before


@pytest.mark.parametrize(
    ("change", "news"),
    [
        ({"status": "In repair"}, True),
        ({"location": "Yard"}, True),
        ({"make": "Fiat"}, False),
        ({"last_event_at": NOW}, False),
    ],
)
def test_a_change_of_status_or_location_needs_an_event(change, news):
    before = merge_state(VehicleState("A1", "Ford", "Transit", "In use", "Van", "Depot"))
    assert needs_event(merge_state(VehicleState("A1", **change), before), before) is news


def test_an_event_has_the_given_time_or_else_now():
    before = merge_state(VehicleState("A1", status="In use", last_event_at=AT))
    moved = merge_state(VehicleState("A1", location="Yard"), before)
    assert set_event_time(moved, before, NOW).last_event_at == NOW
    later = AT + timedelta(1)
    dated = merge_state(VehicleState("A1", location="Yard", last_event_at=later), before)
    assert set_event_time(dated, before, NOW).last_event_at == later
    new = merge_state(VehicleState("A1", location="Yard", last_event_at=AT))
    assert set_event_time(new, None, NOW).last_event_at == AT


@pytest.mark.parametrize(
    ("status", "tone"),
    [("Off the road", "bad"), ("OFF  the road", "bad"), ("In repair", "warn"), ("In use", "")],
)
def test_off_the_road_and_in_repair_stand_out(status, tone):
    assert status_tone(status) == tone


@pytest.mark.parametrize(
    ("status", "displayed"),
    [
        ("in use", ["Off the road"]),
        ("In repair", ["In repair", "Off the road"]),
        ("OFF the road", ["OFF the road"]),
    ],
)
def test_a_vehicle_off_the_road_is_not_also_in_use(status, displayed):
    assert statuses(status, is_off_road=True) == displayed
    assert statuses(status, is_off_road=False) == [status]


def test_an_odometer_chart_needs_readings_of_two_days():
    day = date(2026, 1, 1)
    assert charts.odometer_chart([]) is None
    assert charts.odometer_chart([(day, 5), (day, 7)]) is None
    chart = charts.odometer_chart([(day, 100), (date(2026, 1, 2), 50), (date(2026, 1, 3), 200)])
    assert chart.line == "M0 40L298 60L600 0"
    assert [(label.text, label.at) for label in chart.labels] == [
        *((50, 100), (100, 66.7), (150, 33.3), (200, 0))
    ]
    assert (chart.first[1], chart.last[1], chart.readings) == (100, 200, 3)


def test_an_odometer_chart_has_at_most_200_points():
    start = date(2020, 1, 1)
    chart = charts.odometer_chart((start + timedelta(n), n * 10) for n in range(2000))
    assert chart.line.count("L") == charts.MAX_POINTS - 1
    assert chart.line.endswith("L600 0")


def test_an_odometer_that_stands_still_has_a_scale():
    chart = charts.odometer_chart([(date(2026, 1, 1), 70), (date(2026, 1, 2), 70)])
    assert [label.text for label in chart.labels] == [70, 71]
    assert chart.line == "M0 60L600 60"
