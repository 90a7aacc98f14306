"""Part of a delivery comes: the rest stays pending, and the undo makes it whole again."""

import pytest

from app import dates
from app.db import db, transaction
from app.deliveries import queries, services
from app.deliveries.rules import DeliveryStatus
from app.deliveries.services import receipts
from app.divisions import Division, Site
from app.errors import Conflict
from app.stock.queries import books
from app.stock.services import movements
from tests import factories
from tests.factories import GPM
from tests.test_day_counts import problems

pytestmark = pytest.mark.differs_by_engine


@pytest.fixture
def by(context):
    return factories.user("keeper", Division.GPM)


@pytest.fixture
def delivery(by):
    return factories.delivery("Tea", 20, supplier="Leaf & Co", confirmation="DN", recipient="Bob")


def receive(delivery, received=None, division=Division.GPM):
    with transaction():
        return receipts.mark_delivered(
            division, delivery, received=received, confirmation=None, recipient=None, by=None
        )


def undo(delivery, by, division=Division.GPM):
    operation = read(delivery, division).operation_id
    with transaction():
        return movements.undo(division, operation, by=by)


def read(delivery, division=Division.GPM):
    db.session.rollback()
    return queries.delivery(division, delivery)


def rest_of(delivery):
    db.session.rollback()
    return queries.lock_rest(delivery)


def numbers():
    """Return how many are pending, delivered and cancelled; the counts and the books are right."""
    db.session.rollback()
    assert (problems(), list(books.ledger_problems())) == ([], [])
    return tuple(queries.status_totals(Division.GPM, []).values())


def test_the_rest_of_a_part_is_pending_in_the_same_order(by, delivery):
    done = receive(delivery, 12)
    assert (done.amount, done.after, done.rest) == (12, 12, 8)
    part, rest = read(delivery), rest_of(delivery)
    assert (part.amount, part.ordered, part.confirmation) == (12, 20, "DN")
    assert (rest.amount, rest.ordered, rest.supplier, rest.due_on) == (
        8,
        8,
        "Leaf & Co",
        part.due_on,
    )
    assert (rest.order_number, rest.confirmation, rest.recipient) == (part.order_number, "", "")
    assert numbers() == (1, 1, 0)
    assert receive(rest.id).after == 20
    assert numbers() == (0, 2, 0)


def test_more_may_come_than_was_ordered_and_its_undo_orders_as_before(by, delivery):
    done = receive(delivery, 25)
    assert (done.after, done.rest, read(delivery).ordered) == (25, 0, 20)
    undo(delivery, by)
    assert (read(delivery).amount, read(delivery).ordered_amount) == (20, None)
    assert numbers() == (1, 0, 0)


def test_the_undo_of_a_part_makes_the_whole_pending_again(by, delivery):
    receive(delivery, 12)
    rest = rest_of(delivery).id
    undo(delivery, by)
    whole = read(delivery)
    assert (whole.is_pending, whole.amount, whole.ordered_amount) == (True, 20, None)
    assert (rest_of(delivery), read(rest).cancelled_at is None) == (None, False)
    assert numbers() == (1, 0, 1)
    with transaction(), pytest.raises(Conflict, match="part of the delivery before it again"):
        services.schedule_again(Division.GPM, rest, by=by)
    assert receive(delivery, 5).rest == 15
    undo(delivery, by)
    assert (read(delivery).amount, numbers()) == (20, (1, 0, 2))
    assert receive(delivery).after == 20


def test_a_rest_that_was_edited_comes_back_as_it_is(by, delivery):
    receive(delivery, 12)
    with transaction():
        edited = factories.order("Tea", 10)
        services.edit(Division.GPM, rest_of(delivery).id, edited, revision=None, by=by)
    undo(delivery, by)
    assert read(delivery).amount == 22


def test_a_cancelled_rest_closes_the_order_and_stays_cancelled_when_the_part_is_undone(
    by, delivery
):
    receive(delivery, 12)
    rest = rest_of(delivery).id
    with transaction():
        services.cancel(Division.GPM, rest, cancel_reason="Sold out", by=by)
    assert numbers() == (0, 1, 1)
    undo(delivery, by)
    part = read(delivery)
    assert (part.is_pending, part.amount, part.ordered_amount) == (True, 12, None)
    assert (read(rest).cancel_reason, numbers()) == ("Sold out", (1, 0, 1))
    with transaction():
        assert services.schedule_again(Division.GPM, rest, by=by).amount == 8
    assert numbers() == (2, 0, 0)


@pytest.mark.parametrize("other", [{"item": "Mug"}, {"office": Site.NORTHERN}])
def test_a_rest_of_another_item_or_office_stays_as_it_is(by, other):
    division, delivery = Division.GFM, factories.delivery("Tea", 20, Division.GFM)
    receive(delivery, 12, division)
    rest = rest_of(delivery).id
    edited = factories.order(**{"item": "Tea", "amount": 8} | other)
    with transaction():
        services.edit(division, rest, edited, revision=None, by=by)
    undo(delivery, by, division)
    part, kept = read(delivery, division), queries.delivery(division, rest)
    assert (part.is_pending, part.amount, part.ordered_amount) == (True, 12, None)
    assert kept.is_pending
    assert (kept.item, kept.office, kept.amount) == (edited.item, edited.office, 8)
    # It is no rest any more: it doesn't hold up the next undo, nor is it taken for the next rest.
    receive(rest, division=division)
    assert receive(delivery, 5, division).rest == 7
    undo(delivery, by, division)
    assert (read(delivery, division).amount, problems()) == (12, [])


def test_a_part_is_not_undone_before_its_rest(by, delivery):
    receive(delivery, 12)
    rest = rest_of(delivery).id
    receive(rest)
    today = dates.format_day(dates.today())
    with pytest.raises(Conflict, match=f"The rest of this delivery came on {today}. Undo that"):
        undo(delivery, by)
    assert (factories.amount("Tea", store=GPM), numbers()) == (20, (0, 2, 0))
    undo(rest, by)
    undo(delivery, by)
    assert (read(delivery).amount, numbers()) == (20, (1, 0, 1))


def test_parts_of_parts_share_the_order(by, delivery):
    receive(delivery, 12)
    rest = rest_of(delivery).id
    receive(rest, 5)
    last = rest_of(rest)
    number, last = last.id, (last.amount, last.order_number)
    assert last == (3, read(delivery).order_number)
    undo(rest, by)
    assert (read(rest).amount, read(number).is_pending) == (8, False)


def test_the_dialog_takes_a_part_and_the_list_says_of_how_many(trader, in_app):
    number = in_app(factories.delivery, "Tea", 20)
    dialog = trader.open(f"/gpm/deliveries/{number}/deliver")
    assert dialog.all("details summary") == ["Only part came, or more"]
    refused = trader.submit(dialog, received="0")
    assert refused.all("details[open] .error") == ["Amount must be at least 1"]
    page = trader.submit(dialog, received="12")
    assert page.all(".notice.ok p, .notice.ok")[0].startswith(
        "12 × Tea added: 12 in stock. 8 still to come."
    )
    assert page.all(".deliveries .amount") == ["8"]
    delivered = trader.open("/gpm/deliveries?status=delivered")
    assert delivered.all(".deliveries .amount") == ["12 of 20"]


def test_a_call_takes_a_part_and_refuses_what_makes_no_sense(call):
    path = "/api/gpm/deliveries"
    number = call("POST", path, {"item": "Tea", "amount": 20}).json["_id"]
    for body, message in (
        ({"received": 0}, "Amount must be at least 1"),
        ({"received": 2.5}, "received: Must be a whole number."),
        ({"amount": 12}, "amount: Unknown field."),
    ):
        reply = call("PUT", f"{path}/{number}", {"deliveredDate": "2026-01-20"} | body)
        assert (reply.status_code, message) == (422, reply.json["error"])
    reply = call("PUT", f"{path}/{number}", {"deliveredDate": None, "received": 3})
    assert (reply.status_code, reply.json["fields"].keys()) == (422, {"deliveredDate"})
    part = call("PUT", f"{path}/{number}", {"deliveredDate": "2026-01-20", "received": 12}).json
    assert (part["amount"], part["orderedAmount"], part["restOf"]) == (12, 20, None)
    (rest,) = call("GET", f"{path}?status={DeliveryStatus.PENDING}").json
    assert (rest["amount"], rest["restOf"]) == (8, number)
    assert rest["orderNumber"] == part["orderNumber"]
