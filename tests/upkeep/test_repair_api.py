"""Repairs and times off the road as JSON."""

from datetime import timedelta

import pytest

from app import dates
from app.divisions import Division
from tests import factories
from tests.person import Caller
from tests.upkeep.defect_steps import brakes_fail

DAY = dates.today().isoformat()
VAN = "/api/fleet/vehicles/LK19VTE"


@pytest.fixture(autouse=True)
def van(vehicle):
    return vehicle("LK19 VTE", status="In use")


@pytest.fixture
def stopped(app, van):
    """Report a stop defect of the van; returns its number."""
    with app.app_context():
        return brakes_fail().reference


@pytest.fixture
def keeper(in_app, signed_in):
    """Return the client of a manager of Fleet and GFM, with five mirrors in stock."""
    in_app(factories.item, "Mirror glass", 5, unit_price=2240)
    return Caller(signed_in("r.amos", Division.FLEET, Division.GFM))


def body(*defects, **values):
    part = {"division": "gfm", "site": "main", "item": "Mirror glass", "quantity": 2}
    return {
        "reg": "lk19 vte",
        "defects": list(defects),
        "finishedOn": DAY,
        "labour": 35.0,
        "stockParts": [part],
        **values,
    }


def test_a_repair_is_recorded_read_and_reversed(keeper, stopped):
    made = keeper("POST", "/api/fleet/repairs", body(stopped))
    assert made.status_code == 201
    reply = made.get_json()
    assert (reply["number"], reply["reg"], reply["total"]) == ("R-0001", "LK19 VTE", 79.8)
    assert reply["defects"] == [stopped]
    (part,) = body()["stockParts"]
    assert reply["stockParts"][0] | {"operation": 0} == part | {"price": 44.8, "operation": 0}
    assert reply.pop("warnings") == []
    assert keeper("GET", "/api/fleet/repairs/R-0001").get_json() == reply
    back = keeper("POST", "/api/fleet/repairs/R-0001/reverse")
    assert back.status_code == 201
    reversal = back.get_json()
    assert (reversal["reverses"], reversal["total"]) == ("R-0001", -79.8)
    assert reversal["defects"] == [stopped]
    assert [part["quantity"] for part in reversal["stockParts"]] == [-2]
    assert reversal.pop("warnings") == []
    assert keeper("GET", "/api/fleet/repairs/R-0002").get_json() == reversal
    assert keeper("GET", "/api/fleet/repairs/R-0001").get_json()["reversedBy"] == "R-0002"
    for query, numbers in (
        ("", ["R-0002", "R-0001"]),
        ("?vehicle=lk19vte", ["R-0002", "R-0001"]),
        ("?vehicle=lk19vte&limit=1", ["R-0002"]),
        ("?vehicle=NO1+CAR", []),
    ):
        listed = keeper("GET", f"/api/fleet/repairs{query}").get_json()
        assert [row["number"] for row in listed] == numbers, query


def test_who_may_not_change_the_stock_of_its_parts_cannot_reverse_a_repair(keeper, call, stopped):
    keeper("POST", "/api/fleet/repairs", body(stopped))
    refused = call("POST", "/api/fleet/repairs/R-0001/reverse")
    assert (refused.status_code, refused.json["code"]) == (403, "role_required")
    assert keeper("POST", "/api/fleet/repairs/R-0001/reverse").status_code == 201
    late = call("POST", "/api/fleet/repairs/R-0001/reverse")
    assert (late.status_code, late.json["error"][:18]) == (409, "r.amos undid R-000")


def test_too_little_stock_is_named_by_its_part(keeper, stopped):
    sent = body(stopped)
    sent["stockParts"][0]["quantity"] = 6
    reply = keeper("POST", "/api/fleet/repairs", sent)
    assert (reply.status_code, reply.get_json()["code"]) == (409, "not_enough_stock")
    assert list(reply.get_json()["fields"]) == ["stockParts.0.item"]


def test_stock_of_a_division_that_the_sender_may_not_change_stays(call, stopped):
    reply = call("POST", "/api/fleet/repairs", body(stopped))
    assert (reply.status_code, reply.get_json()["code"]) == (403, "role_required")


def test_another_text_than_a_number_names_no_repair(call):
    for number in ("1", "r-0001", "D-0001"):
        refused = call("GET", f"/api/fleet/repairs/{number}")
        assert refused.status_code == 404, number
        assert refused.json["error"] == f'"{number}" is not the number of a repair such as R-0088.'


def test_a_defect_that_is_not_there_is_named_in_its_field(call):
    for number in ("R-0001", "142", "D-x", "d0142"):
        reply = call("POST", "/api/fleet/repairs", body(number, stockParts=[]))
        assert reply.status_code == 422, number
    reply = call("POST", "/api/fleet/repairs", body("D-0099", stockParts=[]))
    message = "There is no defect D-0099. Load the list again."
    assert (reply.status_code, reply.json["fields"]) == (422, {"defects": message})
    assert call("GET", "/api/fleet/defects/D-0099").json["error"] == message


def test_a_vehicle_goes_off_the_road_and_returns(call):
    sent = {"reason": "service", "detail": "Gearbox", "expectedBack": DAY}
    taken = call("POST", f"{VAN}/off-road", sent)
    assert (taken.status_code, taken.get_json()["until"]) == (201, None)
    (vehicle,) = call("GET", "/api/fleet/vehicles").get_json()
    assert (vehicle["roadworthy"], vehicle["status"]) == (False, "In use")
    assert vehicle["offRoadSince"] == DAY
    back = call("POST", f"{VAN}/return", {"note": "Driven"})
    assert (back.status_code, back.get_json()["closedBy"]) == (200, "k.lee")
    (time,) = call("GET", "/api/fleet/vehicles/lk19 vte/off-road").get_json()
    assert time == back.get_json()


@pytest.mark.parametrize(
    ("method", "path", "sent"),
    [("GET", "off-road", None), ("POST", "off-road", {"reason": "mot"}), ("POST", "return", {})],
)
def test_a_vehicle_of_no_list_is_not_found(call, method, path, sent):
    refused = call(method, f"/api/fleet/vehicles/no1 car/{path}", sent)
    assert refused.status_code == 404
    assert refused.json["error"] == "There is no vehicle NO1 CAR."


def test_the_times_of_a_vehicle_that_left_the_lists_stay_readable(call):
    call("POST", f"{VAN}/off-road", {"reason": "mot"})
    tag = call("GET", "/api/fleet/vehicles").headers["ETag"]
    assert call("POST", "/api/fleet/vehicles", [], If_Match=tag).status_code == 200
    assert [row["reason"] for row in call("GET", f"{VAN}/off-road").json] == ["mot"]
    assert call("POST", f"{VAN}/off-road", {"reason": "mot"}).status_code == 404


def test_what_stands_against_a_return_is_listed(call, stopped):
    reply = call("POST", f"{VAN}/return", {})
    assert (reply.status_code, reply.get_json()["code"]) == (409, "not_roadworthy")
    assert reply.get_json()["objections"] == [f"{stopped} is open"]
    sent = {"overrideReason": "Driven to the garage"}
    done = call("POST", f"{VAN}/return", sent).get_json()
    assert (done | sent, done["objections"]) == (done, [f"{stopped} is open"])


def test_a_vehicle_is_not_expected_back_before_it_goes(call):
    sent = {"reason": "mot", "expectedBack": (dates.today() - timedelta(days=1)).isoformat()}
    reply = call("POST", f"{VAN}/off-road", sent)
    assert (reply.status_code, list(reply.json["fields"])) == (422, ["expectedBack"])


def test_a_reason_that_nobody_can_choose_is_refused(call):
    for reason in ("gearbox", "defect", ""):
        reply = call("POST", f"{VAN}/off-road", {"reason": reason})
        assert (reply.status_code, list(reply.json["fields"])) == (422, ["reason"]), reason
    assert call("GET", f"{VAN}/off-road").get_json() == []


def test_a_list_sent_back_as_it_was_read_changes_nothing_though_upkeep_changed(call, stopped):
    read = call("GET", "/api/fleet/vehicles")
    assert read.get_json()[0]["openDefects"] == 1
    call("POST", f"{VAN}/off-road", {"reason": "mot"})
    later = call("GET", "/api/fleet/vehicles", If_None_Match=read.headers["ETag"])
    assert later.status_code == 200
    tag = read.headers["ETag"]
    sent = call("POST", "/api/fleet/vehicles", read.get_json(), If_Match=tag).get_json()
    assert sent == {"added": 0, "changed": 0, "unchanged": 1, "removed": 0}
