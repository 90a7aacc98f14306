"""Imports of old history under alternative column names, as CSV and JSON."""

import json

import pytest

from app.divisions import Division
from app.stock.queries import history as queries
from tests import factories
from tests.person import Caller

ENTRIES = [
    {
        "id": 7,
        "date": "2011-12-09T12:50:00Z",
        "event": "Delivery",
        "team": "Shop",
        "item": "Red heart",
        "amount": 4,
        "unitPrice": 2.5,
        "totalPrice": 10.0,
        "site": "guildford",
    },
    {"ts": "2011-12-10", "action": "withdraw", "summary": {"item": "Mug", "lines": 1}, "qty": 3},
    {"ts": "2011-12-11", "delta": -2, "item": "Mug", "location": "Northern"},
    {"ts": "2011-12-12", "action": "Transfer to northern", "delta": -6, "qty": 6, "item": "=Mug"},
    {"date": "2011-12-13", "action": "issued", "delta": -1, "numberPlate": "LK19 VTE"},
    {"date": "2011-12-14", "event": "in", "amount": 1, "item": "Mug", "numberPlate": "LK19 VTE"},
]
EXPECTED = [
    ("2011-12-09", "Delivery", "Red heart", 4, "guildford", 1000),
    ("2011-12-10", "Withdrawal", "Mug", 3, "main", 0),
    ("2011-12-11", "Withdrawal", "Mug", 2, "northern", 0),
    ("2011-12-12", "Other", "=Mug", -6, "northern", 0),
    ("2011-12-13", "Withdrawal", "LK19 VTE", 1, "main", 0),
    ("2011-12-14", "Delivery", "Mug", 1, "main", 0),
]
CSV = """ts,action,team,summary.item,delta,location
2011-12-09,Delivery,Shop,Red heart,4,guildford
2011-12-10,withdraw,,Mug,-3,
2011-12-11,,,Mug,-2,Northern
2011-12-12,Transfer to northern,,'=Mug,-6,
2011-12-13,issued,,LK19 VTE,-1,
2011-12-14,in,,Mug,1,
"""


@pytest.fixture
def load(flask, tmp_path):
    def load(content, name, division="gfm"):
        file = tmp_path / name
        file.write_text(content if isinstance(content, str) else json.dumps(content))
        return flask("history", "import", str(file), "--division", division)

    return load


@pytest.fixture
def listed(app):
    def listed(division=Division.GFM):
        with app.app_context():
            rows = sorted(queries.newest_rows(division, 1000), key=lambda row: row.at)
            return [
                (f"{r.at:%Y-%m-%d}", r.event.value, r.item, r.amount, r.site, r.total_price)
                for r in rows
            ]

    return listed


def test_json_is_read_under_every_name_and_not_imported_twice(load, listed):
    code, output = load(ENTRIES, "old.json")
    assert (code, "6 rows: 6 added" in output) == (0, True), output
    assert listed() == EXPECTED
    assert "0 added, 6 already there" in load(ENTRIES, "old.json")[1]


def test_columns_are_read_under_every_name(load, listed):
    code, output = load(CSV, "old.csv")
    assert code == 0, output
    assert [row[:5] for row in listed()] == [row[:5] for row in EXPECTED]


def test_importing_the_replies_of_the_call_changes_nothing(app, person, load, listed):
    with app.app_context():
        factories.user("keeper", Division.GFM, Division.GPM)
        factories.item("Red heart", 10)
        factories.item("Tea, green", 3, store=factories.GPM)
    load(ENTRIES, "old.json")
    person.sign_in("keeper", follow=False)
    for division in (Division.GFM, Division.GPM):
        before = listed(division)
        rows = Caller(person)("GET", f"/api/{division}/history").json
        code, output = load(rows, "calls.json", division.value)
        assert (code, " 0 added" in output) == (0, True), output
        assert listed(division) == before


WRONG_ENTRIES = [
    ({"colour": "red"}, "row 2, colour: is unknown"),
    ({"ts": "2011-12-10"}, "row 2, ts: it and date differ"),
    ({"action": "issued"}, "row 2, action: it and event differ"),
    ({"qty": 5}, "row 2, qty: it and amount differ"),
    ({"delta": 5}, "row 2, delta: it and amount differ"),
    ({"location": "main"}, "row 2, location: it and site differ"),
    ({"summary": {"item": "Tin"}}, "row 2, summary.item: it and item differ"),
    ({"amount": True}, "row 2, amount: Must be text or a number"),
    ({"amount": 1.5}, 'row 2, amount: "1.5" is not a whole number'),
    ({"amount": None}, 'row 2, amount: "" is not a whole number'),
    ({"date": "soon"}, 'row 2, date: "soon" is not a date'),
    ({"item": " "}, "row 2, item: Item name is required"),
    ({"site": "leeds"}, 'row 2, site: GFM has no site "leeds"'),
]


def test_a_wrong_entry_is_named_and_nothing_is_imported(load, listed):
    for entry, message in WRONG_ENTRIES:
        code, output = load([ENTRIES[0], ENTRIES[0] | entry], "old.json")
        assert (code, f"old.json: {message}" in output) == (1, True), entry
        assert listed() == [], entry


def test_a_file_of_the_wrong_shape_is_refused(load):
    for content, name, message in (
        ("[", "old.json", "it is not JSON"),
        ("{}", "old.json", "it is not a list of entries"),
        ("[1]", "old.json", "it is not a list of entries"),
        ("date,ts,event,team,item,amount\n", "old.csv", "row 1: the column date occurs twice"),
    ):
        code, output = load(content, name)
        assert (code, f"{name}: {message}" in output) == (1, True), content


def test_stock_and_vehicles_are_read_under_their_other_names_too(flask, tmp_path):
    stock, fleet = tmp_path / "stock.csv", tmp_path / "fleet.csv"
    stock.write_text("name,qty,category,unitPrice\nMug,3,Box,2.10\n")
    fleet.write_text("numberPlate,location,lastUpdate\nLK19 VTE,Yard,2026-01-15\n")
    for imported, exported, row in (
        (
            ("stock", "import", str(stock), "--division", "gfm", "--site", "main"),
            ("stock", "export", "--division", "gfm", "--site", "main"),
            "Mug,3,Box,2.10",
        ),
        (
            ("vehicles", "import", str(fleet)),
            ("vehicles", "export"),
            "LK19 VTE,,,Unknown,,Yard,2026-01-15T00:00:00Z",
        ),
    ):
        code, output = flask(*imported)
        assert (code, "1 added" in output) == (0, True), output
        assert row in flask(*exported)[1]
