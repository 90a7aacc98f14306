"""Undo of operations: all lines or none, once, and never below zero."""

import pytest

from app.db import db, transaction
from app.divisions import Division, Site
from app.errors import Conflict, NotFound
from app.stock.queries import books
from app.stock.queries.locks import lock_items
from app.stock.rules.items import ItemState
from app.stock.rules.movements import StockLine
from app.stock.rules.patches import Op, OpType
from app.stock.services import items, movements
from app.stock.services.movements import undo
from tests import factories
from tests.factories import DAY, GPM, GUILDFORD, MAIN

pytestmark = pytest.mark.differs_by_engine


@pytest.fixture
def by(context):
    return factories.user()


@pytest.fixture(autouse=True)
def books_are_right(context):
    yield
    db.session.rollback()
    assert list(books.ledger_problems()) == []


def take_back(operation, by):
    with transaction():
        return undo(Division.GFM, operation, by=by).operation


def withdraw(item, quantity, by):
    with transaction():
        return movements.withdraw(
            MAIN, [StockLine(item, quantity)], team="Kitchen", on=DAY, by=by
        ).operation


def test_a_withdrawal_is_undone_once(by):
    operation = withdraw(factories.item("Red heart", 10), 3, by)
    take_back(operation, by)
    assert factories.amount("Red heart") == 10
    with pytest.raises(Conflict, match="already been undone"):
        take_back(operation, by)
    assert factories.amount("Red heart") == 10


def test_an_undo_can_be_undone(by):
    operation = withdraw(factories.item("Red heart", 10), 3, by)
    take_back(take_back(operation, by), by)
    assert factories.amount("Red heart") == 7


def test_a_delivery_whose_stock_was_withdrawn_cannot_be_undone(by):
    item = factories.item("Red heart", 0)
    with transaction():
        delivered = movements.deliver(
            MAIN, [StockLine(item, 5)], team="Van", on=DAY, by=by
        ).operation
    withdraw(item, 3, by)
    with pytest.raises(Conflict, match='Not enough stock: "Red heart" has 2'):
        take_back(delivered, by)
    assert factories.amount("Red heart") == 2


def test_a_bulk_of_40_lines_is_undone_as_a_whole(by):
    names = [f"Item {n}" for n in range(40)]
    factories.items([(name, 5) for name in names[:20]])
    with transaction():
        lines = [StockLine(name, 2) for name in names]
        change = movements.deliver(MAIN, lines, auto_create=True, team="", on=DAY, by=by)
    assert factories.amount("Item 39") == 2
    take_back(change.operation, by)
    with transaction():
        left = lock_items([MAIN], names).at(MAIN)
    assert [item.amount for item in left] == [5] * 20


def test_a_bulk_with_one_line_withdrawn_since_cannot_be_undone(by):
    one, _ = factories.items([("One", 0), ("Two", 0)])
    with transaction():
        lines = [StockLine("One", 2), StockLine("Two", 2)]
        change = movements.deliver(MAIN, lines, auto_create=True, team="", on=DAY, by=by)
    withdraw(one, 1, by)
    with pytest.raises(Conflict, match="Not enough stock"):
        take_back(change.operation, by)
    assert (factories.amount("One"), factories.amount("Two")) == (1, 2)


@pytest.mark.parametrize("existing", [None, 4])
def test_a_transfer_is_undone_on_both_sites(by, existing):
    item = factories.item("Red heart", 10)
    if existing is not None:
        factories.item("Red heart", existing, store=GUILDFORD)
    with transaction():
        moved = movements.transfer(
            MAIN, [StockLine(item, 3)], destination=Site.GUILDFORD, team="", on=DAY, by=by
        )
    assert factories.amount("Red heart", GUILDFORD) == 3 + (existing or 0)
    take_back(moved.operation, by)
    assert factories.amount("Red heart") == 10
    with transaction():
        left = lock_items([GUILDFORD], ["Red heart"]).at(GUILDFORD)
    assert [i.amount for i in left] == ([] if existing is None else [existing])


def test_undoing_an_addition_removes_the_item_unless_stock_was_delivered_since(by):
    with transaction():
        added = items.add_item(MAIN, ItemState(None, "New", 5), based_on=None, by=by)
    with transaction():
        kept = items.add_item(MAIN, ItemState(None, "Kept", 5), based_on=None, by=by)
    factories.move(kept.item_id, 2)
    take_back(added.operation, by)
    take_back(kept.operation, by)
    with transaction():
        left = lock_items([MAIN], ["New", "Kept"]).at(MAIN)
    assert [(i.name, i.amount) for i in left] == [("Kept", 2)]


def test_undoing_a_removal_restores_the_item(by):
    item = factories.item("Red heart", 10, category="Heart", unit_price=199)
    with transaction():
        removed = items.remove_item(MAIN, item, based_on=10, by=by)
    take_back(removed.operation, by)
    back = factories.read_item(MAIN, "Red heart")
    assert (back.id, back.amount, back.category, back.unit_price) == (item, 10, "Heart", 199)


def test_a_removal_cannot_be_undone_once_its_name_is_taken(by):
    item = factories.item("Red heart", 10)
    with transaction():
        removed = items.remove_item(MAIN, item, based_on=10, by=by)
    factories.item("Red heart", 2)
    with pytest.raises(Conflict, match="name"):
        take_back(removed.operation, by)
    assert factories.amount("Red heart") == 2


def test_an_edit_is_undone_unless_somebody_edited_since(by):
    item = factories.item("Red heart", 10, category="Heart")
    with transaction():
        edited = items.edit_item(MAIN, item, name="Blue heart", category="Sea", revision=0, by=by)
    take_back(edited.operation, by)
    assert factories.read_item(MAIN, "Red heart").category == "Heart"
    with transaction():
        first = items.edit_item(MAIN, item, category="Sea", revision=2, by=by)
    with transaction():
        items.edit_item(MAIN, item, category="Sky", revision=3, by=by)
    with pytest.raises(Conflict, match="Undo the later change first"):
        take_back(first.operation, by)


def test_an_import_can_be_undone_by_a_user_of_its_division(by):
    factories.item("Red heart", 10)
    with transaction():
        listed = [ItemState(None, "Red heart", 4), ItemState(None, "New", 1)]
        items.set_stock(MAIN, listed, reason="Import", keeps_unit=True)
    take_back(2, by)
    assert factories.amount("Red heart") == 10


def test_another_divisions_operation_is_not_found(by):
    item = factories.item("Tin", 5, store=GPM)
    with transaction():
        done = movements.withdraw(GPM, [StockLine(item, 1)], team="K", on=DAY, by=by)
    with pytest.raises(NotFound):
        take_back(done.operation, by)
    with pytest.raises(NotFound):
        take_back(999, by)


def test_undoing_a_stock_check_skips_its_unchanged_lines(by):
    one, _ = factories.items([("One", 4), ("Two", 5)])
    ops = [Op(OpType.INC, "One", 0, 4), Op(OpType.DEC, "Two", 2, 5)]
    with transaction():
        done = movements.patch_stock(MAIN, ops, reason="Stock Check", team="", on=DAY, by=by)
    with transaction():
        items.remove_item(MAIN, one, based_on=4, by=by)
    with transaction():
        assert undo(Division.GFM, done.operation, by=by).lines == 1
    assert factories.amount("Two") == 5


def test_an_operation_that_changed_nothing_cannot_be_undone(by):
    factories.item("One", 4)
    with transaction():
        ops = [Op(OpType.INC, "One", 0, 4)]
        done = movements.patch_stock(MAIN, ops, reason="Stock Check", team="", on=DAY, by=by)
    with pytest.raises(Conflict, match="nothing to undo"):
        take_back(done.operation, by)
