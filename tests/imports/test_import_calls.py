"""A list is imported by its JSON call: compared, imported once, and taken back."""

import pytest

from app.assets.queries.register import find_asset
from app.divisions import Division, Role
from tests import factories
from tests.person import PASSWORD, Caller
from tests.records.test_targets import CHANGED, FIRST, workbook

pytestmark = pytest.mark.differs_by_engine

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ASSETS = "/api/assets/import"


@pytest.fixture
def steward(signed_in):
    return signed_in("steward", Division.ASSETS, division=Division.ASSETS)


def send(person, path, text, *, kind="text/csv", **headers):
    data = text.encode() if isinstance(text, str) else text
    caller = person if isinstance(person, Caller) else Caller(person)
    sent = {"X-CSRFToken": caller.token}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    return caller.client.post(path, data=data, content_type=kind, headers=sent)


def counts(reply):
    return tuple(reply.json[name] for name in ("added", "changed", "unchanged"))


def test_every_list_goes_in_by_its_call_and_goes_back(signed_in, app, in_app):
    boss = signed_in("boss", *Division, division=Division.GFM)
    targets = app.extensions["targets"]
    for key, text in FIRST.items():
        path = f"/api{targets[key].call}/import"
        before = in_app(lambda key=key: list(targets[key].rows()))
        dry = send(boss, f"{path}?dryRun=1", text)
        assert dry.status_code == 200, (key, dry.text)
        assert in_app(lambda key=key: list(targets[key].rows())) == before, key
        reply = send(boss, path, text)
        assert counts(reply) == counts(dry), key
        assert reply.json["added"] + reply.json["changed"] > 0, (key, reply.text)
        assert (reply.json["undo"] is not None) == bool(targets[key].remove), key
    for key, text in CHANGED.items():
        before = in_app(targets[key].entries)
        reply = send(boss, f"/api{targets[key].call}/import", text)
        assert in_app(targets[key].entries) != before, (key, reply.text)
        undone = send(boss, reply.json["undo"], b"")
        assert undone.json["rows"] == reply.json["added"] + reply.json["changed"], key
        assert in_app(targets[key].entries) == before, key


def test_a_file_from_elsewhere_is_mapped_and_its_refused_rows_are_named(steward, in_app):
    in_app(factories.asset, "Chair", id="a-1", location="Room 1")
    text = "Our id;Item;Location;Purchase date;Colour\nA-1;Chair;Room 2;13/02/26;red\n"
    text += "A-2;Desk;;32/02/26;\nA-3;;;;\n"
    refused = send(steward, f"{ASSETS}?map=Our+id:id&map=Location:", text)
    assert refused.status_code == 422
    assert refused.json["error"] == "Rows are refused, so nothing was imported."
    assert refused.json["refused"] == [
        {
            "row": 3,
            "column": "Purchase date",
            "message": '"32/02/26" is not a date like 2011-12-09',
        },
        {"row": 4, "column": "Item", "message": "Item name is required"},
    ]
    assert (counts(refused), refused.json["ignored"]) == ((0, 1, 0), ["Location", "Colour"])
    path = f"{ASSETS}?map=Our+id:id&leaveOutRefused=1"
    for _ in range(2):
        reply = send(steward, path, text, Idempotency_Key="assets-of-monday")
        assert (counts(reply), len(reply.json["refused"])) == ((0, 1, 0), 2)
        assert (reply.json["ignored"], reply.json["undo"]) == (["Colour"], "/api/imports/1/undo")
    assert in_app(lambda: find_asset("A-1").location) == "Room 2"
    other = send(steward, path, text + "A-4;Sofa;;;\n", Idempotency_Key="assets-of-monday")
    assert (other.status_code, other.json["code"]) == (422, "key_reused")
    again = send(steward, path, text)
    assert (counts(again), again.json["undo"]) == ((0, 0, 1), None)
    assert "API call" in steward.open("/imports").text
    for _ in range(2):
        undone = send(steward, reply.json["undo"], b"", Idempotency_Key="undo-of-monday")
        assert undone.json == {"rows": 1}
    assert send(steward, reply.json["undo"], b"").status_code == 409
    assert in_app(lambda: find_asset("A-1").location) == "Room 1"


def test_a_workbook_is_imported_and_names_that_resemble_others_are_added(steward, app, in_app):
    in_app(factories.asset, "Old desk", id="X-1", serial="SN-1")
    data = workbook(app.extensions["targets"]["assets"], FIRST["assets"])
    assert counts(send(steward, ASSETS, data, kind=XLSX)) == (2, 0, 0)
    assert counts(send(steward, ASSETS, "id,item,serial\nX-2,New desk,sn1\n")) == (1, 0, 0)


WRONG = [
    ("", 422, "It is empty. Choose a file with a header and rows."),
    ("Colour,Smell\nred,none\n", 422, "item is missing"),
    ("item\n" + "D\n" * 50_001, 422, "It has 50,001 rows; at most 50,000. Split it."),
    (",".join(["item"] * 500), 422, "It has 500 columns; at most 200. Leave some out."),
    ('id,item\nA,"Desk\n', 422, "Row 2 isn't complete. Save the file again."),
    ("item\nDe\0sk\n", 422, "Row 2 holds a character that can't be stored (U+0000)."),
    (b"item\nDesk\nCaf\xc3", 422, "Row 3 isn't complete. Save the file again."),
    (b"%PDF-1.4", 422, "This isn't a table. Choose a CSV file or a spreadsheet."),
    (b"PK\x03\x04 not a workbook", 422, "This isn't a table."),
    (b"x" * (24 * 1024 * 1024 + 1), 413, ""),
    (
        "item,Bought\nDesk,13/02/26\nSofa,02/13/26\n",
        422,
        "13/02/26 and 02/13/26 can't both be right. Choose the order of days, or write 2026-02-13.",
    ),
    ("id,item,quantity\nA-1,Desk,-5\n", 422, "nothing was imported"),
]


def test_a_wrong_file_is_refused_and_nothing_is_imported(steward, in_app):
    for text, status, message in WRONG:
        query = "?map=Bought:purchaseDate" if "Bought" in str(text) else ""
        reply = send(steward, f"{ASSETS}{query}", text)
        assert (reply.status_code, message in reply.json["error"]) == (status, True), reply.text
    text = "item\nDesk\n"
    for query, message in (
        ("map=Colour:item", 'There is no column "Colour"; there is: item'),
        ("map=item:colour", 'There is no column "colour"; there is: id, item'),
        ("dryRun=maybe", "dryRun: "),
        ("dry=1", "dry: Unknown field."),
    ):
        reply = send(steward, f"{ASSETS}?{query}", text)
        assert (reply.status_code, message in reply.json["error"]) == (422, True), reply.text
    assert send(steward, ASSETS, text, kind="application/json").status_code == 415
    assert in_app(lambda: find_asset("A-1")) is None
    assert "API call" not in steward.open("/imports").text


def test_only_managers_of_a_list_import_it_and_take_it_back(signed_in, app):
    targets = app.extensions["targets"]
    boss = signed_in("boss", *Division, division=Division.ASSETS)
    undo = send(boss, ASSETS, "item\nDesk\n").json["undo"]
    for division in Division:
        for role in Role:
            name = f"{division}-{role}"
            person = signed_in(name, division, division=division, roles=[role])
            for key, target in targets.items():
                shares = target.division is Division.FLEET and division is Division.GPM
                is_allowed = role is Role.MANAGER and (target.division is division or shares)
                path = f"/api{target.call}/import?dryRun=1"
                status = send(person, path, b"").status_code
                assert status == (422 if is_allowed else 403), (name, key)
            if (division, role) != (Division.ASSETS, Role.MANAGER):
                assert send(person, undo, b"").status_code == 403, name
    tokens = boss.client.post(
        "/api/auth/login", json={"username": "boss", "password": PASSWORD, "access": "read"}
    ).json
    headers = {"Authorization": f"Bearer {tokens['accessToken']}"}
    for path in (ASSETS, undo):
        reply = app.test_client().post(path, data=b"item\nDesk\n", headers=headers)
        assert (reply.status_code, reply.json["code"]) == (403, "read_only"), path
