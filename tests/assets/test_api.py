"""The JSON calls of the register: read whole or in pages, and replaced."""

from datetime import date, timedelta
from uuid import UUID

from app import dates

PATH = "/api/assets"
FULL = {
    "id": "A/0042 b",
    "item": "Office chair",
    "make": "Herman Miller",
    "model": "Aeron",
    "serial": "HM-20417",
    "supplier": "Office & Co",
    "location": "Room 12",
    "purchaseDate": "2024-03-01",
    "purchasePrice": 899.5,
    "category": "Furniture",
    "status": "In use",
    "quantity": 2,
}
BARE = dict.fromkeys(FULL, "") | {"purchaseDate": None, "purchasePrice": 0, "quantity": 1}

WRONG = [
    ([{}], "0.item", "Item name is required"),
    ([{"item": " "}], "0.item", "Item name is required"),
    ([{"item": 7}], "0.item", "Not a valid string."),
    ([{"item": "x" * 121}], "0.item", "Item name must be at most 120 characters"),
    (
        [{"item": "D", "id": "a 1"}, {"item": "E", "id": "A  1"}],
        "1.id",
        '"A  1" is in the list twice',
    ),
    ([{"item": "D"}, {"item": "E", "colour": "red"}], "1.colour", "Unknown field."),
    ([{"item": "D", "quantity": 0}], "0.quantity", "Quantity must be 1 to 999,999,999"),
    ([{"item": "D", "quantity": 2.0}], "0.quantity", "Must be a whole number."),
    ([{"item": "D", "quantity": True}], "0.quantity", "Must be a whole number."),
    ([{"item": "D", "quantity": "2"}], "0.quantity", "Must be a whole number."),
    ([{"item": "D", "purchasePrice": "9"}], "0.purchasePrice", "Must be a number of pounds."),
    ([{"item": "D", "purchasePrice": None}], "0.purchasePrice", "Field may not be null."),
    (
        [{"item": "D", "purchaseDate": str(dates.today() + timedelta(days=1))}],
        "0.purchaseDate",
        "Date can't be in the future.",
    ),
    (
        [{"item": "D", "purchaseDate": "soon"}],
        "0.purchaseDate",
        '"soon" is not a date like 2011-12-09',
    ),
    ([{"item": "D", "purchaseDate": 5}], "0.purchaseDate", "Must be a day such as 2011-12-09."),
]


def tag(call):
    return call("GET", PATH).headers["ETag"]


def history(call):
    rows = call("GET", f"{PATH}/history").json
    return [(row["id"], row["startPosition"], row["endPosition"], row["user"]) for row in rows]


def test_an_asset_has_all_fields_of_the_register(call, asset):
    asset("Desk", id="D1")
    money = {"purchase_date": date(2024, 3, 1), "purchase_price": 89950}
    asset(**{n: v for n, v in FULL.items() if n not in ("purchaseDate", "purchasePrice")}, **money)
    assert call("GET", PATH).json == [FULL, BARE | {"id": "D1", "item": "Desk"}]


def test_a_full_list_replaces_the_register_and_records_the_moves(call, asset):
    asset("Desk", id="D1", location="Room 1")
    asset("Lamp", id="L1", location="Room 1")
    asset("Van", id="V1", location="Yard")
    submitted = [
        {"id": "d1", "item": "Desk", "location": "Room 2"},
        {"id": "V1", "item": "Van", "location": "YARD"},
        FULL,
    ]
    reply = call("POST", PATH, submitted, If_Match=tag(call))
    assert reply.status_code == 200
    assert reply.json == {"added": 1, "changed": 2, "unchanged": 0, "removed": 1}
    rows = call("GET", PATH).json
    places = [(row["id"], row["location"]) for row in rows]
    assert places == [("A/0042 b", "Room 12"), ("d1", "Room 2"), ("V1", "YARD")]
    assert rows[0] == FULL
    assert history(call) == [("d1", "Room 1", "Room 2", "steward")]


def test_missing_fields_have_their_defaults_and_an_id_is_given(call):
    call("POST", PATH, [{"item": " Desk "}])
    (row,) = call("GET", PATH).json
    assert UUID(row["id"])
    assert row == BARE | {"id": row["id"], "item": "Desk"}


def test_a_move_makes_a_list_that_was_read_before_stale(call, asset):
    asset("Desk", id="D1", location="Room 1")
    read = call("GET", PATH)
    call("POST", f"{PATH}/D1/move", {"destination": "Room 2"})
    stale = call("POST", PATH, read.json, If_Match=read.headers["ETag"])
    assert stale.status_code == 412
    assert call("GET", PATH).json[0]["location"] == "Room 2"


def test_history_outlives_the_asset(call, asset):
    asset("Desk", id="D1", location="Room 1")
    call("POST", f"{PATH}/D1/move", {"destination": "Room 2"})
    call("POST", PATH, [], If_Match=tag(call))
    assert call("GET", PATH).json == []
    (row,) = call("GET", f"{PATH}/history").json
    assert (row["id"], row["item"], row["endPosition"]) == ("D1", "Desk", "Room 2")


def test_a_wrong_list_is_refused_whole_and_the_field_is_named(call):
    for body, field, message in WRONG:
        reply = call("POST", PATH, body)
        assert (reply.status_code, reply.json["fields"]) == (422, {field: message}), body
    assert call("POST", PATH, FULL).status_code == 400
    assert call("GET", PATH).json == []


def test_the_pages_of_the_list_link_to_each_other(call, asset):
    ids = ["a/1", "Ä & b", "c?d=1", "D 2", "ж"]
    for number, id_ in enumerate(ids):
        asset(f"Item {9 - number}", id=id_)
    whole = call("GET", PATH).json
    path, seen = f"{PATH}?limit=2", []
    while path:
        reply = call("GET", path)
        assert "ETag" not in reply.headers
        seen += reply.json
        path = reply.headers.get("Link", "").partition(">")[0].removeprefix("<")
    assert seen == whole
    assert sorted(row["id"] for row in seen) == sorted(ids)


def test_the_headers_and_examples_of_the_calls_are_documented(call):
    document = call("GET", "/api/openapi.json").json
    paths, schemas = document["paths"], document["components"]["schemas"]
    headers = {
        path: {p["name"] for p in paths[path]["post"]["parameters"] if p["in"] == "header"}
        for path in (PATH, f"{PATH}/history", PATH + "/{asset_id}/move")
    }
    assert headers == {
        PATH: {"Idempotency-Key", "If-Match"},
        f"{PATH}/history": {"Idempotency-Key"},
        PATH + "/{asset_id}/move": {"Idempotency-Key"},
    }
    for name in ("AssetBody", "AssetReply", "AssetMoveBody", "AssetMoveReply", "DestinationBody"):
        fields = schemas[name]["properties"]
        assert all("example" in field for field in fields.values()), name
