"""The rules of operations and movements: what they do to an item, and when they are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import Conflict, ErrorCode, Invalid, NotFound
from app.money import MAX_AMOUNT
from app.stock.rules.items import CATEGORY, NAME, REASON, EntryKind, ItemNameTaken, ItemState
from app.stock.rules.movements import (
    Action,
    StockLine,
    plan_addition,
    plan_delivery,
    plan_lines,
    plan_withdrawal,
    sum_lines,
)
from app.stock.rules.operations import Add, Change, Decrease, Increase, Remove, apply_operation

HEART = ItemState(7, "Red heart", 10, "Heart", 250)

amounts = st.integers(0, MAX_AMOUNT)


@given(amounts, st.integers(1, MAX_AMOUNT))
def test_a_withdrawal_takes_all_of_its_quantity_or_nothing(amount, quantity):
    item = ItemState(1, "x", amount)
    try:
        line = apply_operation(plan_withdrawal(item, quantity), item)
    except Conflict:
        assert quantity > amount
    else:
        assert line.delta == -quantity
        assert line.after.amount == amount - quantity >= 0


@given(amounts, st.integers(1, MAX_AMOUNT))
def test_a_delivery_adds_all_of_its_quantity_or_nothing(amount, quantity):
    item = ItemState(1, "x", amount)
    try:
        line = apply_operation(plan_delivery(item, quantity), item)
    except Conflict:
        assert amount + quantity > MAX_AMOUNT
    else:
        assert line.delta == quantity


@pytest.mark.parametrize(
    "attempt",
    [
        lambda: plan_withdrawal(HEART, 11),
        lambda: plan_withdrawal(HEART, 11, kind=EntryKind.TRANSFER),
        lambda: apply_operation(Decrease(7, 11), HEART),
    ],
)
def test_too_large_a_withdrawal_is_refused_with_the_amount_in_stock(attempt):
    with pytest.raises(Conflict) as caught:
        attempt()
    assert caught.value.message == 'Not enough stock: "Red heart" has 10'
    assert caught.value.field == "quantity"
    assert caught.value.code is ErrorCode.NOT_ENOUGH_STOCK


@pytest.mark.parametrize("quantity", [0, -1])
@pytest.mark.parametrize("plan", [plan_delivery, plan_withdrawal])
def test_a_quantity_below_1_is_refused(plan, quantity):
    with pytest.raises(Invalid, match="Quantity must be at least 1"):
        plan(HEART, quantity)


@pytest.mark.parametrize(
    "operation", [Increase(7, 1), Decrease(7, 1), Change(7, amount=1), Remove(7)]
)
@pytest.mark.parametrize("item", [None, ItemState(7, "Red heart", 0, removed=True)])
def test_an_item_that_is_not_in_stock_is_never_made_anew(operation, item):
    with pytest.raises(Conflict, match="no longer in stock"):
        apply_operation(operation, item)


def test_removing_an_item_writes_off_what_is_left():
    line = apply_operation(Remove(7), HEART)
    assert (line.kind, line.delta, line.after.removed) == (EntryKind.REMOVAL, -10, True)


def test_adding_an_item_starts_from_0():
    line = apply_operation(Add(ItemState(None, "New", 3)), None)
    assert (line.kind, line.delta) == (EntryKind.ADDITION, 3)


def test_a_change_leaves_other_values_unchanged_and_describes_itself():
    line = apply_operation(Change(7, category="", unit_price=300), HEART)
    assert line.after == ItemState(7, "Red heart", 10, "", 300)
    assert (line.kind, line.delta) == (EntryKind.CORRECTION, 0)
    assert line.detail == "Category Heart → –, Unit price £2.50 → £3.00"


def test_a_long_description_of_a_change_is_cut_to_the_length_of_a_reason():
    change = Change(7, name="x" * NAME.limit, category="y" * CATEGORY.limit)
    item = ItemState(7, "z" * NAME.limit, 1, "w" * CATEGORY.limit)
    assert len(apply_operation(change, item).detail) == REASON.limit


def test_a_new_name_is_an_addition():
    new = ItemState(None, "New", 3)
    assert plan_addition(new, None, None) == Add(new)


def test_an_existing_name_is_updated_in_amount_category_and_price_only():
    new = ItemState(None, "RED HEART", 3, "Box", 99)
    assert plan_addition(new, HEART, based_on=10) == Change(
        7, amount=3, category="Box", unit_price=99
    )


@pytest.mark.parametrize("based_on", [None, 9])
def test_an_existing_name_whose_amount_was_not_confirmed_is_refused(based_on):
    with pytest.raises(ItemNameTaken, match='Name already exists: "Red heart" has 10'):
        plan_addition(ItemState(None, "Red heart", 3), HEART, based_on=based_on)


@pytest.mark.parametrize("amount", [-1, MAX_AMOUNT + 1])
def test_an_amount_outside_its_range_is_refused(amount):
    with pytest.raises(Conflict, match="An item has 0 to 999,999,999"):
        apply_operation(Add(ItemState(None, "x", amount)), None)


def test_a_line_that_fails_is_named_by_its_index():
    lines = sum_lines([StockLine("red  HEART", 6), StockLine("Cup", 1), StockLine("Red heart", 5)])
    cup = ItemState(8, "Cup", 1)
    with pytest.raises(Conflict) as caught:
        plan_lines(Action.WITHDRAWAL, lines, [HEART, cup])
    message = 'Not enough stock: "Red heart" has 10'
    assert caught.value.fields == {"lines.0.name": message, "lines.2.name": message}
    assert caught.value.code is ErrorCode.NOT_ENOUGH_STOCK


@pytest.mark.parametrize("items", [[HEART], []])
def test_a_delivery_that_exceeds_the_largest_amount_names_its_line(items):
    lines = sum_lines([StockLine("Red heart", MAX_AMOUNT), StockLine("Red heart", 1)])
    with pytest.raises(Conflict) as caught:
        plan_lines(Action.DELIVERY, lines, items, auto_create=True)
    assert list(caught.value.fields) == ["lines.0.name", "lines.1.name"]


def test_an_item_is_found_by_its_id_and_a_missing_one_is_not_found():
    planned = plan_lines(Action.DELIVERY, sum_lines([StockLine(7, 2)]), [HEART])
    assert [line.operation for line in planned] == [Increase(7, 2)]
    with pytest.raises(NotFound, match="no longer in stock"):
        plan_lines(Action.DELIVERY, sum_lines([StockLine(8, 2)]), [HEART], auto_create=True)
