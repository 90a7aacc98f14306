"""Whole lists by JSON: replacing a list needs its current ETag."""

from datetime import timedelta

import pytest

from app import dates
from app.stock.queries import books

PATH = "/api/gfm/inventory/main"


def test_a_full_list_replaces_the_old_one_through_the_ledger(app, call, stock, amount):
    stock("Bag", 2)
    stock("Tin", 4)
    tag = call("GET", PATH).headers["ETag"]
    listed = [{"name": "bag", "qty": 5, "unitPrice": 0.1}, {"item": "Cup", "amount": 1}]
    reply = call("POST", PATH, listed, If_Match=tag)
    assert reply.json == {"added": 1, "changed": 1, "unchanged": 0, "removed": 1}
    rows = call("GET", PATH).json
    assert [(r["item"], r["amount"], r["unitPrice"]) for r in rows] == [
        ("bag", 5, 0.1),
        ("Cup", 1, 0.0),
    ]
    with app.app_context():
        assert list(books.ledger_problems()) == []


def test_a_tag_that_compression_marked_is_still_the_lists_among_others(call, stock):
    for n in range(30):
        stock(f"Compressible item number {n}", n)
    read = call("GET", PATH, Accept_Encoding="br")
    assert read.headers["Content-Encoding"] == "br"
    rows = call("GET", PATH).json
    tags = ", ".join(['"gfm-main-99"', read.headers["ETag"], '"other"'])
    assert call("POST", PATH, rows, If_Match=tags).json["unchanged"] == 30


def test_an_item_listed_twice_in_a_full_list_is_refused(call):
    listed = [{"item": "Bag", "amount": 1}, {"item": "BAG ", "amount": 2}]
    reply = call("POST", PATH, listed)
    assert (reply.status_code, reply.json["fields"]) == (
        422,
        {"1.item": '"BAG" is in the list twice'},
    )


WRONG_BODIES = [
    (b"{}", "The body must be a JSON array."),
    (b'""', "The body must be a JSON array."),
    (b"null", "The body must be a JSON array."),
    (b"0", "The body must be a JSON array."),
    (b"", "The body is not JSON."),
    (b"[" * 20_000, "The body is not JSON."),
    (b"9" * 5_000, "The body is not JSON."),
    (
        b'[{"item":"A","amount":1,"item":"B"}]',
        "An object in the body has two members of the same name.",
    ),
]


def test_a_body_of_the_wrong_shape_never_replaces_the_list(call, stock, amount):
    stock("Bag", 2)
    tag = call("GET", PATH).headers["ETag"]
    headers = {"X-CSRFToken": call.token, "If-Match": tag}
    for body, message in WRONG_BODIES:
        reply = call.client.post(PATH, data=body, headers=headers, content_type="application/json")
        assert (reply.status_code, reply.json["error"]) == (400, message), body[:20]
        assert amount("Bag") == 2, body[:20]


def test_a_list_without_units_keeps_them_and_a_new_spelling_is_taken(call, stock):
    stock("Bag", 2, unit="kg")
    tag = call("GET", PATH).headers["ETag"]
    call("POST", PATH, [{"item": "BAG", "amount": 2}], If_Match=tag)
    (row,) = call("GET", PATH).json
    assert (row["item"], row["unit"]) == ("BAG", "kg")


def test_a_full_list_may_have_a_reason_a_team_and_a_day(person, call, stock):
    stock("Bag", 2)
    read = call("GET", PATH)
    day = (dates.today() - timedelta(days=1)).isoformat()
    path = f"{PATH}?reason=Stock Check {day}&team=Stock Check&ts={day}"
    changed = [read.json[0] | {"amount": 5}]
    assert call("POST", path, changed, If_Match=read.headers["ETag"]).status_code == 200
    (booked,) = (row for row in call("GET", "/api/gfm/history").json if row["amount"] == 3)
    assert booked["date"] == f"{day}T12:00:00Z"
    assert (booked["event"], booked["team"]) == ("Other", "Stock Check")
    person.post("/choose", {"csrf_token": call.token, "division": "gfm"})
    assert "Stock check Other" in person.open(f"/history?to={day}").all("#rows td")


@pytest.mark.parametrize("query", ["ts=2999-01-01", "ts=soon", "reason=%00", "colour=red"])
def test_invalid_reason_team_or_day_is_refused(call, query):
    reply = call("POST", f"/api/gfm/inventory/main?{query}", [{"item": "Bag", "amount": 1}])
    assert reply.status_code in (400, 422)
    assert call("GET", PATH).json == []


def test_a_stale_list_can_be_read_again_and_sent_under_its_key(call, stock, amount):
    stock("Bag", 2)
    stale = call("GET", PATH)
    dec = {"ops": [{"type": "dec", "id": "Bag", "delta": 1}]}
    assert call("PATCH", PATH, dec).status_code == 200
    late = [stale.json[0] | {"amount": 5}]
    key = {"Idempotency_Key": "count-2"}
    assert call("POST", PATH, late, If_Match=stale.headers["ETag"], **key).status_code == 412
    assert amount("Bag") == 1
    read = call("GET", PATH)
    merged = [read.json[0] | {"amount": 4}]
    assert call("POST", PATH, merged, If_Match=read.headers["ETag"], **key).status_code == 200
    assert amount("Bag") == 4


def test_a_filtered_list_is_sorted_by_numbers_whole_and_in_parts(call, stock):
    for name, amount in (("Tin", 4), ("Tin lid", 40), ("Bag", 2), ("Tin box", 11)):
        stock(name, amount)
    path = f"{PATH}?search=tin&sort=-amount"
    assert [row["amount"] for row in call("GET", path).json] == [40, 11, 4]
    part = call("GET", f"{path}&limit=2")
    assert [row["amount"] for row in part.json] == [40, 11]
    link = part.headers["Link"].partition(";")[0].strip("<>")
    assert [row["amount"] for row in call("GET", link).json] == [4]
