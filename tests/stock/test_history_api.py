"""The JSON calls of history."""

import pytest

from tests import factories
from tests.factories import GPM, MAIN

PLACES = {"/api/gfm/history": MAIN, "/api/history": MAIN, "/api/gpm/history": GPM}


@pytest.mark.parametrize("path", PLACES)
def test_history_is_listed_newest_first(app, call, stock, path):
    store = PLACES[path]
    item = stock("Red heart", 10, store=store)
    with app.app_context():
        factories.move(item, -3, store=store, team="Kitchen")
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
