"""A delivery whose stock was undone says so, and is delivered again once."""

import pytest

from app import dates
from app.db import db, transaction
from app.deliveries import queries, services
from app.deliveries.rules import DeliveryStatus
from app.deliveries.schemas import status_list
from app.deliveries.services import NotUndone
from app.divisions import Division
from app.errors import Conflict, NotFound
from app.stock.models import LedgerEntry
from app.stock.queries import books
from app.stock.services import items as stock
from app.stock.services import movements as stock_services
from tests import factories
from tests.factories import GPM
from tests.fleet.threads import run_at_once
from tests.listing import listed

pytestmark = pytest.mark.differs_by_engine


@pytest.fixture
def by(context):
    return factories.user("keeper", Division.GPM)


def undo(operation, by):
    with transaction():
        return stock_services.undo(Division.GPM, operation, by=by).operation


def deliver_again(delivery, by=None):
    with transaction():
        return services.deliver_again(delivery, by=by)


def operation_of(delivery):
    db.session.rollback()
    return queries.delivery(delivery).operation_id


def undone():
    """Return the user names of those who undid the delivered deliveries' stock, by delivery."""
    db.session.rollback()
    rows = listed(status_list(DeliveryStatus.DELIVERED)).rows
    return {id_: each.username for id_, each in queries.undone_stock(rows).items()}


def test_an_undone_delivery_is_found_with_who_undid_it_until_the_undo_is_undone(by):
    other, delivery = factories.delivered("Mug"), factories.delivered("Tea", 5)
    assert undone() == {}
    first = undo(operation_of(delivery), by)
    assert undone() == {delivery: "keeper"}
    second = undo(first, by)
    assert undone() == {}
    with pytest.raises(NotUndone):
        deliver_again(delivery, by)
    undo(second, by)
    assert undone() == {delivery: "keeper"}
    assert operation_of(other) is not None


@pytest.mark.parametrize("existing", [0, 10])
def test_delivering_again_takes_the_stock_in_once_and_it_stays_delivered(by, existing):
    if existing:
        factories.item("Tea", existing, store=GPM)
    delivery = factories.delivered("Tea", 5)
    before = queries.delivery(delivery).delivered_at
    undo(operation_of(delivery), by)
    done = deliver_again(delivery, by)
    assert (done.amount, done.before, done.after) == (5, existing, existing + 5)
    assert factories.amount("Tea", GPM) == existing + 5
    assert queries.delivery(delivery).delivered_at == before
    assert undone() == {}
    entry = db.session.execute(db.select(LedgerEntry).order_by(LedgerEntry.id.desc())).scalar()
    assert (entry.team, dates.london_day(entry.effective_at)) == ("Deliveries", dates.today())
    with pytest.raises(NotUndone, match="Nothing was added"):
        deliver_again(delivery, by)
    assert factories.amount("Tea", GPM) == existing + 5
    assert list(books.ledger_problems()) == []


def test_delivered_again_it_can_be_undone_and_delivered_once_more(by):
    delivery = factories.delivered("Tea", 5)
    for _ in range(2):
        undo(operation_of(delivery), by)
        assert undone() == {delivery: "keeper"}
        deliver_again(delivery, by)
    assert factories.amount("Tea", GPM) == 5


def test_the_undo_of_a_delivery_is_not_undone_after_it_was_delivered_again(by):
    delivery = factories.delivered("Tea", 5)
    taken_back = undo(operation_of(delivery), by)
    deliver_again(delivery, by)
    with pytest.raises(Conflict, match="already been undone"):
        undo(taken_back, by)
    assert factories.amount("Tea", GPM) == 5


def test_it_is_added_to_the_item_that_has_its_name_now(by):
    delivery = factories.delivered("Tea", 5)
    undo(operation_of(delivery), by)
    factories.item("TEA", 2, store=GPM)
    assert deliver_again(delivery).after == 7


def test_it_adds_the_item_anew_where_it_was_removed(by):
    item = factories.item("Tea", 10, store=GPM)
    delivery = factories.delivered("Tea", 5)
    undo(operation_of(delivery), by)
    with transaction():
        stock.remove_item(GPM, item, based_on=10, by=by)
    assert deliver_again(delivery).after == 5


def test_pending_and_missing_deliveries_are_not_delivered_again(context):
    pending = factories.delivery("Tea")
    with pytest.raises(NotUndone, match="This delivery is pending"):
        deliver_again(pending)
    with pytest.raises(NotFound):
        deliver_again(99)


def test_delivering_again_and_undoing_the_undo_at_once_take_the_stock_in_once(app):
    with app.app_context():
        by = factories.user("keeper", Division.GPM)
        factories.item("Tea", 10, store=GPM)
        delivery = factories.delivered("Tea", 5)
        taken_back = undo(operation_of(delivery), by)

    def run(change, record):
        with app.app_context():
            try:
                change(record, by)
            except Conflict:
                return "refused"
            return "taken in"

    both = [lambda: run(deliver_again, delivery), lambda: run(undo, taken_back)]
    assert sorted(run_at_once(both * 2)) == ["refused"] * 3 + ["taken in"]
    with app.app_context():
        assert factories.amount("Tea", GPM) == 15
        assert undone() == {}
