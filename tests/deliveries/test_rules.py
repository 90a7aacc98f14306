"""Receipts of deliveries, and when they are due."""

from datetime import date

import pytest

from app.deliveries import rules
from app.stock.rules.items import EntryKind, ItemState
from app.stock.rules.operations import Add, Increase

DAY = date(2026, 1, 15)


def test_a_delivery_of_an_item_in_stock_increases_it():
    existing = ItemState(7, "Red heart", 10, unit_price=100)
    receipt = rules.plan_receipt("RED heart", 5, 250, existing, DAY)
    assert receipt == (Increase(7, 5, EntryKind.DELIVERY), "Delivery from GPM (2026-01-15)")


def test_a_delivery_of_an_unknown_item_adds_it_at_its_cost():
    receipt = rules.plan_receipt("Red heart", 5, 250, None, DAY)
    new = ItemState(None, "Red heart", 5, unit_price=250)
    assert receipt == (Add(new, EntryKind.DELIVERY), "New item from GPM delivery")


@pytest.mark.parametrize(
    ("expected", "due"), [(None, date(2026, 1, 15)), (date(2026, 1, 3), date(2026, 1, 3))]
)
def test_a_delivery_is_due_when_it_is_expected_else_14_days_after_its_order(expected, due):
    assert rules.due_on(date(2026, 1, 1), expected) == due
