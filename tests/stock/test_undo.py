"""Undo of operations: all lines or none, once, and never below zero."""

import pytest

from app.db import db
from app.divisions import Division, Site
from app.errors import Conflict, NotFound
from app.stock.queries import books, levels
from app.stock.rules.items import ItemState
from app.stock.rules.movements import StockLine
from app.stock.rules.patches import Op, OpType
from app.stock.services import items, movements
from app.stock.services.movements import undo
from tests import factories
from tests.factories import DAY, GPM, GUILDFORD, MAIN, do

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
    return do(undo, Division.GFM, operation, by=by).operation


def withdraw(item, quantity, by, store=MAIN):
    lines = [StockLine(item, quantity)]
    return do(movements.withdraw, store, lines, team="Kitchen", on=DAY, by=by).operation


def deliver(lines, by):
    return do(movements.deliver, MAIN, lines, auto_create=True, on=DAY, by=by).operation


def count(ops, by):
    return do(movements.patch_stock, MAIN, ops, reason="Stock Check", on=DAY, by=by).operation


def live(store=MAIN):
    """Return the amounts of the items that a store has, by name."""
    db.session.rollback()
    return {row.name: row.amount for row in levels.all_stock(store)}


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
    delivered = deliver([StockLine(item, 5)], by)
    withdraw(item, 3, by)
    with pytest.raises(Conflict, match='Not enough stock: "Red heart" has 2'):
        take_back(delivered, by)
    assert factories.amount("Red heart") == 2


def test_a_bulk_of_40_lines_is_undone_as_a_whole(by):
    names = [f"Item {n}" for n in range(40)]
    factories.items([(name, 5) for name in names[:20]])
    delivered = deliver([StockLine(name, 2) for name in names], by)
    assert factories.amount("Item 39") == 2
    take_back(delivered, by)
    assert live() == dict.fromkeys(sorted(names[:20]), 5)


def test_a_bulk_with_one_line_withdrawn_since_cannot_be_undone(by):
    one, _ = factories.items([("One", 0), ("Two", 0)])
    delivered = deliver([StockLine("One", 2), StockLine("Two", 2)], by)
    withdraw(one, 1, by)
    with pytest.raises(Conflict, match="Not enough stock"):
        take_back(delivered, by)
    assert live() == {"One": 1, "Two": 2}


@pytest.mark.parametrize("existing", [None, 4])
def test_a_transfer_is_undone_on_both_sites(by, existing):
    lines = [StockLine(factories.item("Red heart", 10), 3)]
    if existing is not None:
        factories.item("Red heart", existing, store=GUILDFORD)
    moved = do(movements.transfer, MAIN, lines, destination=Site.GUILDFORD, on=DAY, by=by)
    assert live(GUILDFORD) == {"Red heart": 3 + (existing or 0)}
    take_back(moved.operation, by)
    assert factories.amount("Red heart") == 10
    assert live(GUILDFORD) == ({} if existing is None else {"Red heart": existing})


def test_undoing_an_addition_removes_the_item_unless_stock_was_delivered_since(by):
    added, kept = (
        do(items.add_item, MAIN, ItemState(None, name, 5), based_on=None, by=by)
        for name in ("New", "Kept")
    )
    factories.move(kept.item_id, 2)
    take_back(added.operation, by)
    take_back(kept.operation, by)
    assert live() == {"Kept": 2}


def test_undoing_a_removal_restores_the_item(by):
    item = factories.item("Red heart", 10, category="Heart", unit_price=199)
    removed = do(items.remove_item, MAIN, item, based_on=10, by=by)
    take_back(removed.operation, by)
    back = factories.read_item(MAIN, "Red heart")
    assert (back.id, back.amount, back.category, back.unit_price) == (item, 10, "Heart", 199)


def test_a_removal_cannot_be_undone_once_its_name_is_taken(by):
    item = factories.item("Red heart", 10)
    removed = do(items.remove_item, MAIN, item, based_on=10, by=by)
    factories.item("Red heart", 2)
    with pytest.raises(Conflict, match="name"):
        take_back(removed.operation, by)
    assert factories.amount("Red heart") == 2


def test_an_edit_is_undone_unless_somebody_edited_since(by):
    item = factories.item("Red heart", 10, category="Heart")

    def edit(revision, **values):
        return do(items.edit_item, MAIN, item, revision=revision, by=by, **values).operation

    take_back(edit(0, name="Blue heart", category="Sea"), by)
    assert factories.read_item(MAIN, "Red heart").category == "Heart"
    first = edit(2, category="Sea")
    edit(3, category="Sky")
    with pytest.raises(Conflict, match="Undo the later change first"):
        take_back(first, by)


def test_an_import_can_be_undone_by_a_user_of_its_division(by):
    factories.item("Red heart", 10)
    listed = [ItemState(None, "Red heart", 4), ItemState(None, "New", 1)]
    do(items.set_stock, MAIN, listed, reason="Import", keeps=["unit"])
    take_back(2, by)
    assert factories.amount("Red heart") == 10


def test_another_divisions_operation_is_not_found(by):
    for operation in (withdraw(factories.item("Tin", 5, store=GPM), 1, by, GPM), 999):
        with pytest.raises(NotFound):
            take_back(operation, by)


def test_undoing_a_stock_check_skips_its_unchanged_lines(by):
    one, _ = factories.items([("One", 4), ("Two", 5)])
    counted = count([Op(OpType.INC, "One", 0, 4), Op(OpType.DEC, "Two", 2, 5)], by)
    do(items.remove_item, MAIN, one, based_on=4, by=by)
    assert do(undo, Division.GFM, counted, by=by).lines == 1
    assert factories.amount("Two") == 5


def test_an_operation_that_changed_nothing_cannot_be_undone(by):
    factories.item("One", 4)
    counted = count([Op(OpType.INC, "One", 0, 4)], by)
    with pytest.raises(Conflict, match="nothing to undo"):
        take_back(counted, by)
