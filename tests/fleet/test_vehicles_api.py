"""The calls for vehicles, vans, plates and histories."""

import pytest

from app.db import db
from app.fleet.models import VehicleEvent

AT = "2026-07-01T09:30:00Z"
FULL = {
    "reg": "LK19 VTE",
    "make": "Ford",
    "model": "Transit",
    "status": "In use",
    "classification": "Van",
    "currentLocation": "Depot",
    "lastEventAt": AT,
    "odometer": 48210,
}


def events(app):
    with app.app_context():
        found = db.session.query(VehicleEvent).order_by(VehicleEvent.id)
        return [(e.fleet_list.value, e.reg, e.status, e.location, e.user_id) for e in found]


def test_the_lists_are_served_under_every_prefix(call, vehicle):
    vehicle("B1", make="Fiat")
    vehicle("A1", vans=True)
    (row,) = call("GET", "/api/fleet/vehicles").json
    assert row.pop("id") > 0
    assert row == {
        "reg": "B1",
        "make": "Fiat",
        "model": "",
        "status": "Unknown",
        "classification": "",
        "currentLocation": "",
        "lastEventAt": None,
        "odometer": None,
        "roadworthy": True,
        "offRoadSince": None,
        "openDefects": 0,
    }
    for prefix in ("/api/fleet", "/api/gpm", "/api"):
        assert [each["reg"] for each in call("GET", f"{prefix}/vehicles").json] == ["B1"], prefix
        assert [van["reg"] for van in call("GET", f"{prefix}/vans").json] == ["A1"], prefix
        assert call("GET", f"{prefix}/plates").json == ["B1"], prefix
        assert call("GET", f"{prefix}/van-history").json == [], prefix


def test_vehicles_returns_the_vans_if_no_vehicles_exist(call, vehicle):
    vehicle("A1", vans=True)
    read = call("GET", "/api/fleet/vehicles")
    assert [row["reg"] for row in read.json] == ["A1"]
    assert call("GET", "/api/fleet/plates").json == ["A1"]
    tag = read.headers["ETag"]
    assert call("GET", "/api/fleet/vehicles", If_None_Match=tag).status_code == 304
    vehicle("A2", vans=True)
    assert len(call("GET", "/api/fleet/vehicles", If_None_Match=tag).json) == 2


@pytest.mark.differs_by_engine
def test_a_full_list_replaces_the_old_one_and_writes_history(app, call, vehicle):
    vehicle("B1", status="In use", location="Depot")
    vehicle("C1")
    tag = call("GET", "/api/vehicles").headers["ETag"]
    new = [{"numberPlate": "b 1", "status": "Off the road", "location": "Depot"}, FULL]
    reply = call("POST", "/api/vehicles", new, If_Match=tag)
    assert reply.json == {"added": 1, "changed": 1, "unchanged": 0, "removed": 1}
    rows = call("GET", "/api/vehicles").json
    assert [row["reg"] for row in rows] == ["B 1", "LK19 VTE"]
    assert {name: rows[1][name] for name in FULL} == FULL
    assert [event[:4] for event in events(app)] == [
        ("vehicles", "B 1", "Off the road", "Depot"),
        ("vehicles", "LK19 VTE", "In use", "Depot"),
    ]
    assert all(event[4] for event in events(app))


def test_vehicles_read_from_the_vans_can_be_sent_as_vehicles(call, vehicle):
    vehicle("A1", vans=True)
    read = call("GET", "/api/vehicles")
    reply = call("POST", "/api/vehicles", read.json, If_Match=read.headers["ETag"])
    assert reply.json["added"] == 1
    assert len(call("GET", "/api/vans").json) == 1


def test_values_missing_from_a_full_list_are_kept(app, call, vehicle):
    call("POST", "/api/vehicles", [FULL])
    tag = call("GET", "/api/vehicles").headers["ETag"]
    partial = {name: FULL[name] for name in ("reg", "status", "currentLocation")}
    call("POST", "/api/vehicles", [partial], If_Match=tag)
    (row,) = call("GET", "/api/vehicles").json
    assert (row["odometer"], row["lastEventAt"], row["make"]) == (48210, AT, "")


def test_a_change_with_the_old_time_happened_now(app, call, vehicle):
    call("POST", "/api/vehicles", [FULL])
    read = call("GET", "/api/vehicles")
    changed = [read.json[0] | {"status": "In repair"}]
    call("POST", "/api/vehicles", changed, If_Match=read.headers["ETag"])
    (row,) = call("GET", "/api/vehicles").json
    assert row["lastEventAt"] > AT
    assert len(events(app)) == 2


INVALID_LISTS = [
    ([{}], "0.reg", "Vehicle number plate is required."),
    ([{"reg": " "}], "0.reg", "Vehicle number plate is required."),
    ([{"reg": 7}], "0.reg", "Not a valid string."),
    ([{"reg": "A1"}, {"reg": "a 1"}], "1.reg", '"A 1" is in the list twice'),
    ([{"reg": "A1", "colour": "red"}], "0.colour", "Unknown field."),
    ([{"reg": "A1", "make": "x" * 61}], "0.make", "Make must be at most 60 characters"),
    ([{"reg": "A1", "odometer": 1.5}], "0.odometer", "Must be a whole number."),
    (
        [{"reg": "A1", "lastEventAt": "soon"}],
        "0.lastEventAt",
        '"soon" is not a date like 2011-12-09 or 2011-12-09 12:50',
    ),
    (
        [{"reg": "A1", "lastEventAt": "9999-12-31T23:59:59-14:00"}],
        "0.lastEventAt",
        "Date can't be in the future.",
    ),
    (
        [{"reg": "A1", "location": "Depot", "currentLocation": "Yard"}],
        "0.currentLocation",
        "currentLocation and location differ",
    ),
]


def test_an_invalid_list_is_refused_with_the_path_of_its_field(app, call):
    for body, field, message in INVALID_LISTS:
        reply = call("POST", "/api/vehicles", body)
        assert (reply.status_code, reply.json["fields"]) == (422, {field: message}), body
        assert (call("GET", "/api/vehicles").json, events(app)) == ([], []), body


def test_a_body_that_is_no_list_is_refused(call):
    assert call("POST", "/api/vehicles", {"reg": "A1"}).status_code == 400


def test_an_entry_of_van_history_updates_its_van(app, call, vehicle):
    vehicle("A1", vans=True, status="In use", location="Depot")
    first = call("POST", "/api/van-history", {"reg": "a 1", "at": AT, "location": "Yard"})
    assert (first.status_code, first.json) == (201, {"added": 1})
    (van,) = call("GET", "/api/vans").json
    assert (van["currentLocation"], van["status"], van["lastEventAt"]) == ("Yard", "In use", AT)
    entries = [
        {"reg": "A1", "at": "2026-06-01", "location": "Old", "status": "In repair"},
        {"numberPlate": "A1", "status": "Off the road"},
    ]
    assert call("POST", "/api/fleet/van-history", entries).json == {"added": 2}
    (van,) = call("GET", "/api/vans").json
    assert (van["currentLocation"], van["status"]) == ("Yard", "Off the road")
    rows = call("GET", "/api/gpm/van-history").json
    found = [(row["status"], row["location"]) for row in rows]
    assert found == [("Off the road", "Yard"), ("In use", "Yard"), ("In repair", "Old")]
    assert rows[1].items() >= {"reg": "A1", "at": AT}.items()
    assert all(event[4] for event in events(app))


INVALID_ENTRIES = [
    ({"reg": "B1"}, "0.reg", "There is no van B1."),
    ([{"reg": "A1"}, {"reg": "B1"}], "1.reg", "There is no van B1."),
    ({"reg": "A1", "by": "somebody"}, "0.by", "Unknown field."),
    ({"reg": "A1", "at": "2999-01-01"}, "0.at", "Date can't be in the future."),
    ({"reg": "A1", "at": 5}, "0.at", "Must be a moment such as 2011-12-09T12:50:00Z."),
]


def test_an_invalid_entry_refuses_them_all(app, call, vehicle):
    vehicle("A1", vans=True)
    for body, field, message in INVALID_ENTRIES:
        reply = call("POST", "/api/van-history", body)
        assert (reply.status_code, reply.json["fields"]) == (422, {field: message}), body
        assert events(app) == [], body


def test_an_entry_of_van_history_makes_its_etag_another(call, vehicle):
    vehicle("A1", vans=True)
    tag = call("GET", "/api/van-history").headers["ETag"]
    call("POST", "/api/van-history", {"reg": "A1", "at": "2020-01-01"})
    assert call("GET", "/api/van-history", If_None_Match=tag).status_code == 200


def test_the_history_of_the_fleet_exists_only_under_its_prefix(app, call, vehicle):
    call("POST", "/api/vehicles", [FULL, {"reg": "B1"}])
    assert call("GET", "/api/fleet/history").json == {
        "vehicles": [
            {"reg": "B1", "history": []},
            {"reg": "LK19 VTE", "history": [{"at": AT, "location": "Depot", "status": "In use"}]},
        ]
    }
    assert call("GET", "/api/gpm/history").status_code == 403
