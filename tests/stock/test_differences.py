"""Goods that are gone though the books have fewer: what there is is booked, and the rest noted."""

import pytest

from app import dates
from app.divisions import Division
from app.stock.queries import books, summaries
from app.stock.queries.history import load_history
from app.stock.queries.history_scope import HistoryFilters, scope_of
from tests import factories
from tests.factories import GUILDFORD, MAIN

pytestmark = pytest.mark.differs_by_engine

JSON = {"Accept": "application/json"}


@pytest.fixture
def send(keeper):
    """Return a function that sends the form of an item's dialog as the outbox does."""
    token = keeper.client.get("/session", headers=JSON).json["csrf"]
    form = {"action": "withdrawal", "quantity": "5", "team": "Kitchen", "key": "k-1"}
    form["date"] = dates.today().isoformat()

    def send_form(item, **changes):
        path = f"/inventory/main/items/{item}/action"
        return keeper.client.post(path, data=form | changes, headers=JSON | {"X-CSRFToken": token})

    return send_form


def history(app):
    with app.app_context():
        page = load_history(Division.GFM, HistoryFilters())
        return [(row.text.title, row.text.detail, row.change) for row in page.rows]


def check_the_books(app):
    with app.app_context():
        assert list(books.ledger_problems()) == []
        assert summaries.count_entries(scope_of(Division.GFM, HistoryFilters()))[0] == len(
            history(app)
        )


def test_too_little_is_a_conflict_that_names_what_there_is(stock, send, amount):
    item = stock("Red heart", 2)
    for changes in ({}, {"action": "transfer", "destination": "guildford"}):
        reply = send(item, **changes)
        assert (reply.status_code, reply.json["code"]) == (409, "not_enough_stock"), changes
        assert reply.json["available"] == 2
        assert reply.json["fields"] == {"quantity": 'Not enough stock: "Red heart" has 2'}
    assert amount("Red heart") == 2


def test_a_bulk_call_names_what_there_is_of_a_single_item(call, stock):
    stock("Red heart", 2)
    stock("Tin", 1)
    body = {"action": "withdrawal", "team": "Kitchen", "date": dates.today().isoformat()}
    one = [{"name": "Red heart", "qty": 5}]
    single = call("POST", "/api/gfm/inventory/main/bulk", body | {"lines": one})
    assert (single.status_code, single.json["available"]) == (409, 2)
    two = [*one, {"name": "Tin", "qty": 5}]
    both = call("POST", "/api/gfm/inventory/main/bulk", body | {"lines": two})
    assert both.status_code == 409
    assert "available" not in both.json


def test_what_there_is_is_booked_with_the_difference(app, stock, send):
    item = stock("Red heart", 2)
    assert send(item).status_code == 409
    reply = send(item, book_available="1")
    assert reply.json["message"] == "Red heart: withdrew 2 of 5, 0 left."
    assert send(item, book_available="1").json == reply.json
    note = "Taken 5, the books had 2: difference 3"
    assert history(app)[0] == ("Withdrawal", note, -2)
    check_the_books(app)


def test_enough_is_booked_whole_without_a_note(app, stock, send):
    item = stock("Red heart", 9)
    assert send(item, book_available="1").json["message"] == "Red heart: withdrew 5, 4 left."
    assert history(app)[0] == ("Withdrawal", "", -5)


def test_an_empty_book_keeps_the_note_in_the_history_and_nothing_to_undo(app, keeper, stock, send):
    item = stock("Red heart", 0)
    reply = send(item, book_available="1")
    assert reply.json["message"] == "Red heart: withdrew 0 of 5, 0 left."
    assert reply.json["undo"] is None
    note = "Taken 5, the books had 0: difference 5"
    assert history(app)[0] == ("Withdrawal", note, 0)
    for path in (f"/inventory/main/items/{item}", f"/inventory/main/items/{item}/history"):
        page = keeper.open(path)
        assert note in page.text
        assert len(page.html.select("form[action$='/operations/2/undo']")) == 0
    check_the_books(app)


def test_a_booked_difference_is_undone_by_what_was_booked(app, keeper, stock, send, amount):
    item = stock("Red heart", 2)
    undo = send(item, book_available="1").json["undo"]
    keeper.submit(keeper.open(undo))
    assert amount("Red heart") == 2
    check_the_books(app)


def test_a_transfer_moves_what_there_is(app, stock, send, amount):
    item = stock("Red heart", 2)
    sent = {"action": "transfer", "destination": "guildford", "book_available": "1"}
    assert (
        send(item, **sent).json["message"] == "Red heart: transferred 2 of 5 to Guildford, 0 left."
    )
    assert amount("Red heart", GUILDFORD) == 2
    empty = stock("Tin", 0)
    assert send(empty, **sent, key="k-2").json["message"].startswith("Tin: transferred 0 of 5")
    with app.app_context():
        assert factories.read_item(MAIN, "Tin").amount == 0
    assert ("Transfer to Guildford", "Taken 5, the books had 0: difference 5", 0) in history(app)
    check_the_books(app)


def test_the_dialog_does_not_offer_it(keeper, stock):
    item = stock("Red heart", 2)
    page = keeper.open(f"/inventory/main/items/{item}/action")
    assert "book_available" not in page.fields()
