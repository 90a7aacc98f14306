"""Bulk update, transfers and count sheets by JSON."""

from tests.factories import GPM, GUILDFORD

DAY = "2026-01-15"


def bulk(**changes):
    return {"action": "delivery", "date": DAY, "lines": [{"name": "Red heart", "qty": 3}]} | changes


def test_a_bulk_delivery_sums_lines_and_creates_new_items(call, stock, amount):
    stock("Red heart", 10)
    lines = [
        {"name": "Red heart", "qty": 3},
        {"name": "New one", "qty": 2},
        {"name": "red  HEART", "qty": 1},
    ]
    reply = call("POST", "/api/gfm/inventory/main/bulk", bulk(lines=lines))
    assert reply.json["lines"] == [
        {"name": "Red heart", "before": 10, "after": 14},
        {"name": "New one", "before": 0, "after": 2},
    ]
    new = call("GET", "/api/gfm/inventory/main").json[0]
    assert (new["item"], new["category"], new["unitPrice"]) == ("New one", "", 0.0)


TOO_FEW = 'Not enough stock: "Red heart" has 2'
FAILING_UPDATES = [
    (
        {"autoCreate": False},
        {"lines.1.name": 'Item not found: "Cup" (enable auto-create or add it first)'},
    ),
    *(
        (
            changes,
            {
                "lines.0.name": TOO_FEW,
                "lines.1.name": f'Item not found for {changes["action"]}: "Cup"',
                "lines.2.name": TOO_FEW,
            },
        )
        for changes in (
            {"action": "withdrawal"},
            {"action": "transfer", "destination": "guildford"},
        )
    ),
    (
        {"action": "transfer", "destination": "main"},
        {"destination": "Choose a destination other than this site."},
    ),
    ({"lines": []}, {"lines": "Add at least one item."}),
    ({"date": None}, {"date": "Please pick a date."}),
    ({"date": " "}, {"date": "Please pick a date."}),
]


def test_a_bulk_line_that_fails_is_named_and_nothing_is_applied(call, stock, amount):
    stock("Red heart", 2)
    lines = [
        {"name": "Red heart", "qty": 2},
        {"name": "Cup", "qty": 1},
        {"name": "RED HEART", "qty": 1},
    ]
    for changes, fields in FAILING_UPDATES:
        sent = bulk(lines=lines) | changes
        body = {name: value for name, value in sent.items() if value is not None}
        reply = call("POST", "/api/gfm/inventory/main/bulk", body)
        assert (reply.status_code, reply.json["fields"]) == (422, fields), changes
        assert amount("Red heart") == 2, changes
    reply = call("POST", "/api/gfm/inventory/main/bulk", bulk(action="withdrawal"))
    assert (reply.status_code, reply.json["error"]) == (409, TOO_FEW)


def test_gpm_has_no_transfers(call, stock):
    stock("Red heart", 9, store=GPM)
    body = bulk(action="transfer", destination="guildford")
    reply = call("POST", "/api/gpm/inventory/bulk", body)
    assert (reply.status_code, reply.json["error"]) == (422, "Transfers require multiple sites.")


def test_a_transfer_moves_lines_and_creates_missing_items_at_the_destination(call, stock, amount):
    stock("Red heart", 10, category="Heart", unit_price=199)
    stock("Tin", 5)
    stock("TIN", 1, store=GUILDFORD)
    body = {
        "source": "main",
        "destination": "guildford",
        "lines": [{"name": "Red heart", "qty": 3}, {"name": "tin", "qty": 5}],
        "date": DAY,
    }
    reply = call("POST", "/api/gfm/transfers", body)
    assert reply.json["lines"] == [
        {"name": "Red heart", "before": 10, "after": 7},
        {"name": "Tin", "before": 5, "after": 0},
    ]
    target = {row["item"]: row for row in call("GET", "/api/gfm/inventory/guildford").json}
    assert target["Red heart"] == {
        "item": "Red heart",
        "amount": 3,
        "category": "Heart",
        "unitPrice": 1.99,
        "unit": "pcs",
    }
    assert target["TIN"]["amount"] == 6


def send_sheet(call, data):
    path, headers = "/api/gfm/inventory/main/count-sheet", {"X-CSRFToken": call.token}
    return call.client.post(path, data=data, content_type="text/csv", headers=headers)


def test_a_filled_in_count_sheet_is_read_back(call, stock):
    stock("Bag", 2, category="Box")
    stock("Tin", 4)
    sheet = (
        "item,category,unitPrice,unit,expected,counted\r\n"
        "Bag,Box,2.50,pcs,2,3\r\nTin,,2.50,pcs,4,\r\nNew one,Cup,1.20,,,6\r\n"
    )
    assert send_sheet(call, sheet.encode()).json == {
        "lines": [{"id": "Bag", "expected": 2, "counted": 3}],
        "found": [{"name": "New one", "qty": 6, "category": "Cup", "unitPrice": 1.2}],
    }


def test_a_wrong_count_sheet_is_refused_with_the_position_of_each_error(call, stock):
    stock("Bag", 2)
    reply = send_sheet(call, b"item,expected,counted\nBag,2,many\nGone,3,1\n")
    assert reply.status_code == 422
    assert 'row 2, counted: "many" is not a whole number' in reply.json["error"]
    assert 'row 3, item: "Gone" is no longer in stock' in reply.json["error"]


def test_a_team_is_taken_literally_unless_the_call_refuses_new_ones(call, stock):
    stock("Red heart", 10)
    path = "/api/gfm/inventory/main/bulk"
    assert call("POST", path, bulk(team="Kitchen", newTeam=False)).status_code == 200
    refused = call("POST", path, bulk(team="Kitch", newTeam=False))
    assert (refused.status_code, refused.json["resembles"]) == (422, ["Kitchen"])
    assert refused.json["fields"] == {"team": 'New team "Kitch"? Or Kitchen'}
    assert call("POST", path, bulk(team="kitchen", newTeam=False)).status_code == 200
    assert call("POST", path, bulk(team="", newTeam=False)).status_code == 200
    assert call("POST", path, bulk(team="Kitch")).status_code == 200
