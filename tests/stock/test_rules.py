"""What an operation does to an item, and when it may not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import Conflict, Invalid
from app.money import MAX_AMOUNT
from app.stock.rules import operations as rules
from app.stock.rules.operations import Add, Change, Decrease, Increase, ItemState, Kind, Remove

HEART = ItemState(7, "Red heart", 10, "Heart", 250)

amounts = st.integers(0, MAX_AMOUNT)


@given(amounts, st.integers(1, MAX_AMOUNT))
def test_a_withdrawal_takes_all_of_its_quantity_or_nothing(amount, quantity):
    item = ItemState(1, "x", amount)
    try:
        line = rules.apply(Decrease(1, quantity), item)
    except Conflict:
        assert quantity > amount
    else:
        assert line.delta == -quantity
        assert line.after.amount == amount - quantity >= 0


@given(amounts, st.integers(1, MAX_AMOUNT))
def test_a_delivery_adds_all_of_its_quantity_or_nothing(amount, quantity):
    item = ItemState(1, "x", amount)
    try:
        line = rules.apply(Increase(1, quantity), item)
    except Conflict:
        assert amount + quantity > MAX_AMOUNT
    else:
        assert line.delta == quantity


def test_too_large_a_withdrawal_says_what_there_is():
    with pytest.raises(Conflict) as caught:
        rules.apply(Decrease(7, 11), HEART)
    assert caught.value.message == 'Not enough stock: "Red heart" has 10'
    assert caught.value.field == "quantity"


@pytest.mark.parametrize("quantity", [0, -1])
@pytest.mark.parametrize("plan", [rules.plan_delivery, rules.plan_withdrawal])
def test_a_quantity_below_1_is_refused(plan, quantity):
    with pytest.raises(Invalid, match="Quantity must be at least 1"):
        plan(HEART, quantity)


@pytest.mark.parametrize(
    "operation", [Increase(7, 1), Decrease(7, 1), Change(7, amount=1), Remove(7)]
)
@pytest.mark.parametrize("item", [None, ItemState(7, "Red heart", 0, removed=True)])
def test_an_item_that_has_vanished_is_never_made_anew(operation, item):
    with pytest.raises(Conflict, match="no longer in stock"):
        rules.apply(operation, item)


def test_removing_writes_off_what_is_left():
    line = rules.apply(Remove(7), HEART)
    assert (line.kind, line.delta, line.after.removed) == (Kind.REMOVAL, -10, True)


def test_adding_starts_from_nothing():
    line = rules.apply(Add(ItemState(None, "New", 3)), None)
    assert (line.kind, line.delta) == (Kind.ADDITION, 3)


def test_a_change_leaves_alone_what_it_does_not_name_and_says_what_it_changes():
    line = rules.apply(Change(7, category="", unit_price=300), HEART)
    assert line.after == ItemState(7, "Red heart", 10, "", 300)
    assert (line.kind, line.delta) == (Kind.CORRECTION, 0)
    assert line.detail == "Category Heart → –, Unit price £2.50 → £3.00"


def test_a_long_description_of_a_change_is_cut_to_what_the_ledger_holds():
    change = Change(7, name="x" * rules.LONGEST_NAME, category="y" * rules.LONGEST_CATEGORY)
    item = ItemState(7, "z" * rules.LONGEST_NAME, 1, "w" * rules.LONGEST_CATEGORY)
    assert len(rules.apply(change, item).detail) == rules.LONGEST_REASON


def test_a_new_name_is_an_addition():
    new = ItemState(None, "New", 3)
    assert rules.plan_addition(new, None, None) == [Add(new)]


def test_a_known_name_is_updated_in_amount_category_and_price_alone():
    new = ItemState(None, "RED HEART", 3, "Box", 99)
    assert rules.plan_addition(new, HEART, based_on=10) == [
        Change(7, amount=3, category="Box", unit_price=99)
    ]


@pytest.mark.parametrize("seen", [None, 9])
def test_a_known_name_whose_amount_was_not_seen_asks_first(seen):
    with pytest.raises(rules.NameExists, match='Name already exists: "Red heart" has 10'):
        rules.plan_addition(ItemState(None, "Red heart", 3), HEART, based_on=seen)


@pytest.mark.parametrize("amount", [-1, MAX_AMOUNT + 1])
def test_an_amount_outside_its_range_is_refused(amount):
    with pytest.raises(Conflict, match="can hold 0 to 999,999,999"):
        rules.apply(Add(ItemState(None, "x", amount)), None)
