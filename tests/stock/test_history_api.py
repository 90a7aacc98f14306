"""The JSON calls of history."""

import pytest

from tests.factories import GPM, MAIN

PLACES = {"/api/gfm/history": MAIN, "/api/history": MAIN, "/api/gpm/history": GPM}


@pytest.mark.parametrize("path", PLACES)
def test_history_is_listed_newest_first(call, stock, path, move):
    store = PLACES[path]
    item = stock("Red heart", 10, store=store)
    move(item, -3, store=store, team="Kitchen")
    newest = call("GET", path).json
    assert [row["event"] for row in newest] == ["Other", "Withdrawal"]
    entry = newest[1]
    compared = {name: entry[name] for name in ("date", "team", "item", "amount", "site")}
    assert compared == {
        "date": "2026-01-15T12:00:00Z",
        "team": "Kitchen",
        "item": "Red heart",
        "amount": 3,
        "site": "main",
    }
    assert ("totalPrice" in entry) == (path != "/api/gpm/history")
    assert entry.get("totalPrice", 7.5) == 7.5


def test_a_history_is_sorted_by_prices_where_it_has_them(app, call, stock):
    for name, price in (("Tin", 900), ("Bag", 50), ("Cup", 1100)):
        stock(name, 2, unit_price=price)
    path = "/api/gfm/history?sort=-total"
    assert [row["totalPrice"] for row in call("GET", path).json] == [22, 18, 1]
    for refused in (f"{path}&limit=2", "/api/gpm/history?sort=total"):
        assert call("GET", refused).status_code == 422


def test_a_wrong_choice_or_order_of_a_history_is_refused_in_the_words_of_the_screen(call):
    orders = "date, event, team, item, amount, site"
    days = "From (15 Jan 2026) is later than to (14 Jan 2026)."
    for query, fields in (
        ("event=x", {"event": 'There is no event "x".'}),
        (f"event={'x' * 50}", {"event": f'There is no event "{"x" * 40}".'}),
        ("site=attic", {"site": 'GPM has no site "attic".'}),
        ("from=2026-01-15&to=2026-01-14", {"from": days}),
        ("sort=shoe", {"sort": f"Must be one of: {orders} (with - for descending)."}),
    ):
        reply = call("GET", f"/api/gpm/history?{query}")
        assert (reply.status_code, reply.json["fields"]) == (422, fields), query


def test_the_days_of_a_history_are_in_order(call):
    reply = call("GET", "/api/gfm/history?from=2026-01-15&to=2026-01-14")
    assert (reply.status_code, list(reply.json["fields"])) == (422, ["from"])
