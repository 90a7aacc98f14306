"""Deliveries are scheduled, and received into stock once."""

from datetime import UTC, date, datetime, timedelta

import pytest

from app import dates
from app.db import db, transaction
from app.deliveries import queries, services
from app.deliveries.rules import DeliveryStatus
from app.deliveries.schemas import status_list
from app.deliveries.services import receipts
from app.divisions import Division
from app.errors import Conflict
from app.stock.models import LedgerEntry
from app.stock.queries import books, levels
from app.stock.rules.items import EntryKind
from app.stock.services import items as stock
from app.versions import version_of
from tests import factories
from tests.factories import GPM
from tests.fleet.threads import run_at_once
from tests.listing import listed

pytestmark = pytest.mark.differs_by_engine

AT = datetime(2026, 7, 1, 22, 30, tzinfo=UTC)


def mark(delivery, **values):
    with transaction():
        defaults = {"confirmation": None, "recipient": None, "by": None}
        return receipts.mark_delivered(Division.GPM, delivery, **(defaults | values))


def entries():
    db.session.rollback()
    return db.session.execute(db.select(LedgerEntry).order_by(LedgerEntry.id)).scalars().all()


def search_deliveries(search, *, delivered=False):
    db.session.rollback()
    status = DeliveryStatus.DELIVERED if delivered else DeliveryStatus.PENDING
    return [row.item for row in listed(status_list(Division.GPM, status), q=search).rows]


def test_scheduling_changes_no_stock(context):
    by = factories.user()
    with transaction():
        done = services.schedule(Division.GPM, factories.order("Tea", 5), by=by)
    assert done == services.OrderChange(done.id, "Tea", 5, 1)
    delivery = queries.delivery(Division.GPM, done.id)
    assert (delivery.scheduled_by, delivery.delivered_at) == (by, None)
    assert list(levels.all_stock(GPM)) == []


def test_a_delivery_of_an_item_in_stock_increases_it(context):
    by = factories.user()
    factories.item("RED HEART", 10, store=GPM, unit_price=100)
    delivery = factories.delivery("red  heart", 5, unit_cost=300)
    done = mark(delivery, confirmation="DN 7", recipient="Bob", at=AT, by=by)
    assert (done.item, done.before, done.after) == ("RED HEART", 10, 15)
    item = factories.read_item(GPM, "Red heart")
    assert (item.amount, item.unit_price) == (15, 100)
    line = entries()[-1]
    assert (line.kind, line.delta, line.team) == (EntryKind.DELIVERY, 5, "Deliveries")
    assert line.reason == "Delivery from GPM (2026-07-01)"
    assert line.effective_at == dates.noon_in_london(date(2026, 7, 1))
    row = queries.delivery(Division.GPM, delivery)
    assert (row.delivered_at, row.delivered_by, row.operation_id) == (AT, by, line.operation_id)
    assert (row.confirmation, row.recipient) == ("DN 7", "Bob")
    assert list(books.ledger_problems()) == []


def test_a_moment_shortly_before_midnight_utc_is_londons_next_day(context):
    factories.item("Mug", 1, store=GPM)
    mark(factories.delivery("Mug"), at=AT + timedelta(hours=1))
    assert entries()[-1].reason == "Delivery from GPM (2026-07-02)"


def test_a_delivery_of_an_unknown_item_adds_it_at_its_cost(context):
    done = mark(factories.delivery("Tea", 5, unit_cost=310))
    assert (done.before, done.after) == (0, 5)
    item = factories.read_item(GPM, "tea")
    assert (item.name, item.amount, item.unit_price) == ("Tea", 5, 310)
    line = entries()[-1]
    assert (line.kind, line.reason) == (EntryKind.DELIVERY, "New item from GPM delivery")
    assert line.team == "Deliveries"


def test_a_delivery_of_a_removed_item_adds_it_anew(context):
    by = factories.user()
    old = factories.item("Tea", 3, store=GPM)
    delivery = factories.delivery("Tea", 5)
    with transaction():
        stock.remove_item(GPM, old, based_on=3, by=by)
    mark(delivery)
    assert factories.read_item(GPM, "Tea").id != old
    assert factories.amount("Tea", GPM) == 5


def test_marking_a_delivery_again_is_refused_and_adds_nothing(context):
    by = factories.user("keeper")
    delivery = factories.delivery("Tea", 5)
    mark(delivery, at=AT, by=by)
    message = "This delivery was marked delivered already, on 1 Jul 2026 by keeper. Nothing was"
    with pytest.raises(Conflict, match=f"^{message} added again"):
        mark(delivery, confirmation="Again", by=by)
    assert factories.amount("Tea", GPM) == 5
    assert queries.delivery(Division.GPM, delivery).confirmation == ""


def test_a_delivery_that_exceeds_the_limit_stays_pending(context):
    factories.item("Tea", 999_999_999, store=GPM)
    delivery = factories.delivery("Tea", 1)
    before = version_of("deliveries")
    with pytest.raises(Conflict, match="An item has 0 to 999,999,999"):
        mark(delivery, confirmation="DN 7")
    row = queries.delivery(Division.GPM, delivery)
    assert (row.delivered_at, row.confirmation) == (None, "")
    assert version_of("deliveries") == before


def test_a_note_is_stored_while_pending_and_every_change_has_a_version(context):
    versions = [version_of("deliveries")]
    delivery = factories.delivery("Tea", recipient="Bob")
    versions.append(version_of("deliveries"))
    with transaction():
        services.note_delivery(Division.GPM, delivery, confirmation="DN 7", recipient=None)
    versions.append(version_of("deliveries"))
    row = queries.delivery(Division.GPM, delivery)
    assert (row.confirmation, row.recipient, row.delivered_at) == ("DN 7", "Bob", None)
    mark(delivery)
    versions.append(version_of("deliveries"))
    assert sorted(set(versions)) == versions
    with pytest.raises(Conflict, match=r"^A delivery never goes back to pending\.$"), transaction():
        services.note_delivery(Division.GPM, delivery, confirmation="x", recipient=None)


def test_every_word_of_a_search_must_occur_in_some_text(context):
    factories.delivery("Green tea", supplier="Glass & Co", recipient="Bob", confirmation="DN-7")
    for search in ("", "TEA green", "glass & co", "ann", "main", "bob", "dn-7"):
        assert search_deliveries(search) == ["Green tea"], search
        assert search_deliveries(search, delivered=True) == [], search
    for search in ("tea zebra", "100%", "_", "teaglass"):
        assert search_deliveries(search) == [], search
    mark(factories.delivery("Tea"), confirmation="DN 99", recipient="Zoë")
    assert search_deliveries("zoË 99", delivered=True) == ["Tea"]


def test_pending_deliveries_are_listed_oldest_first_and_delivered_ones_newest_first(context):
    today = dates.today()
    for name, days in (("B", 3), ("A", 9), ("C", 0)):
        factories.delivery(name, ordered_on=today - timedelta(days=days))
    assert search_deliveries("") == ["A", "B", "C"]
    for name, hours in (("D", 0), ("E", 2), ("F", 1)):
        mark(factories.delivery(name), at=AT + timedelta(hours=hours))
    assert search_deliveries("", delivered=True) == ["E", "F", "D"]
    assert search_deliveries("") == ["A", "B", "C"]


def mark_at_once(app, deliveries):
    """Return the amount after each delivery, or the message that refused it."""

    def run(delivery):
        with app.app_context():
            try:
                return mark(delivery).after
            except Conflict as conflict:
                return conflict.message

    return run_at_once([lambda delivery=each: run(delivery) for each in deliveries])


def test_marking_one_delivery_four_times_at_once_adds_it_once(app, in_app):
    delivery = in_app(factories.delivery, "Tea", 5)
    results = mark_at_once(app, [delivery] * 4)
    assert results.count(5) == 1
    assert sum("Nothing was added again." in str(text) for text in results) == 3
    with app.app_context():
        assert factories.amount("Tea", GPM) == 5
        assert list(books.ledger_problems()) == []


def test_four_deliveries_of_one_new_item_at_once_are_all_received(app):
    with app.app_context():
        deliveries = [factories.delivery(name, 5) for name in ("Tea", "TEA", "tea", "Ｔea")]
    assert sorted(mark_at_once(app, deliveries)) == [5, 10, 15, 20]
    with app.app_context():
        assert factories.amount("Tea", GPM) == 20
        reasons = sorted(line.reason.partition(" (")[0] for line in entries())
        assert reasons == ["Delivery from GPM"] * 3 + ["New item from GPM delivery"]
        assert list(books.ledger_problems()) == []
