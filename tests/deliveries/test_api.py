"""The JSON calls of deliveries."""

from datetime import timedelta

import pytest

from app import dates

PATH = "/api/gpm/deliveries"
CANCELLED = "/api/gpm/cancelled-deliveries"
ARRIVED = {"deliveredDate": "2026-01-20"}
ORDER = {
    "item": "Tea",
    "amount": 5,
    "unitCost": 2.1,
    "supplier": "Glass & Co",
    "office": "main",
    "orderedBy": "Ann",
    "orderedDate": "2026-01-15",
}
RECORD = {
    **ORDER,
    **dict.fromkeys(("deliveredDate", "expectedDate", "cancelledDate")),
    **dict.fromkeys(("confirmation", "recipient", "cancelReason"), ""),
    "revision": 0,
    "orderNumber": "O-0001",
    "orderedAmount": 5,
    "restOf": None,
}


def pending(call, **values):
    return call("POST", PATH, ORDER | values).json["_id"]


def put(call, number, body, **headers):
    return call("PUT", f"{PATH}/{number}", body, **headers)


@pytest.mark.parametrize("path", [PATH, "/api/deliveries"])
def test_a_delivery_is_scheduled_and_listed(call, path):
    reply = call("POST", path, ORDER)
    assert reply.status_code == 201
    assert reply.json == RECORD | {"_id": reply.json["_id"]}
    assert call("GET", path).json == [reply.json]


def test_missing_fields_have_the_forms_defaults(call):
    made = call("POST", PATH, {"item": "Tea", "qty": 1, "recipient": "Bob"}).json
    assert made["orderedDate"] == str(dates.today())
    values = [made[name] for name in ("amount", "unitCost", "office", "recipient")]
    assert values == [1, 0, "main", "Bob"]


def test_a_put_marks_it_delivered_and_adds_the_stock(call, amount):
    number = pending(call)
    body = {"deliveredDate": "2026-01-20T23:30:00Z", "confirmation": "DN 7", "recipient": "Bob"}
    reply = put(call, number, body)
    assert reply.status_code == 200
    assert reply.json == RECORD | body | {"_id": number}
    assert amount("Tea") == 5
    history = call("GET", "/api/gpm/history").json[0]
    assert (history["event"], history["team"]) == ("Delivery", "Deliveries")
    assert history["date"] == "2026-01-20T12:00:00Z"


def test_a_day_is_read_as_noon_in_london_and_a_time_as_given(call):
    for submitted, stored in (
        ("2026-07-01", "2026-07-01T11:00:00Z"),
        ("2026-07-01T12:30:00+01:00", "2026-07-01T11:30:00Z"),
        ("2026-07-01T12:30:00", "2026-07-01T11:30:00Z"),
    ):
        reply = put(call, pending(call), {"deliveredDate": submitted})
        assert reply.json["deliveredDate"] == stored


def test_a_later_time_of_today_is_taken_as_now(call):
    late = f"{dates.today()}T23:59:59.999"
    delivered_at = put(call, pending(call), {"deliveredDate": late}).json["deliveredDate"]
    assert delivered_at <= f"{dates.utc_now():%Y-%m-%dT%H:%M:%SZ}"


def test_the_date_is_required_and_missing_details_stay(call):
    number = pending(call, recipient="Bob")
    reply = put(call, number, {"confirmation": "DN 7"})
    assert (reply.status_code, list(reply.json["fields"])) == (422, ["deliveredDate"])
    assert put(call, number, ARRIVED).json["recipient"] == "Bob"


def test_null_keeps_it_pending_and_stores_the_note(call):
    number = pending(call)
    reply = put(call, number, {"deliveredDate": None, "confirmation": "DN 7"})
    assert (reply.json["deliveredDate"], reply.json["confirmation"]) == (None, "DN 7")
    assert call("GET", "/api/gpm/inventory").json == []


def test_a_second_put_is_a_conflict_and_adds_nothing(call, amount):
    number = pending(call)
    put(call, number, ARRIVED)
    again = put(call, number, ARRIVED)
    message = "This delivery was marked delivered already, on 20 Jan 2026 by trader."
    error = {"error": f"{message} Nothing was added again.", "code": "conflict"}
    assert (again.status_code, again.json) == (409, error)
    back = put(call, number, {"deliveredDate": None})
    assert (back.status_code, back.json["error"]) == (409, "A delivery never goes back to pending.")
    assert amount("Tea") == 5


def ahead(days):
    return str(dates.today() + timedelta(days=days))


WRONG_VALUES = [
    ({"item": " "}, "item", "Item is required"),
    ({"amount": 0}, "amount", "Amount must be at least 1"),
    ({"amount": "5"}, "amount", "Must be a whole number."),
    ({"amount": True}, "amount", "Must be a whole number."),
    ({"unitCost": "2.1"}, "unitCost", "Must be a number of pounds."),
    ({"office": "guildford"}, "office", "Must be one of: main."),
    ({"orderedDate": "soon"}, "orderedDate", '"soon" is not a date like 2011-12-09'),
    ({"supplier": "x" * 101}, "supplier", "Supplier must be at most 100 characters"),
    ({"colour": "red"}, "colour", "Unknown field."),
]


def test_an_invalid_value_is_refused_by_field_and_nothing_is_scheduled(call):
    for change, field, message in WRONG_VALUES:
        reply = call("POST", PATH, ORDER | change)
        assert reply.status_code == 422, change
        assert reply.json["fields"][field].startswith(message), change
        assert call("GET", PATH).json == [], change


def test_an_order_may_be_ahead_and_an_arrival_may_not(call):
    number = pending(call, orderedDate=ahead(366))
    for future in (ahead(1), f"{ahead(1)}T12:00:00Z"):
        reply, message = (
            put(call, number, {"deliveredDate": future}),
            "Date can't be in the future.",
        )
        fields = {"deliveredDate": message}
        assert reply.json == {"error": message, "code": "invalid", "fields": fields}
    wrong = put(call, number, {"deliveredDate": 7})
    assert wrong.status_code == 422
    assert call("GET", PATH).json[0]["deliveredDate"] is None


def test_a_missing_delivery_is_not_found(call):
    message = "There is no such delivery. Load the list again."
    for path in (f"{PATH}/77", "/api/deliveries/77"):
        reply = call("PUT", path, ARRIVED)
        assert reply.status_code == 404, path
        assert reply.json == {"error": message, "code": "not_found"}, path


def test_an_empty_office_is_main_as_the_description_says(call):
    for office in ("", None):
        reply = call("POST", PATH, ORDER | {"office": office})
        assert (reply.status_code, reply.json["office"]) == (201, "main")
    schemas = call("GET", "/api/openapi.json").json["components"]["schemas"]
    office = schemas["DeliveryBody"]["properties"]["office"]
    assert {"", "main", "guildford", "northern", None} == set(office["enum"])
    assert set(office["type"]) == {"string", "null"}


def test_the_order_of_a_pending_delivery_is_edited(call):
    number = pending(call, recipient="Bob")
    body = ORDER | {"amount": 7, "expectedDate": "2026-01-30", "revision": 0}
    edited = put(call, f"{number}/order", body)
    changed = {"_id": number, "amount": 7, "expectedDate": "2026-01-30", "revision": 1}
    changed["orderedAmount"] = 7
    assert edited.json == RECORD | changed | {"recipient": "Bob"}
    stale = put(call, f"{number}/order", body | {"amount": 9})
    message = "Somebody else has changed this delivery meanwhile. Check and save again."
    assert (stale.status_code, stale.json["error"]) == (409, message)
    early = put(call, f"{number}/order", ORDER | {"expectedDate": "2026-01-14"})
    assert (early.status_code, list(early.json["fields"])) == (422, ["expectedDate"])
    put(call, number, ARRIVED)
    late = put(call, f"{number}/order", ORDER)
    assert (late.status_code, late.json["error"].endswith("Nothing was changed.")) == (409, True)


def test_a_cancelled_delivery_leaves_the_list_until_it_is_scheduled_again(call):
    number = pending(call)
    path = f"{number}/cancellation"
    done = put(call, path, {"cancelled": True, "reason": "Out of stock"}).json
    assert (done["cancelReason"], done["deliveredDate"]) == ("Out of stock", None)
    assert done["cancelledDate"].startswith(str(dates.utc_now().date()))
    assert [call("GET", path).json for path in (PATH, CANCELLED)] == [[], [done]]
    refused = put(call, number, ARRIVED)
    assert (refused.status_code, "was cancelled on" in refused.json["error"]) == (409, True)
    assert put(call, path, {"cancelled": True}).status_code == 409
    again = put(call, path, {"cancelled": False}).json
    assert (again["cancelledDate"], again["cancelReason"], again["revision"]) == (None, "", 2)
    assert [call("GET", path).json for path in (PATH, CANCELLED)] == [[again], []]
    assert put(call, path, {"cancelled": False}).status_code == 409
