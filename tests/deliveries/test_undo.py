"""Undo of a delivery's receipt: the delivery is pending again, and is received once."""

import json

import pytest
from sqlalchemy import text

from app import dates
from app.db import db, transaction
from app.deliveries import queries
from app.deliveries.services import receipts
from app.divisions import Division
from app.errors import AlreadyUndone, Conflict
from app.stock.queries import books
from app.stock.services import movements
from tests import factories
from tests.deliveries.test_pages import HTMX, LIST
from tests.factories import GPM
from tests.fleet.threads import run_at_once
from tests.migration_steps import fill_again
from tests.person import rows
from tests.test_day_counts import problems

DELIVERED = f"{LIST}?status=delivered"
UNDONE_BECOME_PENDING = "d6a0f48e2c95"


@pytest.fixture
def by(context):
    return factories.user("keeper", Division.GPM)


def undo(operation, by):
    with transaction():
        return movements.undo(Division.GPM, operation, by=by).operation


def take_back_as_the_last_release(operation, by):
    """Undo an operation of stock without a word to the delivery."""
    with transaction():
        return movements.take_back(Division.GPM, operation, by=by).operation


def deliver(delivery):
    with transaction():
        return receipts.mark_delivered(
            Division.GPM, delivery, confirmation=None, recipient=None, by=None
        )


def read(delivery):
    db.session.rollback()
    return queries.delivery(Division.GPM, delivery)


def changes(delivery):
    return [each["detail"] for each in queries.changes_of(read(delivery))]


@pytest.mark.parametrize("existing", [0, 10])
def test_an_undone_delivery_is_pending_with_its_details_and_is_received_once_more(by, existing):
    if existing:
        factories.item("Tea", existing, store=GPM)
    delivery = factories.delivered("Tea", 5, recipient="Bob", confirmation="DN-1")
    first = read(delivery)
    received, ordered_on = first.operation_id, first.ordered_on
    undo(received, by)
    row = read(delivery)
    assert (row.is_pending, row.recipient, row.confirmation) == (True, "Bob", "DN-1")
    assert (row.ordered_on, row.delivered_by) == (ordered_on, None)
    today = dates.format_day(dates.today())
    assert changes(delivery) == [f"delivery of {today} undone, operation {received}"]
    assert problems() == []
    assert deliver(delivery).after == existing + 5
    assert (list(books.ledger_problems()), problems()) == ([], [])


def test_the_undo_of_a_delivery_is_never_undone_so_that_nothing_is_added_twice(by):
    delivery = factories.delivered("Tea", 5)
    for _ in range(2):
        taken_back = undo(read(delivery).operation_id, by)
        with pytest.raises(Conflict, match=r"^Mark the delivery as delivered\.$"):
            undo(taken_back, by)
        assert deliver(delivery).after == 5
        with pytest.raises(Conflict, match=r"^Mark the delivery as delivered\.$"):
            undo(taken_back, by)
    assert factories.amount("Tea", GPM) == 5


def test_an_undo_that_is_refused_leaves_it_delivered(by):
    delivery = factories.delivered("Tea", 5)
    with transaction():
        movements.withdraw(GPM, [movements.StockLine("Tea", 3)], by=by)
    with pytest.raises(Conflict):
        undo(read(delivery).operation_id, by)
    assert not read(delivery).is_pending


def test_undone_several_times_at_once_it_becomes_pending_once(app):
    with app.app_context():
        by = factories.user("keeper", Division.GPM)
        factories.item("Tea", 10, store=GPM)
        delivery = factories.delivered("Tea", 5)
        received = read(delivery).operation_id

    def run():
        with app.app_context():
            try:
                undo(received, by)
            except AlreadyUndone:
                return "refused"
            return "undone"

    assert sorted(run_at_once([run] * 3)) == ["refused", "refused", "undone"]
    with app.app_context():
        assert (factories.amount("Tea", GPM), len(changes(delivery)), problems()) == (10, 1, [])


def test_what_the_last_release_undid_is_redone_in_the_history_and_stays_delivered(by):
    delivery = factories.delivered("Tea", 5)
    taken_back = take_back_as_the_last_release(read(delivery).operation_id, by)
    redone = undo(taken_back, by)
    assert (read(delivery).is_pending, factories.amount("Tea", GPM)) == (False, 5)
    undo(redone, by)
    assert read(delivery).is_pending


def test_deliveries_undone_by_the_last_release_become_pending_by_migration(app):
    with app.app_context():
        by = factories.user("keeper", Division.GPM)
        undone, redone, stands = (factories.delivered(item, 5) for item in ("Tea", "Mug", "Cup"))
        received = read(undone).operation_id
        taken_back = take_back_as_the_last_release(received, by)
        again = take_back_as_the_last_release(read(redone).operation_id, by)
        take_back_as_the_last_release(again, by)
        db.session.remove()
        for _ in range(2):
            fill_again(db.engine, UNDONE_BECOME_PENDING)
        assert [read(each).is_pending for each in (undone, redone, stands)] == [True, False, False]
        today = dates.format_day(dates.today())
        assert changes(undone) == [f"delivery of {today} undone, operation {received}"]
        assert (changes(redone), problems()) == ([], [])
        stored = db.session.execute(text("SELECT changes FROM delivery ORDER BY id")).scalars()
        parsed = [json.loads(each) if isinstance(each, str) else each for each in stored]
        assert parsed[1:] == [None, None]
        with pytest.raises(Conflict, match="Mark the delivery as delivered"):
            undo(taken_back, by)
        assert deliver(undone).after == 5


def test_undo_on_its_row_says_what_is_in_stock_and_offers_no_redo(trader, stock, delivered, amount):
    stock("Tea", 10)
    delivered("Tea", 5, recipient="Bob")
    for _ in range(2):
        page = trader.open(DELIVERED)
        assert rows(page)[0][8] == "Done Undo"
        undone = trader.submit(page, "#rows form")
        assert undone.all(".notice.ok p") == ["Delivery of 5 × Tea undone: 10 in stock."]
        assert undone.all(".notice button") == []
        assert amount("Tea") == 10
        dialog = trader.open(trader.open(LIST).link("Mark Delivered: Tea"))
        assert dialog.fields()["recipient"] == "Bob"
        added = trader.submit(dialog)
        assert added.all(".notice.ok p") == ["5 × Tea added: 15 in stock."]
    assert trader.open(trader.open(DELIVERED).link("Tea")).all("h1") == ["Tea"]


@pytest.mark.parametrize("headers", [None, HTMX])
def test_undo_of_the_undo_in_the_history_is_refused_with_what_to_do(trader, delivered, headers):
    delivered("Tea", 5)
    history = "/gpm/inventory/main/items/1/history"
    trader.submit(trader.open(history), "main form[action$='/undo']")
    refused = trader.submit(trader.open(history), "main form[action$='/undo']", headers=headers)
    alerts = [each.removeprefix("Not undone. ") for each in refused.alerts]
    assert alerts == ["Mark the delivery as delivered."]
    assert rows(trader.open(LIST))[0][0] == "Tea"


def test_lists_seen_before_the_undo_are_sent_again(trader, delivered):
    delivered("Tea", 5)
    tags = {url: trader.open(url).headers["ETag"] for url in (DELIVERED, LIST)}
    trader.submit(trader.open(DELIVERED), "#rows form")
    for url, tag in tags.items():
        assert trader.open(url, headers={"If-None-Match": tag}).status == 200


def test_many_delivered_rows_take_no_more_statements_than_one(trader, delivered, statements):
    delivered("Tea", 5)
    few = statements(lambda: trader.open(DELIVERED))
    for number in range(3):
        delivered(f"Tea {number}", 5)
    assert statements(lambda: trader.open(DELIVERED)) == few
