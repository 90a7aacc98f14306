"""The calls about bookings: their replies, their refusals, and who may make them."""

from datetime import timedelta

import pytest

from app import dates
from app.accounts.services import users
from app.bookings.rules import BookingKind
from app.bookings.services import bookings as services
from app.divisions import Division, Role
from app.idempotency import delete_expired_keys
from tests import factories
from tests.bookings.steps import LK, MANAGER, NOW, add_vans, do
from tests.person import Caller, Person

VAN = {"reg": "LK19 VTE", "from": "2027-01-12T09:00", "to": "2027-01-12T12:00"}
BOOKINGS = "/api/fleet/bookings"

TODAY = {"from": "2027-01-11T09:00", "to": "2027-01-11T12:00"}


def caller(app, name):
    """Return a function that makes calls as a user; `at` is when."""
    page = Person(app)
    with dates.as_of(NOW):
        page.sign_in(name)
        call = Caller(page)

    def send(method, path, body=None, at=NOW, **headers):
        with dates.as_of(at):
            return call(method, path, body, **headers)

    return send


@pytest.fixture
def worker(app, in_app):
    in_app(add_vans)
    return caller(app, "k.lee")


def book(send, **values):
    reply = send("POST", BOOKINGS, {**VAN, **values})
    assert reply.status_code == 201, reply.json
    return reply.json


def change(send, values, number="B-0001"):
    tag = send("GET", f"{BOOKINGS}/{number}").headers["ETag"]
    return send("PATCH", f"{BOOKINGS}/{number}", values, If_Match=tag)


def refused(reply):
    return reply.status_code, reply.json["error"]


def test_a_vehicle_is_booked_and_listed(worker):
    made = book(worker, purpose="Tools", **{"for": "Kitchen team"})
    assert made == {
        **dict.fromkeys(("outReason", "backReason", "cancelReason", "lookAt"), ""),
        **dict.fromkeys(("outAt", "outBy", "outMiles", "outCheck"), None),
        **dict.fromkeys(("backAt", "backBy", "backMiles", "backCheck", "plannedEnd"), None),
        **dict.fromkeys(("asset", "condition"), None),
        "number": "B-0001",
        "reg": "LK19 VTE",
        "class": "Van",
        "anyOfClass": False,
        "units": 1,
        "from": "2027-01-12T09:00:00Z",
        "to": "2027-01-12T12:00:00Z",
        "state": "reserved",
        "for": "Kitchen team",
        "purpose": "Tools",
        "bookedBy": "k.lee",
    }
    assert worker("GET", f"{BOOKINGS}/B-0001").json == made
    later = book(worker, **{"from": "2027-01-13T09:00Z", "to": "2027-01-13T10:00Z"})
    assert worker("GET", BOOKINGS).json == [made, later]
    part = worker("GET", f"{BOOKINGS}?limit=1")
    assert part.json == [made]
    following = part.headers["Link"].partition(">")[0][1:]
    assert worker("GET", following).json == [later]


def test_the_list_is_filtered(worker):
    book(worker)
    other = {"class": "van", "from": "2027-01-13T09:00", "to": "2027-01-13T10:00"}
    assert worker("POST", BOOKINGS, other).json["anyOfClass"]

    def listed(query):
        return [each["number"] for each in worker("GET", f"{BOOKINGS}?{query}").json]

    assert listed("from=2027-01-13") == ["B-0002"]
    assert listed("to=2027-01-12") == ["B-0001"]
    assert listed("class=VAN&sort=-from") == ["B-0002", "B-0001"]
    assert listed("class=Minibus") == []
    assert "B-0001" in listed("vehicle=lk19vte&state=reserved")
    assert listed("state=out") == []


def test_the_list_has_a_new_version_with_a_new_class(worker, in_app):
    tag = worker("GET", BOOKINGS).headers["ETag"]
    assert worker("GET", BOOKINGS, If_None_Match=tag).status_code == 304
    in_app(factories.vehicle, "MB70 BUS", classification="Minibus")
    assert worker("GET", BOOKINGS, If_None_Match=tag).status_code == 200


def test_a_list_of_nothing_books_nothing(worker):
    reply = worker("POST", BOOKINGS, [])
    assert (reply.status_code, reply.json) == (201, [])


def test_a_list_is_booked_all_or_none_and_once(worker, in_app):
    both = [VAN, {**VAN, "reg": "LM20 ABC"}]
    taken = worker("POST", BOOKINGS, [both[1], VAN, VAN])
    assert taken.status_code == 409
    assert worker("GET", BOOKINGS).json == []
    made = worker("POST", BOOKINGS, both, Idempotency_Key="both")
    assert [each["reg"] for each in made.json] == ["LK19 VTE", "LM20 ABC"]
    assert worker("POST", BOOKINGS, both, Idempotency_Key="both").json == made.json
    with dates.as_of(NOW + timedelta(days=31)):
        in_app(factories.do, delete_expired_keys)
    assert worker("POST", BOOKINGS, both, Idempotency_Key="both").json == made.json
    assert len(worker("GET", BOOKINGS).json) == 2


def test_what_is_taken_is_refused_with_the_bookings_in_the_way_and_what_is_free(worker):
    book(worker)
    taken = worker("POST", BOOKINGS, {**VAN, "from": "2027-01-12T11:00", "to": "2027-01-12T13:00"})
    assert taken.status_code == 409
    assert {name: taken.json[name] for name in ("error", "code", "conflicts", "free")} == {
        "error": "LK19 VTE is k.lee's from Tue 9:00 to 12:00 (B-0001). "
        "Free: LM20 ABC, LN21 XYZ; from 12:00 this one.",
        "code": "booked",
        "conflicts": [
            {"number": "B-0001", "from": "2027-01-12T09:00:00Z", "to": "2027-01-12T12:00:00Z"}
        ],
        "free": ["LM20 ABC", "LN21 XYZ"],
    }


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"to": "2027-01-12T09:00"}, "It must end after it begins."),
        ({"to": "2027-01-27T09:00"}, "At most 14 days."),
        ({"from": "2028-02-20T09:00", "to": "2028-02-20T10:00"}, "At most 366 days ahead."),
        (
            {"from": "2027-01-10T09:00", "to": "2027-01-10T10:00"},
            "It has begun already. Book from now.",
        ),
        ({"reg": "lk19 vtx"}, "LK19 VTX is in no list."),
        ({"reg": "", "class": "Minibus"}, "There is no Minibus."),
        ({"class": "Van"}, "Send one of reg, class and asset."),
        ({"from": "2027-03-28T01:30"}, "The clocks go from 1:00 to 2:00 then."),
        (
            {"from": "2027-10-31T01:30"},
            "This time comes twice that night. Send 2027-10-31T01:30+01:00 for the first, "
            "2027-10-31T01:30+00:00 for the second.",
        ),
    ],
)
def test_bad_input_is_refused_in_words(worker, values, message):
    body = {name: value for name, value in {**VAN, **values}.items() if value}
    status, error = refused(worker("POST", BOOKINGS, body))
    assert status == 422
    assert error.endswith(message)


def test_a_vehicle_that_is_not_for_booking_is_refused(worker, in_app):
    in_app(do, services.decide_bookable, BookingKind.VEHICLE, LK, is_bookable=False, by=MANAGER)
    assert refused(worker("POST", BOOKINGS, VAN)) == (422, "LK19 VTE isn't for booking.")


def test_a_booking_is_changed_by_its_version(worker):
    book(worker)
    stale = worker("GET", f"{BOOKINGS}/B-0001").headers["ETag"]
    changed = change(worker, {"reg": "LM20 ABC", "to": "2027-01-12T11:00", "purpose": "Keys"}).json
    assert (changed["reg"], changed["to"]) == ("LM20 ABC", "2027-01-12T11:00:00Z")
    assert changed["purpose"] == "Keys"
    late = worker("PATCH", f"{BOOKINGS}/B-0001", {"purpose": "Nothing"}, If_Match=stale)
    assert late.status_code == 412
    assert refused(change(worker, {"reg": "LK19 VTX"})) == (422, "LK19 VTX is in no list.")


def test_handover_and_return_without_a_check_need_a_reason(worker):
    book(worker, **TODAY)
    out, back = f"{BOOKINGS}/B-0001/out", f"{BOOKINGS}/B-0001/back"
    reason = {"reason": "Phone empty"}
    assert refused(worker("POST", back, reason)) == (409, "It isn't out.")
    assert refused(worker("POST", out, {})) == (422, "Give the reason why there is no check.")
    taken = worker("POST", out, {"odometer": 1200, **reason}).json
    assert (taken["state"], taken["outMiles"], taken["outBy"]) == ("out", 1200, "k.lee")
    assert refused(worker("POST", out, reason)) == (409, "k.lee took it at 8:00.")
    returned = worker("POST", back, reason, at=NOW + timedelta(minutes=5)).json
    assert (returned["state"], returned["to"]) == ("back", "2027-01-11T08:05:00Z")
    assert returned["plannedEnd"] == "2027-01-11T12:00:00Z"


def test_people_change_their_own_bookings_and_managers_all(app, in_app, worker):
    in_app(factories.user, "g.pm", Division.GPM, roles=(Role.WORKER,))
    in_app(factories.user, "looks", Division.FLEET, roles=(Role.VIEWER,))
    keys, viewer = caller(app, "g.pm"), caller(app, "looks")
    manager = caller(app, "j.marsh")
    book(worker, **{"for": "G.PM"})
    assert worker("GET", f"{BOOKINGS}/B-0001").json["for"] == "g.pm"
    assert change(keys, {"purpose": "Mine"}).status_code == 200
    book(worker, reg="LM20 ABC", **TODAY)
    others = {"reason": "Mine now"}
    assert refused(keys("POST", "/api/gpm/bookings/B-0002/cancel", others)) == (
        403,
        "B-0002 is k.lee's. Ask them or a manager.",
    )
    assert change(keys, {"purpose": "Mine"}, "B-0002").status_code == 403
    assert keys("POST", "/api/bookings/B-0002/out", others).json["state"] == "out"
    cancelled = manager("POST", f"{BOOKINGS}/B-0001/cancel", {"reason": "Off sick"}).json
    assert (cancelled["state"], cancelled["cancelReason"]) == ("cancelled", "Off sick")
    assert viewer("GET", f"{BOOKINGS}/B-0001").json["state"] == "cancelled"
    assert viewer("POST", BOOKINGS, VAN).status_code == 403


def test_what_is_free_is_listed_with_why_others_are_not(worker):
    book(worker)
    period = "from=2027-01-12T11:00&to=2027-01-12T13:00"
    found = worker("GET", f"/api/fleet/availability?{period}&class=van").json
    assert [(each["reg"], each["free"]) for each in found] == [
        ("LM20 ABC", True),
        ("LN21 XYZ", True),
        ("LK19 VTE", False),
    ]
    assert found[-1] == {
        "reg": "LK19 VTE",
        "class": "Van",
        "free": False,
        "why": "LK19 VTE is k.lee's from Tue 9:00 to 12:00 (B-0001).",
        "until": "2027-01-12T12:00:00Z",
    }
    assert worker("GET", f"/api/availability?{period}&class=Minibus").json == []


def test_equipment_is_booked_by_its_id_in_units(app, in_app, worker):
    in_app(factories.user, "a.owner", Division.ASSETS)
    owner = caller(app, "a.owner")
    in_app(factories.asset, "Generator", id="A-1", quantity=3)
    in_app(do, services.decide_bookable, BookingKind.ASSET, "a-1", is_bookable=True, by=MANAGER)
    body = {"asset": "a-1", "units": 2, **TODAY}
    made = owner("POST", "/api/assets/bookings", body).json
    assert (made["asset"], made["class"], made["units"]) == ("A-1", "Generator", 2)
    elsewhere = worker("POST", BOOKINGS, body).json["error"]
    assert elsewhere.startswith("Book equipment at /api/assets/bookings")
    few = owner("POST", "/api/assets/bookings", {**body, "units": 5})
    assert refused(few) == (422, "There are 3.")
    in_app(factories.do, users.grant, "k.lee", [Division.ASSETS], (), [Role.VIEWER])
    assert refused(worker("POST", "/api/assets/bookings", body))[0] == 403
    unlisted = owner("POST", "/api/assets/bookings", {**body, "asset": "A-99"})
    assert refused(unlisted) == (422, "A-99 is in no list.")
    assert owner("GET", BOOKINGS).status_code == 403
    assert worker("GET", f"{BOOKINGS}/B-0001").status_code == 404
    item = "/api/assets/bookings/B-0001"
    assert owner("POST", f"{item}/out", {}).json["state"] == "out"
    assert owner("POST", f"{item}/back", {"condition": "lost"}).json["condition"] == "lost"
    assert owner("GET", "/api/assets/bookings?asset=A-1&state=back").json[0]["number"] == "B-0001"
