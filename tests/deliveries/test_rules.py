"""Receipts of deliveries, and when they are due."""

from datetime import date

import pytest

from app.deliveries import rules
from app.divisions import Division
from app.stock.rules.items import EntryKind, ItemState
from app.stock.rules.operations import Add, Increase

DAY = date(2026, 1, 15)


def test_a_delivery_of_an_item_in_stock_increases_it():
    existing = ItemState(7, "Red heart", 10, unit_price=100)
    receipt = rules.plan_receipt("RED heart", 5, 250, existing)
    assert receipt == Increase(7, 5, EntryKind.DELIVERY)


def test_a_delivery_of_an_unknown_item_adds_it_at_its_cost():
    receipt = rules.plan_receipt("Red heart", 5, 250, None)
    new = ItemState(None, "Red heart", 5, unit_price=250)
    assert receipt == Add(new, EntryKind.DELIVERY)


def test_a_receipt_has_the_reason_of_its_division():
    for division, is_new, reason in (
        (Division.GPM, False, "Delivery from GPM (2026-01-15)"),
        (Division.GPM, True, "New item from GPM delivery"),
        (Division.GFM, False, "Delivery O-0031 (2026-01-15)"),
        (Division.GFM, True, "Delivery O-0031 (2026-01-15)"),
    ):
        assert rules.receipt_reason(division, "O-0031", DAY, is_new=is_new) == reason


@pytest.mark.parametrize(
    ("expected", "due"), [(None, date(2026, 1, 15)), (date(2026, 1, 3), date(2026, 1, 3))]
)
def test_a_delivery_is_due_when_it_is_expected_else_14_days_after_its_order(expected, due):
    assert rules.due_on(date(2026, 1, 1), expected) == due
