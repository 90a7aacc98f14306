"""A delivery belongs to the item of its name, else to the only one that had it."""

import pytest

from app.db import db, transaction
from app.deliveries import queries
from app.deliveries.services import receipts
from app.divisions import Division
from app.stock.queries import levels
from app.stock.services import items
from tests import factories
from tests.factories import GPM

pytestmark = pytest.mark.differs_by_engine


@pytest.fixture
def by(context):
    return factories.user()


def rename(item, name, by, store=GPM):
    with transaction():
        revision = levels.get_item(store, item).revision
        items.edit_item(store, item, name=name, revision=revision, by=by)


def remove(item, by, store=GPM):
    with transaction():
        based_on = levels.get_item(store, item).amount
        items.remove_item(store, item, based_on=based_on, by=by)


def receive(delivery, division=Division.GPM):
    with transaction():
        return receipts.mark_delivered(
            division, delivery, confirmation=None, recipient=None, by=None
        )


def ordered(division, *ids):
    db.session.rollback()
    found = queries.on_order(division, ids)
    return {item: [row.amount for row in rows] for item, rows in found.items()}


def test_a_delivery_of_a_renamed_item_adds_to_it_and_makes_no_twin(by):
    cup = factories.item("Cup", 10, store=GPM)
    delivery = factories.delivery("cup", 5)
    rename(cup, "Mug", by)
    assert ordered(Division.GPM, cup) == {cup: [5]}
    assert receive(delivery).item == "Mug"
    assert [(row.name, row.amount) for row in levels.all_stock(GPM)] == [("Mug", 15)]


def test_a_name_wins_over_a_past_one(by):
    cup = factories.item("Cup", 10, store=GPM)
    delivery = factories.delivery("Cup", 5)
    rename(cup, "Mug", by)
    new = factories.item("Cup", 1, store=GPM)
    assert ordered(Division.GPM, cup, new) == {new: [5]}
    assert (receive(delivery).after, ordered(Division.GPM, cup, new)) == (6, {})


def test_a_name_that_two_items_had_makes_a_new_one(by):
    cup = factories.item("Cup", 10, store=GPM)
    rename(cup, "Mug", by)
    second = factories.item("Cup", 3, store=GPM)
    rename(second, "Glass", by)
    delivery = factories.delivery("Cup", 5)
    assert ordered(Division.GPM, cup, second) == {}
    assert receive(delivery).item == "Cup"
    assert sorted(row.name for row in levels.all_stock(GPM)) == ["Cup", "Glass", "Mug"]


def test_a_removed_item_has_nothing_on_order_until_it_returns(by):
    cup = factories.item("Cup", 10, store=GPM)
    delivery = factories.delivery("Cup", 5)
    remove(cup, by)
    assert ordered(Division.GPM, cup) == {}
    again = factories.item("Cup", 2, store=GPM)
    assert ordered(Division.GPM, again) == {again: [5]}
    assert receive(delivery).after == 7


def test_what_is_on_order_is_pending_at_the_item_s_own_site_and_late_too(by):
    cup, other = factories.item("Cup", 1, store=GPM), factories.item("Tea", 1, store=GPM)
    factories.delivery("CUP", 2)
    late = factories.dates.today() - queries.timedelta(days=90)
    factories.delivery("Cup", 3, ordered_on=late)
    factories.delivered("Cup", 4)
    factories.cancelled("Cup", 5)
    assert ordered(Division.GPM, cup, other) == {cup: [3, 2]}
    assert ordered(Division.GFM, cup, other) == {}


def test_what_is_on_order_is_read_for_more_items_than_a_statement_has_parameters(by):
    cup = factories.item("Cup", 1, store=GPM)
    factories.delivery("Cup", 2)
    assert ordered(Division.GPM, *range(90_000)) == {cup: [2]}
