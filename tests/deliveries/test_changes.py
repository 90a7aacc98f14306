"""A pending delivery is edited, cancelled and scheduled again; what happened is kept."""

from datetime import date, timedelta

import pytest

from app import dates
from app.db import db, transaction
from app.deliveries import queries, services
from app.deliveries.rules import DeliveryStatus
from app.deliveries.schemas import status_list
from app.deliveries.services import receipts
from app.divisions import Division
from app.errors import Conflict, Invalid, NotFound
from app.sorting import SortOrder
from app.stock.queries import levels
from app.versions import version_of
from tests import factories
from tests.factories import GPM
from tests.fleet.threads import run_at_once
from tests.listing import listed
from tests.test_day_counts import problems

TODAY = dates.today()


def edit(delivery, revision=0, by=None, **values):
    with transaction():
        order = factories.order(**values)
        return services.edit(Division.GPM, delivery, order, revision=revision, by=by)


def cancel(delivery, reason="", by=None):
    with transaction():
        return services.cancel(Division.GPM, delivery, cancel_reason=reason, by=by)


def schedule_again(delivery, by=None):
    with transaction():
        return services.schedule_again(Division.GPM, delivery, by=by)


def items(status=DeliveryStatus.PENDING, search="", order=None):
    db.session.rollback()
    return [
        row.item
        for row in listed(status_list(Division.GPM, status), q=search, sort=str(order or "")).rows
    ]


def changes(delivery):
    return [
        (change["kind"], change["username"], change["detail"])
        for change in queries.changes_of(queries.delivery(Division.GPM, delivery))
    ]


def test_an_edit_changes_the_order_and_says_what_it_was(context):
    by = factories.user("keeper")
    delivery = factories.delivery("Tea", 5, recipient="Bob", ordered_on=TODAY, unit_cost=250)
    day = TODAY + timedelta(days=3)
    done = edit(delivery, item="Green tea", amount=1200, ordered_on=TODAY, expected_on=day, by=by)
    assert done == services.OrderChange(delivery, "Green tea", 1200, 1)
    row = queries.delivery(Division.GPM, delivery)
    assert (row.item, row.amount, row.due_on, row.recipient) == ("Green tea", 1200, day, "Bob")
    detail = f"Item Tea → Green tea, Amount 5 → 1,200, Expected date none → {dates.format_day(day)}"
    assert changes(delivery) == [("edited", "keeper", detail)]
    assert (items(search="green tea"), problems()) == (["Green tea"], [])


def test_an_edit_that_changes_nothing_leaves_no_trace(context):
    delivery = factories.delivery("Tea", 5, ordered_on=TODAY)
    version = version_of("deliveries")
    edit(delivery, item="Tea", amount=5, ordered_on=TODAY)
    assert (changes(delivery), version_of("deliveries")) == ([], version)


def test_a_delivery_is_not_expected_before_its_order(context):
    before = TODAY - timedelta(days=1)
    with pytest.raises(Invalid) as refused:
        factories.delivery("Tea", ordered_on=TODAY, expected_on=before)
    assert refused.value.field == "expected_on"
    delivery = factories.delivery("Tea", ordered_on=TODAY, expected_on=TODAY)
    with pytest.raises(Invalid):
        edit(delivery, ordered_on=TODAY, expected_on=before)


def test_a_cancelled_delivery_is_listed_apart_and_can_be_scheduled_again(context):
    by = factories.user("keeper")
    delivery = factories.delivery("Tea", 5)
    cancel(delivery, "Out of stock", by)
    row = queries.delivery(Division.GPM, delivery)
    assert (row.is_pending, row.cancelled_by, row.cancel_reason) == (False, by, "Out of stock")
    assert (items(), items(DeliveryStatus.CANCELLED)) == ([], ["Tea"])
    assert (items(DeliveryStatus.CANCELLED, search="tea"), problems()) == (["Tea"], [])
    schedule_again(delivery, by)
    row = queries.delivery(Division.GPM, delivery)
    assert (row.is_pending, row.cancelled_by, row.cancel_reason) == (True, None, "")
    assert (items(), items(DeliveryStatus.CANCELLED), problems()) == (["Tea"], [], [])
    first, second = ("cancelled", "keeper", "Out of stock"), ("scheduled again", "keeper", "")
    assert changes(delivery) == [second, first]


def test_what_is_not_pending_is_neither_edited_nor_cancelled_nor_delivered(context):
    by = factories.user("keeper")
    cancelled, delivered = factories.delivery("Tea"), factories.delivered("Mug")
    cancel(cancelled, "Too dear", by)
    today = dates.format_day(TODAY)
    reason = f"This delivery was cancelled on {today} by keeper: Too dear. Nothing was changed."
    for change in (edit, cancel):
        with pytest.raises(Conflict) as refused:
            change(cancelled)
        assert refused.value.message == reason
        with pytest.raises(Conflict, match="was marked delivered already"):
            change(delivered)
    with pytest.raises(Conflict), transaction():
        receipts.mark_delivered(Division.GPM, cancelled, confirmation=None, recipient=None, by=by)
    with pytest.raises(Conflict), transaction():
        services.note_delivery(Division.GPM, cancelled, confirmation="DN", recipient=None)
    assert [item.name for item in levels.all_stock(GPM)] == ["Mug"]


def test_only_a_cancelled_delivery_is_scheduled_again(context):
    with pytest.raises(Conflict, match="was marked delivered already"):
        schedule_again(factories.delivered("Mug"))
    with pytest.raises(Conflict, match="isn't cancelled"):
        schedule_again(factories.delivery("Tea"))
    with pytest.raises(NotFound):
        schedule_again(77)


@pytest.mark.differs_by_engine
def test_cancelled_and_delivered_at_once_only_one_of_them_happens(app, in_app):
    delivery = in_app(factories.delivery, "Tea", 5)

    def run(change, **values):
        with app.app_context():
            try:
                with transaction():
                    change(Division.GPM, delivery, **values, by=None)
            except Conflict:
                return "refused"
            return "done"

    both = (
        lambda: run(services.cancel, cancel_reason=""),
        lambda: run(receipts.mark_delivered, confirmation=None, recipient=None),
    )
    assert sorted(run_at_once(both)) == ["done", "refused"]
    with app.app_context():
        assert problems() == []


def test_pending_deliveries_are_sorted_by_the_day_they_are_due_or_were_ordered(context):
    day = timedelta(days=1)
    factories.delivery("Late", ordered_on=TODAY - 20 * day)
    factories.delivery("Soon", ordered_on=TODAY, expected_on=TODAY + day)
    factories.delivery("Then", ordered_on=TODAY - 3 * day)
    factories.delivery("Overdue", ordered_on=TODAY - 5 * day, expected_on=TODAY - day)
    assert items() == ["Late", "Overdue", "Soon", "Then"]
    assert items(order=SortOrder("ordered")) == ["Late", "Overdue", "Then", "Soon"]
    assert [row.item for row in queries.late_deliveries(Division.GPM, TODAY, 5)] == [
        "Late",
        "Overdue",
    ]
    assert [row.item for row in queries.late_deliveries(Division.GPM, TODAY, 1)] == ["Late"]
    outlook = queries.outlook(Division.GPM, TODAY)
    assert (outlook.pending, outlook.late) == (4, 2)


@pytest.mark.parametrize("order", ["ordered", "-ordered", "expected", "-expected"])
def test_a_far_page_follows_the_one_before_it(context, order):
    for number in range(60):
        day = date(2026, 1, 1) + timedelta(days=number // 7)
        factories.delivery(f"Item {number:02d}", ordered_on=day)
    pending = status_list(Division.GPM, DeliveryStatus.PENDING)
    found = [row.item for page in (1, 2, 3) for row in listed(pending, page, sort=order).rows]
    numbers = range(59, -1, -1) if order.startswith("-") else range(60)
    assert found == [f"Item {number:02d}" for number in numbers]


def test_the_last_order_of_an_item_is_that_of_its_latest_delivery(context):
    factories.delivery("Tea", unit_cost=310, supplier="Leaf & Co")
    factories.delivered("TEA", unit_cost=250, supplier="Leaf Ltd")
    factories.cancelled("Tea", unit_cost=1, supplier="Nobody")
    last = queries.last_order(Division.GPM, " tea ")
    assert (last.supplier, last.unit_cost) == ("Leaf Ltd", 250)
    assert queries.last_order(Division.GPM, "Mug") is None
