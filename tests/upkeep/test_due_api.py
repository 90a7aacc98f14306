"""What is due, and plans, as JSON."""

from datetime import timedelta

import pytest

from app import dates
from app.due.rules.next_due import add_months
from tests.upkeep.due_steps import VANS

DUE, PLANS = "/api/fleet/due", "/api/fleet/plans"
TODAY = dates.today()
DONE = {"doneOn": TODAY.isoformat(), "nextDueOn": (TODAY + timedelta(days=365)).isoformat()}


@pytest.fixture
def item(call, vehicle):
    """Return the address of an item of a vehicle."""
    vehicle("LK19 VTE", classification="Van")
    body = {"regs": ["LK19 VTE"], "kind": "service", "dueOn": TODAY.isoformat()}
    return f"{DUE}/{call('POST', DUE, body).json['id']}"


@pytest.fixture
def plan(call, item):
    """Return the address of a plan."""
    body = {"label": "Tyres", "kind": "tyres", "applies": "vehicles", "regs": ["LK19 VTE"]}
    made = call("POST", PLANS, body | {"everyMonths": 12, "soonDays": 10})
    assert made.status_code == 201, made.json
    return f"{PLANS}/{made.json['id']}"


def tag(call, url):
    return call("GET", url).headers["ETag"]


def test_an_item_is_read_by_its_id_until_it_is_closed_and_after(call, item):
    reply = call("GET", item).json
    assert (reply["state"], reply["closing"], reply["done"]) == ("today", None, [])
    assert call("GET", DUE).json == [{name: reply[name] for name in call("GET", DUE).json[0]}]
    body = DONE | {"garage": "Hartley's", "cost": 54.85}
    done = call("POST", f"{item}/done", body, If_Match=tag(call, item)).json
    reply = call("GET", item).json
    assert (reply["state"], reply["closing"], reply["closedBy"]) == ("closed", "done", "k.lee")
    [entry] = reply["done"]
    assert (entry["id"], entry["nextItem"]) == (done["id"], done["nextItem"])
    assert (entry["garage"], entry["cost"], entry["recordedBy"]) == ("Hartley's", 54.85, "k.lee")
    following = call("GET", f"{DUE}/{done['nextItem']}").json
    assert (following["dueOn"], following["done"]) == (DONE["nextDueOn"], [entry])
    assert call("GET", f"{DUE}/99").status_code == 404


def test_who_is_second_reads_who_was_first(call, item):
    seen = tag(call, item)
    assert call("POST", f"{item}/done", DONE, If_Match=seen).status_code == 201
    for path, body in (("done", DONE), ("snooze", {"until": DONE["doneOn"], "reason": "Later"})):
        refused = call("POST", f"{item}/{path}", body, If_Match=seen)
        assert refused.status_code == 409
        assert refused.json["error"].startswith("k.lee marked this as done at ")


def test_an_item_changes_on_top_of_the_version_that_was_read(call, item):
    body = {"until": (TODAY + timedelta(days=7)).isoformat(), "reason": "Booked"}
    assert call("POST", f"{item}/snooze", body).status_code == 428
    seen = tag(call, item)
    assert call("POST", f"{item}/snooze", body, If_Match=seen).json["snoozedUntil"] == body["until"]
    assert call("GET", item).json["snoozeReason"] == "Booked"
    assert call("POST", f"{item}/snooze", body, If_Match=seen).status_code == 412
    assert call("POST", f"{item}/done", DONE, If_Match=seen).status_code == 412
    assert call("POST", f"{item}/done", DONE).status_code == 428
    assert call("POST", f"{item}/done", DONE, If_Match=tag(call, item)).status_code == 201


def test_a_plan_keeps_what_a_change_of_it_leaves_out(call, plan):
    before = call("GET", plan).json
    assert call("PATCH", plan, {"everyMonths": 6}).status_code == 428
    seen = tag(call, plan)
    changed = call("PATCH", plan, {"everyMonths": 6, "blocks": "block"}, If_Match=seen).json
    effects = "Changes no item: 1 open item stays due as it is until something is done."
    assert changed == before | {"everyMonths": 6, "blocks": "block", "effects": effects}
    assert (changed["soonDays"], changed["regs"]) == (10, ["LK19 VTE"])
    assert call("PATCH", plan, {"everyMonths": 8}, If_Match=seen).status_code == 412
    listed = call("GET", plan).json
    assert listed | {"effects": effects} == changed
    assert call("GET", PLANS).json == [listed]


def test_a_plan_changes_though_a_vehicle_of_it_left_the_lists(call, plan):
    vehicles = call("GET", "/api/fleet/vehicles").headers["ETag"]
    assert call("POST", "/api/fleet/vehicles", [], If_Match=vehicles).status_code == 200
    changed = call("PATCH", plan, {"soonDays": 5}, If_Match=tag(call, plan))
    assert (changed.status_code, changed.json["regs"]) == (200, ["LK19 VTE"])


def test_what_makes_no_plan_and_no_item_is_named(call, item, plan):
    for body, field in (
        ({}, "body"),
        ({"kind": "mot"}, "kind"),
        ({"dueOn": None}, "dueOn"),
        ({"regs": ["EF70 LKP"]}, "regs"),
    ):
        refused = call("PATCH", item, body, If_Match=tag(call, item))
        assert (refused.status_code, list(refused.json["fields"])) == (422, [field]), body
    for body, field in (
        ({"label": ""}, "label"),
        ({"everyMonths": None}, "everyMonths"),
        ({"regs": []}, "regs"),
        ({"applies": "classification"}, "classification"),
        ({"kind": "wash"}, "kind"),
        ({"revision": 0}, "revision"),
        ({"regs": ["NO1 CAR"]}, "regs"),
        ({"kind": "tax", "everyMiles": 9}, "everyMiles"),
        ({}, "body"),
    ):
        refused = call("PATCH", plan, body, If_Match=tag(call, plan))
        assert (refused.status_code, list(refused.json["fields"])) == (422, [field]), body
    assert call("GET", f"{PLANS}/99").status_code == 404


def test_the_description_gives_a_change_of_a_plan_no_defaults(app):
    described = app.test_client().get("/api/openapi.json").json["components"]["schemas"]
    assert "default" in described["PlanBody"]["properties"]["soonDays"]
    assert "required" not in described["PlanChangeBody"]
    assert [
        name
        for name, field in described["PlanChangeBody"]["properties"].items()
        if "default" in field
    ] == []


def test_a_next_day_that_is_not_sent_is_as_the_rules_propose_it(call, vehicle):
    def next_item(reg, **body):
        vehicle(reg)
        made = call("POST", DUE, {"regs": [reg], "kind": "mot", "dueOn": TODAY.isoformat()}).json
        url, body = f"{DUE}/{made['id']}", {"doneOn": TODAY.isoformat()} | body
        return call("POST", f"{url}/done", body, If_Match=tag(call, url)).json["nextItem"]

    following = call("GET", f"{DUE}/{next_item('LK19 VTE')}").json
    assert following["dueOn"] == add_months(TODAY, 12).isoformat()
    assert next_item("AB1 CDE", nextDueOn=None) is None


def test_a_reading_that_does_not_fit_says_why(call, vehicle):
    vehicle("LK19 VTE")
    readings = "/api/fleet/readings"
    day = TODAY.isoformat()
    replies = [
        call("POST", readings, {"reg": "LK19 VTE", "day": day, "miles": miles}).json
        for miles in (48_190, 480_210, 4_821)
    ]
    assert [(reply["state"], reply["doubt"]) for reply in replies] == [
        ("accepted", None),
        ("doubtful", "jumped"),
        ("doubtful", "fell"),
    ]
    assert call("GET", readings).json == replies


def test_an_item_keeps_what_a_change_of_it_leaves_out(call, item):
    before = call("GET", item).json
    seen = tag(call, item)
    assert call("PATCH", item, {"label": "Oil"}).status_code == 428
    changed = call("PATCH", item, {"dueMiles": 60_000}, If_Match=seen).json
    assert (changed["dueMiles"], changed["dueOn"]) == (60_000, before["dueOn"])
    assert (changed["label"], changed["regs"]) == (before["label"], ["LK19 VTE"])
    assert call("PATCH", item, {"label": "Oil"}, If_Match=seen).status_code == 412
    changed = call("PATCH", item, {"label": "Oil", "dueOn": None}, If_Match=tag(call, item)).json
    assert (changed["label"], changed["dueOn"], changed["dueMiles"]) == ("Oil", None, 60_000)


def test_vehicles_join_and_leave_an_item_that_they_share(call, fleet):
    body = {"regs": list(VANS), "kind": "insurance", "dueOn": TODAY.isoformat()}
    item = f"{DUE}/{call('POST', DUE, body).json['id']}"
    changed = call("PATCH", item, {"regs": VANS[:2]}, If_Match=tag(call, item)).json
    assert sorted(changed["regs"]) == sorted(VANS[:2])


def test_an_item_is_withdrawn(call, item):
    seen = tag(call, item)
    withdrawn = call("POST", f"{item}/withdraw", If_Match=seen).json
    assert (withdrawn["state"], withdrawn["closing"]) == ("closed", "withdrawn")
    assert call("GET", DUE).json == []
    second = call("POST", f"{item}/withdraw", If_Match=seen)
    assert (second.status_code, second.json["code"]) == (409, "conflict")


def test_what_was_done_is_taken_back(call, item):
    done = call("POST", f"{item}/done", DONE, If_Match=tag(call, item)).json
    undo = f"{item}/done/{done['id']}/undo"
    assert call("POST", f"{DUE}/{done['nextItem']}/done/{done['id']}/undo").status_code == 404
    reply = call("POST", undo).json
    assert (reply["state"], reply["closing"]) == ("today", None)
    assert reply["done"][0]["undoneBy"] == "k.lee"
    assert [row["id"] for row in call("GET", DUE).json] == [reply["id"]]


def test_a_plan_is_withdrawn_with_its_items(call, plan):
    seen = tag(call, plan)
    assert call("POST", f"{plan}/withdraw").status_code == 428
    withdrawn = call("POST", f"{plan}/withdraw", If_Match=seen).json
    assert (withdrawn["isActive"], withdrawn["openItems"]) == (False, 0)
    assert [row["kind"] for row in call("GET", DUE).json] == ["service"]
    assert call("POST", f"{plan}/withdraw", If_Match=tag(call, plan)).status_code == 409


def test_items_are_those_of_a_vehicle_and_of_a_kind(call, fleet):
    def listed(query):
        return [(row["kind"], len(row["regs"])) for row in call("GET", f"{DUE}?{query}").json]

    for kind, regs in (("mot", VANS[:1]), ("tax", VANS[1:2]), ("insurance", VANS)):
        body = {"regs": list(regs), "kind": kind, "dueOn": TODAY.isoformat()}
        assert call("POST", DUE, body).status_code == 201
    assert listed("vehicle=lk19vte") == [("mot", 1), ("insurance", 3)]
    assert listed("kind=tax") == [("tax", 1)]
    assert listed("vehicle=LK19+VTE&kind=insurance&limit=5") == [("insurance", 3)]
    assert listed("vehicle=NO1+CAR") == []
    assert call("GET", f"{DUE}?kind=wash").status_code == 422


def test_an_empty_vehicle_is_refused_instead_of_taken_for_all(call):
    message = "Enter a registration, or leave vehicle out."
    for name in ("costs", "defects", "due", "readings", "record", "repairs"):
        for vehicle in ("", "%20"):
            refused = call("GET", f"/api/fleet/{name}?vehicle={vehicle}")
            assert (refused.status_code, refused.json["fields"]) == (422, {"vehicle": message}), (
                name
            )
