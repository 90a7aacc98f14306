"""The JSON calls that move assets and record moves."""

from datetime import timedelta
from urllib.parse import quote

from app import dates

ASSETS = "/api/assets"
HISTORY = "/api/assets/history"
AT = "2026-07-01T09:30:00Z"

WRONG = [
    ({"id": "X", "endPosition": "Yard"}, "0.id", 'There is no asset "X".'),
    (
        [{"id": "D1", "endPosition": "Yard"}, {"id": "X", "endPosition": "Yard"}],
        "1.id",
        'There is no asset "X".',
    ),
    ({"id": "D1"}, "0.endPosition", "Missing data for required field."),
    ({"id": "D1", "endPosition": " "}, "0.endPosition", "End position is required"),
    ({"id": "D1", "endPosition": "Yard", "who": "boss"}, "0.who", "Unknown field."),
    (
        {"id": "D1", "endPosition": "Yard", "date": str(dates.today() + timedelta(days=1))},
        "0.date",
        "Date can't be in the future.",
    ),
    ({"id": "D1", "endPosition": "Yard", "date": 5}, "0.date", "Must be a day such as"),
]


def move(call, id_, destination, **headers):
    path = f"{ASSETS}/{quote(id_, safe='')}/move"
    return call("POST", path, {"destination": destination}, **headers)


def entries(call):
    return [
        (row["id"], row["startPosition"], row["endPosition"]) for row in call("GET", HISTORY).json
    ]


def where(call):
    return {row["id"]: row["location"] for row in call("GET", ASSETS).json}


IDS = ["D1", "A 1/b", "a/b/c", "50% & ü?#", "history", "x/move", "/a", "a", "a//b", "a.b:c"]


def test_an_asset_is_moved_by_its_id_whatever_characters_it_has(call, asset):
    for id_ in IDS:
        asset("Desk", id=id_, location="Room 1", quantity=3)
    for id_ in IDS:
        reply = move(call, id_, f" At {id_} ")
        assert reply.status_code == 200
        moves = [reply.json[name] for name in ("id", "item", "location", "quantity")]
        assert moves == [id_, "Desk", f"At {id_}", 3]
    assert where(call) == {id_: f"At {id_}" for id_ in IDS}
    assert sorted(entries(call)) == sorted((id_, "Room 1", f"At {id_}") for id_ in IDS)


def test_the_destination_has_three_names(call, asset):
    asset("Desk", id="D1")
    for name in ("destination", "location", "endPosition"):
        moved = call("POST", f"{ASSETS}/D1/move", {name: f"By {name}"})
        assert moved.json["location"] == f"By {name}"


def test_a_wrong_move_is_refused(call, asset):
    asset("Desk", id="D1", location="Room 1")
    for id_ in ("D2", "x" * 300, "D1/"):
        assert move(call, id_, "Yard").status_code == 404, id_
    assert move(call, "\0", "Yard").status_code == 400
    assert move(call, "D2", "Yard").json == {
        "error": "There is no such asset. Load the list again.",
        "code": "not_found",
    }
    unmoved = move(call, "d1", "ROOM  1")
    assert (unmoved.status_code, unmoved.json["error"]) == (409, "Desk is at Room 1 already.")
    for body in ({}, {"destination": ""}, {"destination": " "}):
        reply = call("POST", f"{ASSETS}/D1/move", body)
        message = "Destination is required"
        error = {"error": message, "code": "invalid", "fields": {"destination": message}}
        assert (reply.status_code, reply.json) == (422, error)
    for body in (
        {"destination": 7},
        {"destination": None},
        {"destination": "x" * 101},
        {"destination": "Yard", "location": "Room 2"},
        {"destination": "Yard", "by": "somebody"},
        {"destination": "Yard", "date": AT},
    ):
        assert call("POST", f"{ASSETS}/D1/move", body).status_code == 422
    assert entries(call) == []


def test_a_recorded_move_sets_the_location(call, asset):
    asset("Desk", id="D1", location="Room 1")
    asset("Lamp", id="L1", location="Room 1")
    first = call("POST", HISTORY, {"id": "d1", "date": AT, "endPosition": "Yard"})
    assert (first.status_code, first.json) == (201, {"added": 1})
    moves = [
        {"id": "L1", "startPosition": "Store", "endPosition": "Room 9"},
        {"id": "D1", "date": "2026-06-01", "startPosition": "Attic", "endPosition": "Room 1"},
    ]
    assert call("POST", HISTORY, moves).json == {"added": 2}
    assert where(call) == {"D1": "Yard", "L1": "Room 9"}
    rows = call("GET", HISTORY).json
    ends = {"startPosition": "Room 1", "endPosition": "Yard"}
    assert rows[1] == {"date": AT, "id": "D1", "item": "Desk", **ends, "user": "steward"}
    assert [(row["id"], row["date"][:10]) for row in rows] == [
        ("L1", str(dates.utc_now().date())),
        ("D1", "2026-07-01"),
        ("D1", "2026-06-01"),
    ]


def test_the_rows_that_were_read_can_be_posted_back_and_add_nothing(call, asset):
    for number, location in enumerate(("Room 1", "")):
        asset("Desk", id=f"D{number}", location=location)
        move(call, f"D{number}", "Yard")
    rows = call("GET", HISTORY).json
    back = call("POST", HISTORY, rows)
    assert (back.status_code, back.json) == (201, {"added": 0})
    assert call("GET", HISTORY).json == rows


def test_the_latest_of_several_moves_sets_the_location_in_any_order(call, asset):
    asset("Desk", id="D1")
    days = {"2026-03-02": "B", "2026-03-03": "C", "2026-03-01": "A"}
    moves = [{"id": "D1", "date": day, "endPosition": end} for day, end in days.items()]
    assert call("POST", HISTORY, moves).json == {"added": 3}
    assert where(call) == {"D1": "C"}
    assert [end for _, _, end in entries(call)] == ["C", "B", "A"]


def test_a_wrong_move_in_a_list_refuses_the_list(call, asset):
    asset("Desk", id="D1", location="Room 1")
    for body, field, message in WRONG:
        reply = call("POST", HISTORY, body)
        assert (reply.status_code, list(reply.json["fields"])) == (422, [field])
        assert reply.json["fields"][field].startswith(message)
    assert (entries(call), where(call)) == ([], {"D1": "Room 1"})
