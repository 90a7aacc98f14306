"""The calls for checks."""

from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import event, update

from app import dates
from app.db import db, transaction
from app.fleet.rules import checks as rules
from app.fleet.services import checks as services
from app.idempotency import IdempotencyKey
from tests import factories

NIL = "No defects. Kept as a nil-defect report."
PLATE = "Vehicle number plate is required."
MILEAGE = "Mileage (odometer) is required and must be a number."
COST = "Repair/Expense (£) must be a non-negative number."
TOO_DEAR = "Repair/Expense (£) must be at most £9,999,999.99"


@pytest.fixture
def photo(in_app):
    return partial(in_app, factories.photo, 1)


def a_check(**values):
    sent = {"reg": "lk19 vte", "date": "2026-01-15", "odometer": 48210, "notes": "Fine"}
    sent |= {"items": {"Name": "Ann", "Damage": "None"}, "_formType": "vehicleCheckGPM"}
    return sent | {"photos": []} | values


def test_a_check_of_the_check_form_is_accepted_and_listed_under_every_prefix(call, photo):
    photos = [{"name": "front.jpg", "id": photo()}]
    reply = call("POST", "/api/gpm/checks", a_check(photos=photos))
    assert reply.status_code == 201
    url = "/api/checks/1/photos/0"
    listed = {
        "id": 1,
        "reg": "LK19 VTE",
        "date": "2026-01-15",
        "odometer": 48210,
        "items": {"Name": "Ann", "Damage": "None"},
        "notes": "Fine",
        "photos": [{"name": "front.jpg", "url": url, "thumbnail": f"{url}/thumbnail"}],
        "submittedBy": "driver",
        "costGBP": 0.0,
        "_formType": "vehicleCheckGPM",
        "reviewed": None,
        "flags": [],
        "outcome": "nil",
        "outcomeText": NIL,
        "driveReason": None,
    }
    assert reply.json == listed | {"warnings": [], "messages": [NIL]}
    for prefix in ("/api/fleet", "/api/gpm", "/api"):
        assert call("GET", f"{prefix}/checks").json == [listed], prefix
        assert call("GET", f"{prefix}/entries/lk19%20vte").json == [listed], prefix
        assert call("GET", f"{prefix}/entries/XX").json == [], prefix


def test_a_check_with_a_cost_is_flagged(call):
    sent = a_check(costGBP=12.5)
    del sent["_formType"]
    reply = call("POST", "/api/fleet/checks", sent)
    assert (reply.json["costGBP"], reply.json["flags"]) == (12.5, ["cost"])


def test_aliases_of_fields_and_a_date_with_a_time_are_accepted(call):
    sent = {"numberPlate": "LK19 VTE", "ts": "2026-07-14T23:30:00Z", "odometer": 5}
    reply = call("POST", "/api/checks", sent)
    assert reply.status_code == 201
    assert (reply.json["reg"], reply.json["date"]) == ("LK19 VTE", "2026-07-15")


def test_plate_mileage_and_notes_are_found_among_the_items(call):
    items = {"LicensePlate": "lk19 vte", "Mileage": "48,210", "Notes": "A\nB"}
    reply = call("POST", "/api/fleet/checks", {"items": items})
    assert reply.status_code == 201
    assert (reply.json["reg"], reply.json["odometer"]) == ("LK19 VTE", 48210)
    assert reply.json["notes"] == "A\nB"
    assert reply.json["date"] == dates.today().isoformat()


INVALID_CHECKS = [
    ({"reg": ""}, {"reg": PLATE}),
    ({"odometer": "48210"}, {"odometer": MILEAGE}),
    ({"odometer": [1]}, {"odometer": MILEAGE}),
    ({"reg": " ", "odometer": ""}, {"reg": PLATE, "odometer": MILEAGE}),
    ({"reg": "a\u200bb"}, {"reg": "Number plate holds a character that can't be seen"}),
    ({"date": "2999-01-01"}, {"date": "Date can't be in the future."}),
    ({"date": "soon"}, {"date": '"soon" is not a date like 2011-12-09'}),
    ({"costGBP": -1}, {"costGBP": COST}),
    ({"costGBP": "12"}, {"costGBP": COST}),
    *(({"costGBP": cost}, {"costGBP": COST}) for cost in (float("nan"), -1e308, True)),
    *(({"costGBP": cost}, {"costGBP": TOO_DEAR}) for cost in (1e9, 1e308, 10**401, 1e7)),
    ({"items": {"A": ["x"]}}, {"items.A": "Must be text or a number."}),
    ({"items": {"A": 1e300}}, {"items.A": "Must be text or a number."}),
    ({"items": {"A": "x" * 1001}}, {"items.A": "A must be at most 1000 characters"}),
    ({"items": {str(n): 1 for n in range(101)}}, {"items": "A check has at most 100 fields."}),
    ({"items": {" ": "x"}}, {"items": "A field has no name."}),
    ({"items": {" a": "x", "a": "y"}}, {"items": 'The field "a" occurs twice.'}),
    ({"reg": "ß" * 20}, {"reg": "Number plate must be at most 20 characters"}),
    ({"items": []}, {"items": "Not a valid mapping type."}),
    ({"notes": "x" * 4001}, {"notes": "Notes must be at most 4000 characters"}),
    ({"photos": [{"id": "x"}]}, {"photos.0.id": "Must be the SHA-256 of a photo"}),
    ({"photos": [{"name": "a"}]}, {"photos.0": "Must have either an id or a dataUri."}),
    (
        {"photos": [{"dataUri": "data:text/html;base64,eA=="}]},
        {"photos.0.dataUri": "Must be a picture as a data URI in base64."},
    ),
    ({"photos": [{"id": "a" * 64}] * 13}, {"photos": "A check has at most 12 photos."}),
    ({"photos": [{"id": "a" * 64}]}, {"photos": "Photo 1 was not sent by you. Send it again."}),
    ({"submittedBy": "boss"}, {"submittedBy": "Unknown field."}),
    ({"numberPlate": "other"}, {"reg": "numberPlate and reg differ"}),
]


def test_an_invalid_check_is_refused_with_a_message_per_field(call):
    for values, fields in INVALID_CHECKS:
        reply = call("POST", "/api/fleet/checks", a_check(**values))
        assert reply.status_code == 422, values
        assert reply.json["fields"].keys() == fields.keys(), values
        for name, message in fields.items():
            assert message in reply.json["fields"][name], values
            assert message in reply.json["error"] or len(fields) > 1, values
        assert call("GET", "/api/fleet/checks").json == [], values


def test_a_photo_whose_file_is_lost_is_asked_for_again(app, call, photo):
    sent = a_check(photos=[{"name": "a", "id": photo()}])
    for file in Path(app.config["QUARTERMASTER"].photo_store).rglob("*.jpg"):
        file.unlink()
    reply = call("POST", "/api/fleet/checks", sent)
    assert (reply.status_code, reply.json["code"]) == (422, "photos_missing")
    assert reply.json["error"] == "Photo 1 was not sent by you. Send it again."
    assert call("GET", "/api/fleet/checks").json == []


def test_a_check_sent_again_is_one_check_with_the_same_reply(app, call, photo):
    sent = a_check(photos=[{"name": "a", "id": photo()}], odometer=9)
    call("POST", "/api/fleet/checks", a_check())
    first = call("POST", "/api/fleet/checks", sent, Idempotency_Key="one")
    assert first.json["warnings"] == ["Lower than the last reading, 48,210."]
    with app.app_context(), transaction():
        services.review_check(first.json["id"], remark="", by=1)
    again = call("POST", "/api/fleet/checks", sent, Idempotency_Key="one")
    assert (again.status_code, again.json) == (201, first.json)
    assert len(call("GET", "/api/fleet/checks").json) == 2


@pytest.mark.parametrize("versioned", [False, True])
def test_a_check_accepted_before_its_reply_was_stored_is_answered_again(app, call, versioned):
    first = call("POST", "/api/fleet/checks", a_check(), Idempotency_Key="one")
    values = {"check_id": first.json["id"], "warnings": ["Lower."]}
    stored = {"record_version": 1, "values": values} if versioned else values
    with app.app_context(), transaction():
        db.session.execute(update(IdempotencyKey).values(result=stored))
    again = call("POST", "/api/fleet/checks", a_check(), Idempotency_Key="one")
    expected = first.json | {"warnings": ["Lower."], "messages": []}
    assert (again.status_code, again.json) == (201, expected)


def test_an_accepted_check_sent_again_is_not_judged_by_a_changed_template(call):
    def replace_template(field_type):
        tag = call("GET", "/api/check-templates").headers["ETag"]
        template = {"key": "own", "label": "Own", "fields": [{"name": "Van", "type": field_type}]}
        return call("POST", "/api/check-templates", [template], If_Match=tag).status_code

    check = {"_formType": "own", "odometer": 5, "items": {"Van": "LK19 VTE"}}
    assert replace_template("plate") == 200
    accepted = call("POST", "/api/fleet/checks", check, Idempotency_Key="one")
    assert (accepted.status_code, accepted.json["reg"]) == (201, "LK19 VTE")
    assert replace_template("text") == 200
    refused = call("POST", "/api/fleet/checks", check, Idempotency_Key="two")
    assert (refused.status_code, refused.json["error"]) == (422, PLATE)
    repeated = call("POST", "/api/fleet/checks", check, Idempotency_Key="one")
    assert (repeated.status_code, repeated.json) == (201, accepted.json)


def test_a_key_used_for_another_check_is_refused_before_the_check_is_validated(call):
    assert call("POST", "/api/fleet/checks", a_check(), Idempotency_Key="one").status_code == 201
    reply = call("POST", "/api/fleet/checks", a_check(reg=""), Idempotency_Key="one")
    assert (reply.status_code, reply.json["code"]) == (422, "key_reused")


def test_a_check_is_judged_once_and_its_uploads_are_read_before_and_under_their_locks(
    app, call, photo, monkeypatch
):
    judged = []
    parse = rules.parse_readings
    monkeypatch.setattr(rules, "parse_readings", lambda *args: judged.append(1) or parse(*args))
    photos = [{"name": "a", "id": photo("red")}, {"name": "b", "id": photo("blue")}]
    executed = []
    with app.app_context():
        engine = db.engine
    listener = (engine, "before_cursor_execute", lambda *args: executed.append(args[2]))
    event.listen(*listener)
    reply = call("POST", "/api/fleet/checks", a_check(photos=photos))
    event.remove(*listener)
    assert reply.status_code == 201
    reads = [text for text in executed if text.startswith("SELECT photo_upload.")]
    assert (len(judged), len(reads)) == (1, 2)


def test_a_listed_check_has_its_review(app, call):
    call("POST", "/api/fleet/checks", a_check())
    with app.app_context(), transaction():
        services.review_check(1, remark="Booked in", by=1)
    reviewed = call("GET", "/api/gpm/checks").json[0]["reviewed"]
    assert (reviewed["by"], reviewed["remark"]) == ("driver", "Booked in")
    assert reviewed["at"].startswith(dates.utc_now().strftime("%Y-"))
